// The step `number`: an amount as suppliers write it, as a plain number.
import { numberProblem } from '../../../core/diagnostics/number-problems.js';
import type { Field } from '../../../core/fields/fields.js';
import { fold } from '../../../core/text/text.js';
import { shownText } from '../../csv/number-cells.js';
import { referenceWords, taxSaid } from '../values/amount-words.js';
import { besideBoth, besideOf, knownNumber, moneyOf, type OneValue, SignedText } from '../values/known-number.js';
import { type NumberStyle, parseNumber } from '../values/parse-number.js';
import { multiplyNumbers } from '../values/plain-numbers.js';
import { perValue, type Step } from './per-text.js';
import type { StepScope } from './scope.js';

interface NumberWords {
  readonly decimal?: '.' | ',';
  readonly grouping?: 'indian';
  readonly ignore?: string | readonly string[];
  /** Factors of the units that are allowed next to the number; '' is the factor for a number without a unit. */
  readonly units?: Readonly<Record<string, string | number>>;
}

const withExponent = /^\s*-?\d+(?:\.\d+)?[eE][-+]?\d+\s*$/;

/** `number: true`, or the syntax of numbers in this column: `number: {decimal: ",", ignore: [Stk]}`. */
export function numberStep(given: unknown, about: StepScope): Step {
  const own: NumberWords = typeof given === 'object' && given !== null ? given : {};
  const units = new Map(Object.entries(own.units ?? {}).map(([unit, factor]) => [fold(unit), String(factor)]));
  const ignored = [...[own.ignore ?? []].flat().map((word) => fold(String(word))), ...units.keys()].filter(
    (word) => word !== '',
  );
  // What is old or recommended is the reference price.
  if (/price_compare$/.test(about.target)) ignored.push(...referenceWords);
  const style = {
    decimal: own.decimal ?? about.read.decimal,
    grouping: own.grouping,
    ignore: ignored.length === 0 ? undefined : new Set(ignored),
  };
  // What is known has a point; a workbook may show a unit next to it.
  const knownStyle: NumberStyle = { decimal: '.', ignore: style.ignore };
  const isPlain = units.size === 0 ? plainNumbers(about.fault === undefined ? undefined : about.field, style) : never;
  const writtenAs = (value: OneValue): [string, NumberStyle] => {
    if (typeof value === 'string') return [value, style];
    if (value instanceof SignedText) return [value.text, { ...style, decimal: own.decimal ?? value.decimal }];
    return [shownText(value), knownStyle];
  };
  const give = about.isReadAgain === true ? knownNumber : (number: string) => number;
  return perValue((value, context) => {
    if (typeof value === 'string' && isPlain(value)) return give(value);
    const [text, how] = writtenAs(value);
    const read = parseNumber(text, how);
    if ('fault' in read) {
      // 1e21 is out of range here, as it is without a mapping.
      const meant = withExponent.test(text) ? about.fault?.(text.trim()) : undefined;
      context.refuse(numberProblem(meant ?? read.fault, text, about.target, about.source));
      return '';
    }
    if (how.decimal === undefined && read.sign !== undefined) about.decided(about.source, read.sign);
    const tax = /\p{L}/u.test(text) ? taxSaid(text) : undefined;
    if (tax !== undefined) about.taxed(about.source, tax, text, context.place?.line);
    const number = units.size === 0 ? read.text : multiplyNumbers(read.text, unitFactor(text, units));
    const fault = about.fault?.(number);
    if (fault !== undefined) context.refuse(numberProblem(fault, text, about.target, about.source));
    if (fault !== undefined) return '';
    const { currencies } = read;
    if (currencies === undefined && typeof value === 'string') return give(number);
    const beside = besideBoth(
      besideOf(value),
      (currencies ?? []).map(({ written, codes }) => ({ source: about.source, text, written, codes })),
    );
    return beside.length === 0 ? give(number) : moneyOf(number, beside);
  });
}

const never = (): boolean => false;

/**
 * Recognizes the numbers that `parseNumber` returns as they are and that fit the field: most cells of a feed.
 * @param field the field that the number fills as it is; undefined if other steps follow
 */
function plainNumbers(field: Field | undefined, { decimal }: NumberStyle): (text: string) => boolean {
  const scale = field === undefined ? 9 : field.kind === 'decimal' ? field.scale : 0;
  const pattern = decimal === '.' && scale > 0 ? new RegExp(`^\\d{1,9}(?:\\.\\d{1,${scale}})?$`) : /^\d{1,9}$/;
  return (text) => pattern.test(text);
}

/** The factor of the unit next to a number; without a unit the factor for '' (default 1). */
function unitFactor(text: string, units: ReadonlyMap<string, string>): string {
  for (const word of text.match(/[\p{L}\p{M}]+/gu) ?? []) {
    const factor = units.get(fold(word));
    if (factor !== undefined) return factor;
  }
  return units.get('') ?? '1';
}
