// Converts a page of the manual to plain text for a terminal: wrapped paragraphs, tables in columns, indented code.
import { lexer, type Token, type Tokens } from 'marked';

/** Converts Markdown to text of at most `width` columns; code keeps its lines, however long. */
export function plainText(markdown: string, width: number): string {
  const blocks = lexer(markdown).map((token) => blockText(token, width));
  return `${blocks.filter((text) => text !== '').join('\n\n')}\n`;
}

function blockText(token: Token, width: number): string {
  switch (token.type) {
    case 'heading': {
      const words = inlineText(token.tokens);
      const sign = token.depth === 1 ? '=' : '-';
      return token.depth > 2 ? words : `${words}\n${sign.repeat(words.length)}`;
    }
    case 'paragraph':
    case 'text':
      return wrapped(inlineText(token.tokens, token.text), width);
    case 'code':
      return indented(token.text, '    ');
    case 'list':
      return (token as Tokens.List).items.map((item, i) => itemText(item, token as Tokens.List, i, width)).join('\n');
    case 'table':
      return tableText(token as Tokens.Table, width);
    default:
      return '';
  }
}

function itemText(item: Tokens.ListItem, list: Tokens.List, index: number, width: number): string {
  const mark = list.ordered ? `${Number(list.start || 1) + index}. ` : '- ';
  const blocks = item.tokens.map((token) => blockText(token, width - mark.length)).filter((text) => text !== '');
  return mark + indented(blocks.join('\n'), ' '.repeat(mark.length)).trimStart();
}

/** The visible text of inline Markdown: `code`, **bold**, links. */
function inlineText(tokens: readonly Token[] | undefined, otherwise = ''): string {
  if (tokens === undefined) return otherwise;
  return tokens
    .map((token) => ('tokens' in token && token.tokens !== undefined ? inlineText(token.tokens) : plain(token)))
    .join('');
}

function plain(token: Token): string {
  if (token.type === 'br') return '\n';
  return 'text' in token ? String(token.text) : token.raw;
}

/** A table without frames, its cells wrapped to the widths that `shares` gives. */
function tableText({ header, rows }: Tokens.Table, width: number): string {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inlineText(tokens)));
  const natural = header.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)));
  const words = header.map((_, i) => Math.max(...cells.map((row) => longestWord(row[i] ?? ''))));
  const widths = shares(natural, words, width - gap.length * (header.length - 1));
  const [head = [], ...body] = cells;
  const rule = widths.map((columns) => '-'.repeat(columns));
  const shown = head.every((name) => name === '') ? body : [head, rule, ...body];
  return shown.map((row) => rowText(row, widths)).join('\n');
}

const gap = '  ';

/** A row of a table: as many lines as its longest cell has. */
function rowText(row: readonly string[], widths: readonly number[]): string {
  const columns = row.map((cell, i) => wrapped(cell, widths[i] ?? 0).split('\n'));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    columns
      .map((lines, i) => (lines[at] ?? '').padEnd(widths[i] ?? 0))
      .join(gap)
      .trimEnd(),
  ).join('\n');
}

const longestWord = (text: string): number => Math.max(...text.split(/\s+/).map((word) => word.length));

/**
 * The widths of columns. A column narrower than an equal share keeps its own width, one with a longer word gets the
 * width of that word, and the others share the rest.
 */
function shares(natural: readonly number[], words: readonly number[], width: number): number[] {
  const given = [...natural];
  let open = natural.map((_, i) => i);
  let left = width;
  while (open.length > 0) {
    const share = Math.floor(left / open.length);
    const settled = open.filter((i) => (natural[i] ?? 0) <= share || (words[i] ?? 0) >= share);
    for (const i of settled.length > 0 ? settled : open) {
      given[i] = (natural[i] ?? 0) <= share ? (natural[i] ?? 0) : Math.max(words[i] ?? 0, share);
      left -= given[i] ?? 0;
    }
    open = settled.length > 0 ? open.filter((i) => !settled.includes(i)) : [];
  }
  return given;
}

function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

function indented(text: string, by: string): string {
  return text.replace(/^(?=.)/gm, by);
}
