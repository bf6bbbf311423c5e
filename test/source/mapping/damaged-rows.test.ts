// A row that could not be read, and what may lack it: named by its line, or by its number where all records are on one line.
import { describe, expect, it } from 'vitest';
import { readMapped } from './given.js';

/** The same records in both forms; the one that is damaged is a row of three cells, or a list. */
const forms = {
  'a table, by its line': {
    name: 'feed.csv',
    content: 'sku,name\nA,Tea\nB,Cup\nC,Z9,z\nC,Pot\nA,Tea\n',
    place: 'line 4',
  },
  'JSON on one line, by its number': {
    name: 'feed.json',
    content:
      '[{"sku":"A","name":"Tea"},{"sku":"B","name":"Cup"},["C","Z9"],{"sku":"C","name":"Pot"},{"sku":"A","name":"Tea"}]',
    place: 'record 3',
  },
  'JSON in lines, by its line': {
    name: 'feed.ndjson',
    content:
      '{"sku":"A","name":"Tea"}\n{"sku":"B","name":"Cup"}\n["C","Z9"]\n{"sku":"C","name":"Pot"}\n{"sku":"A","name":"Tea"}\n',
    place: 'line 3',
  },
} as const;

describe.each(Object.entries(forms))('%s', (_, { content, place, name }) => {
  const read = async (map: string) => {
    const { items, problems } = await readMapped(map, content, { name, raws: true });
    const words = problems.map(({ externalId, message }) => `${externalId}: ${message}`);
    return { items, words: words.filter((word) => word.includes('could not be read')) };
  };

  it('may be one of the rows of the record before it, or after it', async () => {
    const { words } = await read('rows: { first: [sku] }\nfields: { sku: sku, name: name }');
    for (const key of ['B', 'C'])
      expect(words).toContainEqual(
        `${key}: ${place} could not be read, and it may be one of the rows of this record; add what it holds to this record`,
      );
    expect(words.filter((word) => /^A:/.test(word))).toEqual([]);
  });

  it('may be the first row of a key', async () => {
    const { items, words } = await read('once: first\nfields: { sku: sku, name: name }');
    expect(items.filter((item) => typeof item !== 'string')).toEqual([
      { sku: 'A', name: 'Tea' },
      { sku: 'B', name: 'Cup' },
    ]);
    expect(words).toEqual([
      `C: ${place} could not be read, and it may be the first row of this key; import that one in place of this`,
    ]);
  });

  it('may be that of a key which a table lacks', async () => {
    const table = 'tables: { names: { key: sku, columns: { title: name } } }';
    const { words } = await read(
      `${table}\nfields: { sku: sku, name: { value: Z9, lookup: { table: names, column: title } } }`,
    );
    expect(words.length).toBeGreaterThan(0);
    for (const word of words) expect(word).toContain(`in the table names may be ${place}, which could not be read`);
  });
});

it('cells that a damaged row has for those below it', async () => {
  const map = 'fill: { columns: [name] }\nfields: { sku: sku, name: name }';
  const { items, problems } = await readMapped(map, 'sku,name\nA,Tea\nx,y,z\nB,\nC,Cup\n');
  expect(items).toEqual([{ sku: 'A', name: 'Tea' }, '!row_shape', '!record_incomplete', { sku: 'C', name: 'Cup' }]);
  expect(problems.at(-1)?.message).toMatch(/^line 3 could not be read, and this row repeats its cells/);
});
