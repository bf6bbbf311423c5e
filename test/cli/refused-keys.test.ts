// Rows whose key is corrected when they are mended: nothing else in the file says what it will be. Rows beside them that may be
// of the same record are refused with them, and the reason says what the key decides.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../tier.js';
import { csv, importAll, recordsOf, runMended } from './mended.js';
import { outcomes } from './outcomes.js';
import { folder, typedHere } from './typed.js';

const header = ['handle', 'name', 'photo', 'price'];

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
    fields: { sku: { column: handle, case: upper }, name: name, currency: { value: EUR }, tag: { column: photo, aggregate: first } }
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
          if (existsSync(place)) refused++;
          await runMended(cwd, 'mended.db', 'refused');
          expect(recordsOf(cwd, 'mended.db')).toEqual(recordsOf(cwd, 'whole.db'));
        },
      ),
      { numRuns: repetitions('REFUSED_KEYS', { fast: 2, moderate: 3, full: 60 }), endOnFailure: true },
    );
    expect(refused).toBeGreaterThan(0);
  });
});

interface Form {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** Gives the refused record a key. */
  readonly key: (text: string, key: string) => string;
  readonly more?: readonly string[];
}

const map = 'to: products\nfields: { sku: sku, name: name, price: price, currency: currency }\n';
const rows = 'sku,name,price,currency\nA,One,1,EUR\n,Two,2,EUR\nB,Three,3,EUR\n';
const json = (end: string) =>
  [
    { sku: 'A', name: 'One', price: '1', currency: 'EUR' },
    { name: 'Two', price: '2', currency: 'EUR' },
    { sku: 'B', name: 'Three', price: '3', currency: 'EUR' },
  ]
    .map((one) => JSON.stringify(one))
    .join(end);

const forms: readonly Form[] = [
  { name: 'CSV', file: 'feed.csv', text: rows, key: (text, key) => text.replace(/^,Two/m, `${key},Two`) },
  {
    name: 'CSV with a mapping',
    file: 'feed.csv',
    text: rows,
    key: (text, key) => text.replace(/^,Two/m, `${key},Two`),
    more: ['--map', 'map.yaml'],
  },
  {
    name: 'CSV, the key too long',
    file: 'feed.csv',
    text: rows.replace('\n,Two', `\n${'x'.repeat(200)},Two`),
    key: (text, key) => text.replace(/^x{200},Two/m, `${key},Two`),
  },
  {
    name: 'JSON',
    file: 'feed.json',
    text: `[${json(',')}]`,
    key: (text, key) => text.replace('{"name":"Two"', `{"sku":"${key}","name":"Two"`),
  },
  {
    name: 'NDJSON',
    file: 'feed.ndjson',
    text: `${json('\n')}\n`,
    key: (text, key) => text.replace('{"name":"Two"', `{"sku":"${key}","name":"Two"`),
  },
  {
    name: 'XML',
    file: 'feed.xml',
    text: `<r>${[...rows.matchAll(/^(\w?),(\w+),(\d),EUR$/gm)].map(([, sku, name, price]) => `<p>${sku && `<sku>${sku}</sku>`}<name>${name}</name><price>${price}</price><currency>EUR</currency></p>`).join('\n')}</r>`,
    key: (text, key) => text.replace('<name>Two', `<sku>${key}</sku><name>Two`),
    more: ['--record', 'p'],
  },
];

describe('a row whose key was missing', () => {
  it.each(forms)('says that the key it is given counts, and is imported with it: $name', async (form) => {
    const { file, text, key, more = [] } = form;
    const cwd = folder({ [file]: text, 'map.yaml': map });
    const at = (name: string) => join(cwd, name);
    const type = (name: string, ...options: string[]) => {
      const named = more.map((one) => (one === 'map.yaml' ? at(one) : one));
      return typedHere(['products', at(name), '--db', at('c.db'), '--output', 'ndjson', ...named, ...options]);
    };
    const [base = '', ending = ''] = file.split('.');
    const refused = `${base}-refused.${ending}`;
    await type(file, '--refused-file', at(refused));
    const back = readFileSync(at(refused), 'utf8');
    expect(back).toContain('also if you give it the key of another record of the file');
    expect(back).not.toContain('keyless');
    writeFileSync(at(refused), key(back, 'C'));
    expect(outcomes((await type(refused)).stdout)).toEqual(['C created']);
    expect(outcomes((await type(refused)).stdout)).toEqual(['C unchanged']);
    writeFileSync(at(refused), key(back, 'B'));
    expect(outcomes((await type(refused)).stdout)).toEqual(['B updated']);
  });
});
