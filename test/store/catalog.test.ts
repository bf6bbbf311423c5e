// A catalog on SQLite: what an import costs in statements and transactions, the identifiers it gives, running again.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { BatchSource } from '../../src/core/catalog.js';
import type { Report } from '../../src/core/import-report.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { newIdSeries } from '../../src/store/identifiers.js';
import { openCatalog } from '../../src/store/open.js';
import { openDatabase, prepareCatalog } from '../../src/store/sqlite/database.js';
import type { Database } from '../../src/store/sqlite/driver.js';
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { batchOf } from '../entries.js';
import { resourceCalled } from '../given.js';
import { dumpOf } from '../proof/dump.js';
import { runHere } from '../proof/program.js';
import { failureOf, folder, imported, inBatches, newDatabase, products } from './given.js';
import { memoryStore } from './memory-store.js';

const demo = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));

/** Counts what is asked of a database: statements prepared and run, slugs looked up, transactions committed. */
function counted(database: Database): { prepared: number; runs: number; slugLooks: number; commits: number } {
  const counts = { prepared: 0, runs: 0, slugLooks: 0, commits: 0 };
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    counts.prepared++;
    const statement = prepare(sql);
    const run = statement.run.bind(statement);
    statement.run = ((...values: unknown[]) => {
      counts.runs++;
      if (sql === 'COMMIT') counts.commits++;
      return run(...values);
    }) as typeof statement.run;
    const all = statement.all.bind(statement);
    statement.all = ((...values: unknown[]) => {
      if (sql.includes('product_slug i')) counts.slugLooks++;
      return all(...values);
    }) as typeof statement.all;
    return statement;
  }) as typeof database.prepare;
  return counts;
}

/** Lets all transactions of a test fit their time: a busy machine would make them smaller. */
function stopClock(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
}

