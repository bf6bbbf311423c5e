// A name that none of the first records has is a mistake, as a column is that a table lacks: it is found before a record is given.
import { describe, expect, it } from 'vitest';
import { fileOf, readAll } from './given.js';
import { readMapped } from './mapping/given.js';

const records = [
  { sku: 'A', offer: { price: 9.5 }, variants: [{ size: 'S' }] },
  { sku: 'B', name: 'Case', offer: { price: 1 } },
];
const files = {
  'feed.ndjson': records.map((record) => JSON.stringify(record)).join('\n'),
  'feed.json': JSON.stringify(records),
  'feed.xml':
    '<shop><row><sku>A</sku><offer><price>9.5</price></offer><variants><size>S</size></variants></row><row><sku>B</sku><name>Case</name><offer><price>1</price></offer></row></shop>',
};
const names = Object.keys(files) as (keyof typeof files)[];

function mapped(map: string, name: keyof typeof files) {
  return readMapped(name === 'feed.xml' ? `read: { record: row }\n${map}` : map, files[name], { name });
}

describe.each(names)('%s', (file) => {
  it.each([
    [
      'a field',
      'fields: { sku: sku, price: offer.prise }',
      /fields\.price: column "offer\.prise".*did you mean "offer\.price"\?/,
    ],
    [
      'a condition',
      'skip: { of: nmae, is: x }\nfields: { sku: sku }',
      /skip\[0\]\.of: column "nmae".*did you mean "name"\?/,
    ],
    [
      'a condition that keeps nothing',
      'keep: { of: type, is: x }\nfields: { sku: sku }',
      /keep\[0\]\.of: column "type"/,
    ],
    ['each', 'each: { split: sizes, by: "|" }\nfields: { sku: sku }', /each\.split: column "sizes"/],
    [
      'a list',
      'fields: { sku: sku, name: { column: "variants[].colour", take: first } }',
      /column "variants\[\]\.colour"/,
    ],
    ['first', 'fields: { sku: sku, name: { first: [title, name] } }', /fields\.name\.first: column "title"/],
    [
      'a table',
      'tables: { t: { key: id, columns: { v: name } } }\nfields: { sku: sku, name: { column: sku, lookup: { table: t, column: v } } }',
      /tables\.t\.key: column "id"/,
    ],
  ])('%s that names what no record has', async (_, map, message) => {
    await expect(mapped(map, file)).rejects.toThrow(message);
  });

  it('a column that may be missing is told at the end; one that some record has is not', async () => {
    const map =
      'fields: { sku: sku, name: { first: [title, name], optional: true }, ean: { column: "variants[size=S].ean", optional: true } }';
    const { items, warnings } = await mapped(map, file);
    expect(items).toHaveLength(2);
    const columns = ['title', 'variants[size=S].ean'];
    expect(warnings).toMatchObject([{ code: 'column_absent', params: { columns } }]);
  });

  it('--rename', async () => {
    const xml = file === 'feed.xml' ? { record: 'row' } : {};
    const rename = new Map([['nmae', 'name']]);
    const said = readAll(fileOf(files[file], file), { rename, ...xml });
    await expect(said).rejects.toThrow(/^--rename: column "nmae" not found; did you mean "name"\?/);
  });
});

describe('numbered members', () => {
  const spread = (more = '') =>
    `fields: { sku: sku, attributes: { each: { repeated: { type: "attr{n}", text: "val{n}" }${more} }, entry: { type: $type, value: $text } } }`;
  const rows = [
    { sku: 'A', attr1: 'Colour', val1: 'red' },
    { sku: 'B', attr1: 'Colour', val1: 'blue', attr12: 'Size', vall12: 'L' },
  ];
  const inFile = {
    'feed.ndjson': rows.map((row) => JSON.stringify(row)).join('\n'),
    'feed.xml': `<shop>${rows
      .map((row) => `<row>${Object.entries(row).map(([name, text]) => `<${name}>${text}</${name}>`)}</row>`)
      .join('')}</shop>`,
    'feed.csv': 'sku,attr1,val1,attr12,vall12\nA,Colour,red,,\nB,Colour,blue,Size,L\n',
  };

  it.each(Object.entries(inFile))('%s: a number that lacks one of its members is a mistake', async (name, text) => {
    const read = readMapped(name === 'feed.xml' ? `read: { record: row }\n${spread()}` : spread(), text, { name });
    await expect(read).rejects.toThrow(/repeated\.text: column "val12" not found/);
  });

  it('in a later record than the first thousand, it is told at the end', async () => {
    const text = `${`${JSON.stringify(rows[0])}\n`.repeat(2_000)}${JSON.stringify(rows[1])}\n`;
    const { warnings } = await readMapped(spread(), text, { name: 'feed.ndjson' });
    expect(warnings).toMatchObject([{ code: 'column_absent', params: { columns: ['val12'] } }]);
  });

  it('one that may be missing is read as empty', async () => {
    const { items, warnings } = await readMapped(spread(', optional: true'), inFile['feed.ndjson'], {
      name: 'feed.ndjson',
    });
    expect([items.length, warnings]).toEqual([2, []]);
  });
});

