// A number as suppliers write it → a plain one, or why it is none. Whatever could be read in two ways is not read.

/** A plain number (`-1234.50`) with the decimal sign that was recognised, or what is wrong. */
export type NumberRead = { readonly text: string; readonly sign: '.' | ',' | undefined } | { readonly fault: string };

/**
 * Reads one number out of a text: `1.234,50`, `1'234.50`, `€229,99 incl.`, `12,-`, `12,50-`.
 * @param decimal the decimal sign; undefined where each number must tell it by itself
 *
 *  text        decimal not given      ','        '.'
 *  1.234,50    1234.50                1234.50    refused
 *  12,50       12.50                  12.50      refused
 *  1.234       refused: either sign   1234       1.234
 *  0.123       0.123                  refused    0.123
 *  1 234,5     1234.5                 1234.5     refused
 */
export function readNumber(sent: string, decimal: '.' | ',' | undefined): NumberRead {
  // What most integers are.
  if (/^\d{1,15}$/.test(sent)) return { text: sent, sign: undefined };
  const text = sent
    .slice(0, 200)
    .replace(/[\u00a0\u202f\u2009]/g, ' ')
    .replaceAll('−', '-')
    .replaceAll('’', "'");
  const match = /^([^\d+-]*)([+-]?) ?(\d[\d.,' ]*?)(,-{1,2}|-)?([^\d]*)$/u.exec(text);
  const [, lead = '', sign = '', digits = '', dash = '', trail = ''] = match ?? [];
  if (match === null || !isDecoration(lead) || !isDecoration(trail) || /^[.,]/.test(trail) || /(?:^|\s)\.$/.test(lead))
    return { fault: 'is no number' };
  const negative = sign === '-' || dash === '-';
  const read = digitsOf(digits.trim(), dash.startsWith(',') ? ',' : decimal);
  if ('fault' in read) return read;
  return { ...read, text: `${negative ? '-' : ''}${read.text}` };
}

/** Currency signs and words around a number; nothing that is part of one. */
function isDecoration(text: string): boolean {
  return text.length < 40 && /^[\p{L}\p{Sc}\s:*.]*$/u.test(text);
}

function digitsOf(digits: string, decimal: '.' | ',' | undefined): NumberRead {
  const sign = decimal ?? signIn(digits);
  if (sign === 'either')
    return { fault: 'is 1234 or 1.234, depending on the decimal sign; say decimal: "," or decimal: "."' };
  const [whole = '', fraction, more] = sign === undefined ? [digits] : digits.split(sign);
  const grouped = /^\d{1,3}(?:[., ']\d{3})+$/.test(whole) && new Set(whole.replace(/\d/g, '')).size === 1;
  const malformed = more !== undefined || (fraction !== undefined && !/^\d+$/.test(fraction));
  if (malformed || !(grouped || /^\d+$/.test(whole)))
    return { fault: decimal === undefined ? 'is no number' : `is no number with the decimal sign ${decimal}` };
  const plain = whole.replace(/\D/g, '');
  return {
    text: fraction === undefined ? plain : `${plain}.${fraction}`,
    sign: fraction === undefined ? undefined : sign,
  };
}

/** The decimal sign that a number tells by itself; undefined where it has none. */
function signIn(digits: string): '.' | ',' | 'either' | undefined {
  const signs = digits.replace(/[^.,]/g, '');
  const last = signs.at(-1);
  if (last !== '.' && last !== ',') return undefined;
  if (new Set(signs).size === 2) return signs.indexOf(last) === signs.length - 1 ? last : undefined;
  // Several of one kind group thousands; one before three digits may be either, unless something else tells.
  if (signs.length > 1) return undefined;
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? 'either' : last;
}

/** Adds two plain numbers exactly. */
export function addNumbers(a: string, b: string): string {
  const scale = Math.max(decimals(a), decimals(b));
  return plain(units(a, scale) + units(b, scale), scale);
}

/** Moves the decimal sign of a plain number: 1999 by -2 is 19.99. */
export function shiftNumber(number: string, places: number): string {
  const scale = decimals(number);
  if (places >= scale) return plain(units(number, scale) * 10n ** BigInt(places - scale), 0);
  return plain(units(number, scale), scale - places);
}

/** Rounds a plain number to so many decimals, half away from zero. */
export function roundNumber(number: string, places: number): string {
  const scale = decimals(number);
  if (scale <= places) return number;
  const divisor = 10n ** BigInt(scale - places);
  const value = units(number, scale);
  const half = value < 0n ? -divisor / 2n : divisor / 2n;
  return plain((value + half) / divisor, places);
}

function decimals(number: string): number {
  const at = number.indexOf('.');
  return at === -1 ? 0 : number.length - at - 1;
}

function units(number: string, scale: number): bigint {
  return BigInt(number.replace('.', '') + '0'.repeat(scale - decimals(number)));
}

function plain(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const sign = value < 0n ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
