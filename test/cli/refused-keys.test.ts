// Rows whose key is corrected when they are mended: nothing else in the file says what it will be. Rows beside them that may be
// of the same record come back with them; apart from that such a row is imported as if it were the last of the file.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../tier.js';
import { csv, importAll, recordsOf, runMended } from './mended.js';
import { folder, typedHere } from './typed.js';

const header = ['handle', 'name', 'photo', 'price'];

/** Gives the rows of a file of refused rows the keys that they have in the whole file, by their lines. */
function correctKeys(folderOf: string, keys: readonly string[]): void {
  for (const name of readdirSync(folderOf)) {
    const path = join(folderOf, name);
    const [first = '', ...lines] = readFileSync(path, 'utf8').split('\n');
    const mended = lines.map((line) => {
      const at = Number(/,"(\d+)[^"]*","[^"]*","(?:[^"]|"")*"$/.exec(line)?.[1] ?? 0);
      return line.replace(/^(?:[^,]*\0)?(?=,)/, keys[at - 2] ?? '');
    });
    writeFileSync(path, [first, ...mended].join('\n'));
  }
}

interface Case {
  readonly name: string;
  readonly map: string;
  readonly rows: readonly (readonly string[])[];
}

const cases: readonly Case[] = [
  {
    name: 'rows that belong together',
    map: `
to: products
rows: handle
fields:
  sku: handle
  name: name
  currency: { value: EUR }
  price: price
  media: { entry: { file: { column: photo, prefix: file_ } } }
`,
    rows: [
      ['a', 'Tee', 'f1', '1'],
      ['a', '', 'f2', ''],
      ['a', '', 'f3', ''],
      ['b', 'Cap', 'f4', '2'],
      ['c', 'Mug', 'f5', '3'],
      ['c', '', 'f6', ''],
      ['d', 'Pot', '', '4'],
      ['e', 'Pan', 'f7', '5'],
      ['e', '', 'f8', ''],
    ],
  },
  {
    name: 'groups with filled cells, and a list of all of them',
    map: `
import:
  - to: characteristics
    once: merge
    fields: { name: { value: Photo }, values: { entry: { label: photo } } }
  - to: products
    fill: { columns: [name], within: handle }
    rows: handle
    fields: { sku: { column: handle, case: upper }, name: name, currency: { value: EUR }, tag: photo }
`,
    rows: [
      ['a', 'Tee', 'f1', ''],
      ['a', '', 'f2', ''],
      ['b', 'Cap', 'f3', ''],
      ['b', '', 'f1', ''],
      ['c', 'Mug', 'f4', ''],
    ],
  },
  {
    name: 'records of their own',
    map: 'to: products\nfields: { sku: handle, name: name, currency: { value: EUR }, price: price }\n',
    rows: [
      ['a', 'Tee', '', '1'],
      ['b', 'Cap', '', '2'],
      ['c', 'Mug', '', '3'],
      ['d', 'Pot', '', '4'],
    ],
  },
];

describe('any keys missing or damaged, corrected and imported again, are the undisturbed import', () => {
  it.each(cases)('$name', async ({ map, rows }) => {
    const keys = rows.map(([key = '']) => key);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...rows.keys()], { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', 'x\0'),
        async (lines, damage) => {
          const broken = rows.map(([key = '', ...cells], line) => [lines.includes(line) ? damage : key, ...cells]);
          const cwd = folder({
            'map.yaml': map,
            'feed.csv': csv([header, ...rows]),
            'broken.csv': csv([header, ...broken]),
          });
          await importAll(cwd, 'whole.db', 'feed.csv');
          await importAll(cwd, 'mended.db', 'broken.csv', 'refused');
          const place = join(cwd, 'refused');
          if (existsSync(place)) {
            refused++;
            correctKeys(place, keys);
          }
          await runMended(cwd, 'mended.db', 'refused');
          expect(recordsOf(cwd, 'mended.db')).toEqual(recordsOf(cwd, 'whole.db'));
        },
      ),
      { numRuns: repetitions('REFUSED_KEYS', { fast: 2, moderate: 5, full: 60 }), endOnFailure: true },
    );
    expect(refused).toBeGreaterThan(0);
  });
});

it('a row whose key could not be read says that it overwrites a row further down, where it is given the key of one', async () => {
  const cwd = folder({ 'feed.csv': 'sku,name,price,currency\nA,One,1,EUR\n,Two,2,EUR\nB,Three,3,EUR\n' });
  const options = ['--db', join(cwd, 'c.db'), '--refused-file', join(cwd, 'refused.csv')];
  await typedHere(['products', join(cwd, 'feed.csv'), ...options]);
  const text = readFileSync(join(cwd, 'refused.csv'), 'utf8');
  expect(text).toContain('given the key of a row further down, it overwrites that one when it is imported');
  writeFileSync(join(cwd, 'refused.csv'), text.replace(/^,Two/m, 'A,Two'));
  await typedHere(['products', join(cwd, 'refused.csv'), '--db', join(cwd, 'c.db')]);
  const { stdout } = await typedHere(['get', 'product', '--sku', 'A', '--db', join(cwd, 'c.db')]);
  expect(JSON.parse(stdout)).toMatchObject({ name: 'Two', price: '2.00' });
});
