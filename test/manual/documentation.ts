// The README and the pages of the manual as data: their fenced blocks, in order.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The project's folder. */
export const root = join(import.meta.dirname, '../..');
const pagesFolder = join(root, 'src/manual');

/** A fenced block of a page. */
export interface Block {
  /** The language behind the opening fence: `sh`, `output`, `yaml` … */
  readonly language: string;
  /** What follows the language on the opening fence. */
  readonly info: string;
  readonly text: string;
  /** The number of the opening fence's line, from 1. */
  readonly line: number;
}

/** A page of the documentation. */
export interface Page {
  /** `README` or the page's name. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** The names of the pages of the manual, as their files are called. */
export const pageNames: readonly string[] = readdirSync(pagesFolder)
  .filter((file) => file.endsWith('.md'))
  .map((file) => basename(file, '.md'))
  .sort();

/** The pages that are not part of the manual, by their names. */
const besideManual: Readonly<Record<string, string>> = {
  README: 'README.md',
  CONTRIBUTING: '.github/CONTRIBUTING.md',
  SECURITY: '.github/SECURITY.md',
};

/** Reads a page of the manual, or the README. */
export function readPage(name: string): Page {
  const beside = besideManual[name];
  const path = beside === undefined ? join(pagesFolder, `${name}.md`) : join(root, beside);
  const text = readFileSync(path, 'utf8');
  return { name, path, text, blocks: blocksOf(text) };
}

/** The fenced blocks of a text. A fence inside a list item is not one: the manual has none. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; info: string; line: number; lines: string[] } | undefined;
  for (const [i, line] of text.split('\n').entries()) {
    const [fence, language = '', info = ''] = /^```(\S*) ?(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (fence !== undefined) open = { language, info, line: i + 1, lines: [] };
    } else if (fence === undefined) open.lines.push(line);
    else {
      const { lines, ...block } = open;
      blocks.push({ ...block, text: lines.join('\n') });
      open = undefined;
    }
  }
  return blocks;
}
