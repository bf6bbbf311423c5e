// Four importers of the same products, in a short form; test/long/postgres.long.ts has 40,000 of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missing, newTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { mixed, runImporters } from './postgres-writers.js';

const products = 1000;

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
