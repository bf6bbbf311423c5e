// A catalog in PostgreSQL by the commands that a user types: the same lines as in a file, by every way in.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shownAddress } from '../../src/core/text/mask-credentials.js';
import { givenServer } from '../http/server/given-server.js';
import { folder } from '../importing/given.js';
import { missing, newTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { writeShopFolder } from '../proof/shop-folder.js';
import { demo, typedHere } from './typed.js';

/** Products of which one is refused, one is sent twice, and two have the same name. */
const items = [
  { sku: 'A', currency: 'EUR', name: 'Lamp "É"', price: 12.5 },
  { sku: 'B', currency: 'EUR', name: 'Lamp "É"', stock: 3 },
  { sku: 'C', price: 'much', currency: 'EUR' },
  { sku: 'A', currency: 'EUR', name: 'tab\tand\\backslash\nand line' },
];
const cell = (value: unknown): string => (value === undefined ? '' : `"${String(value).replaceAll('"', '""')}"`);
const columns = ['sku', 'currency', 'name', 'price', 'stock'] as const;
const forms: Readonly<Record<string, string>> = {
  'feed.csv': [columns.join(), ...items.map((item) => columns.map((name) => cell((item as never)[name])).join())].join(
    '\n',
  ),
  'feed.json': JSON.stringify(items),
  'feed.ndjson': items.map((item) => JSON.stringify(item)).join('\n'),
};

/** A line without what differs by its way in: identifiers, and the physical line. */
function comparable(line: Record<string, unknown>): unknown {
  const { id, line: _line, index: _index, problems: _problems, ...rest } = line;
  return { ...JSON.parse(JSON.stringify(rest).replaceAll(/on line \d+/g, 'on a line')), hasId: typeof id === 'string' };
}

describe.skipIf(missing !== undefined)(`a catalog in PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  let database: TestDatabase;
  let schemas = 0;
  const newCatalog = (): string => database.address(`typed_${++schemas}`);
  beforeAll(async () => {
    database = await newTestDatabase();
  });
  afterAll(() => database.close());

  async function linesOf(file: string, target: readonly string[]): Promise<unknown[]> {
    const report = join(folder(), 'report.ndjson');
    const { code, stderr } = await typedHere(['products', file, ...target, '--report-file', report, '--quiet']);
    expect(code, stderr).toBe(3);
    const lines = readFileSync(report, 'utf8').trim().split('\n');
    return lines
      .map((line) => JSON.parse(line))
      .filter((line) => 'action' in line)
      .map(comparable);
  }

  it('a run that a guard stopped leaves its plan in the folder of states, and apply of it is the override', async () => {
    const at = folder();
    const feed = join(at, 'erp.csv');
    const target = ['--db', newCatalog()];
    const env = { XDG_STATE_HOME: join(at, 'state') };
    const night = (price: number, ...options: string[]) => {
      const rows = Array.from({ length: 20 }, (_, i) => `P${i},EUR,${price}\n`);
      writeFileSync(feed, `sku,currency,price\n${rows.join('')}`);
      return typedHere(['products', feed, '--feed', 'erp', ...target, ...options], env);
    };
    expect((await night(10)).code).toBe(0);
    const stopped = await night(1);
    expect(stopped.code).toBe(8);
    const plan = join(at, 'state', 'catalog-import', 'blocked-2.plan');
    expect(stopped.stderr).toContain(`catalog-import apply ${plan} --db `);
    expect(readFileSync(plan, 'utf8')).not.toMatch(/postgres(ql)?:\/\/[^"/]*@/);
    await night(3, '--max-price-change', 'off', '--max-missing', 'off', '--limit', '1', '--quiet');
    const applied = await typedHere(['apply', plan, ...target, '--output', 'json'], env);
    expect(applied.code).toBe(3);
    expect(JSON.parse(applied.stdout).response).toMatchObject({ updated: 19, refused: 1, total: 20 });
    expect(applied.stdout).toContain('"changed_since_plan"');
    const again = await typedHere(['apply', plan, ...target, '--output', 'json'], env);
    expect(again.code).toBe(3);
    expect(JSON.parse(again.stdout).response).toMatchObject({ unchanged: 19, refused: 1, total: 20 });
  });

  it('prices, contracts, barcodes and --only are told as of a catalog in a file', async () => {
    const head = 'sku,currency,status,price,price_compare,ean';
    const at = folder({
      'monday.csv': `${head}\nLAMP,EUR,activated,89.00,,4006381333931\nDESK,EUR,activated,60.00,,4006381333931\n`,
      'sale.csv': `${head}\nLAMP,EUR,activated,79.00,,\nLAMP,EUR,activated,59.00,99.00,4006381333930\nNEW,EUR,draft,1.00,,\n`,
    });
    const file = (name: string) => join(at, name);
    const commands = [
      ['products', file('monday.csv'), '--feed', 'erp'],
      ['products', file('sale.csv'), '--expect', '{price: {between: [70, 100]}}'],
      ['products', file('sale.csv'), '--only', 'update', '--dry-run', '--diff'],
      ['products', file('sale.csv'), '--only', 'update', '--feed', 'sale', '--expect', '{warn: {rows: [1, 2]}}'],
      ['products', file('sale.csv'), '--only', 'create'],
      ['prices', 'product', 'LAMP'],
      ['list', 'products', '--include', 'lowest_price_30d'],
      ['missing', '--feed', 'erp'],
      ['undo', '2'],
      ['prices', 'product', 'LAMP'],
      ['runs'],
    ];
    const ofPlace =
      /^(id|since|until|seconds|started|ended|target|run_id|updated_at|created_at|reduced_since|begun|at|words|plan)$/;
    async function walk(db: string): Promise<unknown[]> {
      const told: unknown[] = [];
      for (const command of commands) {
        const { code, stdout } = await typedHere([...command, '--db', db, '--output', 'ndjson'], {
          XDG_STATE_HOME: at,
        });
        const lines = stdout.trim().split('\n').filter(Boolean);
        const kept = (name: string, value: unknown) => (ofPlace.test(name) ? undefined : value);
        told.push([command, code, lines.map((line) => JSON.parse(line, kept))]);
      }
      return told;
    }
    const inFile = await walk(file('catalog.db'));
    expect(JSON.stringify(inFile)).toMatch(/barcode_shared.*check_digit_wrong.*compare_above_lowest.*not_created/);
    expect(await walk(newCatalog())).toEqual(inFile);
  });

  it('a plan tells what the end of the run of its feed would suspend', async () => {
    const at = folder();
    const feed = join(at, 'erp.csv');
    const target = ['--db', newCatalog()];
    const plan = join(at, 'night.plan');
    const typed = (command: readonly string[], count: number) => {
      const rows = Array.from({ length: count }, (_, i) => `P${i},EUR,activated\n`);
      writeFileSync(feed, `sku,currency,status\n${rows.join('')}`);
      return typedHere([...command, feed, '--feed', 'erp', ...target, '--quiet']);
    };
    await typed(['products'], 4);
    await typed(['plan', 'products', '--missing', 'suspend', '--max-missing', 'off', '--out', plan], 1);
    const shown = await typedHere(['plan', 'show', plan, '--output', 'json']);
    const { records } = JSON.parse(shown.stdout).response.run.feed_end;
    expect(records.map(({ effect, count }: Record<string, unknown>) => [effect, count])).toEqual([
      ['missing', 3],
      ['suspended', 3],
    ]);
    expect((await typedHere(['apply', plan, ...target])).stderr).toContain('erp: 3 suspended: P');
  });

  it('gives the same lines for CSV, JSON, NDJSON, a body of the server and a remote as a file does', async () => {
    const at = folder(forms);
    const expected = await linesOf(join(at, 'feed.ndjson'), ['--db', join(at, 'catalog.db')]);
    expect(expected).toHaveLength(4);
    for (const file of Object.keys(forms))
      expect(await linesOf(join(at, file), ['--db', newCatalog()]), file).toEqual(expected);
    const server = await givenServer({ file: newCatalog() });
    const { body } = await server.post('/v1/product/import', { items });
    expect(body.response.data.map(comparable).map(({ action }: { action: string }) => action)).toEqual(
      expected.map((line) => (line as { action: string }).action),
    );
    await server.stop();
    const other = await givenServer({ file: newCatalog() });
    const key = join(at, 'key');
    writeFileSync(key, other.key);
    const remote = ['--remote', other.server.url, '--api-key-file', key];
    expect(await linesOf(join(at, 'feed.ndjson'), remote)).toEqual(expected);
    await other.stop();
  });

  it('takes a whole folder, predicts it by a dry run that leaves nothing, and is read, listed and exported as a file is', async () => {
    const at = folder();
    writeShopFolder(join(at, 'in'), 300);
    const [db, file] = [newCatalog(), join(at, 'catalog.db')];
    /** What a command writes, without what differs from catalog to catalog; its last line is a summary with times. */
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await typedHere(args);
      expect(code, stderr).toBeLessThanOrEqual(3);
      const lines = stdout.split('\n').filter((line) => !/^\{"type":"(?:run|summary)"/.test(line));
      return lines.map((line) => line.replaceAll(/_[0-9a-z]{26}\b/g, '_…').replaceAll(/"\w+ed_at": ?\d+/g, ''));
    };
    const imported = ['--output', 'ndjson', '--report', 'all'];
    const inFile = await run('run', join(at, 'in'), ...imported, '--db', file);
    const predicted = await run('run', join(at, 'in'), '--dry-run', ...imported, '--db', db);
    expect(await database.query(`SELECT 1 FROM pg_namespace WHERE nspname = 'typed_${schemas}'`)).toEqual([]);
    expect(await run('run', join(at, 'in'), ...imported, '--db', db)).toEqual(inFile);
    expect(predicted.length).toBe(inFile.length);
    for (const args of [
      ['get', 'product', '--sku', 'SKU-3', '--all'],
      ['export', 'products'],
      ['export', 'categories'],
      ['list', 'reviews', '--output', 'ndjson'],
    ])
      expect((await run(...args, '--db', db)).sort(), args.join(' ')).toEqual(
        (await run(...args, '--db', file)).sort(),
      );
    const again = await typedHere([
      'run',
      join(at, 'in'),
      '--dry-run',
      '--output',
      'ndjson',
      '--report',
      'none',
      '--db',
      db,
    ]);
    expect(JSON.parse(again.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ created: 0, refused: 12 });
  });

  it('answers every other command as a file does', async () => {
    const at = folder({
      'erp.csv': 'sku,currency,price\nZ-1,EUR,1\nZ-2,EUR,2\nZ-3,EUR,3\n',
      'less.csv': 'sku,currency,price\nZ-1,EUR,1\nZ-2,EUR,2.10\n',
    });
    const feed = ['--feed', 'erp', '--max-missing', 'off', '--max-price-change', 'off'];
    const commands = [
      ['run', demo],
      ['products', join(at, 'erp.csv'), ...feed],
      ['products', join(at, 'less.csv'), ...feed],
      ['products', join(at, 'less.csv'), '--dry-run', '--diff', '--output', 'ndjson'],
      ['plan', 'products', join(at, 'erp.csv'), '--out', '@.plan'],
      ['apply', '@.plan'],
      ['search', 'Nordfon'],
      ['list', 'categories'],
      ['export', 'groups'],
      ['doctor', '--output', 'json'],
      ['runs', '--output', 'json'],
      ['missing', '--feed', 'erp'],
      ['feeds'],
      ['feeds', 'set', 'erp', '--below', 'other'],
      ['why', 'product', '--sku', 'Z-2'],
      ['undo', '3', '--dry-run'],
      ['undo', '3'],
      ['shop', 'delete-product', 'Z-1'],
      ['get', 'product', '--sku', 'Z-1'],
      ['get', 'product', '--sku', 'none'],
      ['keys', 'revoke', 'nobody00'],
    ];
    /** What each command gives, without times, identifiers, and the checks that are of a file only. */
    async function outcomes(db: string, plan: string): Promise<string[]> {
      const found: string[] = [];
      for (const args of commands) {
        const { code, stdout, stderr } = await typedHere([...args.map((arg) => arg.replace('@', plan)), '--db', db]);
        const told = `${stdout}${stderr}`
          .replaceAll(shownAddress(db), 'DB')
          .replaceAll(db, 'DB')
          .replaceAll("'DB'", 'DB')
          .replaceAll(plan, 'PLAN')
          .replaceAll(/_[0-9a-z]{26}\b/g, '_…')
          .replaceAll(
            /\d{4}-\d\d-\d\d[T ][\d:.]+Z?|"?\w+ed(_at)?"?: ?\d{10}|[\d.,]+ (m?s|items\/s|items a second)\b/g,
            '…',
          );
        const lines = told.split('\n').filter((line) => !/^\{"type":"(?:run|summary)"/.test(line));
        const text = lines.sort().join('\n');
        found.push(`${args.slice(0, 2).join(' ')}: ${code}\n${args[0] === 'doctor' ? '' : text}`);
      }
      return found;
    }
    const inFile = await outcomes(join(at, 'catalog.db'), join(at, 'file'));
    const inDatabase = await outcomes(newCatalog(), join(at, 'database'));
    for (const [i, outcome] of inDatabase.entries()) expect(outcome).toBe(inFile[i]);
  });

  it('keeps API keys and data of the shop', async () => {
    const db = newCatalog();
    const made = await typedHere(['keys', 'create', '--name', 'erp', '--all', '--db', db]);
    expect(made.stdout).toMatch(/^cik_/);
    const listed = await typedHere(['keys', 'list', '--db', db]);
    expect(listed.stdout).toContain('erp');
    expect((await typedHere(['keys', 'revoke', made.stdout.slice(4, 12), '--db', db])).code).toBe(0);
    const customers = join(folder({ 'c.csv': 'external_id\nc-1\n' }), 'c.csv');
    expect((await typedHere(['shop', 'load', 'customers', customers, '--db', db, '--quiet'])).code).toBe(0);
    expect((await typedHere(['shop', 'delete-product', 'nobody', '--db', db])).code).toBe(9);
    // In a variable an address may hold a password, in every command.
    const variables = { CATALOG_DB: db.replace('postgres@', 'postgres:unused@') };
    const again = await typedHere(['shop', 'load', 'customers', customers, '--quiet'], variables);
    expect(again.code, again.stderr).toBe(0);
    const secret = ['copy', '--from', db, '--to', 'postgres://u:secret@h/d'];
    expect(await typedHere(secret)).toMatchObject({ code: 2, stderr: expect.not.stringContaining('secret') });
  });

  it('keeps the ledger of a named feed, from its first run on, and undoes a run', async () => {
    const at = folder({
      'one.csv': 'sku,currency,price\nA,EUR,1\nB,EUR,2\n',
      'two.csv': 'sku,currency,price\nA,EUR,1.50\n',
    });
    const db = newCatalog();
    const run = (...args: string[]) => typedHere([...args, '--db', db]);
    const feed = ['--feed', 'erp', '--quiet', '--max-missing', 'off', '--max-price-change', 'off'];
    for (const file of ['one.csv', 'two.csv'])
      expect(await run('products', join(at, file), ...feed)).toMatchObject({ code: 0 });
    expect((await run('missing', '--feed', 'erp')).stdout).toMatch(/product\s+B\s/);
    expect((await run('undo', '2')).code).toBe(0);
    expect((await run('get', 'product', '--sku', 'A')).stdout).toContain('"price": "1.00"');
    expect((await run('why', 'product', '--sku', 'A')).stdout).toMatch(/ 3 +erp.*\n.* 2 +erp.*\n.* 1 +erp/);
  });

  it('is named by CATALOG_DB, with a schema of its own by --schema or ?options=', async () => {
    const at = join(folder(forms), 'feed.json');
    const base = database.address('x').replace(/\?.*/, '');
    await typedHere(['products', at, '--quiet', '--schema', 'own'], { CATALOG_DB: base });
    await typedHere(['products', at, '--quiet', '--db', `${base}?options=-c%20search_path%3Dother`]);
    await typedHere(['products', at, '--quiet', '--db', base.replace('postgres:', 'postgresql:')]);
    const schemasNow = await database.query(
      "SELECT schemaname FROM pg_tables WHERE tablename = 'product' AND schemaname IN ('own', 'other', 'catalog_import')",
    );
    expect(schemasNow.map(({ schemaname }) => schemaname).sort()).toEqual(['catalog_import', 'other', 'own']);
  });

  it('ends with 7 where there are no tables yet and none are to be made, and makes none', async () => {
    const db = newCatalog();
    const { code, stderr } = await typedHere(['get', 'product', '--sku', 'A', '--db', db]);
    expect(code).toBe(7);
    expect(stderr).toContain('has no catalog in schema');
    expect(await database.query(`SELECT 1 FROM pg_namespace WHERE nspname = 'typed_${schemas}'`)).toEqual([]);
    const made = await typedHere(['db', 'migrate', '--db', db]);
    expect(made).toMatchObject({ code: 0, stdout: 'The catalog was made: version 7\n' });
    expect((await typedHere(['db', 'migrate', '--db', db])).stdout).toBe('The catalog is up to date: version 7\n');
  });

  it('refuses tables of a newer program untouched', async () => {
    const db = newCatalog();
    await typedHere(['db', 'migrate', '--db', db]);
    await database.query(`UPDATE typed_${schemas}.catalog SET version = 99`);
    const { code, stderr } = await typedHere(['keys', 'list', '--db', db]);
    expect(code).toBe(7);
    expect(stderr).toContain('made by a newer version (schema 99');
  });

  it('names db migrate to a user who may not make tables, who may import once they are there', async () => {
    await database.query(
      'DO $$ BEGIN CREATE ROLE importer LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$',
    );
    const owner = newCatalog();
    const schema = `typed_${schemas}`;
    const importer = owner.replace('postgres@', 'importer@');
    const feed = join(folder(forms), 'feed.json');
    const refused = await typedHere(['products', feed, '--db', importer, '--quiet']);
    expect(refused.code, refused.stderr).toBe(7);
    expect(refused.stderr).toContain('catalog-import db migrate');
    expect(refused.stderr).not.toContain('importer@');
    await typedHere(['db', 'migrate', '--db', owner]);
    await database.query(
      `GRANT USAGE ON SCHEMA ${schema} TO importer; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO importer`,
    );
    expect((await typedHere(['products', feed, '--db', importer, '--quiet'])).code).toBe(3);
  });

  it.each([
    ['postgres://u:secret@db.example/shop'],
    ['postgres://u@db.example/shop?password=secret'],
    ['postgresql://u:se/cret@db.example/shop'],
  ])('refuses a password in an argument without repeating it: %s', async (db) => {
    const { code, stderr } = await typedHere(['keys', 'list', '--db', db]);
    expect(code).toBe(2);
    expect(stderr).toContain('PGPASSWORD');
    expect(stderr).not.toMatch(/secret|cret@/);
  });

  it('leaves user and password out of the head of a report', async () => {
    const at = folder(forms);
    const base = newCatalog().replace('postgres@', 'postgres:secret@').concat('&password=secret');
    const { stdout, code } = await typedHere(['products', join(at, 'feed.json'), '--output', 'ndjson'], {
      CATALOG_DB: base,
    });
    expect(code).toBe(3);
    expect(stdout).toContain('"target":"postgres://127.0.0.1:');
    expect(stdout).not.toContain('secret');
  });

  it('says which server cannot be reached, without user or password', async () => {
    const { code, stderr } = await typedHere(['keys', 'list'], {
      CATALOG_DB: 'postgres://hidden:secret@127.0.0.1:1/shop',
    });
    expect(code).toBe(7);
    expect(stderr).toContain('PostgreSQL at 127.0.0.1:1, database "shop" cannot be reached');
    expect(stderr).not.toMatch(/hidden|secret/);
  });
});
