// Any mapping, any rows of it spoilt: what is refused, mended and imported again is the undisturbed import.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { repetitions } from '../tier.js';
import { cellTooMany, csv, importAll, noNumber, recordsOf, runMended, slip } from './mended.js';
import { folder } from './typed.js';

const columns = ['no', 'room', 'kind', 'of', 'name', 'shade', 'price', 'path'] as const;

const some = (...values: string[]) => fc.constantFrom(...values);
const row = fc.tuple(
  some('1', '2', '3', '4', '5', '6'),
  some('', 'Kitchen', 'Hall'),
  some('', 'Chair', 'Table'),
  some('', '1', '2', '9'),
  some('', 'Ada', 'Bo', 'Cy'),
  some('', 'red', 'red|blue', 'green'),
  some('', '1', '2.50', '30'),
  some('Home', 'Home > Kitchen', 'Home > Hall > Floor'),
);

/** Words of a section of products; each may be there or not. */
const words = fc.record({
  fill: some(
    '',
    'fill: { columns: [room] }',
    'fill: { columns: [kind, name], within: room }',
    'fill: { columns: [kind], optional: true }',
  ),
  filter: some('', 'keep: { of: path, begins: Home }', 'skip: { of: no, is: "6" }', 'keep: { of: kind, empty: false }'),
  rows: some('', 'rows: no', 'rows: { columns: [room, no], join: "-" }'),
  sku: some(
    'no',
    '{ template: "{no}-{$line}" }',
    '{ template: "{no}/{of}" }',
    '{ column: no, prefix: "S" }',
    '{ template: "{no}.{room}" }',
  ),
  name: some('name', '{ columns: [room, kind, name], join: " " }', '{ template: "{name} {$line}" }'),
  note: some(
    '{ column: kind, map: { Chair: C, Table: T } }',
    '{ column: of, lookup: { table: names, column: name }, else: empty }',
    '{ column: of, lookup: { table: chained, column: text }, else: keep }',
    '{ value: x }',
  ),
  list: some('values: shade', 'values: { each: { split: shade, by: "|" }, entry: { label: $value } }'),
  lists: some('once: merge', 'once: first', ''),
});

const mapping = words.map(
  ({ fill, filter, rows, sku, name, note, list, lists }) => `
read: { format: csv }
tables:
  names: { key: no, columns: { name: name } }
  chained: { keep: { of: kind, not: Table }, key: no, columns: { text: { columns: [kind, { column: of, lookup: { table: names, column: name }, else: empty }], join: " " } } }
import:
  - to: characteristics
    ${fill}
    once: merge
    fields: { name: { template: "Shade of {no}" }, ${list} }
  - to: categories
    each: { path: path, separator: ">" }
    once: first
    fields: { name: $name, parent: $parent }
  - to: products
    ${fill}
    ${filter}
    ${rows}
    ${lists}
    fields: { sku: ${sku}, slug: ${sku}, name: ${name}, currency: { value: EUR }, price: price, note: ${note}, tag: shade, category: { column: path, path: ">" } }
`,
);

/** What is done to a row: a slip in a cell, no number where one is due, or a cell too many. */
const harm = fc.record({ line: fc.nat({ max: 11 }), kind: some('name', 'shade', 'price', 'kind', 'shape') });

function spoilt(rows: readonly (readonly string[])[], harms: readonly { line: number; kind: string }[]): string {
  const cells = rows.map((one, line) =>
    one.map((cell, i) => {
      const hit = cell !== '' && harms.some((each) => each.line === line && each.kind === columns[i]);
      return hit ? cell + (columns[i] === 'price' ? noNumber : slip) : cell;
    }),
  );
  const lines = csv([columns, ...cells]).split('\n');
  for (const { line, kind } of harms) if (kind === 'shape' && line < rows.length) lines[line + 1] += cellTooMany;
  return lines.join('\n');
}

it('a random mapping', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      mapping,
      fc.array(row, { minLength: 3, maxLength: 12 }),
      fc.array(harm, { minLength: 1, maxLength: 3 }),
      async (map, rows, harms) => {
        const feed = csv([columns, ...rows]);
        const cwd = folder({ 'map.yaml': map, 'feed.csv': feed, 'broken.csv': spoilt(rows, harms) });
        const whole = await importAll(cwd, 'whole.db', 'feed.csv');
        // A mapping that refuses rows of an undamaged feed has nothing to be compared with.
        fc.pre(!whole.includes('refused: ') && !/[1-9]\d* refused/.test(whole));
        await importAll(cwd, 'mended.db', 'broken.csv', 'refused');
        refused += existsSync(join(cwd, 'refused')) ? readdirSync(join(cwd, 'refused')).length : 0;
        await runMended(cwd, 'mended.db', 'refused');
        expect(recordsOf(cwd, 'mended.db')).toEqual(recordsOf(cwd, 'whole.db'));
      },
    ),
    { numRuns: repetitions('RANDOM_MAPPINGS', { fast: 5, moderate: 5, full: 100 }), endOnFailure: true },
  );
  expect(refused).toBeGreaterThan(0);
});
