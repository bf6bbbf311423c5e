// Backups of a catalog's file, and catalogs made of them: whole, on their own, and never in the place of what is in use.
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CatalogError } from '../../../src/core/errors.js';
import { openCatalog } from '../../../src/store/open.js';
import { openDatabase } from '../../../src/store/sqlite/database.js';
import { backUp, copyWhole, notWritten } from '../../../src/store/sqlite/file/backup.js';
import { isOpenHere } from '../../../src/store/sqlite/file/open-files.js';
import { restoreFrom } from '../../../src/store/sqlite/file/restore.js';
import { openRaw } from '../../proof/dump.js';
import { failureOf, imported, newPath } from '../given.js';

/** A catalog of one product in a folder of its own, and a path next to it. */
async function given(): Promise<{ readonly file: string; readonly copy: string }> {
  const file = newPath('c.db');
  const catalog = await openCatalog({ file, create: true });
  await imported(catalog, 'products', [{ sku: 'A', currency: 'EUR' }]);
  await catalog.close();
  return { file, copy: join(dirname(file), 'copy.db') };
}

/** What one query finds. */
function found(file: string, sql = 'SELECT sku FROM product'): unknown[] {
  const database = openRaw(file);
  try {
    return database.prepare(sql).pluck().all();
  } finally {
    database.close();
  }
}

function change(file: string, sql: string): void {
  const database = openRaw(file);
  database.exec(sql);
  database.close();
}

const anchor = 'SELECT hex(before) || hex(token) FROM log_anchor';

describe('a backup', () => {
  it('is the catalog, of which it has neither the log nor what ties it to one', async () => {
    const { file, copy } = await given();
    expect(await backUp(file, copy, 0)).toBe(statSync(copy).size);
    expect(found(copy)).toEqual(['A']);
    const [before, after] = [found(file, anchor)[0], found(copy, anchor)[0]];
    expect(after).toMatch(/^0{32}(?!0{32})/);
    expect(after).not.toBe(before);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file)).sort()).toEqual(['c.db', 'copy.db']);
    for (const path of [file, copy]) expect(isOpenHere(path)).toBe(false);
  });

  it('is not made where a log would be taken for its own', async () => {
    const { file, copy } = await given();
    for (const suffix of ['-wal', '-journal']) writeFileSync(copy + suffix, 'of another file');
    const failure = await failureOf(() => backUp(file, copy));
    expect(failure).toMatchObject({
      code: 'usage',
      message: `${copy}-wal and ${copy}-journal would be taken for the log of the backup; remove it, or name another file.`,
    });
    expect(existsSync(copy)).toBe(false);
  });

  it.each([
    ['of another application', 'CREATE TABLE t (x); PRAGMA user_version = 8'],
    ['that was to become a catalog', 'PRAGMA application_id = 1128877392'],
  ])('is not made of a database %s', async (what, sql) => {
    const file = newPath(`${what}.db`);
    change(file, sql);
    const failure = await failureOf(() => backUp(file, `${file}.copy`));
    expect(failure).toMatchObject({
      code: 'catalog_unusable',
      message: `${file} holds no catalog; there is nothing to back up`,
    });
  });

  it('is not made of nothing, and makes nothing', async () => {
    const { copy } = await given();
    const file = `${copy}.none`;
    expect((await failureOf(() => backUp(file, copy))).message).toContain(`there is no catalog at ${file}`);
    expect(existsSync(file) || existsSync(copy)).toBe(false);
  });

  it('is not made of a damaged catalog', async () => {
    const { file, copy } = await given();
    const root = Number(found(file, "SELECT rootpage FROM sqlite_schema WHERE name = 'review'")[0]);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xaa, (root - 1) * 8192, root * 8192));
    expect((await failureOf(() => backUp(file, copy))).message).toContain('is damaged, and was not backed up');
    expect(readdirSync(dirname(file))).toEqual(['c.db']);
  });

  it('waits for a lock, and is given up with what to do', async () => {
    const { file, copy } = await given();
    const database = openDatabase(file, true);
    writeFileSync(copy, '');
    const other = openRaw(file);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const failure = await failureOf(() => copyWhole(database, copy, { file, lockTimeout: 30 }));
    expect(failure).toMatchObject({ code: 'catalog_locked', message: expect.stringContaining('Try again later') });
    const made = copyWhole(database, copy, { file, lockTimeout: 10_000 });
    other.exec('ROLLBACK');
    other.close();
    await made;
    expect(found(copy)).toEqual(['A']);
    database.close();
  });
});

