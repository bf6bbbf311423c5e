// JSON whose numbers are judged by what was written (decisions 4.3). JSON.parse makes doubles: 5.00000000000000000001
// becomes 5, and 1e-400 becomes 0, which the catalog would take for the number that was sent.

/**
 * Parses JSON like JSON.parse, but for numbers with digits that a double loses: each becomes the next double that has
 * digits where those were, so that it is refused as what was written is, for its fraction or its decimals.
 * @throws SyntaxError where the text is not JSON
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return mayLoseDigits(text) ? JSON.parse(withLostDigits(text)) : value;
}

/** Sixteen digits in a row, with or without a point, or a negative exponent: inside a text as well, which costs time only. */
function mayLoseDigits(text: string): boolean {
  return /\d[eE]-/.test(text) || /[\d.]{16}/.test(text);
}

/** The text with every number that a double does not hold replaced by one that shows it. Texts are left alone. */
function withLostDigits(text: string): string {
  const parts: string[] = [];
  let taken = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) at = endOfText(text, at);
    else if (unit === 0x2d || isDigit(unit)) {
      const end = endOfNumber(text, at);
      const literal = text.slice(at, end);
      const kept = literalOf(literal);
      if (kept !== literal) {
        parts.push(text.slice(taken, at), kept);
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

/** The index of the quote that ends the text opened at `at`; the JSON is known to be sound. */
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

/** Numbers of this size are out of range of every field: what is lost of them changes nothing. */
const beyondAll = 1e15;

function literalOf(literal: string): string {
  if (literal.length < 16 && !/[eE]-/.test(literal)) return literal;
  const value = Number(literal);
  if (Math.abs(value) >= beyondAll || digitsOf(literal) === digitsOf(String(value))) return literal;
  const next = value + Math.sign(value || 1) * Math.max(Math.abs(value) * 2 ** -52, Number.MIN_VALUE);
  return String(next);
}

/** The significant digits of a number and where its point is: the same for every way to write it. */
function digitsOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return '0';
  const leading = /^0*/.exec(whole + fraction)?.[0].length ?? 0;
  return `${sign}${digits}e${whole.length - leading + Number(exponent)}`;
}
