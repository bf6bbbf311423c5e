// P5: a dry run writes nothing, takes no write lock, and reports what the real run would report.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openCatalog } from '../../src/store/open.js';
import { openDatabase } from '../../src/store/sqlite/database.js';
import { resourceCalled } from '../given.js';
import { runHere } from '../proof/program.js';
import { writeShopFolder } from '../proof/shop-folder.js';
import { bytesOf, folder, imported, inBatches, products } from './given.js';

const demo = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));

/** Runs a folder and gives its lines without identifiers: a new record has none before it is there. */
async function linesOf(args: readonly string[]): Promise<unknown[]> {
  const ended = await runHere([...args, '--output', 'ndjson', '--report', 'all', '--diff', '--quiet']);
  expect([0, 3], ended.stderr).toContain(ended.code);
  const lines = ended.lines.filter((line) => !line.startsWith('{"type":"run"'));
  return lines.map((line) => {
    const told = JSON.parse(line) as Record<string, unknown>;
    for (const name of ['id', 'dry_run', 'run', 'file', 'seconds']) delete told[name];
    return JSON.parse(comparable(JSON.stringify(told)));
  });
}

/** Changes name the time, and made-up identifiers where a record refers to one that would be created. */
function comparable(text: string): string {
  return text
    .replace(/"(attr|cate|prgr|prod|pgax|atvl|cust|ordr)_-?[0-9a-z]{26}"/g, '"$1"')
    .replace(/("field":"created_at","from":null,"to":)\d+/g, '$1"now"');
}