describe('the cost of an import', () => {
  it('each statement is prepared once, however many batches there are', async () => {
    const { file, database, version } = await newDatabase('prepared.db');
    const counts = counted(database);
    const catalog = storeCatalog(sqliteStore(database, { file, lockTimeout: 1000, version }));
    for (const from of [0, 60]) await imported(catalog, 'products', products(from, 120));
    const { prepared } = counts;
    expect(prepared).toBeGreaterThan(5);
    await imported(catalog, 'products', products(100, 2000));
    // One more a table, products and grades, once a transaction has many new rows; two that fill the filter of slugs; and
    // one each for known products and grades, of which something else differs where a second has passed.
    expect(counts.prepared - prepared).toBeLessThanOrEqual(6);
    await catalog.close();
  });

  it('what was meant is searched for a number of steps in a batch, however many values are wrong', async () => {
    const catalog = await openCatalog({ file: join(folder, 'meant.db'), create: true });
    const names = Array.from({ length: 10 }, (_, i) => `Colour ${i}`);
    const values = Array.from({ length: 400 }, (_, i) => ({ label: `one of very many like colours ${1000 + i}` }));
    await imported(
      catalog,
      'attributes',
      names.map((name) => ({ name, values })),
    );
    const meant = async (items: number) => {
      const wrong = names.map((type) => ({ type, value: 'one of very many like colours 99' }));
      const sent = Array.from({ length: items }, (_, i) => ({ sku: `S${i}`, currency: 'EUR', attributes: wrong }));
      const [report] = await imported(catalog, 'products', sent);
      expect(report?.refused).toBe(items);
      return JSON.stringify(report).split('Did you mean').length - 1;
    };
    const [one, half, whole] = [await meant(1), await meant(20), await meant(40)];
    expect(one).toBeGreaterThanOrEqual(names.length);
    expect(half).toBeGreaterThan(one);
    expect(half).toBeLessThan(20 * one);
    expect(whole).toBe(half);
    await catalog.close();
  });

  it('slugs are looked up together', async () => {
    const { file, database, version } = await newDatabase('slugs.db');
    const counts = counted(database);
    const catalog = storeCatalog(sqliteStore(database, { file, lockTimeout: 1000, version }));
    stopClock();
    const named = (part: string, name: (i: number) => string) =>
      Array.from({ length: 4000 }, (_, i) => ({ sku: `${part}-${i}`, currency: 'EUR', name: name(i) }));
    await imported(
      catalog,
      'products',
      named('A', (i) => `Chair ${i}`),
    );
    counts.slugLooks = 0;
    // Every thousandth is taken.
    await imported(
      catalog,
      'products',
      named('B', (i) => (i % 1000 === 0 ? `Chair ${i}` : `Table ${i}`)),
    );
    expect(counts.slugLooks).toBeLessThan(30);
    counts.slugLooks = 0;
    await imported(
      catalog,
      'products',
      named('C', (i) => `Table ${i}`),
    );
    // 100 batches: one by one for the first transaction, and then two rounds for each.
    // One look-up for each slug would be thousands.
    expect(counts.slugLooks).toBeLessThan(30);
    const count = (sql: string) => database.prepare(sql).pluck().get();
    expect(count('SELECT count(DISTINCT slug) FROM product')).toBe(12_000);
    expect(count("SELECT count(*) FROM product WHERE slug GLOB '*-*-2'")).toBe(4 + 3996);
    await catalog.close();
  });

  it('rows are stored completely, also where they fill columns that the first rows left empty', async () => {
    const { file, database, version } = await newDatabase('sparse.db');
    const catalog = storeCatalog(sqliteStore(database, { file, lockTimeout: 1000, version }));
    await imported(catalog, 'products', products(0, 6000));
    const full = (sku: string) => ({ sku, currency: 'EUR', note: `note ${sku}`, price: '7.25', weight: 1.5, stock: 3 });
    const items = Array.from({ length: 3000 }, (_, i) =>
      i % 3 === 0 ? full(`N-${i}`) : { sku: `N-${i}`, currency: 'USD' },
    );
    await imported(catalog, 'products', items);
    const read = (sku: string) => catalog.read(resourceCalled('products'), { key: sku });
    for (const sku of ['N-0', 'N-2700', 'N-2997'])
      expect(await read(sku)).toMatchObject({ sku, note: `note ${sku}`, price: '7.25', weight: '1.5', stock: 3 });
    expect(await read('N-2998')).toMatchObject({ note: '', currency: 'USD', price: '0.00', weight: '', stock: 0 });
    expect(await read('SKU-5999')).toMatchObject({ note: '', stock: 3, weight: '' });
    const again = await imported(catalog, 'products', items);
    expect(again.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(3000);
    await catalog.close();
  });

  it('texts and numbers round-trip, whatever their content', async () => {
    const { file } = await newDatabase('odd-texts.db');
    const catalog = await openCatalog({ file, create: false });
    const texts = [
      '"quoted" and \\ and / and \b\f\n\r\t',
      Array.from({ length: 31 }, (_, i) => String.fromCharCode(i + 1)).join(''),
      'line\u2028paragraph\u2029next\u0085del\u007f',
      'é, e\u0301, 😀, 𝒳, \ufeff, \ufffd, \uffff',
      '{"json": [1, null]}',
      'x'.repeat(1_000_000),
    ];
    const items = texts.map((text, i) => ({
      sku: `${i} ${text.trim()}`.slice(0, 40),
      currency: 'EUR',
      description: text,
      note: text,
      stock: 2_147_483_647 - i,
      price: '999999999999.99',
    }));
    const [created] = await imported(catalog, 'products', items);
    expect(created?.created).toBe(texts.length);
    for (const { sku, description, note, stock, price } of items)
      expect(await catalog.read(resourceCalled('products'), { key: sku })).toMatchObject({
        sku,
        description,
        note,
        stock,
        price,
      });
    const [again] = await imported(catalog, 'products', items);
    expect(again?.unchanged).toBe(texts.length);
    await catalog.close();
  });

  it('of known rows only changed columns are written, with few statements', async () => {
    const { file, database, version } = await newDatabase('kinds.db');
    const counts = counted(database);
    const catalog = storeCatalog(sqliteStore(database, { file, lockTimeout: 1000, version }));
    stopClock();
    const optional = ['ean', 'note', 'tag', 'badge', 'condition', 'seo_title', 'description'];
    // Every choice of the optional columns, and some of the required ones.
    const changed = (i: number) =>
      Object.fromEntries(optional.filter((_, k) => (i >> k) % 2 === 1).map((name) => [name, `${name} ${i}`]));
    const items = Array.from({ length: 256 }, (_, i) => ({
      sku: `S-${i}`,
      currency: 'EUR',
      note: 'old',
      name: `Phone ${i}`,
    }));
    await imported(catalog, 'products', items);
    // As another program may have left it: it stays, unless it is in what an item changes.
    database.exec("UPDATE product SET seo_description = 'by hand', updated_at = 1");
    const { prepared } = counts;
    const next = items.map((item, i) => ({
      ...item,
      ...changed(i),
      ...(i > 127 && { price: '1.00', name: `Mobile ${i}` }),
    }));
    await imported(catalog, 'products', next);
    expect(counts.prepared - prepared).toBeLessThan(60);
    const stored = database.prepare('SELECT * FROM product ORDER BY seq').all() as Record<string, unknown>[];
    stored.forEach((row, i) => {
      const { currency, price, ...sent } = { price: undefined, ...next[i] };
      const others = Object.fromEntries(optional.map((name) => [name, '']));
      expect(row).toMatchObject({
        ...others,
        ...sent,
        price: price === undefined ? null : 100,
        seo_description: 'by hand',
      });
      expect(row['updated_at'] === 1, `S-${i}`).toBe(i % 128 === 0 && i < 128);
    });
    await catalog.close();
  });

  it('a row that is changed, and changed back by a later item, is what it was', async () => {
    const catalog = await openCatalog({ file: join(folder, 'back.db'), create: true });
    const sent = (note: string) => ({ sku: 'A', currency: 'EUR', note });
    await imported(catalog, 'products', [sent('old')]);
    const [report] = await imported(catalog, 'products', [sent('new'), sent('old')]);
    expect(report?.data.map(({ action }) => action)).toEqual(['updated', 'updated']);
    expect(await catalog.read(resourceCalled('products'), { key: 'A' })).toMatchObject({ note: 'old' });
    await catalog.close();
  });

  it('rows are inserted together whatever columns they fill, with few statements', async () => {
    const { file, database, version } = await newDatabase('columns-change.db');
    const counts = counted(database);
    const catalog = storeCatalog(sqliteStore(database, { file, lockTimeout: 1000, version }));
    stopClock();
    const optional = ['ean', 'note', 'tag', 'badge', 'condition'];
    // Each stretch of 280 fills another choice of columns; within it every seventh row fills none, and all say whose
    // part of the file it is.
    const items = Array.from({ length: 32 * 280 }, (_, i) => {
      const part = Math.floor(i / 280);
      const filled = optional.filter((_, k) => i % 7 > 0 && (part >> k) % 2 === 1);
      const values = Object.fromEntries(filled.map((name) => [name, `${name} ${i}`]));
      return { sku: `S-${i}`, currency: 'EUR', ...values, seo_title: `Supplier ${part}'s` };
    });
    await imported(catalog, 'products', items);
    expect(counts.prepared).toBeLessThan(40);
    // Twenty to a run once it is known which columns change.
    expect(counts.runs).toBeLessThan(2200);
    const columns = 'sku, ean, note, tag, badge, condition, seo_title';
    const stored = database.prepare(`SELECT ${columns} FROM product ORDER BY seq`).all();
    expect(stored).toHaveLength(items.length);
    const sent = items.map(({ currency, ...item }) => ({
      ...Object.fromEntries(optional.map((name) => [name, ''])),
      ...item,
    }));
    const bySku = new Map((stored as { sku: string }[]).map((row) => [row.sku, row]));
    for (const item of sent) expect(bySku.get(item.sku)).toEqual(item);
    await catalog.close();
  });

  it('an update leaves the columns that identify a row alone, and so their indexes', async () => {
    const { file, database, version } = await newDatabase('still.db');
    database.exec(
      `CREATE TRIGGER still BEFORE UPDATE OF seq, id ON product BEGIN SELECT RAISE(ABORT, 'set anew'); END`,
    );
    const catalog = storeCatalog(sqliteStore(database, { file, lockTimeout: 1000, version }));
    for (const note of ['first', 'second']) {
      const [report] = await imported(catalog, 'products', [{ sku: 'A', currency: 'EUR', note }]);
      expect(report?.data[0]?.action).toBe(note === 'first' ? 'created' : 'updated');
    }
    await catalog.close();
  });

  it('batches share a transaction, of at most about 1,000 items', async () => {
    const { file, database, version } = await newDatabase('commits.db');
    const counts = counted(database);
    const catalog = storeCatalog(sqliteStore(database, { file, lockTimeout: 1000, version }));
    stopClock();
    const items = products(0, 8000);
    const perCommit = new Map<number, number>();
    for await (const report of catalog.importBatches(resourceCalled('products'), inBatches('products', items))) {
      perCommit.set(counts.commits, (perCommit.get(counts.commits) ?? 0) + report.total);
    }
    expect(Math.max(...perCommit.values())).toBeLessThanOrEqual(520);
    expect([...perCommit.values()].reduce((sum, size) => sum + size)).toBe(8000);
    // Not one for each batch.
    expect(counts.commits).toBeLessThan(8000 / 200);
    await catalog.close();
  });

  it('a transaction includes batches that are ready, up to twice as many, and waits for at least half of them', async () => {
    const largestOf = async (name: string, readiness: Pick<BatchSource, 'isReady'>) => {
      const { file, database, version } = await newDatabase(name);
      const counts = counted(database);
      const catalog = storeCatalog(sqliteStore(database, { file, lockTimeout: 1000, version }));
      const perCommit = new Map<number, number>();
      const batches = inBatches('products', products(0, 5000));
      for await (const report of catalog.importBatches(resourceCalled('products'), Object.assign(batches, readiness)))
        perCommit.set(counts.commits, (perCommit.get(counts.commits) ?? 0) + report.total);
      await catalog.close();
      return Math.max(...perCommit.values());
    };
    stopClock();
    expect(await largestOf('unknown.db', {})).toBe(520);
    expect(await largestOf('ready.db', { isReady: () => true })).toBe(1000);
    expect(await largestOf('not-ready.db', { isReady: () => false })).toBe(280);
  });

  it('a source that hashes items is told the key of this catalog, before the first report', async () => {
    const keysOf = async (name: string) => {
      const { file, database, version } = await newDatabase(name);
      const catalog = storeCatalog(sqliteStore(database, { file, lockTimeout: 1000, version }));
      const keys: unknown[] = [];
      for (let run = 0; run < 2; run++) {
        const batches = Object.assign(inBatches('products', products(0, 40)), {
          hashWith: (key: unknown) => keys.push(key),
        });
        for await (const _ of catalog.importBatches(resourceCalled('products'), batches))
          expect(keys).toHaveLength(run + 1);
      }
      await catalog.close();
      return keys;
    };
    const [first, second] = await keysOf('hashed.db');
    expect(first).toEqual({ high: expect.any(Number), low: expect.any(Number) });
    expect(second).toEqual(first);
    expect((await keysOf('hashed-otherwise.db'))[0]).not.toEqual(first);
  });

  it('no report comes before its transaction is committed: another connection sees its content', async () => {
    const { file, database, version } = await newDatabase('told.db');
    const catalog = storeCatalog(sqliteStore(database, { file, lockTimeout: 1000, version }));
    const other = openDatabase(file, true);
    const known = other.prepare('SELECT id FROM product WHERE sku = ?').pluck();
    let told = 0;
    for await (const { data } of catalog.importBatches(
      resourceCalled('products'),
      inBatches('products', products(0, 400)),
    )) {
      for (const { external_id, id } of data) expect(known.get(external_id)).toBe(id);
      told += data.length;
    }
    expect(told).toBe(400);
    other.close();
    await catalog.close();
  });
});

describe('identifiers', () => {
  it('are unique and in the order of assignment, with the prefix of their resource', async () => {
    const catalog = await openCatalog({ file: join(folder, 'ids.db'), create: true });
    const reports = await imported(catalog, 'products', products(0, 3000));
    const ids = reports.flatMap(({ data }) => data.map(({ id }) => String(id)));
    expect(new Set(ids).size).toBe(3000);
    expect(ids).toEqual([...ids].sort());
    for (const id of ids) expect(id).toMatch(/^prod_[0-9a-z]{26}$/);
    await catalog.close();
  });

  it('stay in order from one millisecond to the next', async () => {
    const series = newIdSeries();
    const others = [series, newIdSeries()];
    const seen = new Set<string>();
    let last = '';
    let disorder = 0;
    for (let i = 0; i < 200_000; i++) {
      const id = series(Date.now())('prod_');
      if (id <= last) disorder++;
      last = id;
      if (i % 10 === 0) for (const other of others) seen.add(other(Date.now())('prod_'));
    }
    expect(disorder).toBe(0);
    expect(seen.size).toBe(40_000);
  });
});

describe('running again', () => {
  it('P4: a second run of a folder reports every accepted line unchanged and changes nothing', async () => {
    const db = join(folder, 'again.db');
    const args = ['run', demo, '--db', db, '--output', 'ndjson', '--report', 'all', '--quiet'];
    const first = await runHere(args);
    const before = dumpOf(db);
    const second = await runHere(args);
    expect([first.code, second.code]).toEqual([0, 0]);
    const actions = (lines: readonly string[]): string[] =>
      lines.map((line) => (JSON.parse(line) as { action?: string }).action ?? 'summary');
    const expected = actions(first.lines).map((action) => (action === 'created' ? 'unchanged' : action));
    expect(actions(first.lines)).toContain('created');
    expect(actions(second.lines)).toEqual(expected.map((action) => (action === 'updated' ? 'unchanged' : action)));
    expect(dumpOf(db)).toEqual(before);
  });
});

describe('a batch is atomic', () => {
  it('an `accept` that returns false stops before the batch: nothing of it is saved, earlier batches are', async () => {
    const file = join(folder, 'guard.db');
    const catalog = await openCatalog({ file, create: true });
    const accept = ({ data }: Report): boolean => data[0]?.external_id !== 'SKU-200';
    const reports = await imported(catalog, 'products', products(0, 400), { accept });
    await catalog.close();
    expect(reports.length).toBe(5);
    expect([...dumpOf(file).records.keys()].length).toBe(200);
  });

  it('what it saved may be written before the next one is decided', async () => {
    const store = memoryStore();
    const writes: (number | undefined)[] = [];
    const accept = () => writes.push(store.changeCount?.()) > 0;
    const batches = ['A', 'B', 'C'].map((sku) => batchOf([{ sku, currency: 'EUR' }]));
    for await (const report of storeCatalog(store).importBatches(resourceCalled('products'), batches, { accept }))
      expect(report.created).toBe(1);
    expect(writes).toEqual([0, 1, 2]);
  });

  it('a row that SQLite refuses among twenty of an INSERT takes back those before it, and all of the transaction', async () => {
    const { file, database, version } = await newDatabase('twenty.db');
    database.exec("CREATE UNIQUE INDEX one_ean ON product (ean) WHERE ean <> ''");
    const catalog = storeCatalog(sqliteStore(database, { file, lockTimeout: 1000, version }));
    const item = (i: number) => ({ sku: `SKU-${i}`, currency: 'EUR', ean: i === 2512 ? '2511' : `${i}` });
    const items = Array.from({ length: 4000 }, (_, i) => item(i));
    const told: Report[] = [];
    const importing = async () => {
      for await (const report of catalog.importBatches(resourceCalled('products'), inBatches('products', items)))
        told.push(report);
    };
    await expect(importing()).rejects.toThrow('UNIQUE constraint failed: product.ean');
    const skus = database.prepare('SELECT sku FROM product ORDER BY seq').pluck().all();
    const kept = told.flatMap(({ data }) => data).map((line) => line.external_id);
    expect(kept.length).toBeGreaterThan(1000);
    expect(kept.length).toBeLessThan(2512);
    expect(skus).toEqual(kept);
    await catalog.close();
  });

  it('a lock that is not released ends the call with a message, and earlier batches remain', async () => {
    const file = join(folder, 'locked.db');
    const catalog = await openCatalog({ file, create: true, lockTimeout: 200 });
    await imported(catalog, 'products', products(0, 40));
    const other = openDatabase(file, true);
    other.exec('BEGIN IMMEDIATE');
    const failure = await failureOf(() => imported(catalog, 'products', products(40, 40)));
    expect(failure).toMatchObject({ code: 'catalog_locked', message: expect.stringContaining(file) });
    other.exec('ROLLBACK');
    const [report] = await imported(catalog, 'products', products(40, 40));
    expect(report?.created).toBe(40);
    other.close();
    await catalog.close();
    expect(dumpOf(file).records.size).toBe(80);
  });

  it('waiting for a lock leaves the event loop free', async () => {
    const file = join(folder, 'waiting.db');
    const catalog = await openCatalog({ file, create: true, lockTimeout: 60_000 });
    const other = openDatabase(file, true);
    await prepareCatalog(other, file, { lockTimeout: 1000 });
    other.exec('BEGIN IMMEDIATE');
    // Nobody else would release the lock: without turns of the event loop the import would fail.
    let turns = 0;
    const timer = setInterval(() => ++turns === 50 && other.exec('COMMIT'), 5);
    const [report] = await imported(catalog, 'products', products(0, 40));
    clearInterval(timer);
    expect(report?.created).toBe(40);
    expect(turns).toBeGreaterThanOrEqual(50);
    other.close();
    await catalog.close();
  });
});
