// Formats help for the width of the terminal: wraps at words, puts a description below its term where both do not fit
// on a line, and splits long commands so that they can still be copied.
import type { Help, HelpConfiguration } from 'commander';
import { outputWidth } from './output-width.js';

/** Width of help that is not written to a terminal. */
const usualWidth = 80;

/** A description narrower than this goes below its term. */
const narrowest = 36;

const indent = 2;
const gap = 2;

/** The width available for help on a stream: of the terminal, or what `COLUMNS` says. */
export function helpWidth(env: NodeJS.ProcessEnv, stdout: NodeJS.WriteStream): number {
  return Math.max(20, outputWidth({ env, stdout }) || usualWidth);
}

/**
 * Wraps text at words; existing line breaks are kept, and lines that fit.
 * @param hang indentation of continuation lines
 */
export function wrapText(text: string, width: number, hang = 0): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (line.length <= width) return line;
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

/** A shell command, split with `\` at spaces outside quotes where it exceeds the line. */
function wrapCommand(command: string, width: number): string {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return joined(words, { first: '  ', next: '    ', width: width - 2 }).join(' \\\n');
}

/** An example: the command, after a comment that says what it does. */
export function exampleText(line: string, does: string, width: number): string {
  const comment = wrapText(does, width - 4).replace(/^/gm, '  # ');
  return `${comment}\n${wrapCommand(`catalog-import ${line}`, width)}`;
}

/** A term with its description next to or below it. */
export function itemText(
  term: string,
  description: string,
  size: { readonly term: number; readonly width: number },
): string {
  const start = indent + size.term + gap;
  if (description === '') return ' '.repeat(indent) + term;
  const isSameLine = size.width - start >= narrowest;
  const at = isSameLine ? start : indent + 4;
  const text = wrapText(description, size.width - at).replaceAll('\n', `\n${' '.repeat(at)}`);
  return isSameLine
    ? `${' '.repeat(indent)}${term.padEnd(size.term + gap)}${text}`
    : `${' '.repeat(indent)}${term}\n${' '.repeat(at)}${text}`;
}

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
