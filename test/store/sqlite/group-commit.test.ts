// Changes that wait at the same time share a transaction, and nothing else: each sees what the ones before it did, and
// what is wrong with one is no matter of the others.
import { expect, test } from 'vitest';
import type { Draft } from '../../../src/core/rows/snapshot.js';
import { column, defineTable } from '../../../src/core/rows/table.js';
import { openDatabase } from '../../../src/store/sqlite/database.js';
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.js';

const counter = defineTable('counter', { id: column.text, value: column.integer }, { id: ['id'] });

function given() {
  const database = openDatabase('', false);
  database.exec('CREATE TABLE counter (id TEXT PRIMARY KEY, value INTEGER NOT NULL CHECK (value < 100))');
  // Each transaction that changes something changes it.
  database.exec('CREATE TABLE log_anchor (token BLOB, before BLOB)');
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
  return { store, commits: () => commits };
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
