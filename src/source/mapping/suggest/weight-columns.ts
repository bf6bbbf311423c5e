// Finds the weight and its unit. It is certain only where one column says weight and no more, and its unit is known.

import { isMass, kilograms } from '../../../core/text/units.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { areAll, choicesOf, isOtherThing, isWhole, numbersIn } from './column-kinds.js';
import { isCovered } from './compare-columns.js';
import { columnWith } from './given.js';
import { wordsOf } from './header-stems.js';
import type { Match } from './questions.js';
import { headerWords, isPackage, moneyRole, namesAny, plainWord } from './read-header.js';
import { unitFactors, valueSteps } from './value-steps.js';
import { unknownIn, unknownRemark } from './whole-header.js';

const stems = headerWords['weight'] ?? [];

/** The weight, or the columns that could be it: of a product and of its box, before a change and after it. */
export function weightMatch(columns: readonly ColumnProfile[]): Match | undefined {
  const called = (one: ColumnProfile): string => (unitBeside(one, columns) ? outerOf(one) : withoutValue(one.name));
  const named = columns
    .filter((one) => namesAny(called(one), stems) && isOfRecord(one))
    .sort((one, other) => other.filled - one.filled);
  const plain = named.filter((one) => unknownIn(called(one), 'weight') === undefined);
  const whole = plain.filter(({ name }) => stems.includes(plainWord(name)));
  const [first, ...more] = whole.length === 1 ? whole : plain;
  if (first === undefined)
    return { open: named.map((column) => ({ column, remark: unknownRemark(called(column), 'weight') })) };
  const others = more.filter((one) => !isCovered(one, first));
  const unit = unitOf(first, columns);
  const isKnown = unit === undefined || areAll(unit, isMass);
  const remark = wordsOf(first.name).some(isPackage) ? 'its header names a package' : unitRemark(first, columns);
  if (others.length === 0 && isKnown && remark !== undefined) return { open: [{ column: first, remark }] };
  if (others.length === 0 && isKnown) return { sure: first };
  return { open: [first, ...others].map((column) => ({ column, remark: unitOfChoice(column, columns) })) };
}

/** Weights in kilograms are seldom whole numbers of which half are as much. */
const mostKilograms = 50;

/** What to write for a weight that may be chosen, where another column has its unit. */
function unitOfChoice(weight: ColumnProfile, columns: readonly ColumnProfile[]): string | undefined {
  const step = valueSteps('weight', weight).length === 0 ? weightUnitStep(weight, columns) : undefined;
  return step === undefined ? undefined : `write ${columnWith(weight.name, step)}`;
}

/** What is not known of the unit of a weight, where that matters. */
function unitRemark(weight: ColumnProfile, columns: readonly ColumnProfile[]): string | undefined {
  const { name, amounts, measured, filled } = weight;
  if (measured > 0)
    return measured === filled || unitFactors(name).length === 1
      ? undefined
      : 'some values have no unit: they are read as kg; if they are g, add "": 0.001 to the units';
  if (saysUnit(weight, columns)) return undefined;
  // Whatever it is called: it may be the unit of something else.
  const beside = columns.find((one) => numbersIn(one) === 0 && stepOf(one) !== undefined);
  if (beside !== undefined)
    return `${JSON.stringify(beside.name)} says ${choicesOf(beside)?.join(', ')}: as it is in kg, or write ${columnWith(name, stepOf(beside))}`;
  const large = amounts.filter((amount = 0) => amount >= mostKilograms).length;
  if (!isWhole(weight) || large * 2 <= filled) return undefined;
  return `nothing says its unit: as it is in kg; for g write ${columnWith(name, 'shift: -3')}`;
}

/** Whether a header, values or another column tell the unit of a weight. */
const saysUnit = (weight: ColumnProfile, columns: readonly ColumnProfile[]): boolean =>
  weight.measured > 0 || unitOf(weight, columns) !== undefined || unitFactors(weight.name).length > 0;

/** What a suggestion says about the unit of a weight, after its sample. */
export const unitNote = (weight: ColumnProfile | undefined, columns: readonly ColumnProfile[]): string =>
  weight === undefined || weight.samples.length === 0 || saysUnit(weight, columns)
    ? ''
    : '; nothing says its unit: taken as kg';

