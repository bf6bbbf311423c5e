// What a check of a catalog's file finds, each fault by its name and with its remedy, and nothing where there is none.
import { chmodSync, readFileSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCatalog } from '../../../src/store/open.js';
import type { Database } from '../../../src/store/sqlite/driver.js';
import { checkCatalogFile, describeFile } from '../../../src/store/sqlite/file/check-catalog.js';
import { isOpenHere } from '../../../src/store/sqlite/file/open-files.js';
import { openRaw } from '../../proof/dump.js';
import { failureOf, imported, newPath } from '../given.js';

/** A catalog with products and categories, changed by hand. */
async function made(change: (database: Database) => void = () => undefined): Promise<string> {
  const file = newPath('c.db');
  const catalog = await openCatalog({ file, create: true });
  await imported(
    catalog,
    'categories',
    [...'ABCDE'].map((name) => ({ name })),
  );
  const item = { currency: 'EUR', grades: [{ grade: 'new', price: 1 }] };
  await imported(
    catalog,
    'products',
    ['1', '2', '3'].map((sku) => ({ ...item, sku })),
  );
  await catalog.close();
  const database = openRaw(file);
  database.pragma('foreign_keys = OFF');
  change(database);
  database.close();
  return file;
}

/** What is found, by check; what is right is left out. */
async function faultsOf(file: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const found = (await checkCatalogFile(file, 1000)).filter(({ level }) => level !== 'ok');
  return Object.fromEntries(found.map(({ check, level, details }) => [`${check}: ${level}`, details]));
}

/** Makes each category of a list the parent of the one before it. */
const chained = (database: Database, names: readonly string[]) => {
  const id = (name: string) => `(SELECT id FROM category WHERE name = '${name}')`;
  for (const [i, name] of names.entries())
    if (i > 0) database.exec(`UPDATE category SET parent = ${id(name)} WHERE name = '${names[i - 1]}'`);
};

describe('a check', () => {
  it('finds nothing in a sound catalog, and leaves it closed', async () => {
    const file = await made((database) => chained(database, ['A', 'B', 'C']));
    const found = await checkCatalogFile(file, 1000);
    expect(found.map(({ check }) => check)).toEqual([
      ...['integrity', 'references', 'indexes', 'objects', 'drive', 'files next to it', 'rights'],
    ]);
    for (const { level, details } of found) expect([level, details]).toEqual(['ok', []]);
    expect(isOpenHere(file)).toBe(false);
  });

  it('does not make a catalog that is missing', async () => {
    const file = newPath('unmade.db');
    for (const check of [() => checkCatalogFile(file, 1000), () => describeFile(file)])
      expect((await failureOf(check)).message).toContain('there is no catalog at');
    expect(isOpenHere(file)).toBe(false);
  });

  it('of a file without tables says that there is no catalog yet', async () => {
    const file = newPath('no tables.db');
    writeFileSync(file, '');
    expect(await faultsOf(file)).toEqual({
      'tables: problem': ['The file holds no catalog yet; import into it first.'],
    });
  });

  it('of older tables says how they are brought up to date, and checks what does not depend on them', async () => {
    const file = newPath('of 0.1.0.db');
    const raw = openRaw(file);
    raw.exec(readFileSync(new URL('../../../src/store/sqlite/schema/catalog.sql', import.meta.url), 'utf8'));
    raw.pragma('application_id = 1128877392');
    raw.pragma('user_version = 6');
    raw.close();
    chmodSync(file, 0o600);
    const found = await checkCatalogFile(file, 1000);
    expect(found.map(({ check, level }) => [check, level])).toEqual([
      ['tables', 'hint'],
      ...['integrity', 'objects', 'drive', 'files next to it', 'rights'].map((check) => [check, 'ok']),
    ]);
    expect(found[0]?.details.join()).toContain('its tables have version 6, today');
  });

  it('counts by table what refers to records that are not there', async () => {
    const file = await made((database) =>
      database.exec(`
        UPDATE product SET category = 'cate_none' WHERE sku <> '1';
        UPDATE category SET parent = 'cate_gone' WHERE name = 'E';`),
    );
    const { 'references: problem': found, ...others } = await faultsOf(file);
    expect(others).toEqual({});
    expect(found?.map((fault) => fault.split('. ')[0]).sort()).toEqual([
      'Missing: categories that 1 category refer to',
      'Missing: categories that 2 products refer to',
    ]);
  });

  it('names the categories of a circle, and none below it', async () => {
    const file = await made((database) => chained(database, ['E', 'A', 'B', 'C', 'A']));
    expect(await faultsOf(file)).toEqual({
      'references: problem': [
        expect.stringMatching(
          /^Circular parents of 3 categories: "[ABC]", "[ABC]", "[ABC]". Import one category of each/,
        ),
      ],
    });
  });

  it.each([10, 11])('names ten of %i categories that are their own parents', async (count) => {
    const file = newPath('c.db');
    const catalog = await openCatalog({ file, create: true });
    await imported(
      catalog,
      'categories',
      Array.from({ length: count }, (_, i) => ({ name: `L${i}` })),
    );
    await catalog.close();
    const database = openRaw(file);
    database.exec('UPDATE category SET parent = id');
    database.close();
    const [fault = ''] = (await faultsOf(file))['references: problem'] ?? [];
    expect(fault.match(/"L\d+"/g)).toHaveLength(10);
    expect(fault.includes(' and more. Import one')).toBe(count > 10);
  });

  it('finds slugs that the index lacks, has for nothing, or that two records have', async () => {
    const file = await made((database) =>
      database.exec(`
        UPDATE late_index SET upto = 2 WHERE name = 'product_slug';
        INSERT INTO product_slug VALUES (1, 1), (2, 1), (3, 2);
        UPDATE product SET slug = 'same' WHERE sku <> '1';`),
    );
    const found = (await faultsOf(file))['indexes: problem'] ?? [];
    expect(found.map((fault) => fault.split('. ')[0])).toEqual([
      'The index of slugs lacks 2 products',
      'The index of slugs has 3 entries that none of the products has',
      'Several products have one slug: "same"',
    ]);
  });

  it('goes on where a part of the file is damaged, and says which checks could not be made', async () => {
    const file = await made((database) => database.exec('PRAGMA wal_checkpoint'));
    const root = openRaw(file);
    const page = Number(root.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'category'").pluck().get());
    root.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xaa, (page - 1) * 8192, page * 8192));
    const found = await faultsOf(file);
    expect(found['integrity: problem']?.at(-1)).toContain('catalog-import restore BACKUP');
    expect(found['references: problem']?.join()).toContain('is damaged; restore it from a backup');
    expect(found['references: problem']?.join()).not.toContain('network drive');
  });
});

