// Reads whole numbers in cells, as people write them.
import { withoutGroupingSpaces } from './written-decimal.js';

interface NumberSyntax {
  readonly decimal: '.' | ',';
  /** Whether the decimal sign was given explicitly. */
  readonly isNamed?: boolean;
}

/** Digits of an integer that is read by its digits alone. */
const fewDigits = 9;

/** The number of up to nine digits, as nearly all integers are; undefined for other texts. A match takes ten times as long. */
function plainInteger(text: string): number | undefined {
  const { length } = text;
  if (length === 0 || length > fewDigits) return undefined;
  let read = 0;
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return undefined;
    read = 10 * read + digit;
  }
  return read;
}

/** `5`, `5.00` → 5; with a decimal comma `1.234,00` → 1234; else the text itself. */
export function integerOf(text: string, writing: NumberSyntax): number | string | undefined {
  return plainInteger(text) ?? integerIn(text, writing);
}

/** An empty text is not sent, in JSON as in a cell: there is nothing that it could clear. */
function integerIn(text: string, { decimal, isNamed }: NumberSyntax): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const digits = decimal === ',' || isNamed ? withoutGroupingSpaces(trimmed, decimal) : trimmed;
  const match =
    decimal === '.' ? /^(-?\d+)(?:\.0+)?$/.exec(digits) : /^(-?(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+))(?:,0+)?$/.exec(digits);
  if (match === null) return text;
  // The sum turns -0 into 0. A number beyond safe integers stays text, which is out of range too, and which the message
  // quotes.
  const read = Number((match[1] ?? '').replaceAll('.', '')) + 0;
  return Number.isSafeInteger(read) ? read : text;
}
