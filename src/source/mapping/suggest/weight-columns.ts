// Finds the weight and its unit. It is certain only where one column says weight and no more, and its unit is known.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { formAttributes, isOtherThing, numbersIn } from './column-kinds.js';
import { askAmong, type Match } from './questions.js';
import { headerWords, namesAny, plainWord, saysOnly } from './read-header.js';
import { kilograms } from './units.js';

const stems = headerWords['weight'] ?? [];

/** The weight, or the columns that could be it: of a product and of its box, before a change and after it. */
export function weightMatch(columns: readonly ColumnProfile[]): Match | undefined {
  const plain = columns
    .filter((one) => namesAny(withoutValue(one.name), stems) && isPlainWeight(one.name) && isOfRecord(one))
    .sort((one, other) => other.filled - one.filled);
  const whole = plain.filter(({ name }) => stems.includes(plainWord(name)));
  const [first, ...more] = whole.length === 1 ? whole : plain;
  if (first === undefined) return undefined;
  const others = more.filter(({ amounts }) => amounts.some((amount, record) => amount !== first.amounts[record]));
  const unit = unitOf(first, columns);
  const isKnown = unit === undefined || unit.samples.every((sample) => factorOf(sample) !== undefined);
  return others.length === 0 && isKnown ? { sure: first } : askAmong([first, ...others]);
}

const isOfRecord = (one: ColumnProfile): boolean =>
  !formAttributes.test(one.name) && !isOtherThing(one.name) && (numbersIn(one) + one.measured) * 2 >= one.filled;

/** Whether the header of a weight says no more than its unit: that of a case is another. */
export function isPlainWeight(name: string): boolean {
  return stems.includes(plainWord(name)) || saysOnly(withoutValue(name), [...stems, ...Object.keys(kilograms)]);
}

/** Whether numbers are weights of something by their header, if not plainly of the product: `goods_weight`. */
export const saysWeight = (one: ColumnProfile): boolean =>
  namesAny(withoutValue(one.name), stems) && isOfRecord(one) && (one.range?.[1] ?? 0) > 0;

/** Whether a header has a word of weights. */
export const namesWeight = (name: string): boolean => stems.some((word) => plainWord(name).includes(word));

/** `weight` for `weight.value` and `weight.$numberLong`. */
const withoutValue = (name: string): string => name.replace(/(?:[.:@](?:value|amount)|\.\$\w+)$/iu, '');

const factorOf = (unit: string): number | undefined => kilograms[unit.toLowerCase()];

/** The step that takes the unit of a weight from another column; undefined if none has it. */
export function weightUnitStep(
  weight: ColumnProfile | undefined,
  columns: readonly ColumnProfile[],
): string | undefined {
  const unit = weight && unitOf(weight, columns);
  const factors = unit?.samples.map((sample) => [sample, factorOf(sample)] as const) ?? [];
  const isUseful = factors.some(([, factor]) => factor !== 1) && factors.every(([, factor]) => factor !== undefined);
  if (unit === undefined || unit.distinct !== unit.samples.length || !isUseful) return undefined;
  const map = factors.map(([sample, factor]) => `${JSON.stringify(sample)}: ${factor}`).join(', ');
  return `number: true, times: { column: ${JSON.stringify(unit.name)}, map: { ${map} } }`;
}

/** The column of the unit of a weight, the one that begins as it does first: `ItemWeight@unit` and not `BoxWeight@unit`. */
function unitOf(weight: ColumnProfile, columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const units = columns.filter(
    (one) =>
      one.filled > 0 &&
      numbersIn(one) === 0 &&
      /weight|gewicht|poids|peso/iu.test(one.name) &&
      /unit|uom|einheit|unité|unidad/iu.test(one.name),
  );
  return units.find(({ name }) => name.startsWith(withoutValue(weight.name))) ?? units[0];
}
