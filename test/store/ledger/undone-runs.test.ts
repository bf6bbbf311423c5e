// Which undos count: those that ended, and those that took something back before they were interrupted.
import { expect, it } from 'vitest';
import { storeCatalog } from '../../../src/store/catalog.js';
import { undoneRuns } from '../../../src/store/ledger/undone-runs.js';
import { products, shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

const imported = { number: 1, state: 'done', chunks: 1, detail: {} } as const;

it.each([
  ['done', 0, true],
  ['done', 2, true],
  ['interrupted', 0, false],
  ['interrupted', 1, true],
  ['failed', 0, false],
  ['failed', 1, true],
] as const)('an undo that is %s after %i transactions: the run is undone: %s', (state, chunks, isUndone) => {
  const undo = { number: 2, state, chunks, detail: { undoes: [1] } };
  expect([...undoneRuns([imported, undo])]).toEqual(isUndone ? [1] : []);
});

it.each([
  [[[1]], [1]],
  [[[1], [2]], []],
  [[[1], [1, 2]], [1]],
  [[[1], [2, 1]], [1]],
  [[[1], [1, 2], [3]], [1]],
  [[[1], [2, 1], [3]], [1]],
  [[[1], [2], [3]], [1]],
])('after undos of %j the runs %j are undone', (undos, expected) => {
  const runs = undos.map((undoes, i) => ({ number: i + 2, state: 'done' as const, chunks: 1, detail: { undoes } }));
  expect([...undoneRuns([imported, ...runs])]).toEqual(expected);
});

it('records are suspended until they are listed again', async () => {
  const shop = shopOn(memoryStore());
  const item = { currency: 'EUR', status: 'activated' };
  await shop.run('erp', { A: item, B: item });
  await shop.run('erp', { A: item }, { suspends: true });
  const [b] = (await storeCatalog(shop.store).list(products, { limit: 9 })).records.filter(({ sku }) => sku === 'B');
  expect(await shop.ledger.suspendedRecords()).toEqual(new Set([b?.['id']]));
  expect(await shop.ledger.takenBack()).toEqual(new Set());
  const { run } = await shop.run('erp', { A: item, B: { ...item, stock: 1 }, C: item });
  expect(await shop.ledger.suspendedRecords()).toEqual(new Set());
  await shop.undo(run);
  expect((await shop.ledger.takenBack()).size).toBe(1);
});

it('an undo that was killed before it took something back leaves what a feed lists', async () => {
  const shop = shopOn(memoryStore());
  const { run } = await shop.run('erp', { A: { currency: 'EUR' } });
  const undo = await shop.ledger.begin({ feed: '', detail: { command: 'undo', files: [], undoes: [run] } });
  undo.abandon();
  const listings = await shop.ledger.listings(await shop.ledger.runs());
  expect(listings).toMatchObject([{ feed: 'erp', records: 1 }]);
});
