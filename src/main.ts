// The program: builds the command line, runs what was typed, prints a failure, sets the exit code.
import { Command, CommanderError } from 'commander';
import { commands } from './cli/command-list.js';
import { exitCodes, failureExitCodes, signalExitCodes } from './cli/exit-codes.js';
import { manualPages } from './cli/manual/manual-pages.js';
import { CatalogError } from './core/errors.js';
import { sanitizeLines } from './core/text/sanitize.js';

/** Runs the command line of `process` and sets its exit code. */
export async function run(process: NodeJS.Process): Promise<void> {
  outliveReaders(process);
  try {
    const program = await buildProgram(process);
    await program.parseAsync(process.argv);
  } catch (error) {
    process.exitCode = fail(error, process);
  }
}

/**
 * Who reads us may leave (`| head`): an import goes on, and so does its exit code. A report that is lost in another way,
 * as on a full disk, is said, and does not end as one that was told.
 */
function outliveReaders(process: NodeJS.Process): void {
  process.stderr.on('error', () => {});
  let said = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || said) return;
    said = true;
    process.stderr.write(
      `What belongs on stdout could not be written (${error.message}); make room, and run the same command again.\n`,
    );
    process.once('exit', () => {
      if (!process.exitCode || process.exitCode === exitCodes.refused) process.exitCode = failureExitCodes.usage;
    });
  });
}

async function buildProgram(process: NodeJS.Process): Promise<Command> {
  const program = new Command('catalog-import')
    .description(
      'Imports catalog files into a local catalog or a remote instance, and reports line by line what happened.',
    )
    .version(await versionIfAsked(process), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ subcommandTerm: (command) => command.name(), showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: (text) => process.stderr.write(text),
      outputError: (text, write) => write(sanitizeLines(hinted(text))),
    })
    .showHelpAfterError('(--help shows the options, with examples)')
    .helpCommand(false)
    .exitOverride()
    .addHelpText('after', help);
  // `help get` shows the options of `get`: both are needed then.
  const [first = '', second = ''] = process.argv.slice(2);
  const typed = first === 'help' ? [first, second] : [first];
  for (const { words, summary, load } of commands) {
    const [name = '', ...aliases] = words;
    const command = program.command(name).summary(summary).aliases(aliases);
    if (typed.some((word) => words.includes(word))) (await load(process))(command, process);
  }
  return program;
}

const help = `
Pages of the manual (catalog-import help <page>):
${manualPages.map(({ name, summary }) => `  ${name.padEnd(17)}${summary}`).join('\n')}

Import in this order, since each refers to the earlier ones: characteristics, categories, groups, products, reviews.

Examples:
  # import a feed into ./catalog.db, and see what was refused and why
  catalog-import products feed.csv

  # see what would happen, without writing
  catalog-import products feed.csv --dry-run

  # read one record back
  catalog-import get product --sku PHONE-64

Exit codes: 0 all accepted, 3 some refused, 2 usage, 4 key refused, 5 input unreadable, 6 remote failed,
7 catalog unusable, 8 stopped by a guard, 9 not found, 129/130/143 interrupted, 1 a bug.`;

/** What is typed by habit, with the option that is meant. */
function hinted(text: string): string {
  return text.replace(
    /unknown option '--(json|ndjson|csv)'.*/,
    (words, form) => `${words} (Did you mean --output ${form}?)`,
  );
}

/** The version is read where it is asked for only: to `--help` it is an option like others. */
async function versionIfAsked({ argv }: NodeJS.Process): Promise<string> {
  const isAsked = argv.includes('-V') || argv.includes('--version');
  return isAsked ? (await import('./cli/version.js')).programVersion() : '';
}

/** Prints a failure where it was not printed yet; the exit code for it. */
function fail(error: unknown, process: NodeJS.Process): number {
  if (error instanceof CommanderError) {
    // Help and version that were asked for end here too, with 0; commander has printed what there is to say.
    return error.exitCode === 0 ? exitCodes.ok : failureExitCodes.usage;
  }
  if (error instanceof CatalogError) {
    process.stderr.write(`${sanitizeLines(error.message)}\n`);
    return signalExitCodes[String(error.cause)] ?? failureExitCodes[error.code];
  }
  const words = error instanceof Error ? error.message : String(error);
  const stack = process.env['DEBUG'] && error instanceof Error ? `\n${error.stack}` : '';
  process.stderr.write(
    sanitizeLines(`A bug: ${words}\nPlease report it with the command you typed; DEBUG=1 adds details.${stack}\n`),
  );
  return exitCodes.bug;
}
