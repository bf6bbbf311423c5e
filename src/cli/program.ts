// The command line as a Commander program: all commands by name, the typed one with its options.
import { Command } from 'commander';
import { maskCredentials } from '../core/text/mask-credentials.js';
import { sanitizeLines } from '../core/text/sanitize.js';
import { defineCommand } from './command-entry.js';
import { commands } from './command-list.js';
import { useConfig } from './config/use-config.js';
import { exampleText, helpLayout, helpWidth, itemText, wrapText } from './help-layout.js';
import { refuseIdleOptions } from './idle-options.js';
import { manualPages } from './manual/manual-pages.js';
import { hinted } from './usage-hints.js';

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
      outputError: (text, write) => write(sanitizeLines(maskCredentials(hinted(text, program, process.argv.slice(2))))),
    })
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

async function versionIfAsked({ argv }: NodeJS.Process): Promise<string> {
  const isAsked = argv.includes('-V') || argv.includes('--version');
  return isAsked ? (await import('../store/program-version.js')).programVersion() : '';
}
