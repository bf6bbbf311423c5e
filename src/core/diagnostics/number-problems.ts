// Numbers that cannot be imported, as data: what is wrong with each, and the only place that puts it into words.
import { mostAmountDigits } from '../fields/decimal.js';
import { quote } from '../text/text.js';
import { isMass, kilograms } from '../text/units.js';
import type { Problem, RefusalCode } from './refusal-codes.js';

/** What is wrong with a text that should be a number. */
export type NumberFault =
  | { readonly kind: 'not_a_number' }
  /** The remedy is what would read the number. */
  | { readonly kind: 'wrong_sign'; readonly decimal: '.' | ','; readonly remedy: 'sign' | 'grouping' | 'none' }
  /** Which digits are decimals depends on the decimal sign: 1.234. */
  | { readonly kind: 'ambiguous'; readonly isMapped?: 'no' }
  /** Unix seconds whose digits are a date, and the days that both are. */
  | { readonly kind: 'date_digits'; readonly day: string; readonly read: string; readonly format: string }
  /** Unix seconds that are the number of a day in a spreadsheet. */
  | { readonly kind: 'day_number'; readonly day: string; readonly read: string }
  /** A word next to the number; `says` is what it says of the amount, if that is another one than the one that is paid. */
  | { readonly kind: 'word_beside'; readonly word: string; readonly says?: string }
  | { readonly kind: 'point_in_comma_file' }
  | { readonly kind: 'fraction' }
  | { readonly kind: 'integer_range'; readonly min: number; readonly max: number }
  | { readonly kind: 'amount_range' }
  /** In a mapping the remedy is a step of it. */
  | { readonly kind: 'decimals'; readonly most: number; readonly isMapped: 'yes' | 'no' };

const codes: Readonly<Record<NumberFault['kind'], RefusalCode>> = {
  not_a_number: 'field_format',
  wrong_sign: 'field_format',
  ambiguous: 'field_format',
  date_digits: 'field_format',
  day_number: 'field_format',
  word_beside: 'field_format',
  point_in_comma_file: 'field_format',
  fraction: 'field_type',
  integer_range: 'field_out_of_range',
  amount_range: 'field_out_of_range',
  decimals: 'field_decimals',
};

export const amountRange = `0 or more, with at most ${mostAmountDigits} digits before the point`;

/** Digits around a sign that is one or the other, with another sign. */
const withSign = (value: string, sign: string): string =>
  (/\p{Nd}+\P{Nd}\p{Nd}{3}/u.exec(value)?.[0] ?? '').replace(/\P{Nd}/u, sign);

function signRemedy({ decimal, remedy }: Extract<NumberFault, { readonly kind: 'wrong_sign' }>): string {
  if (remedy === 'grouping') return 'a column of such numbers is read by number: {grouping: indian}';
  if (remedy === 'sign')
    return `a column of such numbers is read by number: {decimal: "${decimal === '.' ? ',' : '.'}"}`;
  return `write it like ${decimal === '.' ? '1234.50' : '1234,50'}`;
}

/**
 * A number in which letters were typed in place of digits, with the digits: 12,5O. Letters behind the last digit are a unit, as
 * in 5l, but for an O.
 */
function withDigits(value: string, word: string): string | undefined {
  const isZero = /^[Oo]+$/.test(word);
  if (!(isZero || /^[lI]+$/.test(word))) return undefined;
  const digits = (isZero ? '0' : '1').repeat(word.length);
  const place = new RegExp(`${isZero ? `(?<=\\d[.,]?)${word}|` : ''}${word}(?=[.,]?\\d)`);
  return place.test(value) ? value.replace(place, digits) : undefined;
}

const approximations: ReadonlySet<string> = new Set(
  'ca circa approx approximately about around etwa ungefähr rund env environ aprox ok около'.split(' '),
);

/** What would read a number next to a word. Without the unit, 500 g would be 500 kg. */
function wordRemedy(word: string): string {
  const unit = word.toLowerCase();
  if (isMass(word)) return `give the unit its factor with number: {units: {${word}: ${kilograms[unit]}}}`;
  const ignored = `leave the word out with number: {ignore: [${word}]}`;
  return approximations.has(unit)
    ? ignored
    : `${ignored}, or give a unit its factor with number: {units: {${word}: 1}}`;
}

/** The fault and the remedy, to follow the value. */
export function numberFaultText(fault: NumberFault, value: string): string {
  switch (fault.kind) {
    case 'not_a_number':
      return 'is not a number; write one, or leave it empty';
    case 'wrong_sign':
      return `is not a number with the decimal sign ${fault.decimal}; ${signRemedy(fault)}`;
    case 'ambiguous':
      return `is ${withSign(value, '')} or ${withSign(value, '.')}, depending on the decimal sign; ${fault.isMapped === 'no' ? 'import with --decimal "," or --decimal "."' : 'set decimal: "," or decimal: "."'}`;
    case 'date_digits':
      return `is ${fault.day} as a date and ${fault.read} in Unix seconds; a mapping reads the date with date: ${fault.format}`;
    case 'day_number':
      return `is ${fault.day} as the number of a day in a spreadsheet and ${fault.read} in Unix seconds; write the date, such as ${fault.day}, which a mapping reads with date: iso`;
    case 'word_beside': {
      const digits = withDigits(value, fault.word);
      if (digits !== undefined)
        return `has ${quote(fault.word)} among its digits; if digits are meant, write ${quote(digits)}`;
      if (fault.says !== undefined)
        return `holds ${quote(fault.word)}: ${fault.says}; if that is meant, leave the word out with number: {ignore: [${fault.word}]}`;
      return `holds ${quote(fault.word)} next to the number; ${wordRemedy(fault.word)}`;
    }
    case 'point_in_comma_file':
      return 'has a decimal point; with --decimal , write 1.234,50 or 1234,50';
    case 'fraction':
      return 'must be a whole number';
    case 'integer_range':
      return `is out of range; it must be from ${fault.min} to ${fault.max}`;
    case 'amount_range':
      return `is out of range; it must be ${amountRange}`;
    case 'decimals': {
      const remedy = fault.isMapped === 'yes' ? `round it with round: ${fault.most}` : 'round it first';
      return `has more than ${fault.most} decimals; ${remedy}`;
    }
  }
}

/**
 * The problem of a number that cannot be imported.
 * @param value the text as it was read
 * @param field the field it is for
 * @param source the column or other source of the value, as a message names it; '' where the field says enough
 */
export function numberProblem(fault: NumberFault, value: string, field: string, source = ''): Problem {
  const { kind, ...details } = fault;
  const params = { fault: kind, source, value, ...details };
  const where = source === '' ? '' : `${source}: `;
  return { code: codes[kind], field, message: `${where}${quote(value)} ${numberFaultText(fault, value)}`, params };
}
