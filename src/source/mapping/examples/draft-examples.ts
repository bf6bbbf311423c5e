// The examples of a suggested mapping: two records of the file, and what the mapping makes of them.
import { stringify } from 'yaml';
import type { Inspection } from '../../inspection/inspect-file.js';
import type { ExampleRow } from '../mapping.js';
import { sectionColumn } from '../suggest/read-lines.js';
import { runExample, type TestedMapping } from './run-example.js';
import { writtenOutcome } from './test-mapping.js';

/** Maximum characters of a text, and entries of a list, that an example keeps. */
const longestText = 120;
const mostEntries = 3;

/**
 * The first two records that have a key.
 * @param isRead whether the mapping may read a column: an empty cell of another one is left out
 */
export function exampleRows(
  { first, sectionRows }: Inspection,
  keyColumn: string | undefined,
  isRead: (column: string) => boolean,
): readonly ExampleRow[] {
  const records = first.map((record) => (sectionRows ? { ...record, [sectionColumn]: sectionRows.first } : record));
  const keyed = records.filter((record) => keyColumn === undefined || (record[keyColumn] ?? '') !== '');
  return (keyed.length > 0 ? keyed : records)
    .slice(0, 2)
    .map((record) =>
      Object.fromEntries(
        Object.entries(record).flatMap(([name, value]) =>
          value === '' && !isRead(name) ? [] : [[name, short(value)]],
        ),
      ),
    );
}

function short(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, longestText);
  if (Array.isArray(value)) return value.slice(0, mostEntries).map(short);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, short(one)]));
}

/**
 * The lines of the examples: each row with what the mapping makes of it.
 * @param tested the mapping; undefined while it has questions, so that nothing can be made yet
 * @throws CatalogError `usage` where the mapping does not fit the rows
 */
export async function draftExamples(rows: readonly ExampleRow[], tested: TestedMapping | undefined): Promise<string> {
  const examples: object[] = rows.map((row) => ({ rows: [row] }));
  if (tested !== undefined) {
    // Of a table the rows of all examples have the same columns.
    const { mapping, sections } = tested;
    const whole = { mapping: { ...mapping, examples: rows.map((row) => ({ rows: [row] })) }, sections };
    for (const [i, row] of rows.entries()) {
      const outcome = await runExample(whole, { rows: [row] });
      examples[i] = { rows: [row], ...writtenOutcome(outcome, sections.length === 1) };
    }
  }
  return stringify({ examples }, { lineWidth: 0 });
}
