// What SQLite keeps of a row comes back as core had it; compiled code does what its columns say.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resources, shopResources } from '../../../src/core/resources/index.js';
import { column, defineTable, type Row, type Table } from '../../../src/core/rows/table.js';
import { layoutOf, type Numbers } from '../../../src/store/sqlite/rows/layout.js';

const tables = [...new Set([...resources, ...shopResources].flatMap((resource) => resource.tables))];

const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
/** Texts where SQLite keeps a number that is made of the text. */
const texts = new Set(['id', 'slug', 'product', 'characteristic']);
const rowOf = (table: Table): fc.Arbitrary<Row> =>
  fc.record(Object.fromEntries(table.columns.map((name) => [name, texts.has(name) ? fc.string() : value])), {
    noNullPrototype: true,
  });

describe('compiled', () => {
  it.each(tables.map((table) => [table.name, table] as const))(
    'code for rows of %s does what a loop over the columns does',
    (_, table) => {
      const layout = layoutOf(table);
      const numbers: Numbers = { numberOf: (name, id) => name.length * 1000 + id.length };
      fc.assert(
        fc.property(rowOf(table), rowOf(table), (row, other) => {
          const code = layout.columns.map((name) => layout.code(name, 'row')).join();
          const compiled = new Function('row', 'numbers', 'hashes', `return [${code}];`)(row, numbers, layout.hashes);
          expect(compiled).toEqual(layout.columns.map((name) => layout.cell(name, row, numbers)));
          const cells = table.columns.map((name) => row[name] ?? null);
          expect(layout.decode(cells)).toEqual(Object.fromEntries(table.columns.map((name, i) => [name, cells[i]])));
          for (const one of [row, other]) {
            const differing = table.columns.filter((name) => row[name] !== one[name]);
            expect(table.same(row, one)).toBe(differing.length === 0);
            expect(table.differing(row, one)).toEqual(differing);
          }
        }),
        { numRuns: 50 },
      );
    },
  );
});

const tableCalled = (name: string) => tables.find((table) => table.name === name) as Table;

it('a table has one layout', () => {
  for (const table of tables) expect(layoutOf(table)).toBe(layoutOf(table));
  expect(layoutOf(tableCalled('product')).key).toEqual(['seq']);
  expect(layoutOf(tableCalled('category')).key).toEqual(['id']);
});

it('a table has columns of SQLite in addition to its own, which are made of these', () => {
  const columns = { id: column.text, slug: column.text, name: column.text };
  const keys = { id: ['id'], lookups: { slug: ['slug'] } } as const;
  const numbers: Numbers = { numberOf: (name, id) => name.length * 1000 + id.length };
  const row = { id: 'four', slug: 'a', name: 'A' };
  for (const [name, own] of [
    ['product', ['seq']],
    ['category', []],
    ['file', []],
  ] as const) {
    const layout = layoutOf(defineTable(name, columns, keys));
    const hashes = name === 'file' ? [] : ['slug_hash'];
    expect(layout.columns).toEqual([...own, 'id', 'slug', 'name', ...hashes]);
    expect(layout.key).toEqual(own.length > 0 ? own : ['id']);
    expect([...layout.madeOf]).toEqual([
      ['id', [...own, 'id']],
      ['slug', ['slug', ...hashes]],
      ['name', ['name']],
    ]);
    const cells = layout.columns.map((one) => layout.cell(one, row, numbers));
    expect(cells).toEqual([...own.map(() => 7004), 'four', 'a', 'A', ...hashes.map(() => 0xe40c292c | 0)]);
  }
});

// The values that are published for FNV-1a, as whole numbers with a sign: catalogs have them in their rows.
it.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('a slug is found by its hash: %j', (slug, hash) => {
  for (const name of ['product', 'category']) {
    const found = layoutOf(tableCalled(name)).hashes['slug_hash']?.(slug) ?? 0;
    expect(found >>> 0).toBe(hash);
    if (slug !== '') expect(found).toBe(hash | 0);
  }
});
