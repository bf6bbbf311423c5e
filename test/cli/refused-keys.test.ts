// Rows whose key is corrected when they are mended: nothing else in the file says what it will be. Rows beside them that may be
// of the same record come back with them; apart from that such a row makes new records, and changes none.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { givenServer } from '../http/server/given-server.js';
import { repetitions } from '../tier.js';
import { csv, importAll, recordsOf, runMended } from './mended.js';
import { outcomes } from './outcomes.js';
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

describe('a corrected key that a stored record has', () => {
  it.each(forms)('is refused until _line is emptied: $name', async ({ file, text, key, more = [] }) => {
    const cwd = folder({ [file]: text, 'map.yaml': map });
    const at = (name: string) => join(cwd, name);
    const type = (name: string, ...options: string[]) => {
      const named = more.map((one) => (one === 'map.yaml' ? at(one) : one));
      return typedHere(['products', at(name), '--db', at('c.db'), '--output', 'ndjson', ...named, ...options]);
    };
    const [base = '', form = ''] = file.split('.');
    const refused = `${base}-refused.${form}`;
    await type(file, '--refused-file', at(refused));
    const corrected = key(readFileSync(at(refused), 'utf8'), 'B');
    writeFileSync(at(refused), corrected);
    // Refused, again in the file of what is still refused, and in a dry run.
    const dry = await type(refused, '--dry-run');
    const again = await type(refused, '--refused-file', at(`again.${form}`));
    expect([outcomes(dry.stdout), outcomes(again.stdout)]).toEqual([['B key_taken'], ['B key_taken']]);
    expect(again.stdout).toContain('maybe by another row of the file');
    expect(outcomes((await type(`again.${form}`)).stdout)).toEqual(['B key_taken']);
    // A key of its own.
    writeFileSync(at(refused), corrected.replace(/\bB\b/, 'C'));
    expect(outcomes((await type(refused)).stdout)).toEqual(['C created']);
    expect(outcomes((await type(refused)).stdout)).toEqual(['C unchanged']);
    // The user says that the row is to change the record.
    const said = corrected.replace(/"?3 keyless"?|(?<=<_line>)\d+ keyless|"2 keyless"|"1 keyless"/, (one) =>
      one.startsWith('"') ? '""' : '',
    );
    expect(said).not.toBe(corrected);
    writeFileSync(at(refused), said);
    expect(outcomes((await type(refused)).stdout)).toEqual(['B updated']);
  });

  it('is refused by a remote instance, too', async () => {
    const given = await givenServer();
    onTestFinished(() => given.stop());
    const cwd = folder({ 'feed.csv': rows });
    const type = (name: string, ...options: string[]) =>
      typedHere(['products', join(cwd, name), '--remote', given.server.url, '--output', 'ndjson', ...options], {
        CATALOG_API_KEY: given.key,
        XDG_STATE_HOME: join(cwd, 'state'),
      });
    await type('feed.csv', '--refused-file', join(cwd, 'refused.csv'));
    const text = readFileSync(join(cwd, 'refused.csv'), 'utf8');
    writeFileSync(join(cwd, 'refused.csv'), text.replace(/^,Two/m, 'B,Two'));
    expect(outcomes((await type('refused.csv')).stdout)).toEqual(['B key_taken']);
    writeFileSync(join(cwd, 'refused.csv'), text.replace(/^,Two/m, 'C,Two'));
    expect(outcomes((await type('refused.csv')).stdout)).toEqual(['C created']);
    expect(outcomes((await type('refused.csv')).stdout)).toEqual(['C unchanged']);
  });

  it('never changes what another row of the file stored, whatever rows and keys they are', async () => {
    const keys = ['A', 'B', 'C', 'D', 'E'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('', ...keys), { minLength: 2, maxLength: 8 }),
        fc.array(fc.constantFrom(...keys), { minLength: 8, maxLength: 8 }),
        async (sent, given) => {
          const table = (key: (one: string, i: number) => string) =>
            csv([['sku', 'name', 'currency'], ...sent.map((one, i) => [key(one, i), `Name ${i}`, 'EUR'])]);
          const cwd = folder({ 'feed.csv': table((one) => one), 'whole.csv': table((one, i) => one || `${given[i]}`) });
          const type = (name: string, db: string, ...options: string[]) =>
            typedHere(['products', join(cwd, name), '--db', join(cwd, db), '--output', 'ndjson', ...options]);
          await type('feed.csv', 'c.db', '--refused-file', join(cwd, 'refused.csv'));
          await type('whole.csv', 'whole.db');
          const before = recordsOf(cwd, 'c.db');
          const path = join(cwd, 'refused.csv');
          if (!existsSync(path)) return;
          const [header = '', ...lines] = readFileSync(path, 'utf8').split('\n');
          const mended = lines.map((line) => {
            const at = Number(/"(\d+) keyless"/.exec(line)?.[1] ?? 0);
            return at === 0 ? line : `${given[at - 2]}${line}`;
          });
          writeFileSync(path, [header, ...mended].join('\n'));
          await type('refused.csv', 'c.db');
          const after = recordsOf(cwd, 'c.db');
          expect(after).toMatchObject(before);
          // Where no key occurs twice, it is the undisturbed import.
          const all = sent.map((one, i) => one || given[i]);
          if (new Set(all).size === all.length)
            expect(Object.keys(after).sort()).toEqual(Object.keys(recordsOf(cwd, 'whole.db')).sort());
        },
      ),
      { numRuns: repetitions('REFUSED_KEYS', { fast: 4, moderate: 10, full: 200 }), endOnFailure: true },
    );
  });
});
