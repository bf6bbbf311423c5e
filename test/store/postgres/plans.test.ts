// No statement of an import reads a whole table, however young the table was when its plan was made, and rows are updated in place.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCatalog } from '../../../src/store/open.js';
import { missing, newTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { imported } from '../given.js';

describe.skipIf(missing !== undefined)(`query plans${missing === undefined ? '' : `: ${missing}`}`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newTestDatabase();
    await database.query('ALTER SYSTEM SET autovacuum = off');
    await database.query('SELECT pg_reload_conf()');
  });
  afterAll(async () => {
    await database.query('ALTER SYSTEM RESET autovacuum');
    await database.query('SELECT pg_reload_conf()');
    await database.close();
  });

  /** Identifiers of the records that the products refer to. */
  const ids = { category: '', material: '' };

  const products = (price: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      sku: `SKU-${i}`,
      currency: 'EUR',
      name: `Phone ${i % 50}`,
      category: ids.category,
      grades: [{ grade: 'new', price: price + i, stock: i }],
      attributes: [{ type: ids.material, value: `v${(i + price) % 7}` }],
    }));

  /** Rows that were read by scans of whole tables so far. */
  async function scanned(): Promise<Readonly<Record<string, number>>> {
    const rows = await database.query(
      "SELECT relname, seq_tup_read::int AS n FROM pg_stat_user_tables WHERE schemaname = 'plans' AND relname LIKE 'product%'",
    );
    return Object.fromEntries(rows.map(({ relname, n }) => [String(relname), Number(n)]));
  }

  async function run(items: readonly unknown[]): Promise<void> {
    const catalog = await openCatalog({ file: database.address('plans'), create: true });
    for (const { data } of await imported(catalog, 'products', items))
      expect(data.find(({ reason }) => reason !== null)).toBeUndefined();
    // A connection writes down what it counted when it ends.
    await catalog.close();
  }

  it('find rows by their keys on a young, a filled and an analysed table', async () => {
    const catalog = await openCatalog({ file: database.address('plans'), create: true });
    const [category] = await imported(catalog, 'categories', [{ name: 'Phones' }]);
    const [material] = await imported(catalog, 'characteristics', [{ name: 'Material' }]);
    ids.category = String(category?.data[0]?.id);
    ids.material = String(material?.data[0]?.id);
    await catalog.close();
    const counts: Readonly<Record<string, number>>[] = [];
    const seen = async (): Promise<void> => {
      await expect
        .poll(
          async () =>
            (
              await database.query(
                "SELECT 1 FROM pg_stat_activity WHERE application_name = 'catalog-import' AND datname = current_database()",
              )
            ).length,
        )
        .toBe(0);
      counts.push(await scanned());
    };
    // In one go, so that plans made on empty tables are used on full ones.
    await run(products(1, 3000));
    await seen();
    await run([...products(1, 3000), ...products(2, 3000)]);
    await seen();
    await database.query('ANALYZE plans.product');
    await database.query('ANALYZE plans.product_grade');
    await run([...products(2, 3000), ...products(3, 3000)]);
    await seen();
    // A look whether there is any row at all reads one.
    for (const count of counts)
      for (const [table, read] of Object.entries(count)) expect(read, table).toBeLessThan(100);
    expect(await database.query('SELECT count(*)::int AS n FROM plans.product')).toEqual([{ n: 3000 }]);
  });

  it('write other prices into the pages where the rows are, night after night', async () => {
    const schema = 'nights';
    /** In each night every tenth product has another price. */
    const feed = (night: number) =>
      Array.from({ length: 2000 }, (_, i) => ({
        sku: `SKU-${i}`,
        currency: 'EUR',
        name: `Phone ${i}`,
        grades: [{ grade: 'new', price: i + (i % 10 < night ? 100 : 0), stock: i }],
      }));
    const sizes = async (): Promise<number[]> =>
      (
        await database.query(
          `SELECT pg_total_relation_size(relid)::int AS bytes FROM pg_stat_user_tables WHERE schemaname = '${schema}' AND relname IN ('product', 'product_grade') ORDER BY relname`,
        )
      ).map(({ bytes }) => Number(bytes));
    const catalog = await openCatalog({ file: database.address(schema), create: true });
    await imported(catalog, 'products', feed(0));
    const made = await sizes();
    expect(made).toHaveLength(2);
    for (const night of [1, 2]) {
      const done = await imported(catalog, 'products', feed(night));
      expect(done.flatMap(({ data }) => data).filter(({ action }) => action === 'updated')).toHaveLength(200);
    }
    // With full pages they would be 5 % and 4 % larger.
    expect(await sizes()).toEqual(made);
    await catalog.close();
  });
});
