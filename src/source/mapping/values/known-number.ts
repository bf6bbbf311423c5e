// Numbers that a mapping need not read by the decimal sign of the file: those of JSON, those that it writes itself, and those
// that one of its steps has read. They carry that with them until the number of their field is read.
import { WrittenNumber } from '../../json/written-number.js';
import { isPlainNumber } from './plain-numbers.js';

/** A text as it is written in the file, or a number that is known. */
export type OneValue = string | WrittenNumber;

/** A plain number as a value. Without a fraction it is the same by each sign, and a text does. */
export function knownNumber(number: string): OneValue {
  return number.includes('.') ? new WrittenNumber(number) : number;
}

/** A constant of a mapping: where it has the form of a number, it is one. */
export function constantValue(given: unknown): OneValue {
  const text = String(given);
  return isPlainNumber(text) ? knownNumber(text) : text;
}

/** What a step has made of a value: a part of a number is one, too, where it has its form. */
export function madeOf(value: OneValue, text: string): OneValue {
  return typeof value === 'string' ? text : constantValue(text);
}
