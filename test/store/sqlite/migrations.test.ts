// Catalogs of other versions, and with what this program did not make.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openCatalog } from '../../../src/store/open.js';
import { checkCatalogFile } from '../../../src/store/sqlite/file/check-catalog.js';
import { migrate, stepNames } from '../../../src/store/sqlite/migrate.js';
import { openRaw } from '../../proof/dump.js';
import { bytesOf, failureOf, imported, newDatabase, newPath } from '../given.js';

describe('a catalog of a newer version', () => {
  it('that was migrated while it was open accepts no further import, dry run or not', async () => {
    const { file, database } = await newDatabase('meanwhile.db');
    const catalog = await openCatalog({ file, create: false });
    const dry = await openCatalog({ file, create: false, scratch: true });
    const items = [{ sku: 'A', currency: 'EUR' }];
    await imported(catalog, 'products', items);
    database.pragma('user_version = 99');
    for (const [one, options] of [
      [catalog, {}],
      [catalog, { dryRun: true }],
      [dry, { dryRun: true }],
    ] as const) {
      const failure = await failureOf(() => imported(one, 'products', [{ ...items[0], note: 'new' }], options));
      expect(failure.code).toBe('catalog_unusable');
      expect(failure.message).toContain(`${file} was brought up to date by a newer version`);
    }
    expect(database.prepare('SELECT note FROM product').pluck().all()).toEqual(['']);
    for (const one of [dry, catalog, database]) await one.close();
  });
});

it('a catalog that a newer version migrated meanwhile keeps its version', async () => {
  const { database, version } = await newDatabase('migrated-meanwhile.db');
  migrate(database, stepNames().slice(0, -1));
  expect(database.pragma('user_version', { simple: true })).toBe(version);
  database.close();
});

it('a dry run does not migrate an older catalog, and tells how to', async () => {
  const file = newPath('older.db');
  const raw = openRaw(file);
  raw.exec(readFileSync(new URL('../../../src/store/sqlite/schema/catalog.sql', import.meta.url), 'utf8'));
  raw.pragma('application_id = 1128877392');
  raw.pragma('user_version = 6');
  raw.close();
  const before = bytesOf(file);
  const failure = await failureOf(() => openCatalog({ file, create: false, scratch: true }));
  expect(failure.message).toBe(
    `${file} was made by an older version of this program, and a dry run does not change it. Bring it up to date with catalog-import db migrate --db ${file}.`,
  );
  expect(bytesOf(file)).toEqual(before);
});

describe('a catalog of a build before 0.1.0', () => {
  it.each([1, 5])('%i is refused, and stays as it is', async (version) => {
    const { file, database } = await newDatabase(`of-${version}.db`);
    database.pragma(`user_version = ${version}`);
    database.close();
    for (const options of [{ create: true }, { create: false, scratch: true }]) {
      const failure = await failureOf(() => openCatalog({ file, ...options }));
      expect(failure).toMatchObject({ code: 'catalog_unusable', message: expect.stringContaining('before 0.1.0') });
    }
    const raw = openRaw(file);
    expect(raw.pragma('user_version', { simple: true })).toBe(version);
    raw.close();
  });
});

describe('a catalog from elsewhere', () => {
  const strange = [
    ['CREATE TRIGGER mine AFTER UPDATE ON product BEGIN UPDATE product SET price = 1; END', 'the trigger mine'],
    ['CREATE VIEW shown AS SELECT * FROM product', 'the view shown'],
    ['CREATE INDEX by_name ON product (lower(name))', 'the index by_name'],
    [
      'DROP TRIGGER product_slug_moves; CREATE TRIGGER product_slug_moves AFTER UPDATE ON product BEGIN SELECT 1; END',
      'the trigger product_slug_moves',
    ],
    ['DROP TRIGGER category_slug_moves', 'lacks the trigger category_slug_moves'],
    ['ALTER TABLE product_group ADD COLUMN own TEXT', 'the table product_group, made in another way'],
    [
      'DROP TABLE feed_offer; CREATE VIRTUAL TABLE feed_offer USING fts5(id, fields)',
      'the table feed_offer, made in another way',
    ],
  ] as const;

  it.each(strange)('is refused with the name of what is not ours: %s', async (sql, name) => {
    const { file, database } = await newDatabase(`strange-${name.replaceAll(' ', '-')}.db`);
    database.exec(sql);
    database.close();
    for (const options of [{ create: false }, { create: false, scratch: true }]) {
      const failure = await failureOf(() => openCatalog({ file, ...options }));
      expect(failure).toMatchObject({ code: 'catalog_unusable', message: expect.stringContaining(name) });
    }
  });

  it('is not migrated before it is refused', async () => {
    const file = newPath('strange-of-0.1.0.db');
    const raw = openRaw(file);
    raw.exec(readFileSync(new URL('../../../src/store/sqlite/schema/catalog.sql', import.meta.url), 'utf8'));
    raw.pragma('application_id = 1128877392');
    raw.pragma('user_version = 6');
    raw.exec(strange[0][0]);
    raw.close();
    const before = bytesOf(file);
    expect((await failureOf(() => openCatalog({ file, create: true }))).message).toContain(strange[0][1]);
    expect(bytesOf(file)).toEqual(before);
    const mended = openRaw(file);
    mended.exec('DROP TRIGGER mine');
    mended.close();
    const catalog = await openCatalog({ file, create: false });
    expect(await imported(catalog, 'products', [{ sku: 'A', currency: 'EUR' }])).toMatchObject([{ created: 1 }]);
    await catalog.close();
  });

  it('doctor names all of it', async () => {
    const { file, database } = await newDatabase('strange.db');
    for (const [sql] of strange) database.exec(sql);
    database.close();
    const found = (await checkCatalogFile(file, 1000)).find(({ check }) => check === 'objects');
    expect(found?.level).toBe('problem');
    expect(found?.details).toHaveLength(strange.length);
    for (const [, name] of strange) expect(found?.details.join()).toContain(name);
  });

  it('one of this program is all ours', async () => {
    const { file, database } = await newDatabase('ours.db');
    database.exec('ANALYZE');
    database.close();
    expect((await checkCatalogFile(file, 1000)).every(({ level }) => level !== 'problem')).toBe(true);
    await (await openCatalog({ file, create: false })).close();
  });
});
