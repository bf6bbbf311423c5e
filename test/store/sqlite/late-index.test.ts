// Slugs are found wherever they stand: in the index, in the rows that it does not have yet, and under numbers of other catalogs.
import { expect, it } from 'vitest';
import type { Draft } from '../../../src/core/rows/snapshot.js';
import type { Row, Table } from '../../../src/core/rows/table.js';
import { openCatalog, openStore } from '../../../src/store/open.js';
import { checkCatalogFile } from '../../../src/store/sqlite/file/check-catalog.js';
import { resourceCalled } from '../../given.js';
import { imported, newDatabase, newPath } from '../given.js';

const product = resourceCalled('products').tables.find(({ name }) => name === 'product') as Table;
const phone = (sku: string) => ({ sku, name: 'Phone', currency: 'EUR' });

it('an index that lags by 32,768 rows takes all of them', async () => {
  const { file, database } = await newDatabase('lagging.db');
  const catalog = await openCatalog({ file, create: false });
  await imported(catalog, 'products', [phone('A')]);
  const values: Readonly<Record<string, string>> = {
    seq: 'i',
    slug_hash: 'i',
    id: "'prod_' || i",
    sku: "'S-' || i",
    slug: "'slug-' || i",
  };
  const columns = (database.pragma('table_info(product)') as { name: string }[]).map(({ name }) => name);
  // As many as may lag, but for the two that are imported.
  database.exec(
    `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 32767)
     INSERT INTO product SELECT ${columns.map((name) => values[name] ?? `p.${name}`)} FROM n, product p WHERE p.sku = 'A'`,
  );
  const state = () => [
    database.prepare("SELECT upto FROM late_index WHERE name = 'product_slug'").pluck().get(),
    database.prepare('SELECT count(*) FROM product_slug').pluck().get(),
  ];
  expect(state()).toEqual([0, 0]);
  await imported(catalog, 'products', [phone('B')]);
  expect(state()).toEqual([32_768, 32_768]);
  await imported(catalog, 'products', [phone('C')]);
  expect(state()).toEqual([32_768, 32_768]);
  expect(database.prepare("SELECT slug FROM product WHERE sku IN ('A', 'B', 'C')").pluck().all()).toEqual([
    'phone',
    'phone-2',
    'phone-3',
  ]);
  await catalog.close();
  database.close();
  expect((await checkCatalogFile(file, 1000)).find(({ check }) => check === 'indexes')?.details).toEqual([]);
});

it('a product of another catalog is found by its slug under the number that it gets here', async () => {
  const from = newPath('slug-from.db');
  const catalog = await openCatalog({ file: from, create: true });
  await imported(catalog, 'products', [phone('A')]);
  await catalog.close();
  const source = await openStore({ file: from, create: false });
  const [row] = (await source.readAll(product)) as [Row];
  await source.close();
  const store = await openStore({ file: newPath('slug-to.db'), create: true, takesProducts: true });
  const bySlug = function* (draft: Draft): Generator<void, unknown> {
    draft.find(product, 'slug', 'phone');
    yield;
    return draft.find(product, 'slug', 'phone')?.['id'];
  };
  expect(await store.read(bySlug)).toBeUndefined();
  // It tells no number that a row may have.
  const id = `prod_${'0'.repeat(26)}`;
  await store.write(function* (draft) {
    draft.save(product, { ...row, id }, undefined);
    yield;
  });
  for (let i = 0; i < 2; i++) expect(await store.read(bySlug)).toBe(id);
  await store.close();
});