describe('what cannot be written', () => {
  const ofSystem = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const ofSqlite = (() => {
    try {
      openRaw(':memory:').exec('no sql');
      throw new Error('it is no SQL');
    } catch (error) {
      return error as Error;
    }
  })();
  it.each([ofSystem, ofSqlite])('is named with a remedy where the system or SQLite says why', (cause) => {
    const told = notWritten('The backup x.db', cause);
    expect(told).toMatchObject({
      code: 'usage',
      message: `The backup x.db cannot be written (${cause.message}). Make room, or name another file.`,
    });
  });

  it.each([new Error('a mistake of the program'), new CatalogError('catalog_locked', 'locked')])(
    'is told as it is otherwise',
    (cause) => expect(notWritten('The backup x.db', cause)).toBe(cause),
  );
});

describe('a restored backup', () => {
  it('takes the place of a catalog with its rights, and without its log', async () => {
    const { file, copy } = await given();
    await backUp(file, copy);
    // A hint, which is no fault of a backup.
    chmodSync(copy, 0o644);
    chmodSync(file, 0o640);
    change(file, "UPDATE product SET sku = 'B'");
    linkSync(file, `${file}.old`);
    for (const suffix of ['-wal', '-shm']) writeFileSync(file + suffix, '');
    expect(await restoreFrom(copy, file)).toBe(statSync(file).size);
    expect(readdirSync(dirname(file)).sort()).toEqual(['c.db', 'c.db.old', 'copy.db']);
    for (const path of [file, copy, `${file}.old`]) expect(isOpenHere(path)).toBe(false);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(found(file)).toEqual(['A']);
  });

  it('becomes a catalog where there was none, for its owner only', async () => {
    const { file, copy } = await given();
    await restoreFrom(file, copy);
    expect(found(copy)).toEqual(['A']);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
  });

  it.each<[what: string, damage: (file: string) => void]>([
    ['no database', (file) => writeFileSync(file, 'no catalog at all')],
    ['cut off', (file) => truncateSync(file, 8192)],
    ['with the log of another', (file) => writeFileSync(`${file}-wal`, 'the log of another file')],
    ['of another application', (file) => change(file, 'PRAGMA application_id = 1')],
  ])('takes the place of a catalog that is %s', async (_, damage) => {
    const { file, copy } = await given();
    await backUp(file, copy);
    damage(file);
    await restoreFrom(copy, file);
    expect(found(file)).toEqual(['A']);
  });

  it('never takes the place of a catalog that is in use, or of one that is not sound itself', async () => {
    const { file, copy } = await given();
    await backUp(file, copy);
    change(file, "UPDATE product SET sku = 'B'");
    const inUse = openRaw(file);
    inUse.prepare('SELECT count(*) FROM product').get();
    expect(await failureOf(() => restoreFrom(copy, file))).toMatchObject({
      code: 'catalog_locked',
      message: `${file} is in use by another process, and was not replaced. Stop the server and the imports, then try again.`,
    });
    inUse.close();
    const text = `${copy}.txt`;
    writeFileSync(text, 'no database, and longer than the header of one: '.repeat(40));
    expect((await failureOf(() => restoreFrom(text, file))).message).toBe(
      `${text} is not a sound backup, and nothing was replaced: it is not a SQLite database; name a file that backup wrote`,
    );
    change(copy, 'PRAGMA foreign_keys = OFF; DELETE FROM late_index; UPDATE product SET slug_hash = 7');
    change(copy, 'INSERT INTO product_slug VALUES (1, 1)');
    expect((await failureOf(() => restoreFrom(copy, file))).message).toContain(
      `${copy} is not a sound backup, and nothing was replaced: The index of slugs has 1 entry`,
    );
    expect((await failureOf(() => restoreFrom(`${copy}.none`, file))).message).toContain('there is no catalog at');
    const other = `${copy}.other`;
    change(other, 'CREATE TABLE t (x)');
    expect((await failureOf(() => restoreFrom(other, file))).message).toContain('of another application');
    expect(found(file)).toEqual(['B']);
    expect(readdirSync(dirname(file)).filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});
