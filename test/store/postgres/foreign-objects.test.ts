// What somebody else keeps in the database: nothing of it makes an import store halves, or read or write other tables.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Catalog } from '../../../src/core/catalog.js';
import { openCatalog } from '../../../src/store/open.js';
import { resourceCalled } from '../../given.js';
import { missing, newTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { imported } from '../given.js';

const item = { sku: 'A', currency: 'EUR', name: 'Lamp', grades: [{ grade: 'new', price: 5, stock: 1 }] };

describe.skipIf(missing !== undefined)(`objects of others${missing === undefined ? '' : `: ${missing}`}`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newTestDatabase();
    await database.query(`
      CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE FUNCTION same() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`);
  });
  afterAll(() => database.close());

  async function withCatalog<T>(schema: string, work: (catalog: Catalog) => Promise<T>): Promise<T> {
    const catalog = await openCatalog({ file: database.address(schema), create: true });
    return work(catalog).finally(() => catalog.close());
  }

  const read = (catalog: Catalog) => catalog.read(resourceCalled('products'), { key: 'A' }, ['grades']);

  it('a trigger that leaves out rows fails the transaction before its commit, with the name of the trigger', async () => {
    await withCatalog('late', async (catalog) => {
      await database.query(
        'CREATE TRIGGER no_grades BEFORE INSERT ON late.product_grade FOR EACH ROW EXECUTE FUNCTION nothing()',
      );
      await expect(imported(catalog, 'products', [item])).rejects.toMatchObject({
        code: 'catalog_unusable',
        message: expect.stringContaining('trigger no_grades of product_grade'),
      });
      expect(await read(catalog)).toBeUndefined();
      await database.query('DROP TRIGGER no_grades ON late.product_grade');
      const [report] = await imported(catalog, 'products', [item]);
      expect(report).toMatchObject({ created: 1 });
    });
  });

  it.each([
    [
      'CREATE TRIGGER mine BEFORE UPDATE ON early.product FOR EACH ROW EXECUTE FUNCTION same()',
      'trigger mine of product',
    ],
    ['CREATE RULE quiet AS ON INSERT TO early.review DO INSTEAD NOTHING', 'rule quiet of review'],
    ['CREATE TABLE early.former () INHERITS (early.product)', 'table early.former, a child of product'],
    ['ALTER TABLE early.review DROP COLUMN lang', 'no column lang of review'],
    [
      'ALTER TABLE early.product DROP COLUMN note, ADD COLUMN note text GENERATED ALWAYS AS (sku) STORED',
      'computed column note of product',
    ],
    [
      'ALTER TABLE early.brand RENAME TO kept; CREATE VIEW early.brand AS SELECT * FROM early.kept',
      'no column id of brand',
    ],
    ['DROP TABLE early.page', 'no column name of page'],
  ])('is refused when the catalog is opened: %s', async (sql, name) => {
    await withCatalog('early', async () => undefined);
    await database.query(sql);
    await expect(withCatalog('early', read)).rejects.toMatchObject({
      code: 'catalog_unusable',
      message: expect.stringContaining(name),
    });
    await database.query('DROP SCHEMA early CASCADE');
  });

  it.each([
    ['deletes', 'AFTER INSERT', 'DELETE FROM after.product_grade'],
    ['changes', 'AFTER UPDATE', "UPDATE after.product SET note = ''x''"],
    ['adds', 'AFTER INSERT', "INSERT INTO after.brand VALUES (md5(random()::text), '''', 0, 0)"],
  ])(
    'a trigger after a change that %s rows of the catalog fails the transaction, deferred, too',
    async (_, when, what) => {
      for (const deferred of ['', 'DEFERRABLE INITIALLY DEFERRED']) {
        await withCatalog('after', async (catalog) => {
          await imported(catalog, 'products', [
            { ...item, price: 1, sku: 'B' },
            { ...item, name: 'Old' },
          ]);
          await database.query(
            `CREATE FUNCTION after.own() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF pg_trigger_depth() = 1 THEN ${what}; END IF; RETURN NULL; END';
           CREATE CONSTRAINT TRIGGER own ${when} ON after.product ${deferred} FOR EACH ROW EXECUTE FUNCTION after.own()`,
          );
          const items = [
            { ...item, name: 'New' },
            { ...item, sku: 'C' },
          ];
          await expect(imported(catalog, 'products', items)).rejects.toMatchObject({
            code: 'catalog_unusable',
            message: expect.stringContaining('trigger own of product'),
          });
          expect(await read(catalog)).toMatchObject({ name: 'Old' });
        });
        await database.query('DROP SCHEMA after CASCADE');
      }
    },
  );

  it('a trigger after a change is refused where the server does not count what it writes', async () => {
    const trigger = 'CREATE TRIGGER own AFTER INSERT ON uncounted.product FOR EACH ROW EXECUTE FUNCTION nothing()';
    await withCatalog('uncounted', async () => undefined);
    const [{ name }] = (await database.query('SELECT current_database() AS name')) as [{ name: string }];
    await database.query(`ALTER DATABASE ${name} SET track_counts = off`);
    await withCatalog('uncounted', async (catalog) => {
      expect(await imported(catalog, 'products', [item])).toMatchObject([{ created: 1 }]);
      await database.query(trigger);
      await expect(imported(catalog, 'products', [{ ...item, sku: 'B' }])).rejects.toMatchObject({
        code: 'catalog_unusable',
        message: expect.stringMatching(/trigger own of product.*track_counts = off/),
      });
      expect(await catalog.read(resourceCalled('products'), { key: 'B' }, [])).toBeUndefined();
    });
    await database.query(`ALTER DATABASE ${name} RESET track_counts`);
    await withCatalog('uncounted', async (catalog) => {
      expect(await imported(catalog, 'products', [{ ...item, sku: 'B' }])).toMatchObject([{ created: 1 }]);
    });
  });

  it.each([
    ['a column that has to be filled', 'ALTER TABLE ruled.product ADD COLUMN own int NOT NULL', '"own"'],
    ['a check', "ALTER TABLE ruled.product ADD CONSTRAINT own CHECK (sku <> 'A')", '"own"'],
    [
      'a reference',
      'CREATE TABLE ruled.gate (sku text PRIMARY KEY); ALTER TABLE ruled.product ADD CONSTRAINT own FOREIGN KEY (sku) REFERENCES ruled.gate',
      '"own"',
    ],
    ['an index that allows each value once', 'CREATE UNIQUE INDEX own ON ruled.product (currency)', '"own"'],
    ['a shorter column', 'ALTER TABLE ruled.product ALTER COLUMN name TYPE varchar(2)', 'varying(2)'],
    [
      'a trigger that objects',
      "CREATE FUNCTION ruled.own() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''never''; END'; CREATE TRIGGER own AFTER INSERT ON ruled.product FOR EACH ROW EXECUTE FUNCTION ruled.own()",
      'never',
    ],
  ])('%s is told as what others added, and nothing is stored', async (_, sql, words) => {
    await withCatalog('ruled', async (catalog) => {
      await database.query(sql);
      const two = ['A', 'B'].map((sku) => ({ ...item, sku }));
      await expect(imported(catalog, 'products', two)).rejects.toMatchObject({
        code: 'catalog_unusable',
        message: expect.stringContaining(words),
      });
      expect(await read(catalog)).toBeUndefined();
    });
    await database.query('DROP SCHEMA ruled CASCADE');
  });

  it('row level security is refused for a role that it applies to', async () => {
    await withCatalog('rows', async () => undefined);
    const role = `clerk_${process.pid}`;
    await database.query(`
      CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA rows TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA rows TO ${role};
      ALTER TABLE rows.product ENABLE ROW LEVEL SECURITY`);
    const file = database.address('rows').replace('postgres@', `${role}@`);
    await expect(openCatalog({ file, create: true })).rejects.toMatchObject({
      code: 'catalog_unusable',
      message: expect.stringContaining('row level security of product'),
    });
    await database.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it('views, indexes, triggers after a change and tables of others in the schema are left alone', async () => {
    await withCatalog('shared', async () => undefined);
    await database.query(`
      CREATE VIEW shared.prices AS SELECT sku, price FROM shared.product; CREATE INDEX by_name ON shared.product (name);
      CREATE TRIGGER audit AFTER INSERT ON shared.product FOR EACH ROW EXECUTE FUNCTION same();
      CREATE TABLE shared.notes (id int);
      CREATE TRIGGER own BEFORE INSERT ON shared.notes FOR EACH ROW EXECUTE FUNCTION nothing()`);
    await withCatalog('shared', async (catalog) => {
      expect((await imported(catalog, 'products', [item]))[0]).toMatchObject({ created: 1 });
    });
  });

  it('schemas that the role looks into before pg_catalog and before the catalog change nothing', async () => {
    const [{ current_database: name }] = (await database.query('SELECT current_database()')) as [
      { current_database: string },
    ];
    await withCatalog('named', async () => undefined);
    await database.query(`
      CREATE SCHEMA evil; CREATE TABLE evil.product (LIKE named.product);
      CREATE FUNCTION evil.unnest(text[]) RETURNS SETOF text LANGUAGE sql AS 'SELECT NULL::text';
      CREATE FUNCTION evil.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS 'SELECT $1';
      CREATE FUNCTION evil.never(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT false';
      CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.never);
      ALTER DATABASE ${name} SET search_path = evil, pg_catalog, named`);
    try {
      await withCatalog('named', async (catalog) => {
        for (const [price, action] of [
          [1, 'created'],
          [2, 'updated'],
          [2, 'unchanged'],
        ] as const) {
          const [report] = await imported(catalog, 'products', [{ ...item, price, grades: undefined }]);
          expect(report?.data[0]?.action).toBe(action);
        }
        expect(await read(catalog)).toMatchObject({ sku: 'A', price: '2.00' });
      });
      await withCatalog('fresh', async (catalog) => {
        expect((await imported(catalog, 'products', [item]))[0]).toMatchObject({ created: 1 });
      });
    } finally {
      await database.query(`ALTER DATABASE ${name} RESET search_path`);
    }
  });
});
