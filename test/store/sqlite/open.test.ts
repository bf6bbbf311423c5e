// Opening a catalog: how SQLite is set, what its file may be called, and which tables it has.
import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resources, shopResources } from '../../../src/core/resources/index.js';
import { openCatalog } from '../../../src/store/open.js';
import { openDatabase, prepareReading, prepareScratch } from '../../../src/store/sqlite/database.js';
import { isOpenHere } from '../../../src/store/sqlite/file/open-files.js';
import { lastVersion, stepNames } from '../../../src/store/sqlite/migrate.js';
import { layoutOf } from '../../../src/store/sqlite/rows/layout.js';
import { openRaw } from '../../proof/dump.js';
import { failureOf, folder, imported, newDatabase, newPath, products } from '../given.js';

describe('a catalog is a durable SQLite file', () => {
  it('uses a write-ahead log, syncs every commit, and has its application id', async () => {
    const { database } = await newDatabase('pragmas.db');
    const pragma = (name: string): unknown => database.pragma(name, { simple: true });
    expect(pragma('journal_mode')).toBe('wal');
    // 2 is FULL: better-sqlite3 would make it NORMAL, and a power cut would lose reported lines.
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('page_size')).toBe(8192);
    expect(pragma('wal_autocheckpoint')).toBe(Math.floor(32_000_000 / 8192));
    expect(pragma('journal_size_limit')).toBe(64 * 1024 * 1024);
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
    await imported(catalog, 'products', products(400, 1));
    await catalog.close();
    expect(isOpenHere(file)).toBe(false);
    const raw = openRaw(file);
    raw.pragma('foreign_keys = ON');
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(raw.pragma('foreign_key_check')).toEqual([]);
    expect(() => raw.exec(`UPDATE product SET category = 'cate_none'`)).toThrow('FOREIGN KEY');
    // Rows are numbered without gaps, also from one transaction to the next.
    expect(raw.prepare('SELECT min(seq), max(seq), count(*) FROM product').raw().get()).toEqual([1, 401, 401]);
    raw.close();
  });

  it('can be created by several processes at once', async () => {
    const file = newPath('together.db');
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

  it('that is made beside the journal of one that is gone is for its owner only', async () => {
    const file = newPath('beside.db');
    writeFileSync(`${file}-journal`, 'left');
    await (await openCatalog({ file, create: true })).close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
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
});
