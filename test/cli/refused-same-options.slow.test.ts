// A file of refused records is imported with the same options and the same mapping, as the message about it says: also where
// these are about the form of the file that the records came from, which theirs is not.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workbookOf, zipOf } from '../source/given-zip.js';
import { recordsOf } from './mended.js';
import { folder, typed } from './typed.js';

const spoilt = '1.2.3';
const rows = ['nr,p,n', 'A,1.5,Öl', `B,${spoilt},Łódź`];
const of = (text: string, delimiter: string) => text.replaceAll(',', delimiter);

/** A sheet of these rows, whose cells are between commas. */
function sheet(...lines: readonly string[]): string {
  const cell = (text: string) => `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
  return lines.map((line) => `<row>${line.split(',').map(cell).join('')}</row>`).join('');
}

/** The same sheet behind another one. */
const book = (...lines: readonly string[]) => workbookOf({ Cover: sheet('x,y'), Articles: sheet(...lines) });
const fields = 'set: { currency: EUR }\nfields: { sku: nr, slug: nr, price: p, name: n }\n';

interface Case {
  readonly name: string;
  readonly feed: string;
  readonly bytes: string | Buffer;
  readonly map?: string;
  readonly options?: readonly string[];
  readonly configured?: string;
}

const cases: readonly Case[] = [
  {
    name: 'a sheet with lines above its header, named by the mapping',
    feed: 'f.xlsx',
    bytes: book('Prices', ...rows),
    map: 'read: { sheet: Articles, skip: 1 }\n',
  },
  {
    name: 'a sheet with a title of several lines, named by options',
    feed: 'f.xlsx',
    bytes: book('Prices\nof\nthe year', ...rows),
    options: ['--sheet', 'Articles', '--skip', '1'],
  },
  { name: 'the sheet of a section', feed: 'f.xlsx', bytes: book(...rows), map: 'sheet: Articles\n' },
  {
    name: 'a sheet whose header is found by its names',
    feed: 'f.xlsx',
    bytes: book('Prices', ...rows),
    map: 'read: { sheet: Articles, header: { containing: [nr, p] } }\n',
  },
  {
    name: 'a sheet without a header',
    feed: 'f.xlsx',
    bytes: book('Prices', ...rows.slice(1)),
    map: 'read: { sheet: Articles, skip: 1, columns: [nr, p, n] }\n',
  },
  {
    name: 'a sheet with titles of parts',
    feed: 'f.xlsx',
    bytes: book('Prices,,', rows[0] ?? '', 'Part 1,,', ...rows.slice(1)),
    map: 'read: { sheet: Articles, skip: 1, sections: part }\n',
  },
  {
    name: 'a workbook, where a delimiter and an encoding are set for other files',
    feed: 'f.xlsx',
    bytes: book(...rows),
    options: ['--sheet', 'Articles'],
    configured: 'delimiter: ";"\n  encoding: windows-1252',
  },
  {
    name: 'a table of an archive',
    feed: 'f.zip',
    bytes: zipOf({ 'a.csv': 'x\n', 'b.csv': rows.join('\n') }),
    options: ['--sheet', 'b.csv', '--delimiter', ','],
  },
  {
    name: 'a document of an archive',
    feed: 'f.zip',
    bytes: zipOf({
      'b.json': JSON.stringify({
        list: [
          { nr: 'A', p: '1' },
          { nr: 'B', p: spoilt, n: 'Łódź' },
        ],
      }),
    }),
    map: 'read: { sheet: b.json, items: list }\n',
  },
  {
    name: 'elements of an archive',
    feed: 'f.zip',
    bytes: zipOf({ 'b.xml': `<l><i><nr>A</nr><p>1</p><n>x</n></i><i><nr>B</nr><p>${spoilt}</p><n>Łódź</n></i></l>` }),
    map: 'read: { sheet: b.xml, record: i }\n',
  },
  {
    name: 'elements, one of which was refused',
    feed: 'f.xml',
    bytes: `<l>${['A,1.5,Öl', `B,${spoilt},Łódź`].map((row) => row.replace(/(.*),(.*),(.*)/, '<i><nr>$1</nr><p>$2</p><n>$3</n><f/><f/></i>')).join('')}</l>`,
  },
  {
    name: 'a table below blank lines',
    feed: 'f.csv',
    bytes: of(`Prices\n\n\n${rows.join('\n')}`, ';'),
    options: ['--skip', '3', '--delimiter', ';'],
  },
  {
    name: 'a table below more lines than are kept',
    feed: 'f.csv',
    bytes: `${'line,\n'.repeat(1500)}${rows.join('\n')}`,
    options: ['--skip', '1500'],
  },
  {
    name: 'a table in an encoding of its own',
    feed: 'f.csv',
    bytes: Buffer.from(of(`Prices\n${rows.join('\n')}`, '|'), 'utf16le'),
    map: 'read: { encoding: utf-16le, delimiter: "|", skip: 1 }\n',
  },
  {
    name: 'a table with the mark of UTF-8, where another encoding is set',
    feed: 'f.csv',
    bytes: `\ufeff${rows.join('\n')}`,
    configured: 'encoding: windows-1252',
  },
];

it.each(cases)('$name', async ({ feed, bytes, map = '', options = [], configured }) => {
  const cwd = folder({ 'map.yaml': `to: products\n${map}${fields}` });
  if (configured !== undefined) writeFileSync(join(cwd, 'catalog-import.yaml'), `defaults:\n  ${configured}\n`);
  writeFileSync(join(cwd, feed), bytes);
  const given = ['--map', 'map.yaml', '--db', 'catalog.db', ...options];
  const first = await typed(cwd, ['products', feed, ...given, '--refused-file', 'back/']);
  expect(first.code, first.stderr).toBe(3);
  const [name = ''] = readdirSync(join(cwd, 'back'));
  expect(first.stderr).toContain(`import back/${name} with the same options`);
  // A sign of ASCII is one in every encoding of these files, with zeros between them in some.
  const text = readFileSync(join(cwd, 'back', name), 'latin1');
  writeFileSync(join(cwd, 'back', name), text.replace(/1(\0?)\.(\0?)2\0?\.\0?3/, '1$1.$22'), 'latin1');
  const again = await typed(cwd, ['products', `back/${name}`, ...given]);
  expect(again.code, again.stderr).toBe(0);
  expect(recordsOf(cwd, 'catalog.db')['product B']).toContain('Łódź');
});

it('sheets of several sections, as a folder', async () => {
  const section = (name: string, key: string) =>
    `  - to: products\n    sheet: ${name}\n    set: { currency: EUR }\n    fields: { sku: ${key}, slug: ${key}, price: p }\n`;
  const cwd = folder({ 'map.yaml': `import:\n${section('One', 'nr')}${section('Two', 'id')}` });
  const bytes = workbookOf({ One: sheet('nr,p', `A,${spoilt}`), Two: sheet('id,p', `B,${spoilt}`) });
  writeFileSync(join(cwd, 'f.xlsx'), bytes);
  const given = ['--map', 'map.yaml', '--db', 'catalog.db'];
  await typed(cwd, ['run', 'f.xlsx', ...given, '--refused-file', 'back/']);
  for (const name of readdirSync(join(cwd, 'back'))) {
    const path = join(cwd, 'back', name);
    writeFileSync(path, readFileSync(path, 'utf8').replace(spoilt, '1.2'));
  }
  const again = await typed(cwd, ['run', 'back', ...given]);
  expect(again.code, again.stderr).toBe(0);
  expect(Object.keys(recordsOf(cwd, 'catalog.db'))).toEqual(['product A', 'product B']);
});

it('items that a mapping made are read as they were written, whatever the options say of their feed', async () => {
  const cwd = folder({
    'map.yaml': 'to: products\nrows: nr\nfields: { sku: nr, slug: nr, name: n, price: p, weight: w }\n',
    'f.csv': `Prices\nnr;n;p;w\nA;Łódź;${spoilt};1,234\n`,
  });
  const given = ['--db', 'catalog.db', '--set', 'currency=EUR', '--delimiter', ';', '--skip', '1', '--decimal', ','];
  await typed(cwd, ['products', 'f.csv', '--map', 'map.yaml', ...given, '--refused-file', 'back/']);
  const path = join(cwd, 'back', 'products.f.items.ndjson');
  const { _unread, ...item } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...item, price: '1.2' }));
  const again = await typed(cwd, ['products', 'back/products.f.items.ndjson', ...given, '--encoding', 'windows-1252']);
  expect(again.code, again.stderr).toBe(0);
  const record = recordsOf(cwd, 'catalog.db')['product A'];
  expect(record).toContain('Łódź');
  expect(record).toContain('"weight":1234,');
});

describe('of a feed, refused rows that came back are a part', () => {
  const keys = [...'ABCDEFGHIJKL'];
  const night = (price: string) =>
    ['nr;p', ...keys.map((key, i) => `${key};${i < 2 ? price : `${i + 1},50`}`), ''].join('\n');
  const map = 'to: products\nread: { decimal: "," }\nset: { currency: EUR, status: activated }\n';
  const files = {
    'map.yaml': `${map}fields: { sku: nr, slug: nr, price: p }\nexpect: { rows: [10, 20], columns: [nr, p] }\n`,
    'joined.yaml': `${map}rows: nr\nfields: { sku: nr, slug: nr, price: p }\n`,
    'f.csv': night('12,5'),
    'bad.csv': night(spoilt),
  };
  const options = ['--db', 'catalog.db', '--feed', 'erp', '--missing', 'suspend', '--status-file', 'erp.prom'];
  const statuses = (cwd: string) =>
    Object.values(recordsOf(cwd, 'catalog.db')).map((record) => /"status":"(\w+)"/.exec(String(record))?.[1]);

  it.each([
    ['rows', 'map.yaml'],
    ['items', 'joined.yaml'],
  ])('as %s: nothing else is missing, and the next night is compared with the last whole one', async (_, by) => {
    const cwd = folder(files);
    const given = ['--map', by, ...options];
    await typed(cwd, ['products', 'f.csv', ...given]);
    const night2 = await typed(cwd, ['products', 'bad.csv', ...given, '--refused-file', 'back/']);
    expect(night2.code, night2.stderr).toBe(3);
    const succeeded = () => /last_success\w+\{.*/.exec(readFileSync(join(cwd, 'erp.prom'), 'utf8'))?.[0];
    const before = succeeded();
    const back = join('back', readdirSync(join(cwd, 'back'))[0] ?? '');
    const isRow = by === 'map.yaml';
    const mend = (item: object) => JSON.stringify({ ...item, _unread: undefined, price: '10.5' });
    const text = readFileSync(join(cwd, back), 'utf8');
    const items = text.trim().split('\n');
    const mended = isRow ? text.replaceAll(spoilt, '10,5') : items.map((line) => mend(JSON.parse(line))).join('\n');
    writeFileSync(join(cwd, back), mended);
    const again = isRow ? given : options;
    const part = await typed(cwd, ['products', back, ...again]);
    expect(part.code, part.stderr).toBe(0);
    expect(part.stderr).toContain('erp: only a part of the feed was read; no record counts as missing.\n');
    expect(statuses(cwd)).toEqual(keys.map(() => 'activated'));
    expect(succeeded()).toBe(before);
    const plan = await typed(cwd, ['plan', 'products', back, ...again.slice(0, -2), '--out', 'back.plan']);
    expect(plan.code, plan.stderr).toBe(0);
    await typed(cwd, ['apply', 'back.plan', '--db', 'catalog.db']);
    expect(statuses(cwd)).toEqual(keys.map(() => 'activated'));
    const gone = `${night('12,5').split('\n').slice(0, -2).join('\n')}\n`;
    writeFileSync(join(cwd, 'f.csv'), gone);
    const next = await typed(cwd, ['products', 'f.csv', ...given]);
    expect(next.stderr).toContain('1 is missing, 8.3 % of 12');
    expect(statuses(cwd)).toEqual(keys.map((key) => (key === 'L' ? 'suspended' : 'activated')));
  });
});
