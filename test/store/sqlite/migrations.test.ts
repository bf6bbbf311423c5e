// A catalog that an older version made is brought up to date with everything that is in it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openCatalog } from '../../../src/store/open.js';
import { resourceCalled } from '../../given.js';
import { openRaw } from '../../proof/dump.js';
import { failureOf, folder, imported, newDatabase } from '../given.js';

const migrations = fileURLToPath(new URL('../../../src/store/sqlite/schema/', import.meta.url));

/** Makes a catalog as the first versions of the schema left it. */
function makeOld(file: string, version: number, applicationId: number, rows: string): void {
  const database = openRaw(file);
  database.pragma('foreign_keys = OFF');
  database.exec(readFileSync(fileURLToPath(new URL('version-1.sql', import.meta.url)), 'utf8'));
  const steps = readdirSync(migrations).filter((name) => /^\d/.test(name));
  for (const name of steps.sort().slice(0, version - 1)) database.exec(readFileSync(join(migrations, name), 'utf8'));
  database.pragma('foreign_keys = ON');
  database.exec(`BEGIN; ${rows} COMMIT`);
  database.pragma(`user_version = ${version}`);
  database.pragma(`application_id = ${applicationId}`);
  database.close();
}

/** What a database is made of, however it was spelled. */
function schemaOf(database: ReturnType<typeof openRaw>): unknown[] {
  const rows = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
  const plain = (sql: string): string =>
    sql
      .replaceAll(/--.*$/gm, '')
      .replaceAll('"', '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([,()]) ?/g, '$1');
  return (rows as { sql: string | null }[]).map((row) => ({ ...row, sql: plain(row.sql ?? '') }));
}

const product = (sku: string): string => `
  INSERT INTO product (slug_hash, id, sku, status, name, description, ean, condition, currency, stock, stock_threshold,
    slug, seo_title, seo_description, badge, tag, note, listed_grades, created_at, updated_at)
  VALUES (1, 'prod_${sku}', '${sku}', 'draft', 'Phone', '', '', '', 'EUR', 0, 0, '${sku}', '', '', '', '', '', 0, 1, 1);`;

const version2 = `
  ${product('a')} ${product('b')}
  INSERT INTO characteristic VALUES
    ('attr_2', 'size', 'Size', 'custom', '', 'catalog', NULL, 0, 'activated', 0, 0, 1, 1),
    ('attr_1', 'colour', 'Colour', 'colour', '', 'catalog', NULL, 0, 'activated', 0, 1, 1, 1);
  INSERT INTO characteristic_value VALUES
    ('atvl_1', 'attr_1', 'red', 'Red', 'ff0000', 0, 'activated', 1, '', '', NULL);
  INSERT INTO product_grade VALUES ('prod_b', 'good', 100, 1, 'activated', 1, 3);
  INSERT INTO product_attribute VALUES
    ('prod_a', 'attr_1', 0, 'Red', '', 0, 1),
    ('prod_b', 'attr_1', 0, 'Red', '', 0, 1),
    ('prod_b', 'attr_2', 0, '9', 'cm', 0, 1);
  INSERT INTO product_media VALUES
    ('prod_a', 'file_1', 1, 0, 'activated', 1),
    ('prod_b', 'file_2', 1, 0, 'activated', 1);`;

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

describe('a catalog of an older version', () => {
  it('2, in which entries named their product by its identifier, keeps all of them', async () => {
    const { file: fresh, database } = await newDatabase('fresh.db');
    const applicationId = Number(database.pragma('application_id', { simple: true }));
    database.close();
    const file = join(folder, 'version-2.db');
    makeOld(file, 2, applicationId, version2);
    const refused = await failureOf(() => openCatalog({ file, create: false, scratch: true }));
    expect(refused.message).toContain(`db migrate --db ${file}`);
    const catalog = await openCatalog({ file, create: false });
    await catalog.close();

    const raw = openRaw(file);
    const all = (sql: string): unknown[] => raw.prepare(sql).raw().all();
    const entries = (table: string, what: string): unknown[] =>
      all(`SELECT p.sku, ${what} FROM ${table} e JOIN product p ON p.seq = e.product ORDER BY 1, 2`);
    expect(entries('product_grade', 'grade, e.price, e.position')).toEqual([['b', 'good', 100, 3]]);
    expect(entries('product_media', 'file, is_main')).toEqual([
      ['a', 'file_1', 1],
      ['b', 'file_2', 1],
    ]);
    expect(
      entries('product_attribute', '(SELECT name FROM characteristic WHERE seq = e.characteristic), value, unit'),
    ).toEqual([
      ['a', 'Colour', 'Red', ''],
      ['b', 'Colour', 'Red', ''],
      ['b', 'Size', '9', 'cm'],
    ]);
    expect(all('SELECT count(*) FROM product_attribute')).toEqual([[3]]);
    expect(raw.pragma('foreign_key_check')).toEqual([]);
    const made = openRaw(fresh);
    expect(schemaOf(raw)).toEqual(schemaOf(made));
    expect(all('SELECT * FROM late_index')).toEqual(made.prepare('SELECT * FROM late_index').raw().all());
    for (const one of [raw, made]) one.close();
  });

  it('3, in which identifiers did not contain the number of their product, finds old and new ones by theirs', async () => {
    const { database } = await newDatabase('fresh-3.db');
    const applicationId = Number(database.pragma('application_id', { simple: true }));
    database.close();
    const file = join(folder, 'version-3.db');
    // The identifier of the second happens to contain the number of the first.
    makeOld(file, 3, applicationId, `${product('a')} ${product('b-000001')}`);
    const catalog = await openCatalog({ file, create: false });
    const [report] = await imported(catalog, 'products', [{ sku: 'c', currency: 'EUR' }]);
    const newest = String(report?.data[0]?.id);
    const skuOf = async (one: typeof catalog, id: string): Promise<unknown> =>
      (await one.read(resourceCalled('products'), { id }))?.['sku'];
    const found = { prod_a: 'a', 'prod_b-000001': 'b-000001', [newest]: 'c' };
    const others = ['prod_x', 'prod_000001', 'prod_c000003', `${newest.slice(0, -1)}4`, newest.slice(0, -1)];
    for (const [id, sku] of Object.entries(found)) expect(await skuOf(catalog, id)).toBe(sku);
    for (const id of others) expect(await skuOf(catalog, id), id).toBeUndefined();

    const scoped = [...Object.keys(found), ...others].map((id, i) => ({
      name: `Size ${i}`,
      scope: 'product',
      scope_ident: id,
    }));
    const expected = [...Object.keys(found).map(() => 'created'), ...others.map(() => 'refused')];
    const actionsOf = async (one: typeof catalog, dryRun: boolean): Promise<unknown> => {
      const reports = await imported(one, 'characteristics', scoped, { dryRun });
      return reports.flatMap(({ data }) => data.map(({ action }) => action));
    };
    const dry = await openCatalog({ file, create: false, scratch: true });
    expect(await actionsOf(dry, true)).toEqual(expected);
    // Copies of changed products are found as what they are copies of.
    const changes = Object.values(found).map((sku) => ({ sku, note: 'changed' }));
    await imported(dry, 'products', changes, { dryRun: true });
    const again = await openCatalog({ file, create: false, scratch: true });
    await imported(again, 'products', changes, { dryRun: true });
    expect(await actionsOf(again, true)).toEqual(expected);
    for (const [id, sku] of Object.entries(found)) expect(await skuOf(again, id)).toBe(sku);
    expect(await actionsOf(catalog, false)).toEqual(expected);
    for (const one of [dry, again, catalog]) await one.close();
  });

  it.each([1, 2, 3, 4])('%i is brought to the tables of a new one', async (version) => {
    const { file: fresh, database } = await newDatabase(`fresh-of-${version}.db`);
    const applicationId = Number(database.pragma('application_id', { simple: true }));
    database.close();
    const file = join(folder, `of-${version}.db`);
    makeOld(file, version, applicationId, product('a'));
    await (await openCatalog({ file, create: false })).close();
    const [old, made] = [openRaw(file), openRaw(fresh)];
    expect(schemaOf(old)).toEqual(schemaOf(made));
    expect(old.pragma('user_version')).toEqual(made.pragma('user_version'));
    expect(old.prepare('SELECT sku, name FROM product').all()).toEqual([{ sku: 'a', name: 'Phone' }]);
    expect(old.prepare('SELECT count(*) FROM run').pluck().get()).toBe(0);
    for (const one of [old, made]) one.close();
  });
});
