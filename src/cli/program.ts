// The command line as a Commander program: all commands by name, the typed one with its options.
import { type Argument, Command } from 'commander';
import { maskCredentials } from '../core/text/mask-credentials.js';
import { sanitizeLines } from '../core/text/sanitize.js';
import { defineCommand } from './command-entry.js';
import { commands } from './command-list.js';
import { useConfig } from './config/use-config.js';
import { exampleText, helpLayout, helpWidth, itemText, wrapText } from './help-layout.js';
import { refuseIdleOptions } from './idle-options.js';
import { manualPages } from './manual/manual-pages.js';

/** Makes the program for a process. Loads only the typed command, or the one whose help is requested. */
export async function buildProgram(process: NodeJS.Process): Promise<Command> {
  const program = new Command('catalog-import')
    .description(
      'Imports catalog files into a local catalog or a remote instance, and reports line by line what happened.',
    )
    .version(await versionIfAsked(process), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .configureHelp(helpLayout)
    .configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: (text) => process.stderr.write(text),
      getOutHelpWidth: () => helpWidth(process.env, process.stdout),
      getErrHelpWidth: () => helpWidth(process.env, process.stderr),
      outputError: (text, write) => write(sanitizeLines(maskCredentials(hinted(text, program)))),
    })
    .showHelpAfterError('(--help shows the options, with examples)')
    .helpCommand(false)
    .exitOverride()
    .addHelpText('after', () => generalHelp(helpWidth(process.env, process.stdout)));
  // `help get` shows the options of `get`, so that both are needed.
  const [first = '', second = ''] = process.argv.slice(2);
  const typed = first === 'help' ? [first, second] : [first];
  for (const entry of commands) {
    const { words, summary, group } = entry;
    const [name = '', ...aliases] = words;
    const command = program.command(name).summary(summary).aliases(aliases).helpGroup(group);
    if (typed.some((word) => words.includes(word))) await defineCommand(entry, command, process, commands);
  }
  if (first !== '' && !first.startsWith('-') && !commands.some(({ words }) => words.includes(first)))
    await (await import('./file-as-command.js')).refuseFileAsCommand(process.argv.slice(2));
  useConfig(program, process, commands);
  program.hook('preAction', (_, command) => refuseIdleOptions(command, process.env));
  return program;
}

const examples: readonly (readonly [line: string, does: string])[] = [
  ['products feed.csv', 'import a feed into ./catalog.db, and see what was refused and why'],
  ['products feed.csv --dry-run', 'see what would happen, without writing'],
  ['get product --sku PHONE-64', 'read one record back'],
];

function generalHelp(width: number): string {
  const term = Math.max(...manualPages.map(({ name }) => name.length));
  const pages = manualPages.map(({ name, summary }) => itemText(name, summary, { term, width }));
  const shown = examples.map(([line, does]) => exampleText(line, does, width));
  const order =
    'Import in this order, since each refers to the earlier ones: characteristics, categories, groups, products, reviews.';
  const codes =
    'Exit codes: 0 all accepted, 3 some refused, 2 usage, 4 key refused, 5 input unreadable, 6 remote failed, 7 catalog ' +
    'unusable, 8 stopped by a guard, 9 not found, 129/130/143 interrupted, 1 a bug. More: catalog-import explain 3.';
  return `
Pages of the manual (catalog-import help <page>):
${pages.join('\n')}

${wrapText(order, width)}

Examples:
${shown.join('\n\n')}

${wrapText(codes, width)}`;
}

/** Options that users of other programs type by habit, and the option that is meant here. */
const habits: Readonly<Record<string, string>> = {
  mapping: '--map',
  separator: '--delimiter',
  sep: '--delimiter',
  charset: '--encoding',
  database: '--db',
  url: '--remote',
  rejects: '--refused-file',
  errors: '--refused-file',
};

/** Adds to a message what an argument is that was left out, or which option is meant by one that the command does not have. */
function hinted(text: string, program: Command): string {
  const explained = text.replace(/(missing required argument '([^']+)')\n/, (words, fault: string, name: string) => {
    const what = argumentNamed(program, name)?.description ?? '';
    return what === '' ? words : `${fault}: ${what}\n`;
  });
  const listed = explained.replace(
    /(too many arguments for '([a-z]+)'\. Expected 0 arguments.*)\n/,
    '$1 Use: catalog-import $2\n',
  );
  return listed.replace(/unknown option '--([a-z]+)(?:=[^']*)?'[\s\S]*/, (words, typed: string) => {
    const meant = hasForm(program, typed) ? `--output ${typed}` : habits[typed];
    const isKnown = meant !== undefined && hasOption(program, meant.replace(/ .*/, ''));
    return isKnown ? `unknown option '--${typed}' (Did you mean ${meant}?)\n` : words;
  });
}

function argumentNamed(command: Command, name: string): Argument | undefined {
  const own = command.registeredArguments.find((argument) => argument.name() === name);
  return own ?? command.commands.map((inner) => argumentNamed(inner, name)).find((found) => found !== undefined);
}

/** Whether the typed command has this option. */
function hasOption(command: Command, name: string): boolean {
  return command.options.some(({ long }) => long === name) || command.commands.some((inner) => hasOption(inner, name));
}

/** Whether the typed command supports this output format. */
function hasForm(command: Command, form: string): boolean {
  const isForm = command.options.some(({ long, argChoices }) => long === '--output' && argChoices?.includes(form));
  return isForm || command.commands.some((inner) => hasForm(inner, form));
}

async function versionIfAsked({ argv }: NodeJS.Process): Promise<string> {
  const isAsked = argv.includes('-V') || argv.includes('--version');
  return isAsked ? (await import('../store/program-version.js')).programVersion() : '';
}