describe('P5: a dry run writes nothing', () => {
  it('no byte of the catalog changes, and nothing is left beside it', async () => {
    const file = join(folder, 'dry.db');
    const catalog = await openCatalog({ file, create: true });
    await imported(catalog, 'products', products(0, 200));
    await catalog.close();
    const before = bytesOf(file);
    const dry = await openCatalog({ file, create: true, scratch: true });
    const reports = await imported(dry, 'products', products(100, 200), { dryRun: true });
    await dry.close();
    expect(reports.reduce((sum, { created }) => sum + created, 0)).toBe(100);
    expect(bytesOf(file)).toEqual(before);
  });

  it('a dry run on a catalog that takes imports as well keeps nothing either', async () => {
    const file = join(folder, 'dry-batch.db');
    const catalog = await openCatalog({ file, create: true });
    const [dry] = await imported(catalog, 'products', products(0, 40), { dryRun: true });
    const [again] = await imported(catalog, 'products', products(0, 40), { dryRun: true });
    expect([dry?.created, again?.created]).toEqual([40, 40]);
    expect(dry?.data.every(({ id }) => id === null)).toBe(true);
    expect(await catalog.read(resourceCalled('products'), { key: 'SKU-0' })).toBeUndefined();
    await catalog.close();
  });

  it('changes of the catalog meanwhile are not counted as its own', async () => {
    const file = join(folder, 'dry-meanwhile.db');
    const catalog = await openCatalog({ file, create: true });
    await imported(catalog, 'products', products(0, 1));
    const dry = await openCatalog({ file, create: true, scratch: true });
    const photos = (sku: string, ...files: string[]) => [
      { sku, currency: 'EUR', media: files.map((name) => ({ file: `file_${name}` })) },
    ];
    await imported(dry, 'products', photos('DRY', 'a', 'b'), { dryRun: true });
    await imported(catalog, 'products', photos('REAL', 'c', 'd', 'e'));
    const told: string[] = [];
    for (const sku of ['DRY', 'REAL']) {
      const reports = await imported(dry, 'products', photos(sku), { dryRun: true, diff: true });
      for (const { notice } of reports.flatMap(({ data }) => data)) told.push(...notice.map(({ message }) => message));
    }
    await dry.close();
    await catalog.close();
    expect(told).toEqual([2, 3].map((n) => `${n} stored entries are not in the list; they were deactivated.`));
  });

  it('a record that it would have created counts as created, where another process creates it meanwhile', async () => {
    const file = join(folder, 'dry-both.db');
    const catalog = await openCatalog({ file, create: true });
    await imported(catalog, 'products', products(0, 1));
    const dry = await openCatalog({ file, create: true, scratch: true });
    for (const [command, sent] of [
      ['products', { sku: 'BOTH', currency: 'EUR', note: 'dry' }],
      ['characteristics', { name: 'Both', unit: 'cm' }],
    ] as const) {
      await imported(dry, command, [sent], { dryRun: true });
      await imported(catalog, command, [{ ...sent, note: 'real', unit: 'mm' }]);
      const [again] = await imported(dry, command, [sent], { dryRun: true });
      expect(again?.data, command).toMatchObject([{ action: 'unchanged', id: null }]);
    }
    await dry.close();
    await catalog.close();
  });

  it('later items see its changes instead of the stored records', async () => {
    const file = join(folder, 'dry-later.db');
    const catalog = await openCatalog({ file, create: true });
    await imported(catalog, 'products', products(0, 2));
    await catalog.close();
    const dry = await openCatalog({ file, create: true, scratch: true });
    const [known, added] = products(1, 2).map((item) => ({ ...item, name: 'Renamed' }));
    const actions = async (...items: unknown[]): Promise<unknown> =>
      (await imported(dry, 'products', items, { dryRun: true })).flatMap(({ data }) =>
        data.map(({ action }) => action),
      );
    // Read first from the catalog alone, then from both.
    expect(await actions(...products(0, 2))).toEqual(['unchanged', 'unchanged']);
    expect(await actions(known, added)).toEqual(['updated', 'created']);
    expect(await actions(known, added, ...products(0, 1))).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(await actions({ ...added, note: 'new' })).toEqual(['updated']);
    expect(await actions({ ...added, note: 'new' })).toEqual(['unchanged']);
    await dry.close();
  });

  it('a missing catalog is not created', async () => {
    const file = join(folder, 'nowhere.db');
    const dry = await openCatalog({ file, create: true, scratch: true });
    const [report] = await imported(dry, 'products', products(0, 40), { dryRun: true });
    await dry.close();
    expect(report?.created).toBe(40);
    expect(existsSync(file)).toBe(false);
  });

  it('it continues while another connection holds the write lock, and never takes it itself', async () => {
    const file = join(folder, 'dry-locked.db');
    const catalog = await openCatalog({ file, create: true });
    await imported(catalog, 'products', products(0, 80));
    const other = openDatabase(file, true);
    other.exec('BEGIN IMMEDIATE');
    const dry = await openCatalog({ file, create: true, scratch: true, lockTimeout: 0 });
    const all = inBatches('products', products(40, 400));
    let seen = 0;
    for await (const report of dry.importBatches(resourceCalled('products'), all, { dryRun: true })) {
      // In the middle of the dry run the lock can be given up and had again at once.
      other.exec('COMMIT');
      other.exec('BEGIN IMMEDIATE');
      seen += report.total;
    }
    expect(seen).toBe(400);
    other.exec('ROLLBACK');
    other.close();
    await dry.close();
    await catalog.close();
  });
});

describe('P5: its lines equal the real ones', () => {
  it('across the demo folder, on a catalog that is not there', async () => {
    const db = join(folder, 'demo.db');
    const dry = await linesOf(['run', demo, '--db', db, '--dry-run']);
    expect(existsSync(db)).toBe(false);
    const real = await linesOf(['run', demo, '--db', db]);
    expect(real.length).toBeGreaterThan(200);
    expect(dry).toEqual(real);
  });

  it('across a folder of mixed items, on a catalog that holds some of them', async () => {
    const db = join(folder, 'mixed.db');
    const [part, whole] = [join(folder, 'part'), join(folder, 'whole')];
    writeShopFolder(part, 200);
    writeShopFolder(whole, 500);
    await linesOf(['run', part, '--db', db]);
    const before = bytesOf(db);
    const dry = await linesOf(['run', whole, '--db', db, '--dry-run']);
    expect(bytesOf(db)).toEqual(before);
    const real = await linesOf(['run', whole, '--db', db]);
    const actions = new Set(real.map((line) => (line as { action?: string }).action));
    expect([...actions].sort()).toEqual([undefined, 'created', 'refused', 'unchanged', 'updated'].sort());
    expect(dry).toEqual(real);
  });
});
