// The lines of a suggestion that leave out rows: those without a key, which would be refused, titles and notes in a table, and
// records of other kinds, such as the lines of a bulk request.
import { linesOf } from '../../csv/row-tally.js';
import type { Inspection } from '../../inspection/inspect-file.js';
import type { ExampleRow } from '../mapping.js';
import { memberReader } from '../member-path.js';
import { given } from './given.js';
import { leavesOf } from './record-parts.js';

/** Which rows are left out. Records without a key would be refused: rows of photos, of totals. */
export function rowLines(
  { columns, records, unitRow, noteRows, first, found }: Inspection,
  key: string,
  filled: ReadonlyMap<string, string>,
): string[] {
  const facts = columns.find(({ name }) => name === filled.get(key));
  const missing = facts === undefined || facts.filled === 0 ? 0 : records - facts.filled;
  const said = missing === 1 ? '1 record has' : `${missing} records have`;
  const kinds = facts === undefined || found.delimiter !== undefined ? undefined : kindLine(first, facts.name);
  if (kinds !== undefined && missing > 0)
    return [`${kinds}   # ${said} no ${key} and ${missing === 1 ? 'is' : 'are'} of another kind`];
  // A title or note would be a record that has nothing but a key.
  const name = columns.find((one) => one.name === filled.get('name') && one.filled === records);
  const left = [
    ...(noteRows && name
      ? [{ of: condition(name.name, 'empty: true'), why: `titles and notes: ${linesOf(noteRows)}` }]
      : []),
    ...(unitRow
      ? [{ of: condition(unitRow.column, `is: ${JSON.stringify(unitRow.unit)}`), why: 'units below the header' }]
      : []),
  ];
  const conditions = left.map(({ of }) => of).join(', ');
  return given(
    facts && missing > 0 && `# skip: ${condition(facts.name, 'empty: true')}   # ${said} none and would be refused`,
    left.length > 0 &&
      `skip: ${left.length === 1 ? conditions : `[${conditions}]`}   # ${left.map(({ why }) => why).join('; ')}`,
  );
}

const condition = (column: string, is: string): string => `{ of: ${JSON.stringify(column)}, ${is} }`;

/** Maximum kinds of records with a key. */
const mostKinds = 3;

/**
 * The line of a mapping that leaves out the records of other kinds; undefined where nothing tells them apart.
 * @param first the first records
 * @param key the column of the key
 */
function kindLine(first: readonly ExampleRow[], key: string): string | undefined {
  const keyOf = memberReader(key);
  const hasKey = (record: ExampleRow) => ![undefined, null, ''].includes(keyOf(record) as string);
  const keyed = first.filter(hasKey);
  const others = first.filter((record) => !hasKey(record));
  if (keyed.length < 2 || others.length === 0) return undefined;
  const filledIn = (record: ExampleRow) =>
    [...leavesOf(record)].flatMap(([name, value]) => (value === '' ? [] : [name]));
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