describe('a check of what is next to a catalog', () => {
  it('names what killed processes left there more than a day ago, and nothing else', async () => {
    const file = await made();
    const place = dirname(file);
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    for (const name of ['c.db.1.tmp', 'c.db.2.tmp-journal', 'c.db.kept', 'other.tmp', 'c.db.tmp.gz']) {
      writeFileSync(join(place, name), '');
      utimesSync(join(place, name), twoDaysAgo, twoDaysAgo);
    }
    writeFileSync(join(place, 'c.db.new.tmp'), '');
    // As if it had gone between the two looks at it.
    symlinkSync(join(place, 'gone'), join(place, 'c.db.gone.tmp'));
    expect(await faultsOf(file)).toEqual({
      'files next to it: hint': ['1.tmp', '2.tmp-journal'].map(
        (end) => `${file}.${end} was left by a process that was killed. Remove it.`,
      ),
    });
  });

  it('says of a log of more than 128 MiB that it was not copied back', async () => {
    const file = await made();
    const log = `${file}-wal`;
    const most = 128 * 1024 * 1024;
    const reader = openRaw(file);
    reader.prepare('SELECT count(*) FROM product').get();
    for (const [bytes, isLarge] of [
      [most, false],
      [most + 1, true],
    ] as const) {
      // It takes no room on the disk.
      truncateSync(log, bytes);
      const hints = (await faultsOf(file))['files next to it: hint'] ?? [];
      expect(hints.map((hint) => hint.split(':')[0])).toEqual(isLarge ? [`${log} has 134217729 bytes`] : []);
    }
    reader.close();
  });

  it.skipIf(process.platform === 'win32').each([
    [0o600, undefined],
    [0o640, '640'],
    [0o604, '604'],
  ])('says who else may read or write it: %o', async (mode, said) => {
    const file = await made();
    chmodSync(file, mode);
    expect((await faultsOf(file))['rights: hint']).toEqual(
      said && [`${file} may be read or written by other users (${said}). If not meant: chmod 600 ${file}`],
    );
  });
});

it('a catalog is described by its bytes with its log, and its version', async () => {
  const file = await made();
  const size = readFileSync(file).length;
  expect(describeFile(file)).toEqual({ bytes: size, version: 8 });
  expect(isOpenHere(file)).toBe(false);
});
