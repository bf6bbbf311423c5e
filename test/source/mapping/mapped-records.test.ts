// Records through a section: which of them make items, what is counted of the others, and where a file ends too early.
import { describe, expect, it } from 'vitest';
import { readMapping } from '../../../src/source/mapping/read-mapping.js';
import { openSource } from '../../../src/source/open-source.js';
import { category, fileOf, product } from '../given.js';
import { readMapped } from './given.js';

describe('records of which none has a member that is named', () => {
  const read = (map: string, content: string) => readMapped(map, content, { name: 'feed.json' });

  it('are a mistake, also where the file ends too early', async () => {
    const said = read('fields: { sku: sku, name: title }', '[{"sku": "A"}, {"sku"');
    const words = await said.then(
      ({ failure }) => failure,
      (failure: Error) => failure.message,
    );
    expect(words).toContain('fields.name: column "title" not found; ');
  });

  it('are none where all of them are left out', async () => {
    const { items, notes } = await read(
      'skip: { of: sku, is: A }\nfields: { sku: sku, name: title }',
      '[{"sku": "A"}]',
    );
    expect([items, notes]).toEqual([[], ['1 of 1 records skipped by keep and skip']]);
  });
});

describe('rows that belong together', () => {
  const map = 'rows: g\nfields: { sku: sku, attributes: { entry: { type: t } } }';
  const rows = (count: number) => `g,sku,t\n${Array.from({ length: count }, (_, i) => `1,A,t${i}`).join('\n')}\n`;

  it('are at most 5000', async () => {
    const { items } = await readMapped(map, rows(5_000));
    expect(items).toMatchObject([{ sku: 'A', attributes: { length: 5_000 } }]);
    const { failure } = await readMapped(map, rows(5_001));
    expect(failure).toMatch(/: line 5002: more than 5000 rows belong together \(rows:\)\.$/);
  });

  it('are those next to each other with a key, also where their group is empty', async () => {
    const { items, problems } = await readMapped(map, 'g,sku,t\n1,A,a\n1,A,b\n,B,c\n,B,d\n,,e\n2,C,f\n');
    expect(items).toEqual([
      { sku: 'A', attributes: [{ type: 'a' }, { type: 'b' }] },
      '!record_incomplete',
      '!field_required',
      '!record_incomplete',
    ]);
    expect(problems.map(({ externalId }) => externalId)).toEqual(['B', '', 'C']);
    const { items: whole } = await readMapped(map, 'g,sku,t\n1,A,a\n,B,c\n,B,d\n2,C,f\n');
    expect(whole).toEqual([
      { sku: 'A', attributes: [{ type: 'a' }] },
      { sku: 'B', attributes: [{ type: 'c' }, { type: 'd' }] },
      { sku: 'C', attributes: [{ type: 'f' }] },
    ]);
  });
});

it('values of columns that nothing uses are counted', async () => {
  const { unknown } = await readMapped('fields: { sku: sku }', 'sku,x,y\nA,1,\nB,2,\n,,\n');
  expect(unknown).toEqual({ x: 2 });
});

it('a row that was refused before has the line that it had then', async () => {
  const map = 'fields: { sku: { template: "{no}-{$line}" } }';
  const sent = 'no,_line,_code,_reason\nA,7,x,y\nB,,x,y\nC,x,x,y\n';
  expect((await readMapped(map, sent)).items).toEqual([{ sku: 'A-7' }, { sku: 'B-3' }, { sku: 'C-4' }]);
  expect((await readMapped(map, 'no\nA\n')).items).toEqual([{ sku: 'A-2' }]);
  const json = '{"no":"A","_line":7}\n{"no":"B"}\n';
  expect((await readMapped(map, json, { name: 'feed.ndjson' })).items).toEqual([{ sku: 'A-7' }, { sku: 'B-2' }]);
});

/** The numbers of the records of items, and the codes of notes. */
async function open(map: string, content: string, name = 'feed.csv', fields = product) {
  const { import: sections, tables, read } = readMapping(fileOf(map, 'map.yaml'));
  const [section] = sections;
  if (section === undefined) throw new Error('the mapping has no section');
  const mapped = { name: 'map.yaml', place: 'the mapping', section, tables, read };
  const source = await openSource(fields, 'sku' in fields ? 'sku' : 'name', { file: fileOf(content, name), mapped });
  const numbers: number[] = [];
  for await (const chunk of source.chunks) numbers.push(...(chunk.numbers ?? []));
  await source.close();
  return { numbers, codes: source.notes().map(({ code }) => code), words: source.notes().map(({ words }) => words) };
}

it('each item has the number of its record', async () => {
  const map = 'skip: { of: sku, is: B }\neach: { split: v, by: "/" }\nfields: { sku: { template: "{sku}-{$value}" } }';
  const content = '[{"sku":"A","v":"1/2"},{"sku":"B","v":"1"},{"sku":"C","v":"3"}]';
  expect((await open(map, content, 'feed.json')).numbers).toEqual([1, 1, 3]);
});

describe('it is told', () => {
  const price = 'fields: { sku: sku, price: p }';

  it.each([
    [
      'which decimal sign numbers have',
      'sku;p\nA;1,50\nB;2,50\n',
      'decimals_guessed',
      'p: read with decimal comma (2 numbers)',
    ],
    [
      'that they have both',
      'sku;p\nA;1,50\nB;2.50\n',
      'decimals_mixed',
      'p: read with decimal comma (1 number) and decimal point (1 number); both occur: set decimal: if one of them is wrong',
    ],
  ])('%s', async (_, content, code, words) => {
    const { codes, words: told } = await open(price, content);
    expect([codes, told.map((one) => one.replace(/^column "p"/, 'p'))]).toEqual([[code], [words]]);
  });

  it('how many records have no part, unless what they have is taken once', async () => {
    const map = (more: string) => `${more}each: { split: v, by: "/" }\nfields: { name: $value }`;
    const told = async (more: string) => (await open(map(more), 'v,x\nA/B,1\n,2\nA,3\n', 'feed.csv', category)).words;
    expect(await told('')).toEqual(['1 of 3 records have no part for each, and give nothing']);
    expect(await told('once: first\n')).toEqual([]);
  });

  it('that a path has no part left, where no record has one', async () => {
    const map = 'each: { path: p, separator: ">", drop: 2 }\nonce: first\nfields: { name: $name, parent: $parent }';
    expect((await open(map, 'p\na > b\nc > d\n', 'feed.csv', category)).words).toEqual([
      '2 of 2 records have no part for each, and give nothing; drop: 2 leaves out the first 2 names of each path',
    ]);
    expect((await open(map, 'p\na > b\nc > d > e\n', 'feed.csv', category)).words).toEqual([]);
  });
});
