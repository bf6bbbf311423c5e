// Which files are refused as a catalog: untouched, and with words that help.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCatalog } from '../../../src/store/open.js';
import { openDatabase, prepareCatalog, prepareScratch, readVersions } from '../../../src/store/sqlite/database.js';
import type { Database } from '../../../src/store/sqlite/driver.js';
import { checkCatalogFile } from '../../../src/store/sqlite/file/check-catalog.js';
import { openRaw } from '../../proof/dump.js';
import { randomFrom } from '../../random.js';
import { allowed } from '../../tier.js';
import { bytesOf, failureOf, folder, imported, newDatabase, newPath, products } from '../given.js';

/** Fills a file with bytes of no order from a place on: the same in every run, as chance makes pages of a schema, too. */
function encrypt(bytes: Buffer, from: number): void {
  const next = randomFrom(1);
  for (let i = from; i < bytes.length; i++) bytes[i] = Math.floor(next() * 256);
}

describe('files that are refused and left untouched', () => {
  const views = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      INSERT INTO sqlite_schema SELECT 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || ' AS SELECT 1' FROM n`;

  async function refused(file: string): Promise<string> {
    const before = bytesOf(file);
    const failure = await failureOf(() => openCatalog({ file, create: true, lockTimeout: 100 }));
    expect(failure.code).toBe('catalog_unusable');
    expect(failure.message).toContain(file);
    expect(bytesOf(file)).toEqual(before);
    const dry = await failureOf(() => openCatalog({ file, create: true, scratch: true, lockTimeout: 100 }));
    expect(dry.code).toBe('catalog_unusable');
    expect(bytesOf(file)).toEqual(before);
    return failure.message;
  }

  it('a catalog of a newer version', async () => {
    const { file, database } = await newDatabase('newer.db');
    database.pragma('user_version = 99');
    database.close();
    expect(await refused(file)).toMatch(/newer version \(schema 99.*update catalog-import/);
  });

  it('the SQLite database of another application', async () => {
    const file = newPath('other.db');
    const other = openRaw(file);
    other.exec('CREATE TABLE bookmark (url TEXT)');
    other.close();
    expect(await refused(file)).toMatch(/another application; name a catalog, or a new file, with --db/);
  });

  it.each([
    ['marked by another application, without tables', 'PRAGMA application_id = 1'],
    ['of a version, and marked by nobody', 'PRAGMA user_version = 1'],
    ['of version 5, and marked by nobody', 'PRAGMA user_version = 5'],
    ['of version 5 with a table, and marked by nobody', 'CREATE TABLE x (y); PRAGMA user_version = 5'],
    ['of a version below 0', 'PRAGMA user_version = -1'],
  ])('a SQLite database %s', async (words, sql) => {
    const file = newPath(`${words}.db`);
    const other = openRaw(file);
    other.exec(sql);
    other.close();
    expect(await refused(file)).toMatch(/another application; name a catalog, or a new file, with --db/);
  });

  it.each([
    ['without tables', 'PRAGMA application_id = 1128877392', 'lacks the table'],
    ['of version 6 without tables', 'PRAGMA application_id = 1128877392; PRAGMA user_version = 6', 'lacks the table'],
  ])('what is marked as a catalog, %s, is damaged', async (words, sql, why) => {
    const file = newPath(`marked ${words}.db`);
    const other = openRaw(file);
    other.exec(sql);
    other.close();
    const message = await refused(file);
    expect(message).toContain(`is damaged: it is marked as a catalog and ${why}`);
    expect(message).toContain(`catalog-import restore BACKUP --db ${file} --force`);
  });

  it.each(['-journal', '-wal', '-shm'])('a catalog beside which %s is a folder', async (suffix) => {
    const { file, database } = await newDatabase(`folder${suffix}.db`);
    database.close();
    mkdirSync(file + suffix);
    const failure = await failureOf(() => openCatalog({ file, create: true, lockTimeout: 100 }));
    expect(failure).toMatchObject({
      code: 'catalog_unusable',
      message: expect.stringContaining(`${file}${suffix} is not a file`),
    });
  });

  it.each([0, -1])('what has all tables of a catalog, and %i for a version, is damaged', async (version) => {
    const { file, database } = await newDatabase(`version ${version}.db`);
    database.pragma(`user_version = ${version}`);
    database.close();
    expect(await refused(file)).toContain('is damaged: it is marked as a catalog and has no version');
  });

  it.each([10, 11])('a catalog with %i foreign objects, of which ten are named', async (count) => {
    const { file, database } = await newDatabase(`${count} objects.db`);
    database.unsafeMode(true);
    database.pragma('writable_schema = ON');
    database.exec(views(count));
    database.close();
    const message = await refused(file);
    expect(message.match(/the view v\d+/g)).toHaveLength(10);
    expect(message.includes('and 1 more, which doctor names. It may')).toBe(count > 10);
    expect(message.includes('more')).toBe(count > 10);
  });

  it.each([
    [
      'with too many objects to be read',
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
        INSERT INTO sqlite_schema SELECT 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || ' AS SELECT 1' FROM n`,
      'is no catalog that can be opened: it has more than 2,000 tables, views and the like',
    ],
    [
      'with too long a statement',
      `INSERT INTO sqlite_schema VALUES ('view', 'large', 'large', 0, 'CREATE VIEW large AS SELECT ''${'x'.repeat(9e6)}''')`,
      'is no catalog that can be opened: the view large was made by a statement of 9,000,0',
    ],
    [
      'whose first object has too long a statement',
      `INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage, sql)
        VALUES (-1, 'view', 'first', 'first', 0, 'CREATE VIEW first AS SELECT ''${'x'.repeat(9e6)}''')`,
      'is no catalog that can be opened: the view first was made by a statement of 9,000,0',
    ],
    [
      'with more foreign objects than a message names',
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
        INSERT INTO sqlite_schema SELECT 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || ' AS SELECT 1' FROM n`,
      'the view v18 and 40 more, which doctor names',
    ],
    ['that says it is older than it is', 'PRAGMA user_version = 6', 'the table product, made in another way'],
  ])('a catalog %s', async (words, sql, why) => {
    const { file, database } = await newDatabase(`${words}.db`);
    database.unsafeMode(true);
    database.pragma('writable_schema = ON');
    database.exec(sql);
    database.close();
    const began = process.cpuUsage().user;
    expect(await refused(file)).toContain(why);
    expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(allowed(0.2));
  });

  it.each(['WAL', 'DELETE'])('a catalog whose schema is large only with its log or journal (%s)', async (mode) => {
    const { file, database } = await newDatabase(`large in ${mode}.db`);
    database.close();
    const raw = openRaw(file);
    raw.unsafeMode(true);
    raw.pragma('writable_schema = ON');
    raw.pragma('journal_mode = DELETE');
    if (mode === 'DELETE') raw.exec(views(3000));
    raw.pragma(`journal_mode = ${mode}`);
    raw.pragma('cache_size = 1');
    raw.exec(mode === 'WAL' ? views(3000) : "BEGIN; DELETE FROM sqlite_schema WHERE type = 'view'");
    const suffix = mode === 'WAL' ? '-wal' : '-journal';
    const left = readFileSync(file + suffix);
    const before = readFileSync(file);
    if (mode === 'DELETE') raw.exec('COMMIT');
    raw.close();
    if (mode === 'WAL') writeFileSync(file, before);
    writeFileSync(file + suffix, left);
    // SQLite undoes what a journal tells before anything can be read.
    const failure =
      mode === 'WAL' ? { message: await refused(file) } : await failureOf(() => openCatalog({ file, create: true }));
    expect(failure).toMatchObject({ message: expect.stringContaining('more than 2,000 tables, views and the like') });
  });

  it.each<[words: string, change: (bytes: Buffer) => void, why: string]>([
    ['encrypted', (bytes) => encrypt(bytes, 0), 'is not a SQLite database'],
    ['encrypted but for its header', (bytes) => encrypt(bytes, 100), 'is damaged'],
    [
      'encrypted so that a long statement seems to be there',
      (bytes) => {
        encrypt(bytes, 100);
        // A leaf with one cell, which is at 600.
        bytes.set([13, 0, 0, 0, 1], 100);
        bytes.writeUInt16BE(600, 108);
        bytes.fill(255, 600, 620);
      },
      'is damaged',
    ],
    ['in WAL2 mode', (bytes) => bytes.fill(3, 18, 20), 'is not a SQLite database'],
    ['of a later schema format', (bytes) => bytes.writeUInt32BE(5, 44), 'does not read (unsupported file format)'],
    ['of another text encoding', (bytes) => bytes.writeUInt32BE(2, 56), 'is damaged'],
    ['of other pages', (bytes) => bytes.writeUInt16BE(512, 16), 'is damaged'],
  ])('a catalog %s', async (words, change, why) => {
    const { file, database } = await newDatabase(`${words}.db`);
    database.close();
    const bytes = readFileSync(file);
    change(bytes);
    writeFileSync(file, bytes);
    expect(await refused(file)).toContain(why);
  });

  it.each(['unknown(sku)', 'sku COLLATE unknown'])('a catalog with an index on %s, which a check names', async (of) => {
    const { file, database } = await newDatabase(`index on ${of}.db`);
    database.unsafeMode(true);
    database.pragma('writable_schema = ON');
    const insert = database.prepare("INSERT INTO sqlite_schema VALUES ('index', 'odd', 'product', 2, ?)");
    insert.run(`CREATE INDEX odd ON product (${of})`);
    database.close();
    expect(await refused(file)).toContain('the index odd');
    const checks = await checkCatalogFile(file, 1000);
    expect(checks.find(({ check }) => check === 'objects')?.details.join()).toContain('the index odd');
  });

  it('a truncated catalog beside its log, which SQLite would delete', async () => {
    const file = newPath('cut-off.db');
    writeFileSync(file, '');
    writeFileSync(`${file}-wal`, 'x'.repeat(5000));
    expect(await refused(file)).toMatch(/is empty, but the log .*-wal next to it is not: .*catalog-import restore/);
  });

  it.each([
    ['of no bytes', ''],
    ['without tables', 'PRAGMA journal_mode = WAL'],
  ])('a file %s holds no catalog for who must find one, and becomes one with an import', async (words, sql) => {
    const file = newPath(`blank ${words}.db`);
    writeFileSync(file, '');
    if (sql !== '') {
      const blank = openRaw(file);
      blank.exec(sql);
      blank.close();
    }
    const before = bytesOf(file);
    const failure = await failureOf(() => openCatalog({ file, create: false }));
    expect(failure).toMatchObject({
      code: 'catalog_unusable',
      message: expect.stringContaining('no catalog in it yet'),
    });
    const dry = await openCatalog({ file, create: true, scratch: true });
    expect(await imported(dry, 'products', products(0, 2))).toMatchObject([{ created: 2 }]);
    await dry.close();
    expect(bytesOf(file)).toEqual(before);
    const catalog = await openCatalog({ file, create: true });
    expect(await imported(catalog, 'products', products(0, 2))).toMatchObject([{ created: 2 }]);
    await catalog.close();
  });

  it('a file that is not a database', async () => {
    const file = newPath('feed.csv');
    writeFileSync(file, `sku,name\n${'A,Phone\n'.repeat(1000)}`);
    expect(await refused(file)).toMatch(/not a SQLite database; name a catalog/);
  });

  it('a missing catalog is not made where it must be there', async () => {
    const file = newPath('missing.db');
    const failure = await failureOf(() => openCatalog({ file, create: false }));
    expect(failure.code).toBe('catalog_unusable');
    expect(failure.message).toContain(`there is no catalog at ${file}`);
    expect(existsSync(file)).toBe(false);
  });

  it('a folder that is not there', async () => {
    const failure = await failureOf(() =>
      openCatalog({ file: join(folder, 'no', 'such', 'catalog.db'), create: true }),
    );
    expect(failure).toMatchObject({ code: 'catalog_unusable', message: expect.stringContaining('there is no folder') });
  });

  it('a damaged catalog is reported, with how to continue', async () => {
    const { file, database } = await newDatabase('damaged.db');
    database.close();
    const catalog = await openCatalog({ file, create: false });
    await imported(catalog, 'products', products(0, 200));
    await catalog.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, 4096));
    const failure = await failureOf(async () => {
      const damaged = await openCatalog({ file, create: false });
      try {
        await imported(damaged, 'products', products(0, 200));
      } finally {
        await damaged.close();
      }
    });
    expect(failure).toMatchObject({ code: 'catalog_unusable', message: expect.stringContaining('restore it') });
    expect(failure.message).not.toContain('network drive');
  });
});

describe('a catalog that is not refused', () => {
  it('has an index that somebody made again, with other spaces in the statement', async () => {
    const { file, database } = await newDatabase('made-again.db');
    const statement = String(
      database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'product_group_axis_group'").pluck().get(),
    );
    database.exec(`DROP INDEX product_group_axis_group; ${statement.replaceAll(' ', '\n  ')} -- as before\n;`);
    database.close();
    await (await openCatalog({ file, create: false })).close();
  });

  it('is written to by another process just now', async () => {
    const { file, database } = await newDatabase('written-to.db');
    const opened = openDatabase(file, true);
    database.exec('BEGIN IMMEDIATE');
    expect(await prepareCatalog(opened, file, { lockTimeout: 0, mustExist: true })).toBe(8);
    for (const one of [opened, database]) one.close();
  });
});

describe('a SQLite that can lose committed data', () => {
  const prepares: readonly ((database: Database, file: string) => unknown)[] = [
    (database, file) => prepareCatalog(database, file, { lockTimeout: 0 }),
    (database) => prepareScratch(database),
    (database, file) => readVersions(database, file, 0),
  ];

  it.each(['3.51.2', '3.9.9', '2.99.99', '3.51.3', '3.52.0', '4.0.0'])(
    '%s: is refused below 3.51.3',
    async (version) => {
      for (const [i, prepare] of prepares.entries()) {
        const file = newPath(`${version}-${i}.db`);
        const database = openDatabase(i === 1 ? '' : file, false);
        database.function('sqlite_version', () => version);
        const end = await failureOf(() => prepare(database, file)).catch(() => undefined);
        if (['3.51.3', '3.52.0', '4.0.0'].includes(version)) expect(end).toBeUndefined();
        else
          expect(end?.message).toContain(`this is SQLite ${version}, which can lose committed data; at least 3.51.3`);
        database.close();
      }
    },
  );
});
