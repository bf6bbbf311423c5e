// What plans read: the rows that they ask for, of one state of the catalog, and only of the version that the program knows.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Draft } from '../../../src/core/rows/snapshot.js';
import { column, defineTable, type Row } from '../../../src/core/rows/table.js';
import { openCatalog, openStore } from '../../../src/store/open.js';
import { openDatabase } from '../../../src/store/sqlite/database.js';
import type { Database } from '../../../src/store/sqlite/driver.js';
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { Plan, Store } from '../../../src/store/store.js';
import { resourceCalled } from '../../given.js';
import { openRaw } from '../../proof/dump.js';
import { failureOf, imported, newDatabase, newPath } from '../given.js';

const note = defineTable(
  'note',
  { id: column.text, name: column.text, text: column.text },
  { id: ['id'], lookups: { name: ['name'] }, longTexts: ['text'] },
);
const pair = defineTable(
  'pair',
  { id: column.text, one: column.text, other: column.text },
  { id: ['id'], lookups: { both: ['one', 'other'] } },
);

/** A store on a file, which another connection writes to. */
function given({ version = 0 } = {}): { readonly store: Store; readonly other: Database } {
  const file = newPath('reads.db');
  const other = openRaw(file);
  other.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE note (id TEXT PRIMARY KEY, name TEXT UNIQUE, text TEXT);
    CREATE TABLE pair (id TEXT PRIMARY KEY, one TEXT, other TEXT);
    CREATE TABLE log_anchor (token BLOB, before BLOB);
    INSERT INTO note VALUES ('a', 'b', 'first'), ('b', 'a', 'second'), ('large', 'l', replace(hex(zeroblob(50000)), '0', 'x'));
    INSERT INTO pair VALUES ('a', 'x', 'y'), ('x', 'a', 'b');`);
  const store = sqliteStore(openDatabase(file, true), { file, lockTimeout: 100, version });
  onTestFinished(async () => {
    await store.close();
    other.close();
  });
  return { store, other };
}

/** A plan that asks for something until all of it is there. */
const asking = <T>(ask: (draft: Draft) => T): Plan<T> =>
  function* (draft) {
    for (;;) {
      const found = ask(draft);
      if (!draft.hasPending()) return found;
      yield;
    }
  };

const noteOf = (draft: Draft, lookup: string, key: string) => draft.find(note, lookup, key)?.text;

describe('a read', () => {
  it.each<[what: string, ask: (draft: Draft) => unknown, found: unknown]>([
    ['one row', (draft) => noteOf(draft, 'id', 'a'), 'first'],
    ['one row by another look-up', (draft) => noteOf(draft, 'name', 'a'), 'second'],
    ['no row', (draft) => noteOf(draft, 'id', 'c'), undefined],
    ['a row twice', (draft) => [noteOf(draft, 'id', 'a'), noteOf(draft, 'id', 'a')], ['first', 'first']],
    ['two rows', (draft) => [noteOf(draft, 'id', 'a'), noteOf(draft, 'id', 'b')], ['first', 'second']],
    [
      'rows of one key by two look-ups',
      (draft) => [noteOf(draft, 'id', 'a'), noteOf(draft, 'name', 'a')],
      ['first', 'second'],
    ],
    [
      'rows of one key in two tables',
      (draft) => [noteOf(draft, 'id', 'a'), draft.find(pair, 'id', 'a')?.one],
      ['first', 'x'],
    ],
    ['a row by two parts of a key', (draft) => draft.find(pair, 'both', 'x', 'y')?.id, 'a'],
    [
      'a row, and one by two parts of a key',
      (draft) => [draft.find(pair, 'id', 'a')?.one, draft.find(pair, 'both', 'a', 'b')?.id],
      ['x', 'x'],
    ],
    ['whether there are any', (draft) => draft.some(note), true],
    ['a large row', (draft) => noteOf(draft, 'id', 'large')?.length, 100_000],
    [
      'a large row, and a small one',
      (draft) => [noteOf(draft, 'id', 'large')?.length, noteOf(draft, 'id', 'a')],
      [100_000, 'first'],
    ],
  ])('finds %s', async (_, ask, found) => {
    const { store } = given();
    // The store keeps nothing of one read for the next.
    for (let i = 0; i < 2; i++) expect(await store.read(asking(ask))).toEqual(found);
    expect(await store.dryRun(asking(ask))).toEqual(found);
  });

  it('may go on asking for the same row', async () => {
    const { store } = given();
    const text = await store.read(function* (draft) {
      for (let i = 0; i < 5; i++) {
        draft.find(note, 'id', 'a');
        yield;
      }
      return noteOf(draft, 'id', 'a');
    });
    expect(text).toBe('first');
  });

  it.each<'read' | 'dryRun'>(['read', 'dryRun'])('sees one state of the catalog (%s)', async (way) => {
    const { store, other } = given();
    let state = 0;
    const change = () => other.exec(`UPDATE note SET text = 'state ${++state}' WHERE id IN ('a', 'b')`);
    change();
    const [one, second] = await store[way](function* (draft) {
      noteOf(draft, 'id', 'a');
      yield;
      const found = noteOf(draft, 'id', 'a');
      change();
      noteOf(draft, 'id', 'b');
      yield;
      return [found, noteOf(draft, 'id', 'b')];
    });
    expect(one).toBe(second);
    expect(state).toBeGreaterThan(1);
  });

  it('sees one state of the catalog where all that it asks for is there at once', async () => {
    const { store, other } = given();
    let state = 0;
    const change = () => other.exec(`UPDATE note SET text = 'state ${++state}' WHERE id IN ('a', 'b')`);
    change();
    const [one, second] = await store.read(function* (draft) {
      noteOf(draft, 'id', 'a');
      noteOf(draft, 'id', 'b');
      yield;
      const found = noteOf(draft, 'id', 'a');
      change();
      return [found, noteOf(draft, 'id', 'b')];
    });
    expect(one).toMatch(/^state \d$/);
    expect(second).toBe(one);
  });

  it('of a large row lets the others go first', async () => {
    const { store } = given();
    const order: string[] = [];
    const reading = (name: string, ask: (draft: Draft) => unknown) =>
      store.read(asking(ask)).then(() => void order.push(name));
    await Promise.all([
      reading('large', (draft) => noteOf(draft, 'id', 'large')),
      reading('large', (draft) => noteOf(draft, 'id', 'large')),
      reading('two', (draft) => [noteOf(draft, 'id', 'a'), noteOf(draft, 'id', 'b')]),
      reading('one', (draft) => noteOf(draft, 'id', 'a')),
    ]);
    expect(order.slice(2)).toEqual(['large', 'large']);
  });

  it('of a page sees one state of the catalog', async () => {
    const { store, other } = given();
    const found = await store.scan(note, { limit: 1 }, function* (rows: readonly Row[], draft) {
      other.exec("UPDATE note SET text = 'later'");
      noteOf(draft, 'id', 'b');
      yield;
      return [rows[0]?.['text'], noteOf(draft, 'id', 'b')];
    });
    expect(found).toEqual(['first', 'second']);
  });
});

it.each([
  [1024 * 1024, ['a', 'b']],
  [1024 * 1024 + 1, ['a']],
])('a page with a text of %i bytes has the rows %j', async (bytes, ids) => {
  const { store, other } = given();
  other.exec("DELETE FROM note; INSERT INTO note VALUES ('b', 'b', '')");
  other.prepare("INSERT INTO note VALUES ('a', 'a', ?)").run('x'.repeat(bytes));
  const found = await store.scan(note, { limit: 3 }, function* (rows) {
    yield;
    return rows.map(({ id }) => id);
  });
  expect(found).toEqual(ids);
});

describe('a catalog that a newer version brought up to date', () => {
  const ways: Readonly<Record<string, (store: Store) => unknown>> = {
    read: (store) => store.read(asking((draft) => noteOf(draft, 'id', 'a'))),
    'read of several rows': (store) => store.read(asking((draft) => [draft.some(note), draft.some(pair)])),
    'dry run': (store) => store.dryRun(asking((draft) => noteOf(draft, 'id', 'a'))),
    scan: (store) =>
      store.scan(note, { limit: 1 }, function* () {
        yield;
      }),
    write: (store) => store.write(asking((draft) => noteOf(draft, 'id', 'a'))),
    'count of changes': (store) => store.changeCount?.(),
  };

  it.each(Object.keys(ways))('is refused to a %s', async (name) => {
    for (const isOpen of [true, false]) {
      const { store, other } = given({ version: isOpen ? 0 : 7 });
      if (isOpen) {
        store.changeCount?.();
        await ways[name]?.(store);
        store.changeCount?.();
        await Promise.resolve();
        other.pragma('user_version = 9');
      }
      const failure = await failureOf(() => ways[name]?.(store));
      expect(failure.message).toContain('was brought up to date by a newer version while this one had it open');
    }
  });
});

it('the count of changes moves with those of any connection, and with nothing else', async () => {
  const { store, other } = given();
  const counts: (number | undefined)[] = [];
  const count = () => counts.push(store.changeCount?.());
  count();
  await store.read(asking((draft) => noteOf(draft, 'id', 'a')));
  count();
  other.exec("UPDATE note SET text = 'changed'");
  count();
  count();
  await store.write(function* (draft) {
    draft.save(note, { id: 'c', name: 'c', text: '' }, undefined);
    yield;
  });
  count();
  expect(counts.map((one) => Number(one) - Number(counts[0]))).toEqual([0, 0, 1, 1, 2]);
});

it('what belongs to a product is found by the product and its own name', async () => {
  const { file, database } = await newDatabase('grades.db');
  const catalog = await openCatalog({ file, create: false });
  const grades = [
    { grade: 'new', price: 3 },
    { grade: 'good', price: 2 },
  ];
  await imported(catalog, 'products', [{ sku: 'A', currency: 'EUR', grades }]);
  await catalog.close();
  const id = String(database.prepare('SELECT id FROM product').pluck().get());
  const table = resourceCalled('products').tables.find(({ name }) => name === 'product_grade') as typeof pair;
  const priceOf = (draft: Draft, product: string, grade: string) =>
    (draft.find(table, 'id', product, grade) as Row | undefined)?.['price'];
  const store = await openStore({ file, create: false });
  expect(
    await store.read(
      asking((draft) => [priceOf(draft, id, 'good'), priceOf(draft, id, 'poor'), priceOf(draft, 'prod_no', 'good')]),
    ),
  ).toEqual([200, undefined, undefined]);
  await store.close();
  database.close();
});

describe('a product of another catalog', () => {
  const product = resourceCalled('products').tables.find(({ name }) => name === 'product') as typeof note;
  const skuOf = (draft: Draft) => (draft.find(product, 'id', 'prod_elsewhere') as Row | undefined)?.['sku'];
  it.each<'read' | 'dryRun' | 'write'>(['read', 'dryRun', 'write'])(
    'that another process took is found by the next %s',
    async (way) => {
      const { file, database } = await newDatabase(`taken-${way}.db`);
      const catalog = await openCatalog({ file, create: false });
      await imported(catalog, 'products', [{ sku: 'A', currency: 'EUR' }]);
      await catalog.close();
      const store = await openStore({ file, create: false });
      expect(await store[way](asking(skuOf))).toBeUndefined();
      database.exec(`PRAGMA foreign_keys = OFF; INSERT INTO product_id VALUES ('prod_elsewhere', -1);
        UPDATE product SET id = 'prod_elsewhere', seq = -1`);
      expect(await store[way](asking(skuOf))).toBe('A');
      await store.close();
      database.close();
    },
  );
});
