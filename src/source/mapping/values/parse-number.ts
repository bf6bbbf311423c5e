// Parses numbers as suppliers write them. Ambiguous numbers are a fault, never a guess.
import type { NumberFault } from '../../../core/diagnostics/number-problems.js';
import { amountKind, kindText, kindWords, otherAmountWords } from './amount-words.js';
import { abbreviations, currenciesOf, isGroupingOnly, withoutInnerSigns } from './currency-signs.js';

/** A currency next to an amount: as written, and the ISO codes it can mean. */
export interface CurrencyRead {
  readonly written: string;
  readonly codes: readonly string[];
}

/** A plain number (`-1234.50`) with its decimal sign and currencies, or a fault. */
export type NumberRead =
  | { readonly text: string; readonly sign: '.' | ',' | undefined; readonly currencies?: readonly CurrencyRead[] }
  | { readonly fault: NumberFault };

/** The syntax of the numbers in a column. */
export interface NumberStyle {
  /** The decimal sign; undefined to detect it in each number. */
  readonly decimal?: '.' | ',' | undefined;
  /** Digits are grouped by threes, or as in India: 1,23,456.50. */
  readonly grouping?: 'indian' | undefined;
  /** Case-folded words that are allowed next to the number, in addition to those of taxes and offers. */
  readonly ignore?: ReadonlySet<string> | undefined;
}

/** Words of taxes and offers, which do not change the amount. */
const offerWords: ReadonlySet<string> = new Set([
  ...kindWords,
  ...(
    'mwst ust mehrwertsteuer steuer vat gst tax taxes tva iva btw moms mva alv dph pdv ddv áfa kdv ндс пдв ' +
    'gesetzl gesetzliche der nur only jetzt now vk preis price'
  ).split(' '),
]);

const notANumber: { readonly fault: NumberFault } = { fault: { kind: 'not_a_number' } };