const isOfRecord = (one: ColumnProfile): boolean =>
  !isOtherThing(one.name) && (numbersIn(one) + one.measured) * 2 >= one.filled;

/** Whether numbers are weights of something by their header, if not plainly of the product: `goods_weight`. */
export const saysWeight = (one: ColumnProfile): boolean =>
  namesAny(withoutValue(one.name), stems) && isOfRecord(one) && (one.range?.[1] ?? 0) > 0;

/** Numbers with decimals next to a column of units of weight, whatever they are called: `BRGEW` and `GEWEI`. */
export function weightByUnit(columns: readonly ColumnProfile[]): Match | undefined {
  const open = columns.flatMap((column) => {
    const unit = !isWhole(column) ? unitByValues(column, columns) : undefined;
    if (unit === undefined || !isOfRecord(column) || moneyRole(column.name) !== undefined) return [];
    const step = weightUnitStep(column, columns);
    const write = step === undefined ? '' : `: write ${columnWith(column.name, step)}`;
    return [{ column, remark: `${JSON.stringify(unit.name)} says ${unit.samples.join(', ')}${write}` }];
  });
  return { open };
}

/** The column next to another one all of whose values are units of weight. */
const unitByValues = ({ name }: ColumnProfile, columns: readonly ColumnProfile[]): ColumnProfile | undefined =>
  columns.find(
    (one) => one.filled > 0 && name.startsWith(one.name.slice(0, one.name.lastIndexOf('.') + 1)) && areAll(one, isMass),
  );

/** Whether a header has a word of weights. */
export const namesWeight = (name: string): boolean => stems.some((word) => plainWord(name).includes(word));

/** `weight` for `weight.value` and `weight.$numberLong`. */
const withoutValue = (name: string): string => name.replace(/(?:[.:@](?:value|amount)|\.\$\w+)$/iu, '');

/** What a member is inside of. */
const outerOf = ({ name }: ColumnProfile): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));

/** The unit of a number that is a member next to it: `{ waarde: 450, eenheid: "gram" }`. */
const unitBeside = (weight: ColumnProfile, columns: readonly ColumnProfile[]): ColumnProfile | undefined =>
  columns.find(
    (one) => one !== weight && outerOf(one) !== '' && outerOf(one) === outerOf(weight) && areAll(one, isMass),
  );

const factorOf = (unit: string): number | undefined => kilograms[unit.toLowerCase()];

/** The step that takes the unit of a weight from another column; undefined if none has it. */
export function weightUnitStep(
  weight: ColumnProfile | undefined,
  columns: readonly ColumnProfile[],
): string | undefined {
  const unit = weight && unitOf(weight, columns);
  return unit && stepOf(unit);
}

/** The step that multiplies by the unit of a column; undefined where all are kilograms, or not all are known. */
function stepOf(unit: ColumnProfile): string | undefined {
  const factors = choicesOf(unit)?.map((word) => [word, factorOf(word)] as const) ?? [];
  const isUseful = factors.some(([, factor]) => factor !== 1) && factors.every(([, factor]) => factor !== undefined);
  const map = factors.map(([word, factor]) => `${JSON.stringify(word)}: ${factor}`).join(', ');
  return isUseful ? `number: true, times: { column: ${JSON.stringify(unit.name)}, map: { ${map} } }` : undefined;
}

/** The column of the unit of a weight, the one that begins as it does first: `ItemWeight@unit` and not `BoxWeight@unit`. */
function unitOf(weight: ColumnProfile, columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const beside = unitBeside(weight, columns);
  if (beside !== undefined) return beside;
  const units = columns.filter(
    (one) =>
      one.filled > 0 &&
      numbersIn(one) === 0 &&
      /weight|gewicht|poids|peso/iu.test(one.name) &&
      /unit|uom|einheit|unité|unidad/iu.test(one.name),
  );
  const isUnitOf = (unit: ColumnProfile, { name }: ColumnProfile) => unit.name.startsWith(withoutValue(name));
  const others = columns.filter((one) => one !== weight && namesWeight(one.name) && numbersIn(one) > 0);
  const byName =
    units.find((unit) => isUnitOf(unit, weight)) ?? units.find((unit) => !others.some((one) => isUnitOf(unit, one)));
  return byName ?? (namesWeight(weight.name) ? undefined : unitByValues(weight, columns));
}
