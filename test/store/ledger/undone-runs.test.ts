// Which undos count: those that ended, and those that took something back before they were interrupted.
import { expect, it } from 'vitest';
import { undoneRuns } from '../../../src/store/ledger/undone-runs.js';
import { shopOn } from '../ledger-shop.js';
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

it('an undo that was killed before it took something back leaves what a feed lists', async () => {
  const shop = shopOn(memoryStore());
  const { run } = await shop.run('erp', { A: { currency: 'EUR' } });
  const undo = await shop.ledger.begin({ feed: '', detail: { command: 'undo', files: [], undoes: [run] } });
  undo.abandon();
  const listings = await shop.ledger.listings(await shop.ledger.runs());
  expect(listings).toMatchObject([{ feed: 'erp', records: 1 }]);
});
