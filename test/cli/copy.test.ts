// `copy`: a catalog in a file and one in PostgreSQL are the same catalog.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCatalog } from '../../src/store/copy/copy-catalog.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { folder } from '../importing/given.js';
import { missing, newTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { writeShopFolder } from '../proof/shop-folder.js';
import { typedHere } from './typed.js';

describe.skipIf(missing !== undefined)(`copy${missing === undefined ? '' : `: ${missing}`}`, () => {
  let database: TestDatabase;
  let schemas = 0;
  const newCatalog = (): string => database.address(`copy_${++schemas}`);
  beforeAll(async () => {
    database = await newTestDatabase();
  });
  afterAll(() => database.close());

  /** A file with a catalog of everything. */
  async function newFile(at: string): Promise<string> {
    const db = join(at, 'catalog.db');
    writeShopFolder(join(at, 'in'), 600);
    expect((await typedHere(['run', join(at, 'in'), '--db', db, '--quiet'])).code).toBe(3);
    expect((await typedHere(['keys', 'create', '--name', 'erp', '--all', '--db', db])).code).toBe(0);
    return db;
  }

  const copied = async (from: string, to: string) => {
    const { code, stdout, stderr } = await typedHere(['copy', '--from', from, '--to', to]);
    expect(code, stderr).toBe(0);
    return stdout;
  };

  it('copies everything to PostgreSQL and back, and a run of the same files leaves every record unchanged', async () => {
    const at = folder();
    const file = await newFile(at);
    const [db, back] = [newCatalog(), join(at, 'back.db')];
    const there = await copied(file, db);
    expect(there).toMatch(/^290 products$/m);
    expect(there, 'names of tables').not.toMatch(/_/);
    expect(there).toMatch(/Both catalogs are equal: sha256 [0-9a-f]{64}/);
    expect(await copied(db, back)).toBe(there);
    for (const args of [
      ['export', 'products'],
      ['get', 'category', '--name', 'Category 3'],
      ['list', 'products', '--output', 'ndjson'],
    ]) {
      const [one, two, three] = await Promise.all([file, db, back].map((name) => typedHere([...args, '--db', name])));
      expect(two?.stdout.split('\n').sort(), args.join(' ')).toEqual(one?.stdout.split('\n').sort());
      expect(three?.stdout, args.join(' ')).toBe(one?.stdout);
    }
    // Both go on as a catalog that grew there.
    for (const target of [db, back]) {
      const report = join(at, 'report.ndjson');
      const more = [
        'products',
        join(at, 'in', '6-products.corrected.ndjson'),
        '--db',
        target,
        '--quiet',
        '--report-file',
        report,
      ];
      expect((await typedHere(more)).code, target).toBe(0);
      expect(JSON.parse(readFileSync(report, 'utf8').trim().split('\n').at(-1) ?? '')).toMatchObject({
        updated: 0,
        refused: 0,
        created: 0,
      });
      expect((await typedHere(['shop', 'delete-product', 'SKU-3', '--db', target])).code).toBe(0);
    }
    expect(await copied(db, join(at, 'third.db'))).toContain('Both catalogs are equal');
  });

  it('continues an interrupted copy', async () => {
    const at = folder();
    const [from, to] = [
      await openStore({ file: await newFile(at), create: false }),
      await openStore({ file: newCatalog(), create: true }),
    ];
    let writes = 0;
    const failing: Store = {
      ...to,
      save: (rows) => (++writes > 5 ? Promise.reject(new Error('cut off')) : to.save(rows)),
    };
    await expect(copyCatalog(from, failing, () => undefined)).rejects.toThrow('cut off');
    const { present, counts } = await copyCatalog(from, to, () => undefined);
    expect(present).toBeGreaterThan(100);
    expect(counts.get('product')).toBe(290);
    await from.close();
    await to.close();
  });

  it('refuses a target with other records before it writes anything', async () => {
    const at = folder({ 'feed.csv': 'sku,currency\nother,EUR\n' });
    const [file, db] = [await newFile(at), newCatalog()];
    await typedHere(['products', join(at, 'feed.csv'), '--db', db, '--quiet']);
    const { code, stderr } = await typedHere(['copy', '--from', file, '--to', db]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/has other products already, such as prod_/);
    expect(await database.query(`SELECT count(*)::int AS n FROM copy_${schemas}.category`)).toEqual([{ n: 0 }]);
  });

  it('refuses --from and --to that name one catalog, and a source that is not there', async () => {
    const file = join(folder(), 'none.db');
    expect((await typedHere(['copy', '--from', file, '--to', file])).code).toBe(2);
    expect((await typedHere(['copy', '--from', file, '--to', newCatalog()])).code).toBe(7);
  });
});
