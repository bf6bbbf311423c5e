// Slugs are found by an index that lags behind: whatever stands in it, at the end of the table or in both, a slug stands
// once, a freed one is free, and nobody else's rows are missed.
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storeCatalog } from '../../../src/store/catalog.js';
import { openCatalog } from '../../../src/store/open.js';
import { openDatabase } from '../../../src/store/sqlite/database.js';
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { folder, imported, newDatabase } from '../given.js';

const item = (sku: string, name: string, more = {}) => ({ sku, name, currency: 'EUR', ...more });

function look<T>(file: string, sql: string): T[] {
  const database = openDatabase(file, true);
  try {
    return database.prepare(sql).pluck().all() as T[];
  } finally {
    database.close();
  }
}

const slugOf = (file: string, sku: string): string | undefined =>
  look<string>(file, `SELECT slug FROM product WHERE sku = '${sku}'`)[0];

/** Has the index hold all rows there are, as it does once enough came. */
function bringUpToDate(file: string): void {
  const database = openDatabase(file, true);
  database.exec(`
    INSERT OR IGNORE INTO product_slug SELECT slug_hash, seq FROM product;
    UPDATE late_index SET upto = (SELECT max(seq) FROM product) WHERE name = 'product_slug';`);
  database.close();
}

describe('an index that lags behind its table', () => {
  it('is brought up to date once in thousands of rows, and has every slug once', async () => {
    const file = join(folder, 'many.db');
    const catalog = await openCatalog({ file, create: true });
    const items = Array.from({ length: 40_000 }, (_, i) => item(`SKU-${i}`, `Phone ${i % 30_000}`));
    await imported(catalog, 'products', items);
    const [upto = 0] = look<number>(file, "SELECT upto FROM late_index WHERE name = 'product_slug'");
    expect(upto).toBeGreaterThan(16_000);
    expect(upto).toBeLessThan(40_000);
    expect(look(file, 'SELECT count(*) FROM product_slug')).toEqual([upto]);
    expect(look(file, 'SELECT count(DISTINCT slug) FROM product')).toEqual([40_000]);
    // The thirty thousandth name begins again: one that the index has, and one of the end of the table.
    expect(slugOf(file, 'SKU-30000')).toBe('phone-0-2');
    expect(slugOf(file, 'SKU-39999')).toBe('phone-9999-2');
    await catalog.close();
  });

  it('a slug that a record no longer has is free, and its new one is not, at any place in the table', async () => {
    for (const indexed of [true, false]) {
      const file = join(folder, `moved-${indexed}.db`);
      const catalog = await openCatalog({ file, create: true });
      await imported(catalog, 'products', [item('A', 'Phone')]);
      if (indexed) bringUpToDate(file);
      await imported(catalog, 'products', [item('A', 'Phone', { slug: 'handset' })]);
      await imported(catalog, 'products', [item('B', 'Phone'), item('C', 'Handset')]);
      expect(['A', 'B', 'C'].map((sku) => slugOf(file, sku))).toEqual(['handset', 'phone', 'handset-2']);
      if (indexed) expect(look(file, 'SELECT count(*) FROM product_slug')).toEqual([1]);
      await catalog.close();
    }
  });

  it('rows of a transaction that was rolled back are dropped', async () => {
    const { file, database, version } = await newDatabase('back.db');
    // A grade of nothing: SQLite, asked to look, finds that when it is to commit, and takes all of the transaction back.
    database.pragma('foreign_keys = ON');
    database.exec(`CREATE TRIGGER break AFTER INSERT ON product WHEN new.sku = 'BAD' BEGIN
      INSERT INTO product_grade VALUES (-1, 'new', 1, 1, 'activated', 1, 0); END`);
    const catalog = storeCatalog(sqliteStore(database, { file, lockTimeout: 1000, version }));
    await imported(catalog, 'products', [item('A', 'Phone')]);
    // Both wait for the same transaction; the second sees what the first was about to save.
    const results = await Promise.allSettled([
      imported(catalog, 'products', [item('BAD', 'Tablet')]),
      imported(catalog, 'products', [item('B', 'Laptop')]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    await imported(catalog, 'products', [item('C', 'Laptop')]);
    expect(['B', 'C'].map((sku) => slugOf(file, sku))).toEqual(['laptop', 'laptop-2']);
    await catalog.close();
  });

  it('a dry run knows the slugs of the catalog and its own', async () => {
    const file = join(folder, 'dry-slugs.db');
    const catalog = await openCatalog({ file, create: true });
    await imported(catalog, 'products', [item('A', 'Phone')]);
    bringUpToDate(file);
    await imported(catalog, 'products', [item('B', 'Tablet')]);
    const dry = await openCatalog({ file, create: false, scratch: true });
    const sent = [
      item('C', 'X', { slug: 'phone' }),
      item('D', 'X', { slug: 'tablet' }),
      item('E', 'X', { slug: 'new' }),
    ];
    const reports = [
      ...(await imported(dry, 'products', sent, { dryRun: true })),
      ...(await imported(dry, 'products', [item('F', 'X', { slug: 'new' })], { dryRun: true })),
    ];
    const told = reports.flatMap(({ data }) => data).flatMap(({ notice }) => notice.map(({ message }) => message));
    expect(told).toEqual(['phone', 'tablet', 'new'].map((slug) => `"${slug}" is taken; "${slug}-2" is used instead.`));
    for (const one of [dry, catalog]) await one.close();
  });

  it('a dry run knows the slugs that records of the catalog keep, take and give up', async () => {
    const file = join(folder, 'dry-moved.db');
    const catalog = await openCatalog({ file, create: true });
    await imported(catalog, 'products', [item('A', 'Phone'), item('KEPT', 'Chair')]);
    bringUpToDate(file);
    await imported(catalog, 'products', [item('LATE', 'Table')]);
    const dry = await openCatalog({ file, create: false, scratch: true });
    const messages: string[] = [];
    // New rows come before the copy of the old one: those are looked for at the end of the table.
    for (const sent of [
      item('B', 'Tablet'),
      item('A', 'Phone', { slug: 'handset' }),
      item('C', 'X', { slug: 'handset' }),
      item('D', 'X', { slug: 'phone' }),
      item('KEPT', 'Chair', { tag: 'sale' }),
      item('LATE', 'Table', { tag: 'sale' }),
      item('E', 'X', { slug: 'chair' }),
      item('F', 'X', { slug: 'table' }),
    ]) {
      const reports = await imported(dry, 'products', [sent], { dryRun: true });
      for (const line of reports.flatMap(({ data }) => data))
        messages.push(...line.notice.map(({ message }) => `${sent.sku}: ${message}`));
    }
    expect(messages).toEqual([
      'C: "handset" is taken; "handset-2" is used instead.',
      'E: "chair" is taken; "chair-2" is used instead.',
      'F: "table" is taken; "table-2" is used instead.',
    ]);
    for (const one of [dry, catalog]) await one.close();
  });

  it('two importers in turn never assign a slug twice', async () => {
    const names = fc.constantFrom('Phone', 'Tablet', 'phone', 'Laptop');
    const step = fc.record({
      by: fc.boolean(),
      names: fc.array(names, { minLength: 1, maxLength: 5 }),
      index: fc.boolean(),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const file = join(folder, `turns-${runs++}.db`);
        const [one, other] = [await openCatalog({ file, create: true }), await openCatalog({ file, create: true })];
        for (const [i, { by, names: given, index }] of steps.entries()) {
          await imported(
            by ? one : other,
            'products',
            given.map((name, k) => item(`${i}-${k}`, name)),
          );
          if (index) bringUpToDate(file);
        }
        const slugs = look<string>(file, 'SELECT slug FROM product');
        expect(new Set(slugs).size).toBe(slugs.length);
        for (const catalog of [one, other]) await catalog.close();
      }),
      { numRuns: 30 },
    );
  });

  it('after thousands of look-ups knows rows added since, by itself or by another process', async () => {
    const file = join(folder, 'filtered.db');
    const numbered = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => item(`N-${from + i}`, `Chair ${from + i}`));
    const [one, other] = [await openCatalog({ file, create: true }), await openCatalog({ file, create: true })];
    await imported(one, 'products', numbered(0, 20_000));
    await imported(other, 'products', numbered(20_000, 8000));
    await imported(other, 'products', [item('A', 'Zebra'), item('B', 'Lion')]);
    await imported(one, 'products', numbered(28_000, 14_000));
    await imported(one, 'products', [item('B', 'Lion', { slug: 'tiger' }), item('C', 'Wolf')]);
    // Of the index, of the table's end, of another connection, of its own, moved here and just come.
    const names = ['Chair 5', 'Chair 19999', 'Chair 21000', 'Chair 41999', 'Zebra', 'Tiger', 'Wolf', 'Lion'];
    await imported(
      one,
      'products',
      names.map((name, i) => item(`T-${i}`, name)),
    );
    await imported(other, 'products', [item('U', 'Chair 41000'), item('V', 'Lion')]);
    const taken = names.slice(0, -1).map((name) => `${name.toLowerCase().replace(' ', '-')}-2`);
    expect(names.map((_, i) => slugOf(file, `T-${i}`))).toEqual([...taken, 'lion']);
    expect(['U', 'V'].map((sku) => slugOf(file, sku))).toEqual(['chair-41000-2', 'lion-2']);
    for (const catalog of [one, other]) await catalog.close();
  });
});