/** Marks that only set the direction of writing: spreadsheets write them next to Hebrew and Arabic amounts. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const arabicDecimal = '\u066b';

const textLimit = 200;
const wordLimit = 80;
const plainInteger = /^\d{1,15}$/;
const plainAmount = /^\d{1,12}[.,]\d{1,2}$/;
/** The text before a number, its sign, and a leading decimal sign; below: the digits, and dashes after them. */
const before = /^([^\d+-]*?)([+-]?) ?([.,]?)(?=\d)/su;
const digitsAt = /\d(?:[\d.,' ]*\d)?/y;
const dashes = /(?:[.,]-{1,2}| ?(?::-|\/[-=]))(?!\d)|-(?!\d)/y;
/** The beginning of a suffix that marks a whole amount and is not a decimal sign: `1.299:-`, `Rs. 499/-`, `1,000/=`. */
const wholeMark = /^ ?[:/]/;

/**
 * Reads one number out of a text: `1.234,50`, `1'234.50`, `€229,99 incl.`, `12,-`, `12,50-`, `.50`, `15.-`.
 *
 *  text          decimal not given      ','        '.'
 *  1.234,50      1234.50                1234.50    refused
 *  12,50         12.50                  12.50      refused
 *  1.234         refused: either sign   1234       1.234
 *  0.123         0.123                  refused    0.123    a zero begins no groups
 *  1 234,5       1234.5                 1234.5     refused
 *  ￥12,800      12800                  refused    12800    the yen has no decimals
 *  1.299:-       1299                   1299       refused  the dash stands for the decimals
 *  AB-12         refused: a code
 *  .50           0.50                   refused    0.50
 *  ١٢٫٥٠٠        12.500                 12.500     12.500   ٫ is always the decimal sign
 *  1,23,456.50   refused                refused    refused, with `grouping: indian` 123456.50
 *  (12.50)       refused: -12.50 to an accountant
 *  item 10.50    refused: only currencies and words of taxes and offers are allowed next to a number
 *  statt 10,50   refused: another amount than the one that is paid
 */
export function parseNumber(sent: string, style: NumberStyle = {}): NumberRead {
  // Fast path for most integers.
  if (plainInteger.test(sent)) return { text: sent, sign: undefined };
  // Fast path for most amounts: up to two decimals, which make the sign unambiguous.
  if (plainAmount.test(sent)) {
    const sign = sent.includes('.') ? '.' : ',';
    if (style.decimal === undefined || style.decimal === sign)
      return { text: sign === '.' ? sent : sent.replace(',', '.'), sign };
  }
  const trimmed = sent.trim();
  // What follows could change the number.
  if (trimmed.length > textLimit) return notANumber;
  const text = withoutInnerSigns(
    asciiDigits(trimmed)
      .replace(directionMarks, '')
      .replace(/[\u00a0\u202f\u2009]/g, ' ')
      .replaceAll('−', '-')
      .replace(/(?<=\d[.,:/])[–—]/g, '-')
      .replaceAll('’', "'"),
  ).trim();
  const cut = cutNumber(text);
  const point = cut && leadingPoint(cut);
  if (cut === undefined || point === undefined) return notANumber;
  const { sign, dash, trail } = cut;
  // More digits belong to another number, or to an exponent; `1.234.-` uses one sign for two purposes.
  const more = /\d/.test(hasOfferWord(trail) ? trail.replace(rate, ' ') : trail);
  if (more || (dash.startsWith('.') && point.digits.includes('.'))) return notANumber;
  if (isInBrackets(point.lead, trail) || isCode(point.lead, sign)) return notANumber;
  const around = wordsAround(point.lead, trail, style.ignore);
  if ('fault' in around) return around;
  const negative = sign === '-' || dash === '-';
  const { currencies } = around;
  const named = trimmed.includes(arabicDecimal) ? '.' : style.decimal;
  const grouped = wholeMark.test(dash) ? decimalByGroups(point.digits) : decimalOfCurrency(point.digits, currencies);
  // `￥12,800` with a decimal comma would be 12.80.
  if (named !== undefined && grouped !== undefined && grouped !== named) return wrongSign(point.digits, named);
  const decimal = /^[.,]/.test(dash) ? (dash[0] as '.' | ',') : (named ?? grouped);
  const read = digitsOf(point.digits, decimal === style.decimal ? style : { ...style, decimal });
  if ('fault' in read) return read;
  return { ...read, text: `${negative ? '-' : ''}${read.text}`, ...(currencies.length > 0 && { currencies }) };
}

/** The zeros of consecutive digits: Arabic, Persian, Devanagari, Bengali, Thai, full width. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];

/** The text with ASCII digits. Each Arabic sign has one meaning: ٫ is the decimal sign and ٬ groups. */
function asciiDigits(text: string): string {
  if (!/[\u0660-\u066c\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff0b-\uff19]/.test(text)) return text;
  return text
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff10-\uff19]/g, (digit) => {
      const code = digit.charCodeAt(0);
      const zero = zeros.findLast((first) => first <= code) ?? code;
      return String(code - zero);
    })
    .replace(/\u066c(?=\d{3})/g, '')
    .replaceAll(arabicDecimal, '.')
    .replace(/\uff0c/g, ',')
    .replace(/\uff0e/g, '.');
}

interface Cut {
  readonly lead: string;
  readonly sign: string;
  readonly digits: string;
  readonly dash: string;
  readonly trail: string;
}

/** Splits a text at its first number; undefined if it has none. */
function cutNumber(text: string): Cut | undefined {
  const begin = before.exec(text);
  if (begin === null) return undefined;
  const [whole, lead = '', sign = '', point = ''] = begin;
  digitsAt.lastIndex = whole.length;
  const digits = digitsAt.exec(text)?.[0] ?? '';
  dashes.lastIndex = whole.length + digits.length;
  const dash = dashes.exec(text)?.[0] ?? '';
  return { lead, sign, digits: point + digits, dash, trail: text.slice(whole.length + digits.length + dash.length) };
}

