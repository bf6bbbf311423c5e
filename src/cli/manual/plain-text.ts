// Converts a page of the manual to plain text for a terminal: wrapped paragraphs, tables in columns, indented code.
import { lexer, type Token, type Tokens } from 'marked';
import { naturalWidths, sharedWidths, wordWidths, wrapped, wrappedRow } from '../../reporting/formats/text-table.js';

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

/** A table without frames, its cells wrapped to the widths that `sharedWidths` gives. */
function tableText({ header, rows }: Tokens.Table, width: number): string {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inlineText(tokens)));
  const widths = sharedWidths(naturalWidths(cells), wordWidths(cells), width - 2 * (header.length - 1));
  const [head = [], ...body] = cells;
  const rule = widths.map((columns) => '-'.repeat(columns));
  const shown = head.every((name) => name === '') ? body : [head, rule, ...body];
  return shown.map((row) => wrappedRow(row, widths)).join('\n');
}

function indented(text: string, by: string): string {
  return text.replace(/^(?=.)/gm, by);
}
