// Numbers of a JSON text as they were written. JSON.parse makes doubles, which keep only 15 digits in any case:
// 199.99999999999999999 becomes 200, 12345678901234567890 another number, and 1.10 loses its zero, which matters in a
// key.

/**
 * A number whose decimal sign is known to be a point: one of JSON that a double would not reproduce, and in a mapping any that
 * is no text of the file.
 */
export class WrittenNumber {
  // Private, so that a record that is searched for its members finds none here.
  readonly #text: string;
  readonly #literal: string;

  /**
   * @param text its decimal digits; an exponent is written out as long as that stays short
   * @param literal the number as it was written
   */
  constructor(text: string, literal: string = text) {
    this.#text = text;
    this.#literal = literal;
  }

  get text(): string {
    return this.#text;
  }

  get literal(): string {
    return this.#literal;
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): string {
    return this.#text;
  }
}

/** Digits a double keeps whatever they are. */
const safeDigits = 15;
/** Maximum digits for writing an exponent out: those of the largest and the smallest double. */
const mostDigits = 330;

/**
 * The number of a JSON literal if its text can be restored from it; else the text.
 * @example 12.5 → 12.5, 12.50 → "12.50", 1e3 → 1000, 199.99999999999999999 → "199.99999999999999999"
 */
export function writtenNumber(literal: string): number | WrittenNumber {
  const value = Number(literal);
  const shown = String(value);
  if (shown === literal && !shown.includes('e')) return value;
  if (!/[eE]/.test(literal)) return new WrittenNumber(literal);
  const plain = writtenOut(literal);
  return shown === plain ? value : new WrittenNumber(plain ?? literal, literal);
}

/** `1.5e3` → `1500`; undefined if that has more digits than any double. */
function writtenOut(literal: string): string | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?[eE]([-+]?\d{1,4})$/.exec(literal);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  if (/^0+$/.test(digits)) return `${sign}0`;
  const point = whole.length + Number(exponent);
  if (digits.length + Math.abs(point) > mostDigits) return undefined;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(1, point);
  const before = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const decimals = padded.slice(at).replace(/0+$/, '');
  return sign + before + (decimals === '' ? '' : `.${decimals}`);
}

/**
 * Whether JSON.parse may lose digits of a number in this text: more than 15 digits in a row, or a negative exponent. A
 * run of 16 digits has one at each 16th position, so only these are examined: ten times as fast as a regular
 * expression.
 */
export function mayLoseDigits(text: string): boolean {
  const step = safeDigits + 1;
  for (let at = 0; at < text.length; at += step) if (isDigit(text, at) && runAround(text, at) >= step) return true;
  return hasSmallExponent(text, 'e-') || hasSmallExponent(text, 'E-');
}

function runAround(text: string, at: number): number {
  let from = at;
  while (from > 0 && isDigit(text, from - 1)) from--;
  let end = at + 1;
  while (end < text.length && isDigit(text, end)) end++;
  return end - from;
}

/** A digit, or the point between them. */
function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x2e;
}

function hasSmallExponent(text: string, sign: string): boolean {
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 2))
    if (isDigit(text, at - 1) && isDigit(text, at + 2)) return true;
  return false;
}

/** Whether a number in this text may be written differently from how a double is shown: `1.10`, `1e3`, `-0`. */
export function mayLoseForm(text: string): boolean {
  return /\.\d*0(?!\d)|\d[eE]|-0/.test(text) || mayLoseDigits(text);
}

const numberLiteral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;

/**
 * Parses a JSON text; numbers that a double would not give back become texts as they are written.
 * @param isLossy tells which literals may be such numbers
 * @throws SyntaxError where it is not JSON
 */
export function parseWithTexts(text: string, isLossy: (literal: string) => boolean): unknown {
  return JSON.parse(replaced(text, (written) => (isLossy(written.literal) ? written.text : undefined)));
}

/**
 * Parses a JSON text; numbers that a double would not give back become `WrittenNumber`s.
 * @throws SyntaxError where it is not JSON
 */
export function parseWritten(text: string): unknown {
  let mark = 'number:';
  while (text.includes(mark)) mark = `_${mark}`;
  let count = 0;
  const marked = replaced(text, ({ literal }) => {
    count++;
    return mark + literal;
  });
  const value: unknown = JSON.parse(marked);
  return count === 0 ? value : restored(value, mark);
}

/** The value with the numbers that are marked in it; in place, which takes a third of the time of a reviver. */
function restored(value: unknown, mark: string): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? writtenNumber(value.slice(mark.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const before = members[name];
    const after = restored(before, mark);
    // An assignment to `__proto__` would set no member.
    if (after !== before)
      Object.defineProperty(members, name, { value: after, writable: true, enumerable: true, configurable: true });
  }
  return value;
}

function replaced(text: string, write: (written: WrittenNumber) => string | undefined): string {
  return text.replace(stringOrNumber, (part) => {
    // Invalid numbers are left for the parser to refuse.
    if (part.startsWith('"') || !numberLiteral.test(part)) return part;
    const read = writtenNumber(part);
    return typeof read === 'number' ? part : (JSON.stringify(write(read)) ?? part);
  });
}
