// An example is read like a file: as a table, or as records that are objects.
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runExample } from '../../../../src/source/mapping/examples/run-example.js';
import { sharedFolders } from '../../../run-folder.js';
import { tested } from './given.js';

/** What comes out of the only example of a mapping. */
async function outcomeOf(text: string) {
  const mapping = tested(text);
  const [example] = mapping.mapping.examples ?? [];
  return runExample(mapping, example ?? {});
}

afterEach(() => vi.unstubAllEnvs());

it('leaves no files', async () => {
  const folder = mkdtempSync(join(tmpdir(), `${sharedFolders}example-`));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, folder);
  const { items } = await outcomeOf('fields: { sku: sku }\nexamples: [{ rows: [{ sku: A }] }]\n');
  expect(items).toEqual({ products: [{ sku: 'A' }] });
  expect(readdirSync(folder)).toEqual([]);
});

it.each(['csv', 'tsv'])('rows of a %s file are a table, in which a cell repeats the one above', async (format) => {
  const { items } = await outcomeOf(`read: { format: ${format} }
fill: { columns: [name] }
fields: { sku: sku, name: name }
examples: [{ rows: [{ sku: A, name: Tea }, { sku: B }] }]
`);
  expect(items).toEqual({
    products: [
      { sku: 'A', name: 'Tea' },
      { sku: 'B', name: 'Tea' },
    ],
  });
});

it.each(['json', 'ndjson', 'xml'])('rows of a %s file need not have the columns', async (format) => {
  const { items } = await outcomeOf(`read: { format: ${format} }
fields: { sku: sku, name: name }
examples: [{ rows: [{ sku: A }] }]
`);
  expect(items).toEqual({ products: [{ sku: 'A' }] });
});

describe('a number of an example has the decimal sign of the mapping', () => {
  it.each([
    ['","', '"1.000,50"', '1000.50'],
    ['"."', '"1,000.50"', '1000.50'],
    ['","', '1.5', '1.5'],
  ])('%s: %s', async (decimal, written, price) => {
    const { items, problems } = await outcomeOf(`read: { decimal: ${decimal}, format: json }
fields: { sku: sku, price: price }
examples: [{ rows: [{ sku: A, price: ${written} }] }]
`);
    expect({ items, problems }).toEqual({ items: { products: [{ sku: 'A', price }] }, problems: [] });
  });
});

it.each([
  ['a table of one column', '"x;y"', '[{ id: "x;y" }]', ['x;y']],
  ['a record that has lists', '{ a: 1 }', '[{ id: "x;y", v: [{ a: 1 }, { a: 2 }] }]', ['x;y']],
])('the records of a table: %s', async (_, id, rows, names) => {
  const { items } = await outcomeOf(`tables: { t: { file: t.csv, key: id, columns: { name: id } } }
fields: { sku: sku, name: { column: sku, lookup: { table: t, column: name }, else: empty } }
examples: [{ rows: [{ sku: "x;y", more: ${id} }], files: { t.csv: ${rows} } }]
`);
  expect(items['products']).toEqual([{ sku: 'x;y', ...(names[0] && { name: names[0] }) }]);
});
