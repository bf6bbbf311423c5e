// Changes that wait at the same time share a transaction, and nothing else: each sees what the ones before it did, and
// what is wrong with one is no matter of the others.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import type { Draft } from '../../../src/core/rows/snapshot.js';
import { column, defineTable } from '../../../src/core/rows/table.js';
import { stepChannel } from '../../../src/core/timed-step.js';
import { openDatabase } from '../../../src/store/sqlite/database.js';
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.js';

const counter = defineTable('counter', { id: column.text, value: column.integer }, { id: ['id'] });

function given() {
  const database = openDatabase('', false);
  database.exec('CREATE TABLE counter (id TEXT PRIMARY KEY, value INTEGER NOT NULL CHECK (value < 100))');
  // Each transaction that changes something changes it.
  database.exec('CREATE TABLE log_anchor (token BLOB, before BLOB); INSERT INTO log_anchor VALUES (1, 0)');
  let commits = 0;
  const prepare = database.prepare.bind(database);
  // The statement is the real one; it is only counted.
  database.prepare = ((sql: string) => {
    const statement = prepare(sql);
    const run = statement.run.bind(statement);
    statement.run = (...values) => {
      if (sql === 'COMMIT') commits++;
      return run(...values);
    };
    return statement;
  }) as typeof database.prepare;
  const store = sqliteStore(database, { file: 'counter.db', lockTimeout: 1000, version: 0 });
  return { store, database, commits: () => commits };
}

/** Adds one to the current value of a counter. */
function* add(by: number, draft: Draft): Generator<void, number> {
  draft.find(counter, 'id', 'a');
  yield;
  const value = (draft.find(counter, 'id', 'a')?.value ?? 0) + by;
  draft.save(counter, { id: 'a', value }, undefined);
  return value;
}

test('changes that wait at the same time are committed together, each after the ones before it', async () => {
  const { store, commits } = given();
  const values = await Promise.all(Array.from({ length: 50 }, () => store.write((draft) => add(1, draft))));
  expect(values).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  // On a busy machine deciding takes longer, and fewer changes fit into a transaction.
  expect(commits()).toBeLessThan(40);
  // Each of them was made once.
  expect(await store.read((draft) => add(0, draft))).toBe(50);
  await store.close();
});

test('changes that take long do not share a transaction: the reads of a server wait for no more than one of them', async () => {
  const { store, commits } = given();
  const slowly = function* (draft: Draft): Generator<void, number> {
    for (const until = performance.now() + 11; performance.now() < until; );
    return yield* add(1, draft);
  };
  expect(await Promise.all([1, 2, 3].map(() => store.write(slowly)))).toEqual([1, 2, 3]);
  expect(commits()).toBe(3);
  await store.close();
});

