// How several rows give one value. Without a word in the mapping they have to agree: which of two prices counts is not guessed.
//
//   aggregate: first      9.50, 8.00 → 9.50          aggregate: sum              5, 7 → 12
//   aggregate: last       9.50, 8.00 → 8.00          aggregate: {join: " "}      a, b → a b
//   aggregate: max, min   9.50, 8.00 → 9.50, 8.00    (none)                      9.50, 9.5 → 9.50; 9.50, 8.00: refused
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import type { RowChoice } from '../../../core/diagnostics/source-faults.js';
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { fold } from '../../../core/text/text.js';
import type { RowPlace } from '../../file-place.js';
import { WrittenNumber } from '../../json/written-number.js';
import type { FieldRule, Section } from '../mapping.js';
import { isAdding, isEntries } from '../mapping.js';
import { besideBoth, besideOf, moneyOf } from '../values/known-number.js';
import { addNumbers, compareNumbers, isPlainNumber } from '../values/plain-numbers.js';

/** Which of several values counts, or what is made of them. */
export type Aggregate = 'first' | 'last' | 'min' | 'max' | 'sum' | { readonly join: string };

export const ofNumbers: ReadonlySet<unknown> = new Set(['min', 'max', 'sum']);

/** A value, and where it comes from. */
export interface RowValue extends RowPlace {
  readonly value: unknown;
}

/** The `aggregate` of a value. */
export function aggregateOf(value: FieldRule): Aggregate | undefined {
  return typeof value === 'object' && 'aggregate' in value ? (value['aggregate'] as Aggregate) : undefined;
}

/** The aggregates of a section by the paths of their fields: `price`, `values[].hex`. */
export function aggregatesOf({ fields }: Pick<Section, 'fields'>): ReadonlyMap<string, Aggregate> {
  const all = new Map<string, Aggregate>();
  const add = (path: string, value: FieldRule) => {
    const how = aggregateOf(value);
    if (how !== undefined) all.set(path, how);
  };
  for (const [name, given] of Object.entries(fields)) {
    const value = isAdding(given) ? given.add : given;
    if (!isEntries(value)) add(name, value);
    else
      for (const { entry } of [value].flat())
        for (const member in entry) add(`${name}[].${member}`, entry[member] ?? '');
  }
  return all;
}

/** Makes one of two values; undefined where they disagree, and nothing says which one counts. */
export function combined(how: Aggregate | undefined, first: unknown, second: unknown): unknown {
  if (how === 'first') return first;
  if (how === 'last') return second;
  const [one, other] = [textOf(first), textOf(second)];
  if (typeof how === 'object') return `${one}${how.join}${other}`;
  const areNumbers = isPlainNumber(one) && isPlainNumber(other);
  // Neither of two amounts in different currencies is the smaller one, and they are not the same.
  const beside = besideBoth(besideOf(first), besideOf(second));
  if (how === undefined) {
    // As with keys, case is no difference: the first spelling counts.
    const isSame = one === other || (areNumbers ? compareNumbers(one, other) === 0 : fold(one) === fold(other));
    if (!isSame) return undefined;
    return areNumbers && beside.length > 0 ? moneyOf(one, beside) : first;
  }
  if (!areNumbers) return undefined;
  const number =
    how === 'sum' ? addNumbers(one, other) : compareNumbers(one, other) < 0 === (how === 'min') ? one : other;
  if (beside.length > 0) return moneyOf(number, beside);
  return typeof first === 'number' ? Number(number) : number;
}

/** Makes one value of those of several rows; empty ones do not count. @param refuse is given why they disagree */
export function combinedAll(
  values: Iterable<RowValue>,
  how: Aggregate | undefined,
  refuse: (first: RowValue, second: RowValue) => void,
): unknown {
  let found: RowValue | undefined;
  for (const one of values) {
    if (one.value === '' || one.value === undefined) continue;
    const value = found === undefined ? one.value : combined(how, found.value, one.value);
    if (found !== undefined && value === undefined) {
      refuse(found, one);
      return undefined;
    }
    found = { ...(found ?? one), value };
  }
  return found?.value;
}

/**
 * Why the rows of a record are refused.
 * @param about the field that is refused; what the values are of, where that is a column of a table; and what the mapping may say
 *   of them, by default which one counts
 */
export function rowsDisagree(
  first: RowValue,
  second: RowValue,
  { field, source = field, choice = choiceBetween(first, second) }: Disagreement,
): Problem {
  return sourceProblem(
    'rows_disagree',
    {
      source,
      first: textOf(first.value),
      firstLine: first.line,
      firstRecord: first.number,
      second: textOf(second.value),
      secondLine: second.line,
      secondRecord: second.number,
      choice,
    },
    field,
  );
}

interface Disagreement {
  readonly field: string;
  readonly source?: string;
  readonly choice?: RowChoice;
}

/** Texts have no largest one, and numbers that are joined are none. */
function choiceBetween({ value: first }: RowValue, { value: second }: RowValue): RowChoice {
  return [first, second].every((value) => isPlainNumber(textOf(value))) ? 'number' : 'text';
}

function textOf(value: unknown): string {
  if (value instanceof WrittenNumber) return value.text;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