/** A point between a word and digits belongs to the word if that is an abbreviation (`Rs.50`), else it is ambiguous. */
function leadingPoint({ lead, sign, digits }: Cut): { lead: string; digits: string } | undefined {
  if (!/^[.,]/.test(digits)) return { lead, digits };
  const word = sign === '' ? /[\p{L}\p{M}]+$/u.exec(lead)?.[0].toLowerCase() : undefined;
  if (word === undefined) return { lead, digits };
  return abbreviations.has(word) && digits.startsWith('.') ? { lead, digits: digits.slice(1) } : undefined;
}

/** Whether a number is in brackets with nothing but its currency: `(12.50)` is -12.50 to an accountant, and 12.50 to others. */
function isInBrackets(lead: string, trail: string): boolean {
  if (!/\([^()]*$/.test(lead) || !/^[^()]*\)/.test(trail)) return false;
  return (`${lead} ${trail}`.match(/[\p{L}\p{M}]+/gu) ?? []).every((word) => currenciesOf(word) !== undefined);
}

/** Whether the sign before a number joins it to a word of an amount: `AB-12`, `OD-1`. */
function isCode(lead: string, sign: string): boolean {
  const word = /[\p{L}\p{M}]+$/u.exec(lead)?.[0].toLowerCase() ?? '';
  return sign !== '' && (offerWords.has(word) || otherAmountWords.has(word));
}

type SurroundingWords = { readonly currencies: readonly CurrencyRead[] } | { readonly fault: NumberFault };

/** A tax rate, which belongs to its word: `inkl. 19 % MwSt`. */
const rate = /(?:^|[^\d.,])\d{1,2}(?:[.,]\d{1,2})? ?%/u;

/** Cache of the text around numbers, by the words that are ignored: a feed has few variants of it. */
const seenWords = new WeakMap<object, Map<string, SurroundingWords>>();
const noWords: SurroundingWords = { currencies: [] };

function wordsAround(lead: string, trail: string, ignore: ReadonlySet<string> | undefined): SurroundingWords {
  if (lead === '' && trail === '') return noWords;
  if (lead.length + trail.length > wordLimit) return notANumber;
  const id = `${lead}\0${trail}`;
  const seen = seenWords.get(ignore ?? noWords) ?? new Map<string, SurroundingWords>();
  seenWords.set(ignore ?? noWords, seen);
  const known = seen.get(id);
  if (known !== undefined) return known;
  const words = hasOfferWord(trail) ? trail.replace(rate, ' ') : trail;
  // A comma or point after a number that ends in one is part of the number, and makes it invalid: `1,2,`.
  const read = /^[.,]/.test(words) ? notANumber : readWords(`${lead} ${words}`, ignore);
  if (seen.size < 1000) seen.set(id, read);
  return read;
}

function hasOfferWord(text: string): boolean {
  return (text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []).some((word) => offerWords.has(word));
}

/** Currencies are collected, words of taxes and offers and those of `ignore` are skipped; any other word is a fault. */
function readWords(text: string, ignore: ReadonlySet<string> | undefined): SurroundingWords {
  const found: CurrencyRead[] = [];
  for (const token of text.match(/[\p{L}\p{M}]+\p{Sc}?|\p{Sc}|\S/gu) ?? []) {
    if (/^[.:*(),]$/.test(token)) continue;
    const word = token.toLowerCase();
    if (ignore?.has(word) === true) continue;
    // `inkl€` is a word and a sign, `US$` is one sign.
    const [, before = '', sign = ''] = /^(.+)(\p{Sc})$/u.exec(token) ?? [];
    const codes = currenciesOf(token) ?? (offerWords.has(before.toLowerCase()) ? currenciesOf(sign) : undefined);
    if (codes !== undefined) found.push({ written: token, codes });
    else if (offerWords.has(word)) continue;
    else if (!/[\p{L}\p{Sc}]/u.test(token)) return notANumber;
    else {
      const kind = otherAmountWords.has(word) ? amountKind(word) : undefined;
      return { fault: { kind: 'word_beside', word: token, ...(kind && { says: kindText(kind) }) } };
    }
  }
  return { currencies: found };
}

