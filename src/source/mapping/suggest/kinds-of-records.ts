// Files with records of several kinds, such as the lines of a log or of a bulk request: what tells those with a key apart.

import type { ExampleRow } from '../mapping.js';
import { memberReader } from '../member-path.js';
import { leavesOf } from './variant-records.js';

/** Maximum kinds of records with a key. */
const mostKinds = 3;

/**
 * The line of a mapping that leaves out the records of other kinds; undefined where nothing tells them apart.
 * @param first the first records
 * @param key the column of the key
 */
export function kindLine(first: readonly ExampleRow[], key: string): string | undefined {
  const keyOf = memberReader(key);
  const hasKey = (record: ExampleRow) => ![undefined, null, ''].includes(keyOf(record) as string);
  const keyed = first.filter(hasKey);
  const others = first.filter((record) => !hasKey(record));
  if (keyed.length < 2 || others.length === 0) return undefined;
  const filledIn = (record: ExampleRow) =>
    [...leavesOf(record, '')].flatMap(([name, value]) => (value === '' ? [] : [name]));
  const known = new Set(keyed.flatMap(filledIn));
  /** Whether no other record has more than a share of what those with a key have: one that has is a product without its key. */
  const areApart = (most: number) =>
    others.every((record) => filledIn(record).filter((name) => known.has(name)).length <= known.size * most);
  const kindsIn = (records: readonly ExampleRow[], name: string) => new Set(records.map((record) => record[name]));
  const member = Object.keys(keyed[0] ?? {}).find((name) => {
    const kinds = kindsIn(keyed, name);
    const isFew = kinds.size <= mostKinds && kinds.size * 2 <= keyed.length;
    const areWords = [...kinds, ...kindsIn(others, name)].every((kind) => typeof kind === 'string');
    return isFew && areWords && others.every((record) => !kinds.has(record[name]));
  });
  if (member !== undefined && areApart(0.5)) {
    const [kind, ...more] = kindsIn(keyed, member);
    return `keep: { of: ${JSON.stringify(member)}, is: ${JSON.stringify(more.length === 0 ? kind : [kind, ...more])} }`;
  }
  return areApart(0) ? `skip: { of: ${JSON.stringify(key)}, empty: true }` : undefined;
}
