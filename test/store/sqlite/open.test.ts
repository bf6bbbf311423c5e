// Opening a catalog: how SQLite is set, and which files are refused, untouched and with words that help.

import { randomFillSync } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { resources, shopResources } from '../../../src/core/resources/index.js';
import { openCatalog } from '../../../src/store/open.js';
import { openDatabase, prepareReading, prepareScratch } from '../../../src/store/sqlite/database.js';
import { checkCatalogFile } from '../../../src/store/sqlite/file/check-catalog.js';
import { lastVersion, stepNames } from '../../../src/store/sqlite/migrate.js';
import { layoutOf } from '../../../src/store/sqlite/rows/layout.js';
import { execFileSync } from '../../child.js';
import { openRaw } from '../../proof/dump.js';
import { runHere, runProgram } from '../../proof/program.js';
import { bytesOf, failureOf, folder, imported, newDatabase, products } from '../given.js';

const scripts = ['catalog.sql', ...stepNames()].map((name) =>
  fileURLToPath(new URL(`../../../src/store/sqlite/schema/${name}`, import.meta.url)),
);

describe('a catalog is a durable SQLite file', () => {
  it('uses a write-ahead log, syncs every commit, and has its application id', async () => {
    const { database } = await newDatabase('pragmas.db');
    const pragma = (name: string): unknown => database.pragma(name, { simple: true });
    expect(pragma('journal_mode')).toBe('wal');
    // 2 is FULL: better-sqlite3 would make it NORMAL, and a power cut would lose reported lines.
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('page_size')).toBe(8192);
    expect(Number(pragma('wal_autocheckpoint')) * 8192).toBeLessThanOrEqual(32_000_000);
    expect(pragma('journal_size_limit')).toBeLessThanOrEqual(64 * 1024 * 1024);
    expect(Buffer.from(Number(pragma('application_id')).toString(16), 'hex').toString()).toBe('CIMP');
    expect(pragma('user_version')).toBe(lastVersion(stepNames()));
    database.close();
  });

  it('keeps no more of its pages in memory than 8 MB, the scratch copy of a dry run and the catalog beside it neither', async () => {
    const { file, database } = await newDatabase('caches.db');
    expect(database.pragma('cache_size', { simple: true })).toBe(-8000);
    const scratch = openDatabase('', false);
    prepareScratch(scratch);
    const base = openDatabase(file, true);
    await prepareReading(base, file, 1000);
    for (const opened of [scratch, base]) {
      expect(opened.pragma('cache_size', { simple: true })).toBe(-8000);
      opened.close();
    }
    database.close();
  });

  it('passes the integrity check after an import, and foreign keys are enforced', async () => {
    const { file, database } = await newDatabase('sound.db');
    database.close();
    const catalog = await openCatalog({ file, create: false });
    await imported(catalog, 'products', products(0, 400));
    await catalog.close();
    const raw = openRaw(file);
    raw.pragma('foreign_keys = ON');
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(raw.pragma('foreign_key_check')).toEqual([]);
    expect(() => raw.exec(`UPDATE product SET category = 'cate_none'`)).toThrow('FOREIGN KEY');
    raw.close();
  });

  it('can be created by several processes at once', async () => {
    const file = join(folder, 'together.db');
    const catalogs = await Promise.all(Array.from({ length: 4 }, () => openCatalog({ file, create: true })));
    const reports = await Promise.all(
      catalogs.map((catalog, i) => imported(catalog, 'products', products(i * 40, 40))),
    );
    expect(reports.flat().map(({ created }) => created)).toEqual([40, 40, 40, 40]);
    for (const catalog of catalogs) await catalog.close();
  });
});

describe('the name of a catalog', () => {
  const odd = [
    'x ',
    ' x',
    'x\u00a0',
    '\ufeffx',
    'x\n',
    ':memory:x',
    'file::memory:',
    'file:x.db?mode=memory&cache=shared',
  ];
  it.each([...odd, '%00', '..x', "it's", 'a"b', 'é😀.db', 'x'.repeat(200)])('%j is taken literally', async (name) => {
    const place = mkdtempSync(join(folder, 'names-'));
    const file = join(place, name);
    const catalog = await openCatalog({ file, create: true });
    await imported(catalog, 'products', products(0, 2));
    expect(readdirSync(place).sort()).toEqual([name, `${name}-shm`, `${name}-wal`].sort());
    await catalog.close();
    expect(readdirSync(place)).toEqual([name]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const scratch of [true, false]) {
      const again = await openCatalog({ file, create: false, scratch });
      expect(await imported(again, 'products', products(0, 2))).toMatchObject([{ unchanged: 2 }]);
      await again.close();
    }
  });

  it.each(['', ' ', '\t', ':memory:', 'folder/'])('%j is not one', async (file) => {
    for (const scratch of [true, false])
      expect(await failureOf(() => openCatalog({ file, create: true, scratch }))).toMatchObject({ code: 'usage' });
  });

  it('the log of a catalog is for its owner only, as the catalog is', async () => {
    const { file, database } = await newDatabase('modes.db');
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600);
    database.close();
  });
});