describe('how much is read before a name counts as absent', () => {
  const long = (count: number, last: object) => `${'{"sku":"A"}\n'.repeat(count)}${JSON.stringify(last)}\n`;
  const map = 'fields: { sku: sku, name: title }';

  it('a name of the first 1,000 records is found, and all of these are given', async () => {
    const { items } = await readMapped(map, long(999, { sku: 'B', title: 'Phone' }), { name: 'feed.ndjson' });
    expect(items).toHaveLength(1000);
    expect(items.at(-1)).toEqual({ sku: 'B', name: 'Phone' });
  });

  it('a later one needs optional', async () => {
    const feed = long(20_000, { sku: 'B', title: 'Phone' });
    await expect(readMapped(map, feed, { name: 'feed.ndjson' })).rejects.toThrow(
      /column "title" not found in the first \d+ records; members are "sku"; write optional: true/,
    );
    const optional = 'fields: { sku: sku, name: { column: title, optional: true } }';
    const { items, warnings } = await readMapped(optional, feed, { name: 'feed.ndjson' });
    expect(items.at(-1)).toEqual({ sku: 'B', name: 'Phone' });
    expect(warnings).toEqual([]);
  });

  it('of long records, that of the first 4 MiB counts', async () => {
    const long = (length: number) => JSON.stringify({ sku: 'A', note: 'x'.repeat(length) });
    const feed = (length: number) => [...Array<string>(5).fill(long(length)), '{"sku":"B","title":"Phone"}'].join('\n');
    expect((await readMapped(map, feed(700_000), { name: 'feed.ndjson' })).items).toHaveLength(6);
    await expect(readMapped(map, feed(1_000_000), { name: 'feed.ndjson' })).rejects.toThrow(
      /not found in the first \d records/,
    );
  });

  it('where none of them is kept, nothing is known of its members', async () => {
    const feed = `${'{"sku":"A","kind":"x"}\n'.repeat(20_000)}{"sku":"B","kind":"y","title":"Phone"}\n`;
    const { items } = await readMapped(`keep: { of: kind, is: y }\n${map}`, feed, { name: 'feed.ndjson' });
    expect(items).toEqual([{ sku: 'B', name: 'Phone' }]);
  });

  it('an empty file lacks nothing', async () => {
    expect((await readMapped(map, '', { name: 'feed.ndjson' })).items).toEqual([]);
  });

  it('a file that is damaged behind records keeps them', async () => {
    const { items, failure } = await readMapped(map, '[{"sku":"A","title":"x"},{"sku"', { name: 'feed.json' });
    expect(items).toEqual([{ sku: 'A', name: 'x' }]);
    expect(failure).toBeDefined();
  });
});

it('an optional column that a table lacks is told, too', async () => {
  const map = 'fields: { sku: sku, name: { first: [{ column: title, optional: true }, name] } }';
  const { warnings } = await readMapped(map, 'sku,name\nA,Phone\n');
  expect(warnings).toMatchObject([{ code: 'column_absent', message: expect.stringMatching(/no record: "title"\.$/) }]);
});

describe('attributes of elements, of which some hold text and others elements', () => {
  const feed =
    '<c><i id="1"><p t="a" u="x">1</p><p t="b"><v>2</v></p><p t="c">3</p></i><i id="2"><p t="b"><v>2</v></p><p t="a">7</p></i></c>';
  const read = (fields: string) =>
    readMapped(`read: { record: i }\nfields: { sku: "@id", ${fields} }`, feed, { name: 'feed.xml' });

  it('a condition on them is met in either', async () => {
    const { items, warnings } = await read('price: "p[@t=a]", name: "p[@t=b].v"');
    expect(items).toEqual([
      { sku: '1', price: '1', name: '2' },
      { sku: '2', price: '7', name: '2' },
    ]);
    expect(warnings).toEqual([]);
    expect((await read('name: { column: "p[@t=d].v", optional: true }')).warnings).toMatchObject([
      { params: { columns: ['p[@t=d].v'] } },
    ]);
  });

  it('those that a path reads are no ignored columns', async () => {
    expect((await read('price: "p[@t=a]"')).unknown).toEqual({ 'p@u': 1 });
    expect((await read('price: "p[@t=a]", name: { column: "p[]@u", join: ", " }')).unknown).toEqual({});
    expect((await read('price: "p[@t=a]", name: { column: "p[@t=a]@u", join: ", " }')).unknown).toEqual({});
  });
});

it('of a name with and without the prefix of its namespace, one suffices', async () => {
  const map = 'read: { record: row }\nfields: { sku: { first: ["g:id", id], optional: true } }';
  const { items, warnings } = await readMapped(map, '<shop><row><g:id>A</g:id></row></shop>', { name: 'feed.xml' });
  expect({ items, warnings }).toEqual({ items: [{ sku: 'A' }], warnings: [] });
});
