// Numbers that a mapping need not read by the decimal sign of the file: those of JSON, those that it writes itself, and those
// that one of its steps has read. They carry that with them until the number of their field is read, and a currency next to
// them to that field: only there it is known which item has to be in it.
import type { WrittenAmount } from '../../../core/fields/currencies.js';
import { WrittenNumber } from '../../json/written-number.js';
import { isPlainNumber } from './plain-numbers.js';

/** A text as it is written in the file, or a number that is known. */
export type OneValue = string | WrittenNumber;

/** A plain number as a value. One without a fraction stays a text: it has no decimal sign to confuse. */
export function knownNumber(number: string): OneValue {
  return number.includes('.') ? new WrittenNumber(number) : number;
}

/** A constant of a mapping: where it has the form of a number, it is one. */
export function constantValue(given: unknown): OneValue {
  const text = String(given);
  return isPlainNumber(text) ? knownNumber(text) : text;
}

/** The result of a step on a text. If the text was a known number and the result has the form of one, the result is a known number as well. */
export function madeOf(value: OneValue, text: string): OneValue {
  if (typeof value === 'string') return text;
  if (value instanceof SignedText) return signedText(text, value.decimal);
  return isPlainNumber(text) ? moneyOf(text, besideOf(value)) : text;
}

/** A text of a table with a decimal sign of its own, by which a number is read of it. */
export class SignedText extends WrittenNumber {
  readonly #decimal: '.' | ',';

  constructor(text: string, decimal: '.' | ',') {
    super(text);
    this.#decimal = decimal;
  }

  get decimal(): '.' | ',' {
    return this.#decimal;
  }
}

/** A text whose decimal sign is known. One without a sign stays as it is. */
export function signedText(text: string, decimal: '.' | ','): OneValue {
  return /[.,]/.test(text) && /\d/.test(text) ? new SignedText(text, decimal) : text;
}

/** A currency that was next to a number, and where. */
export type CurrencyBeside = Omit<WrittenAmount, 'field'>;

/** A number made of amounts with currencies next to them. */
class Money extends WrittenNumber {
  readonly #beside: readonly CurrencyBeside[];

  constructor(text: string, beside: readonly CurrencyBeside[]) {
    super(text);
    this.#beside = beside;
  }

  get beside(): readonly CurrencyBeside[] {
    return this.#beside;
  }
}

const none: readonly CurrencyBeside[] = [];

/** The currencies next to an amount, or to those of a list. */
export function besideOf(value: unknown): readonly CurrencyBeside[] {
  if (value instanceof Money) return value.beside;
  return Array.isArray(value) ? value.reduce((all, part) => besideBoth(all, besideOf(part)), none) : none;
}

/** The currencies of two amounts of which one is made, each once. */
export function besideBoth(
  first: readonly CurrencyBeside[],
  second: readonly CurrencyBeside[],
): readonly CurrencyBeside[] {
  const more = second.filter(({ written }) => !first.some((one) => one.written === written));
  return more.length === 0 ? first : [...first, ...more];
}

/** A plain number that was made of amounts with these currencies. */
export function moneyOf(number: string, beside: readonly CurrencyBeside[]): OneValue {
  return beside.length === 0 ? knownNumber(number) : new Money(number, beside);
}
