// `help`: lists the commands and the manual pages; with an argument, shows the help of that command or that page.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { CatalogError } from '../../core/errors.js';
import { nearest } from '../../core/text/text.js';
import { addExamples } from '../options.js';

export function defineHelp(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Shows the help of a command, or a page of the manual. On a terminal a page is shown as plain text through the ' +
        'pager (env: PAGER; default: less); elsewhere it is printed as Markdown.',
    )
    .argument('[topic...]', 'a command, with its subcommand if it has one, or a page')
    .option('--no-pager', 'print a page as plain text, without the pager');
  addExamples(command, [
    ['help', 'list commands and pages'],
    ['help mapping', 'read a page'],
    ['help keys create', 'the options of a command'],
    ['help mapping > mapping.md', 'a page as a file'],
  ]);
  command.action(async (topic: readonly string[], { pager }: { readonly pager: boolean }) => {
    const program = command.parent ?? command;
    const shown = commandCalled(program, topic);
    if (shown !== undefined) shown.outputHelp();
    else await showPage(topic, pager, program, process);
  });
}

/** The command that the words name; without words the program itself. */
function commandCalled(program: Command, words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (outer, word) => outer?.commands.find((inner) => inner.name() === word || inner.aliases().includes(word)),
    program,
  );
}

/** @throws CatalogError `usage` for an unknown page, with the most similar one */
async function showPage(
  words: readonly string[],
  pager: boolean,
  program: Command,
  process: NodeJS.Process,
): Promise<void> {
  const topic = words.join(' ');
  const folder = manualFolder();
  const pages = readdirSync(folder).map((file) => file.replace(/\.md$/, ''));
  const page = pages.find((name) => name === words.join('-').replaceAll('_', '-').toLowerCase());
  if (page === undefined) {
    const topics = [...program.commands.map((one) => one.name()), ...pages];
    const near = nearest(topic, topics);
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    throw new CatalogError(
      'usage',
      `"${topic}" is not a command or a page of the manual.${hint} See catalog-import help.`,
    );
  }
  const markdown = readFileSync(join(folder, `${page}.md`), 'utf8');
  const { stdout, env } = process;
  if (!stdout.isTTY) return void stdout.write(markdown);
  const { plainText } = await import('../manual/plain-text.js');
  const text = plainText(markdown, Math.min(stdout.columns || 80, 100));
  if (!pager || !(await paged(text, env))) stdout.write(text);
}

/** The pages are next to the built program, or in the source folder two levels above this file. */
function manualFolder(): string {
  const [built = '', source = ''] = ['./manual', '../../manual'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return existsSync(built) ? built : source;
}

/** Shows a text in the pager. Returns false where that fails. */
function paged(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const pager = env['PAGER'] ?? 'less';
  if (pager.trim() === '') return Promise.resolve(false);
  // The options git uses: quit if the text fits the screen, keep colours, leave the text on the screen.
  const child = spawn(pager, { shell: true, stdio: ['pipe', 'inherit', 'ignore'], env: { LESS: 'FRX', ...env } });
  // Quitting the pager early closes the pipe; that is not an error.
  child.stdin.on('error', () => undefined);
  child.stdin.end(text);
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    // Where there is no such command a shell ends with 127, that of Windows with 1, and a pager ends like that where it does not
    // know an option: shown twice is better than not at all. By a signal (null) it was ended on purpose.
    child.once('close', (code) => resolve(code === 0 || code === null));
  });
}
