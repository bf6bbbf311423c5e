// `backup` of a catalog that is served and imported into: one moment of it, whole or not at all.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/store/sqlite/driver.js';
import { outcome, start } from './started.js';
import { folder, products, typed } from './typed.js';

/** The SKUs of a catalog, and what SQLite says of its pages. */
function contentsOf(file: string): { readonly skus: Set<string>; readonly check: unknown } {
  const database = openSqlite(file, {});
  const skus = new Set(database.prepare('SELECT sku FROM product').pluck().all() as string[]);
  const check = database.prepare('PRAGMA integrity_check').pluck().get();
  database.close();
  return { skus, check };
}

describe('backup', () => {
  it('of a catalog during an import has every product that was reported before, and a prefix of the file', async () => {
    const cwd = folder({ 'feed.csv': products(30_000) });
    const importing = start(cwd, [
      'products',
      'feed.csv',
      '--db',
      'c.db',
      '--output',
      'ndjson',
      '--report-file',
      'r.ndjson',
    ]);
    const ended = outcome(importing);
    const reported = (): string[] =>
      existsSync(join(cwd, 'r.ndjson'))
        ? [...readFileSync(join(cwd, 'r.ndjson'), 'utf8').matchAll(/"external_id":"(S-\d+)"/g)].map(
            ([, sku = '']) => sku,
          )
        : [];
    await expect.poll(() => reported().length, { interval: 20 }).toBeGreaterThan(1_000);
    let copies = 0;
    // A copy restarts at each commit of the import: a few copies are enough.
    while ((importing.exitCode === null && copies < 5) || copies === 0) {
      const before = reported();
      const told = await typed(cwd, ['backup', 'copy.db', '--db', 'c.db', '--force']);
      expect(told).toMatchObject({ code: 0, stderr: '' });
      expect(told.stdout).toMatch(/^copy\.db: a checked copy of .*c\.db, [\d,]+ bytes\n$/);
      const { skus, check } = contentsOf(join(cwd, 'copy.db'));
      expect(check).toBe('ok');
      expect(before.filter((sku) => !skus.has(sku))).toEqual([]);
      // Transactions are in the order of the file: what is there is a first part of it.
      for (let i = 0; i < skus.size; i++) expect(skus.has(`S-${i}`)).toBe(true);
      copies++;
    }
    expect((await ended).code).toBe(0);
    expect(copies).toBeGreaterThan(0);
    expect(statSync(join(cwd, 'copy.db')).mode & 0o777).toBe(0o600);
  });

  it('is restored by removing the catalog with its log, and copying it there; it works as the catalog did', async () => {
    const cwd = folder({ 'feed.csv': products(50), 'more.csv': products(10, 50) });
    await typed(cwd, ['products', 'feed.csv', '--db', 'c.db']);
    await typed(cwd, ['backup', 'keep.db', '--db', 'c.db', '--quiet']);
    await typed(cwd, ['products', 'more.csv', '--db', 'c.db']);
    for (const name of readdirSync(cwd).filter((name) => name.startsWith('c.db'))) rmSync(join(cwd, name));
    copyFileSync(join(cwd, 'keep.db'), join(cwd, 'c.db'));
    expect((await typed(cwd, ['get', 'product', '--sku', 'S-49', '--db', 'c.db'])).code).toBe(0);
    expect((await typed(cwd, ['get', 'product', '--sku', 'S-50', '--db', 'c.db'])).code).toBe(9);
    const again = await typed(cwd, ['products', 'more.csv', '--db', 'c.db', '--output', 'json']);
    expect(JSON.parse(again.stdout).response).toMatchObject({ created: 10 });
  });

  it('is refused beside the log of the catalog that it replaces, also where that log holds every later change', async () => {
    const cwd = folder({ 'feed.csv': products(50), 'more.csv': products(10, 50) });
    await typed(cwd, ['products', 'feed.csv', '--db', 'c.db']);
    const open = openSqlite(join(cwd, 'c.db'), {});
    open.prepare('SELECT count(*) FROM product').get();
    await typed(cwd, ['backup', 'keep.db', '--db', 'c.db', '--quiet']);
    await typed(cwd, ['products', 'more.csv', '--db', 'c.db']);
    copyFileSync(join(cwd, 'keep.db'), join(cwd, 'restored.db'));
    copyFileSync(join(cwd, 'c.db-wal'), join(cwd, 'restored.db-wal'));
    open.close();
    for (const command of [
      ['get', 'product', '--sku', 'S-49'],
      ['products', 'more.csv'],
      ['doctor'],
      ['keys', 'list'],
    ]) {
      const told = await typed(cwd, [...command, '--db', 'restored.db']);
      expect([command[0], told.code, told.stdout]).toEqual([command[0], 7, '']);
      expect(told.stderr).toContain('restored.db-wal does not belong to ');
    }
    rmSync(join(cwd, 'restored.db-wal'));
    expect((await typed(cwd, ['get', 'product', '--sku', 'S-49', '--db', 'restored.db'])).code).toBe(0);
  });

  it('replaces no file without --force, and never a log or the catalog', async () => {
    const cwd = folder({ 'feed.csv': products(5), 'there.db': 'precious', 'x.db-wal': 'a log' });
    mkdirSync(join(cwd, 'folder'));
    await typed(cwd, ['products', 'feed.csv', '--db', 'c.db']);
    const refused = async (file: string, words: string, ...more: string[]) => {
      const told = await typed(cwd, ['backup', file, '--db', 'c.db', ...more]);
      expect([told.code, told.stdout]).toEqual([2, '']);
      expect(told.stderr).toContain(words);
    };
    await refused('there.db', 'there.db is there already; name another file, or replace it with --force.');
    await refused('x.db', 'x.db-wal would be taken for the log of the backup');
    await refused('c.db', 'would overwrite the catalog', '--force');
    await refused('c.db-wal', 'would overwrite', '--force');
    await refused('folder', 'is not a file', '--force');
    await refused('nowhere/x.db', 'nowhere does not exist. Make it, or name another file.');
    expect(readFileSync(join(cwd, 'there.db'), 'utf8')).toBe('precious');
    expect((await typed(cwd, ['backup', 'there.db', '--db', 'c.db', '--force'])).code).toBe(0);
    expect(contentsOf(join(cwd, 'there.db')).skus.size).toBe(5);
    expect(readdirSync(cwd).filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  it('needs a catalog: 7 where there is none, where it is another database, and where it is damaged', async () => {
    const cwd = folder({ 'feed.csv': products(3_000), 'empty.db': '' });
    await typed(cwd, ['products', 'feed.csv', '--db', 'c.db']);
    const other = openSqlite(join(cwd, 'other.db'), {});
    other.exec('CREATE TABLE t (x)');
    other.close();
    // What was to become a catalog, and has no tables yet.
    const begun = openSqlite(join(cwd, 'begun.db'), {});
    const mark = openSqlite(join(cwd, 'c.db'), {});
    begun.exec(`PRAGMA application_id = ${mark.pragma('application_id', { simple: true })}`);
    mark.close();
    begun.close();
    const bytes = readFileSync(join(cwd, 'c.db'));
    writeFileSync(join(cwd, 'torn.db'), bytes.fill(0xaa, bytes.length / 2, bytes.length / 2 + 30_000));
    for (const name of ['none.db', 'empty.db', 'other.db', 'begun.db', 'torn.db']) {
      const told = await typed(cwd, ['backup', 'copy.db', '--db', name]);
      expect([name, told.code]).toEqual([name, 7]);
      expect(existsSync(join(cwd, 'copy.db'))).toBe(false);
    }
    expect(readdirSync(cwd).filter((name) => name.includes('.tmp'))).toEqual([]);
    expect(existsSync(join(cwd, 'none.db'))).toBe(false);
  });

  it('of PostgreSQL is a matter of pg_dump', async () => {
    const told = await typed(folder(), ['backup', 'x.db', '--db', 'postgres://me@127.0.0.1:1/shop']);
    expect(told.code).toBe(2);
    expect(told.stderr).toContain('pg_dump --format=custom --schema=catalog_import --file=shop.dump shop');
    const other = await typed(folder(), ['backup', 'x.db', '--db', 'postgres:///d?schema=other']);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('--schema=other --file=d.dump d') });
  });
});
