// Lays help out for the width of the terminal: whole words, a description under its term where both do not fit beside each
// other, and long commands cut so that they can still be copied.
import type { Help, HelpConfiguration } from 'commander';

/** Columns of help that does not go to a terminal. */
const usualWidth = 80;

/** Narrower descriptions are put under their term. */
const narrowest = 36;

const indent = 2;
const gap = 2;

/** The columns that help may fill. */
export function helpWidth({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): number {
  return isTTY ? Math.max(20, columns || usualWidth) : usualWidth;
}

/** Text of lines that fit; words stay whole, and lines that the text has stay. @param hang how far lines after a break go in */
export function wrapText(text: string, width: number, hang = 0): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const lead = /^ */.exec(line)?.[0] ?? '';
      const words = line.trim().split(/ +/);
      return joined(words, { first: lead, next: lead + ' '.repeat(hang), width });
    })
    .join('\n');
}

function joined(
  words: readonly string[],
  { first, next, width }: { readonly first: string; readonly next: string; readonly width: number },
): string[] {
  const lines: string[] = [];
  let line = first + (words[0] ?? '');
  for (const word of words.slice(1)) {
    if (line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = next + word;
    }
  }
  return [...lines, line];
}

/** A command of a shell, cut with `\` at spaces outside quotes where it is too long for a line. */
function wrapCommand(command: string, width: number): string {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return joined(words, { first: '  ', next: '    ', width: width - 2 }).join(' \\\n');
}

/** An example: a comment that says what it does, and the command. */
export function exampleText(line: string, does: string, width: number): string {
  const comment = wrapText(does, width - 4).replace(/^/gm, '  # ');
  return `${comment}\n${wrapCommand(`catalog-import ${line}`, width)}`;
}

/** A term with its description beside it, or under it. */
export function itemText(
  term: string,
  description: string,
  size: { readonly term: number; readonly width: number },
): string {
  const start = indent + size.term + gap;
  if (description === '') return ' '.repeat(indent) + term;
  const isBeside = size.width - start >= narrowest;
  const at = isBeside ? start : indent + 4;
  const text = wrapText(description, size.width - at).replaceAll('\n', `\n${' '.repeat(at)}`);
  return isBeside
    ? `${' '.repeat(indent)}${term.padEnd(size.term + gap)}${text}`
    : `${' '.repeat(indent)}${term}\n${' '.repeat(at)}${text}`;
}

/** How Commander lays help out. */
export const helpLayout: HelpConfiguration = {
  subcommandTerm: (command) => command.name(),
  showGlobalOptions: false,
  formatItem(term, termWidth, description, helper: Help) {
    return itemText(term, description, { term: termWidth, width: helper.helpWidth ?? usualWidth });
  },
  boxWrap: (text, width) => wrapText(text, width),
  styleUsage(this: Help, text) {
    return wrapText(`Usage: ${text}`, this.helpWidth ?? usualWidth, 4).slice('Usage: '.length);
  },
};