/** The currency next to the number of a text, or the text itself if it is one; undefined if there is none. */
export function currencyIn(text: string): CurrencyRead | undefined {
  const words = withoutInnerSigns(text).match(/[\p{L}\p{M}]+\p{Sc}?|\p{Sc}/gu) ?? [];
  for (const written of words) {
    const codes = offerWords.has(written.toLowerCase()) ? undefined : currenciesOf(written);
    if (codes !== undefined) return { written, codes };
  }
  return undefined;
}

function digitsOf(digits: string, { decimal, grouping }: NumberStyle): NumberRead {
  const sign = decimal ?? (grouping === 'indian' ? '.' : signIn(digits));
  if (sign === 'either') return { fault: { kind: 'ambiguous' } };
  const text = plainOf(digits, sign, grouping);
  if (text !== undefined) return { text, sign: text.includes('.') ? sign : undefined };
  return decimal === undefined ? notANumber : wrongSign(digits, decimal);
}

/** A number that is none with the decimal sign of its column, and how it would be one. */
function wrongSign(digits: string, decimal: '.' | ','): { readonly fault: NumberFault } {
  const other = decimal === '.' ? ',' : '.';
  const isIndian = plainOf(digits, '.', 'indian') !== undefined;
  const remedy = plainOf(digits, other) !== undefined ? 'sign' : isIndian ? 'grouping' : 'none';
  return { fault: { kind: 'wrong_sign', decimal, remedy } };
}

/** Digits with a decimal sign and grouped thousands as a plain number; undefined if they are none. */
function plainOf(digits: string, sign: '.' | ',' | undefined, grouping?: 'indian'): string | undefined {
  const [whole = '', fraction, more] = sign === undefined ? [digits] : digits.split(sign);
  const isGrouped =
    grouping === 'indian' ? /^[1-9]\d?(?:,\d{2})*,\d{3}$/.test(whole) : /^[1-9]\d{0,2}(?:[., ']\d{3})+$/.test(whole);
  const grouped = isGrouped && new Set(whole.replace(/\d/g, '')).size === 1;
  const malformed = more !== undefined || (fraction !== undefined && !/^\d+$/.test(fraction));
  const leading = whole === '' && fraction !== undefined;
  if (malformed || !(grouped || leading || /^\d+$/.test(whole))) return undefined;
  const plain = leading ? '0' : whole.replace(/\D/g, '');
  return fraction === undefined ? plain : `${plain}.${fraction}`;
}

/** The decimal sign of a number with one sign before three digits, by its currency: `￥12,800` is 12800. */
function decimalOfCurrency(digits: string, currencies: readonly CurrencyRead[]): '.' | ',' | undefined {
  if (currencies.length === 0) return undefined;
  const sign = digits.includes(',') ? ',' : '.';
  return currencies.every(({ codes }) => isGroupingOnly(codes, sign)) ? decimalByGroups(digits) : undefined;
}

/** The decimal sign of a whole number with one sign before three digits, which groups them. */
function decimalByGroups(digits: string): '.' | ',' | undefined {
  if (signIn(digits) !== 'either') return undefined;
  return digits.includes(',') ? '.' : ',';
}

/** Detects the decimal sign of a number; undefined if it has none. */
function signIn(digits: string): '.' | ',' | 'either' | undefined {
  const signs = digits.replace(/[^.,]/g, '');
  const last = signs.at(-1);
  if (last !== '.' && last !== ',') return undefined;
  if (new Set(signs).size === 2) return signs.indexOf(last) === signs.length - 1 ? last : undefined;
  // Several of one kind group thousands; one before three digits is ambiguous, unless something else decides.
  if (signs.length > 1) return undefined;
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? 'either' : last;
}
