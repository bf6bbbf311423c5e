// Parses JSON without losing digits of numbers. JSON.parse makes doubles: 5.00000000000000000001
// becomes 5, and 1e-400 becomes 0, which the catalog would take for the number that was sent.

/**
 * A JSON number that a double cannot represent exactly, or that is beyond every field: no field accepts it, and its
 * message quotes it.
 */
export class NumberLiteral {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/**
 * Parses JSON like JSON.parse, except for numbers that a double cannot represent: each becomes a `NumberLiteral`.
 * @throws SyntaxError for invalid JSON
 */
export function parseJson(text: string): unknown {
  let value: unknown = JSON.parse(text);
  if (!mayLoseDigits(text)) return value;
  let mark = 'number:';
  while (text.includes(mark)) mark = `_${mark}`;
  const marked = withMarks(text, mark);
  if (marked === text) return value;
  // For a hostile text this is 20 times its length, so it is not kept while the second one is made.
  value = undefined;
  return JSON.parse(marked, (_, member) =>
    typeof member === 'string' && member.startsWith(mark) ? new NumberLiteral(member.slice(mark.length)) : member,
  );
}

/**
 * Sixteen digits in a row, with or without a point, or an exponent. Also matches inside texts, which costs time only.
 */
function mayLoseDigits(text: string): boolean {
  return /\d[eE][-+\d]/.test(text) || /[\d.]{16}/.test(text);
}

/** The text with every number that a double cannot represent turned into a marked text. Texts stay as they are. */
function withMarks(text: string, mark: string): string {
  const parts: string[] = [];
  let taken = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) at = endOfText(text, at);
    else if (unit === 0x2d || isDigit(unit)) {
      const end = endOfNumber(text, at);
      const literal = text.slice(at, end);
      if (!isHeld(literal)) {
        parts.push(text.slice(taken, at), JSON.stringify(mark + literal));
        taken = end;
      }
      at = end - 1;
    }
  }
  return parts.join('') + text.slice(taken);
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** The index of the quote that ends the text opened at `at`; the JSON is known to be valid. */
function endOfText(text: string, at: number): number {
  let end = at + 1;
  while (text.charCodeAt(end) !== 0x22) end += text.charCodeAt(end) === 0x5c ? 2 : 1;
  return end;
}

function endOfNumber(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && /[\d.eE+-]/.test(text.charAt(end))) end++;
  return end;
}

/** Numbers of this size are out of range of every field. */
const beyondAll = 1e15;

/** Whether a double reproduces the number; one that is out of range of every field must be written as a double is. */
function isHeld(literal: string): boolean {
  if (literal.length < 16 && !/[eE]/.test(literal)) return true;
  const value = Number(literal);
  const shown = String(value);
  return shown === literal || (Math.abs(value) < beyondAll && digitsOf(literal) === digitsOf(shown));
}

/** The significant digits of a number and the position of its point: equal for every way to write it. */
function digitsOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return '0';
  const leading = /^0*/.exec(whole + fraction)?.[0].length ?? 0;
  return `${sign}${digits}e${whole.length - leading + Number(exponent)}`;
}