describe('tables', () => {
  it('the tables of core are those of the migrated database, column by column', async () => {
    const { database } = await newDatabase('columns.db');
    const tables = new Set([...resources, ...shopResources].flatMap((resource) => resource.tables));
    expect(tables.size).toBeGreaterThan(12);
    for (const table of tables) {
      const columns = database.pragma(`table_info(${table.name})`) as { name: string; pk: number }[];
      const layout = layoutOf(table);
      const names = new Set(columns.map(({ name }) => name));
      const counted = names.has('seq');
      // Rows of a late index, and those that others refer to by number, are counted; we number products only.
      const late = Object.keys(layout.hashed).length > 0;
      expect(counted, table.name).toBe(late || table.name === 'characteristic');
      expect([...new Set([...layout.columns, ...(counted ? ['seq'] : [])])].sort(), table.name).toEqual(
        [...names].sort(),
      );
      const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
      expect(
        key.map(({ name }) => name),
        `the primary key of ${table.name}`,
      ).toEqual(counted ? ['seq'] : table.id);
    }
    database.close();
  });

  it('every way a row is looked up has an index', async () => {
    const { database } = await newDatabase('indexes.db');
    function hasIndex(table: string, columns: readonly string[]): void {
      const where = columns.map((name) => `${name} = ?`).join(' AND ');
      const steps = database.prepare(`EXPLAIN QUERY PLAN SELECT * FROM ${table} WHERE ${where}`);
      const plan = steps.all(...columns.map(() => 'x')) as { detail: string }[];
      expect(plan.map(({ detail }) => detail).join(), `${table} by ${columns}`).toMatch(/^SEARCH .* USING /);
    }
    for (const table of new Set([...resources, ...shopResources].flatMap((resource) => resource.tables))) {
      for (const [name, columns] of Object.entries(table.lookups)) {
        if (layoutOf(table).hashed[name] !== undefined) continue;
        if (!layoutOf(table).numbered || name !== 'id') hasIndex(table.name, columns);
        else {
          // An identifier contains the number of its row, or is listed with it.
          hasIndex(table.name, ['seq']);
          hasIndex(`${table.name}_id`, ['id']);
        }
      }
      for (const column of [table.parent, table.above]) if (column !== undefined) hasIndex(table.name, [column]);
    }
    database.close();
  });

  it('a catalog is made by plain SQL: the sqlite3 shell makes the same tables of it', async ({ skip }) => {
    const file = join(folder, 'by-hand.db');
    try {
      execFileSync('sqlite3', ['--version'], { stdio: 'ignore' });
    } catch {
      skip('there is no sqlite3 shell here');
    }
    for (const script of scripts) execFileSync('sqlite3', ['-bail', file], { input: readFileSync(script) });
    const schemaOf = (path: string): unknown => {
      const raw = openRaw(path);
      const rows = raw.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
      raw.close();
      return rows;
    };
    const { file: made, database } = await newDatabase('by-program.db');
    database.close();
    expect(schemaOf(file)).toEqual(schemaOf(made));
  });
});

