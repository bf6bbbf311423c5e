// The fingerprints of many records in one row, for keys with any characters.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Catalog } from '../../../src/core/catalog.js';
import { openCatalog } from '../../../src/store/open.js';
import { integersIn, separatorFor } from '../../../src/store/postgres/load-rows.js';
import { missing, newTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { imported } from '../given.js';

it('reads lists of integers', () => {
  expect(integersIn('0 -1 2147483647 -2147483648 9007199254740991', 5)).toEqual([
    0, -1, 2147483647, -2147483648, 9007199254740991,
  ]);
  expect(integersIn('7', 1)).toEqual([7]);
  expect(integersIn(null, 0)).toEqual([]);
});

it('separates texts by a character that none has, which is no surrogate', () => {
  expect(separatorFor('a b')).toBe('\u0001');
  expect(separatorFor('\u0001\u0002')).toBe('\u0003');
  const all = String.fromCharCode(...Array.from({ length: 0xd7ff }, (_, i) => i + 1));
  expect(separatorFor(all)).toBe('\ue000');
});

describe.skipIf(missing !== undefined)(`recognized items${missing === undefined ? '' : `: ${missing}`}`, () => {
  let database: TestDatabase;
  let catalog: Catalog;
  beforeAll(async () => {
    database = await newTestDatabase();
    catalog = await openCatalog({ file: database.address('heads'), create: true });
  });
  afterAll(async () => {
    await catalog.close();
    await database.close();
  });

  it('are those of their keys, with any characters, beside keys that are new', async () => {
    const strange = ['a', 'a\u0001b', 'b', 'a b', '{x,y}', '"q"', 'back\\slash', 'NULL', 'é€😀', 'tab\tline\nend'];
    const items = strange.map((sku) => ({ sku, currency: 'EUR', name: 'Lamp' }));
    const ids = (await imported(catalog, 'products', items)).flatMap(({ data }) => data.map(({ id }) => id));
    const again = [...items].reverse().flatMap((item, i) => [item, { ...item, sku: `new ${i}` }]);
    const lines = (await imported(catalog, 'products', again)).flatMap(({ data }) => data);
    expect(lines.filter((_, i) => i % 2 === 0).map(({ action, id }) => `${action} ${id}`)).toEqual(
      [...ids].reverse().map((id) => `unchanged ${id}`),
    );
    expect(lines.filter((_, i) => i % 2 === 1).map(({ action }) => action)).toEqual(strange.map(() => 'created'));
  });
});
