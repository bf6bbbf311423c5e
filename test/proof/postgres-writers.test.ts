// Four importers of the same products, in a short form; test/long/postgres.long.ts has 40,000 of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missing, newTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { mixed, runImporters, runResources } from './postgres-writers.js';

const products = 500;

describe.skipIf(missing !== undefined)(`four importers${missing === undefined ? '' : `: ${missing}`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-postgres-writers-'));
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newTestDatabase();
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  it('of different resources, of which three change what the fourth refers to: each item is applied, and ends as sent last', async () => {
    const [items, rounds] = [200, 4];
    const ended = await runResources(folder, database.address('resources'), { items, rounds });
    for (const [resource, { code, lines, stderr }] of ended) {
      expect(code, `${resource} ${stderr}`).toBe(0);
      expect(JSON.parse(lines.at(-1) ?? ''), resource).toMatchObject({ total: items * (rounds - 1), refused: 0 });
    }
    const last = rounds - 1;
    const wrong = await database.query(`
      SELECT sku FROM resources.product WHERE badge <> 'r${last}'
      UNION ALL SELECT name FROM resources.category WHERE position <> ${last}
      UNION ALL SELECT name FROM resources.characteristic WHERE position <> ${last}
      UNION ALL SELECT product_group FROM resources.product_group_axis WHERE listed = 1 AND name <> 'Size ${last}'`);
    expect(wrong).toEqual([]);
    expect(await database.query('SELECT count(DISTINCT slug)::int AS slugs FROM resources.product')).toEqual([
      { slugs: items },
    ]);
  });

  it("of the same products, all of which make the tables: every record is one importer's whole version", async () => {
    const ended = await runImporters(folder, database.address('writers'), { importers: 4, products });
    const summaries = ended.map(({ code, lines, stderr }) => {
      expect(code, stderr).toBe(0);
      return JSON.parse(lines.at(-1) ?? '');
    });
    for (const summary of summaries) expect(summary).toMatchObject({ total: products, refused: 0 });
    expect(summaries.reduce((sum, { created }) => sum + created, 0)).toBe(products);
    expect(
      await database.query('SELECT count(*)::int AS n, count(DISTINCT slug)::int AS slugs FROM writers.product'),
    ).toEqual([{ n: products, slugs: products }]);
    expect(await database.query(mixed('writers'))).toEqual([]);
  });
});
