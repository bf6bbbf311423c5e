// `restore`: a checked backup at the place of a catalog, whole or not at all.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/store/sqlite/driver.js';
import { folder, products, typed } from './typed.js';

/** A folder with a catalog of 60 products, and its backup of the first 50. */
async function backedUp(): Promise<string> {
  const cwd = folder({ 'feed.csv': products(50), 'more.csv': products(10, 50) });
  await typed(cwd, ['products', 'feed.csv', '--db', 'c.db']);
  await typed(cwd, ['backup', 'keep.db', '--db', 'c.db', '--quiet']);
  await typed(cwd, ['products', 'more.csv', '--db', 'c.db']);
  return cwd;
}

const codeOf = async (cwd: string, sku: string, db: string) =>
  (await typed(cwd, ['get', 'product', sku, '--db', db])).code;

const temporaryIn = (cwd: string) => readdirSync(cwd).filter((name) => name.includes('.tmp'));

describe('restore', () => {
  it('makes a new catalog of a backup, which works as the backed up one did', async () => {
    const cwd = await backedUp();
    const told = await typed(cwd, ['restore', 'keep.db', '--db', 'new.db']);
    expect(told).toMatchObject({ code: 0, stderr: '' });
    expect(told.stdout).toMatch(/new\.db: restored from keep\.db, [\d,]+ bytes\n$/);
    expect(statSync(join(cwd, 'new.db')).mode & 0o777).toBe(0o600);
    expect([await codeOf(cwd, 'S-49', 'new.db'), await codeOf(cwd, 'S-50', 'new.db')]).toEqual([0, 9]);
    const again = await typed(cwd, ['products', 'more.csv', '--db', 'new.db', '--output', 'json']);
    expect(JSON.parse(again.stdout).response).toMatchObject({ created: 10 });
    expect((await typed(cwd, ['doctor', '--db', 'new.db'])).code).toBe(0);
    expect(await codeOf(cwd, 'S-50', 'keep.db')).toBe(9);
  });

  it('replaces a catalog with --force alone, also one that is damaged or was left with a log', async () => {
    const cwd = await backedUp();
    const refused = await typed(cwd, ['restore', 'keep.db', '--db', 'c.db']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('c.db is there already; ')]);
    expect(await codeOf(cwd, 'S-50', 'c.db')).toBe(0);
    const states: (() => void)[] = [
      () => undefined,
      () => writeFileSync(join(cwd, 'c.db'), 'no catalog at all'),
      () => writeFileSync(join(cwd, 'c.db-wal'), 'the log of another file'),
      () => writeFileSync(join(cwd, 'c.db'), ''),
    ];
    for (const damage of states) {
      damage();
      expect((await typed(cwd, ['restore', 'keep.db', '--db', 'c.db', '--force'])).code).toBe(0);
      expect([await codeOf(cwd, 'S-49', 'c.db'), await codeOf(cwd, 'S-50', 'c.db')]).toEqual([0, 9]);
      await typed(cwd, ['products', 'more.csv', '--db', 'c.db']);
    }
    expect(temporaryIn(cwd)).toEqual([]);
  });

  it('replaces no catalog that another connection has open', async () => {
    const cwd = await backedUp();
    const open = openSqlite(join(cwd, 'c.db'), {});
    open.prepare('SELECT count(*) FROM product').get();
    const told = await typed(cwd, ['restore', 'keep.db', '--db', 'c.db', '--force']);
    expect([told.code, told.stderr]).toEqual([7, expect.stringContaining('is in use by another process')]);
    open.close();
    expect(await codeOf(cwd, 'S-50', 'c.db')).toBe(0);
    expect(temporaryIn(cwd)).toEqual([]);
  });

  it('checks the backup before it replaces anything', async () => {
    const cwd = await backedUp();
    const bytes = readFileSync(join(cwd, 'keep.db'));
    writeFileSync(join(cwd, 'torn.db'), Buffer.from(bytes).fill(0xaa, bytes.length / 2, bytes.length / 2 + 30_000));
    writeFileSync(join(cwd, 'text.db'), 'not a database');
    writeFileSync(join(cwd, 'empty.db'), '');
    const other = openSqlite(join(cwd, 'other.db'), {});
    other.exec('CREATE TABLE t (x)');
    other.close();
    for (const name of ['torn.db', 'text.db', 'empty.db', 'other.db', 'none.db']) {
      const told = await typed(cwd, ['restore', name, '--db', 'c.db', '--force']);
      expect([name, told.code, told.stdout]).toEqual([name, 7, '']);
      expect(await codeOf(cwd, 'S-50', 'c.db')).toBe(0);
      // The backup is at fault, and another --db would not help.
      if (name === 'text.db') expect(told.stderr).toMatch(/text\.db is not a sound backup[^\n]*not a SQLite database/);
    }
    expect((await typed(cwd, ['restore', 'c.db', '--db', 'c.db', '--force'])).stderr).toContain(
      'is the catalog itself',
    );
    expect((await typed(cwd, ['restore', 'keep.db', '--db', 'nowhere/c.db'])).code).toBe(2);
    expect((await typed(cwd, ['restore', 'keep.db', '--db', 'postgres://me@127.0.0.1:1/shop'])).code).toBe(2);
    expect(existsSync(join(cwd, 'none.db'))).toBe(false);
    expect(temporaryIn(cwd)).toEqual([]);
  });
});
