// Conditions on the fields of records: `--where category=Phones` of `list`, and the parameters of a list over HTTP.
import type { ReadShape } from '../import-report.js';
import type { Resource } from '../resource.js';
import { productGroup } from '../resources/product-group.js';
import { fold, nearest } from '../text/text.js';

/** A field and the value that it should have. */
export interface FieldCondition {
  readonly field: string;
  readonly value: string;
}

/** Characters of a sent word that are shown and compared. */
const longestWord = 60;

export type RecordPredicate = (record: ReadShape) => boolean;

/** Why a condition cannot be asked, in words. */
export interface ConditionFault extends FieldCondition {
  readonly fault: string;
}

export function conditionFields({ readShape: shape }: Resource): readonly string[] {
  return Object.keys(shape).filter((name) => typeof shape[name] !== 'object' || Array.isArray(shape[name]));
}

/** Whether a condition compares the name of another record, which `include: ['names']` adds: `category=Phones`. */
export function comparesName(resource: Resource, { field, value }: FieldCondition): boolean {
  const names = resource.details['names']?.shape ?? {};
  return `${field}_name` in names && !/^[a-z]{4}_[A-Za-z0-9_-]+$/.test(value);
}

/**
 * Makes the predicate of several conditions, all of which have to hold. It is given records with the names of what they
 * refer to.
 */
export function recordConditions(
  resource: Resource,
  conditions: readonly FieldCondition[],
): RecordPredicate | ConditionFault {
  const tests: RecordPredicate[] = [];
  for (const condition of conditions) {
    const test = testOf(resource, condition);
    if (typeof test === 'string') return { ...condition, fault: test };
    tests.push(test);
  }
  return (record) => tests.every((test) => test(record));
}

function testOf(resource: Resource, { field, value }: FieldCondition): RecordPredicate | string {
  const fields = conditionFields(resource);
  if (!fields.includes(field))
    return `${field} is not a field of ${resource.command} to compare. ${useOneOf(field, fields)}`;
  const words = resource.readShape[field];
  if (Array.isArray(words) && !words.includes(value))
    return `${field} ${value.slice(0, longestWord)} does not exist. ${useOneOf(value, words)}`;
  const kind = words === 'integer' ? 'integer' : resource.fields[field]?.kind;
  // `''` is the value that a field without one has.
  const number =
    (kind === 'integer' || kind === 'decimal') && value !== '' ? Number(value.trim() || Number.NaN) : undefined;
  if (number !== undefined && !Number.isFinite(number))
    return `${JSON.stringify(value.slice(0, longestWord))} is not a number, such as 12.50.`;
  const same = isExact(resource, field) ? (text: string) => text : fold;
  const folded = same(value.trim());
  return (record) => {
    const found = record[field];
    if (String(found) === value) return true;
    // 19.9 is 19.90.
    if (number !== undefined) return isNumberField(found) && Number(found) === number;
    // Names are compared as the catalog compares them: all but those of groups ignoring case.
    const name = field === 'name' ? found : record[`${field}_name`];
    return folded !== '' && typeof name === 'string' && same(name) === folded;
  };
}

/** Whether a field is a key that is compared exactly, or names a group, whose names are. */
function isExact({ fields, key }: Resource, field: string): boolean {
  const declared = fields[field];
  if (field === key) return declared?.kind === 'text' && declared.anyCase !== true;
  return declared?.kind === 'reference' && declared.prefixes.includes(productGroup.prefix);
}

/** Whether a field of a record has a value that can be compared as a number. */
function isNumberField(found: unknown): boolean {
  return typeof found === 'number' || (typeof found === 'string' && found !== '');
}

/** The remedy for a word that is not known. */
export function useOneOf(word: string, known: readonly string[]): string {
  // A parameter of a request may be 16 KB long.
  const near = word.length > longestWord ? undefined : nearest(word, known);
  return near === undefined ? `Use one of ${known.join(', ')}.` : `Did you mean ${near}?`;
}