describe('files that are refused and left untouched', () => {
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
    const file = join(folder, 'other.db');
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
    const file = join(folder, `${words}.db`);
    const other = openRaw(file);
    other.exec(sql);
    other.close();
    expect(await refused(file)).toMatch(/another application; name a catalog, or a new file, with --db/);
  });

  it.each([
    ['without tables', 'PRAGMA application_id = 1128877392', 'lacks the table'],
    ['of version 6 without tables', 'PRAGMA application_id = 1128877392; PRAGMA user_version = 6', 'lacks the table'],
  ])('what is marked as a catalog, %s, is damaged', async (words, sql, why) => {
    const file = join(folder, `marked ${words}.db`);
    const other = openRaw(file);
    other.exec(sql);
    other.close();
    const message = await refused(file);
    expect(message).toContain(`is damaged: it is marked as a catalog and ${why}`);
    expect(message).toContain(`catalog-import restore BACKUP --db ${file} --force`);
  });

  it.skipIf(process.platform === 'win32').each(['-journal', '-wal', '-shm'])(
    'a catalog beside which %s is a pipe, which nobody writes to',
    async (suffix) => {
      const { file, database } = await newDatabase(`pipe${suffix}.db`);
      database.close();
      execFileSync('mkfifo', [file + suffix]);
      const failure = await failureOf(() => openCatalog({ file, create: true, lockTimeout: 100 }));
      expect(failure).toMatchObject({
        code: 'catalog_unusable',
        message: expect.stringContaining(`${file}${suffix} is not a file`),
      });
    },
  );

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
    expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(2);
  });

  const views = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      INSERT INTO sqlite_schema SELECT 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || ' AS SELECT 1' FROM n`;

  it.each(['WAL', 'DELETE'])('a catalog whose schema is large only with its log or journal (%s)', async (mode) => {
    const { file, database } = await newDatabase(`large in ${mode}.db`);
    database.close();
    const raw = openRaw(file);
    raw.unsafeMode(true);
    raw.pragma('writable_schema = ON');
    raw.pragma('journal_mode = DELETE');
    if (mode === 'DELETE') raw.exec(views(100_000));
    raw.pragma(`journal_mode = ${mode}`);
    raw.pragma('cache_size = 1');
    raw.exec(mode === 'WAL' ? views(100_000) : "BEGIN; DELETE FROM sqlite_schema WHERE type = 'view'");
    const suffix = mode === 'WAL' ? '-wal' : '-journal';
    const left = readFileSync(file + suffix);
    const before = readFileSync(file);
    if (mode === 'DELETE') raw.exec('COMMIT');
    raw.close();
    if (mode === 'WAL') writeFileSync(file, before);
    writeFileSync(file + suffix, left);
    const began = process.cpuUsage().user;
    // SQLite undoes what a journal tells before anything can be read.
    const failure =
      mode === 'WAL' ? { message: await refused(file) } : await failureOf(() => openCatalog({ file, create: true }));
    expect(failure).toMatchObject({ message: expect.stringContaining('more than 2,000 tables, views and the like') });
    expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(2);
  });

  it.each<[words: string, change: (bytes: Buffer) => void, why: string]>([
    ['encrypted', (bytes) => randomFillSync(bytes), 'is not a SQLite database'],
    ['encrypted but for its header', (bytes) => randomFillSync(bytes, 100), 'is damaged'],
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
    const file = join(folder, 'cut-off.db');
    writeFileSync(file, '');
    writeFileSync(`${file}-wal`, 'x'.repeat(5000));
    expect(await refused(file)).toMatch(/is empty, but the log .*-wal next to it is not: .*catalog-import restore/);
  });

  it.each([
    ['of no bytes', ''],
    ['without tables', 'PRAGMA journal_mode = WAL'],
  ])('a file %s holds no catalog for who must find one, and becomes one with an import', async (words, sql) => {
    const file = join(folder, `blank ${words}.db`);
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
    const file = join(folder, 'feed.csv');
    writeFileSync(file, `sku,name\n${'A,Phone\n'.repeat(1000)}`);
    expect(await refused(file)).toMatch(/not a SQLite database; name a catalog/);
  });

  it('a missing catalog is not made where it must be there', async () => {
    const file = join(folder, 'missing.db');
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
  });

  it('a catalog that is read-only can be read and not imported into', async ({ skip }) => {
    const place = join(folder, 'read-only');
    mkdirSync(place);
    const mounted = process.getuid?.() === 0;
    try {
      if (mounted) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', place], { stdio: 'ignore' });
    } catch {
      skip('root writes to everything, and may not mount here');
    }
    try {
      const { file, database } = await newDatabase('read-only/catalog.db');
      database.close();
      if (mounted) execFileSync('mount', ['-o', 'remount,ro', place]);
      else for (const path of [file, place]) chmodSync(path, 0o555);
      const feed = join(folder, 'read-only.ndjson');
      writeFileSync(feed, '{"sku":"A","currency":"EUR"}\n');
      const ended = await runHere(['products', feed, '--db', file, '--quiet']);
      expect(ended.code).toBe(7);
      expect(ended.stderr).toMatch(/catalog\.db (is read-only; make it and its folder writable|cannot be opened)/);
    } finally {
      if (mounted) execFileSync('umount', ['-l', place]);
      else chmodSync(place, 0o755);
    }
  });
});

describe('a SQLite that can lose committed data', () => {
  it.each([
    ['3.51.2', 7],
    ['3.9.9', 7],
    ['2.99.99', 7],
    ['3.51.3', 0],
    ['3.52.0', 0],
    ['4.0.0', 0],
  ])('SQLite %s: exit %d', async (version, code) => {
    const feed = join(folder, 'one.ndjson');
    writeFileSync(feed, '{"sku":"A","currency":"EUR"}\n');
    const db = join(folder, `sqlite-${version}.db`);
    const ended = await runProgram(['products', feed, '--db', db, '--quiet'], { tamper: `version:${version}` });
    expect(ended.code).toBe(code);
    if (code === 7) {
      expect(ended.stderr).toContain(`this is SQLite ${version}, which can lose committed data; at least 3.51.3`);
      expect(existsSync(db) && readFileSync(db).length).toBeFalsy();
    }
  });
});
