// What an undo looks at: the changes of runs that matter, and the records that they concern.
import { expect, it } from 'vitest';
import { listingHistory } from '../../../src/store/ledger/listing-history.js';
import { historiesOf } from '../../../src/store/ledger/undo-histories.js';
import { undoneRecords } from '../../../src/store/ledger/undo-records.js';
import { resourceCalled } from '../../given.js';
import { shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

const eur = { currency: 'EUR' };

/** A shop whose five runs changed product A, and B as well. */
async function given() {
  const shop = shopOn(memoryStore());
  for (let stock = 1; stock < 6; stock++) await shop.run('', { A: { ...eur, stock }, B: { ...eur, stock } });
  const runs = await shop.ledger.runs();
  const { record } = (await shop.ledger.explain(resourceCalled('products'), 'A')) ?? {};
  return { ...shop, runs, id: String(record?.['id']) };
}

it.each([
  ['all of them ended in turn', [10, 20, 30, 40, 50], [3, 4, 5]],
  ['the first was open until later', [31, 20, 35, 40, 50], [1, 3, 4, 5]],
  ['the second ended in the second in which it began', [10, 30, 35, 40, 50], [2, 3, 4, 5]],
  ['the first never ended', [null, 20, 35, 40, 50], [1, 3, 4, 5]],
  ['the clock was set back after it', [10, 20, 35, 5, 6], [3, 4, 5]],
])(
  'are those of the third run and of later ones, and of earlier ones that were open when it began: %s',
  async (_, ends, expected) => {
    const { store, runs, id } = await given();
    const timed = runs.map((run, i) => ({
      ...run,
      started: i < 3 ? (i + 1) * 10 : 1,
      ended: ends[i] as number | null,
    }));
    const [history, other] = await historiesOf(store, { runs: timed, from: 3 }, [id, 'prod_gone']);
    expect(history).toMatchObject({ id, since: 30 });
    expect(history?.changes.map(({ run }) => run)).toEqual(expected);
    expect(other).toEqual({ id: 'prod_gone', since: 30, changes: [] });
  },
);

it('come from the latest run to the earliest', async () => {
  const { store, runs } = await given();
  const history = await listingHistory(store, runs);
  const found: unknown[] = [];
  const counts = (run: number) => run !== 2 && run !== 4;
  const undone = { store, resourceOf: () => resourceCalled('products'), runs, history, counts };
  const named = runs.map((run) => ({
    ...run,
    detail: { ...run.detail, files: [{ file: `${run.number}`, resource: 'product' }] },
  }));
  for await (const { file, records } of undoneRecords({
    ...undone,
    runs: named,
    imports: new Set([2, 4]),
    countedUntilNow: () => true,
  }))
    found.push([file, records.length]);
  expect(found).toEqual([
    ['4', 2],
    ['2', 2],
  ]);
});