/** Makes a change that fails between two that add 1: these are kept, and nothing else. */
async function failsAlone(change: (draft: Draft) => Generator<void, number>): Promise<void> {
  const { store } = given();
  const plans = [(draft: Draft) => add(1, draft), change, (draft: Draft) => add(1, draft)];
  const results = await Promise.allSettled(plans.map((plan) => store.write(plan)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await store.read((draft) => add(0, draft))).toBe(2);
  await store.close();
}

test('a plan that throws fails alone, and nothing of it is kept', async () => {
  const broken = function* (draft: Draft): Generator<void, number> {
    draft.save(counter, { id: 'a', value: 50 }, undefined);
    yield;
    throw new Error('broken plan');
  };
  await failsAlone(broken);
});

test('rows that cannot be saved because of a bug are not saved in part, and do not affect others', async () => {
  const half = function* (draft: Draft): Generator<void, number> {
    draft.save(counter, { id: 'a', value: 50 }, undefined);
    // No value of SQLite's: binding it throws, when the first row is written already.
    draft.save(counter, { id: 'b', value: true as unknown as number }, undefined);
    yield;
    return 0;
  };
  await failsAlone(half);
});

test('a change that the database refuses does not fail those committed with it', async () => {
  await failsAlone((draft) => add(1000, draft));
});

test('what fails in a later transaction fails alone, too', async () => {
  const { store } = given();
  const slowly = function* (draft: Draft): Generator<void, number> {
    for (const until = performance.now() + 11; performance.now() < until; );
    return yield* add(1, draft);
  };
  const plans = [slowly, (draft: Draft) => add(1000, draft), (draft: Draft) => add(1, draft), slowly];
  const results = await Promise.allSettled([...plans, ...plans].map((plan) => store.write(plan)));
  const fulfilled = ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'];
  expect(results.map(({ status }) => status)).toEqual([...fulfilled, ...fulfilled]);
  expect(await store.read((draft) => add(0, draft))).toBe(6);
  await store.close();
});

test('a change for which there is no room fails alone', async () => {
  const { store, database } = given();
  database.pragma('max_page_count = 40');
  const large = function* (draft: Draft): Generator<void, number> {
    draft.save(counter, { id: 'x'.repeat(1_000_000), value: 1 }, undefined);
    yield;
    return 0;
  };
  const plans = [(draft: Draft) => add(1, draft), large, (draft: Draft) => add(1, draft)];
  const [first, second, third] = await Promise.allSettled(plans.map((plan) => store.write(plan)));
  expect([first, third]).toEqual([1, 2].map((value) => ({ status: 'fulfilled', value })));
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'catalog_full' } });
  await store.close();
});

test('each transaction that changes something has a token of its own, and no other has', async () => {
  const { store, database } = given();
  const token = () => database.prepare('SELECT hex(token) FROM log_anchor').pluck().get();
  const first = token();
  await store.write((draft) => add(1, draft));
  const second = token();
  expect(second).not.toBe(first);
  // biome-ignore lint/correctness/useYield: nothing is to be read.
  await store.write(function* () {
    return 0;
  });
  expect(token()).toBe(second);
  await store.close();
  expect(database.open).toBe(false);
});

test('what is kept beside the records of a change is written with it', async () => {
  const { store } = given();
  await store.write((draft) => add(1, draft));
  await store.write(function* (draft) {
    draft.find(counter, 'id', 'a');
    yield;
    const before = draft.find(counter, 'id', 'a');
    if (before !== undefined) draft.keep(counter, { ...before, value: 5 }, before);
  });
  expect(await store.readAll(counter)).toEqual([{ id: 'a', value: 5 }]);
  await store.close();
});

test('how long its steps took is told to who listens', async () => {
  const { store } = given();
  const told: unknown[] = [];
  const listen = (step: unknown) => told.push(step);
  subscribe(stepChannel, listen);
  await store.write((draft) => add(1, draft));
  unsubscribe(stepChannel, listen);
  expect(told).toEqual(
    ['decide', 'save', 'commit'].map((name) => ({ name, milliseconds: expect.any(Number) as number })),
  );
  await store.close();
});

test('rows beyond their bounds are found by number and bytes, and deleted up to a time', async () => {
  const { store, database } = given();
  const aged = defineTable('aged', { id: column.text, body: column.text, created_at: column.integer }, { id: ['id'] });
  database.exec(`CREATE TABLE aged (id TEXT PRIMARY KEY, body TEXT, created_at INTEGER);
    INSERT INTO aged VALUES ('a', '1234', 10), ('b', '1234', 20), ('c', '1234', 30), ('d', '1234', 40)`);
  const beyond = (rows: number, bytes: number) => store.timeBeyond(aged, { rows, column: 'body', bytes });
  expect([await beyond(4, 16), await beyond(3, 16), await beyond(4, 15), await beyond(4, 11)]).toEqual([
    ...[undefined, 10, 10, 20],
  ]);
  const before = store.changeCount?.();
  await store.deleteExpired(aged, 20);
  expect((await store.readAll(aged)).map(({ id }) => id)).toEqual(['c', 'd']);
  expect(store.changeCount?.()).not.toBe(before);
  await store.close();
});
