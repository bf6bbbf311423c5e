// What time does to runs: signs of life, silence, age, and a clock that is wrong.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeTable, type RunRow, runId, runTable } from '../../../src/core/ledger/run-tables.js';
import { noCounts } from '../../../src/core/report-counts.js';
import { clockJump } from '../../../src/store/ledger/run-forget.js';
import { allRuns, isUnderWay, runHeads } from '../../../src/store/ledger/runs.js';
import type { Store } from '../../../src/store/store.js';
import { shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

const start = 1_764_000_000;
const day = 86_400;
const eur = { currency: 'EUR' };

/** The row of a run. */
function row(number: number, more: Partial<RunRow>): RunRow {
  const id = runId(number);
  return {
    ...{ id, key: id, feed: '', state: 'done', created_at: start, ended_at: start, seen_at: start, process: '' },
    ...{ exit: 0, chunks: 0, ...noCounts(), detail: JSON.stringify({ command: 'products', files: [] }), ...more },
  };
}

async function storeWith(...rows: readonly RunRow[]): Promise<Store> {
  const store = memoryStore();
  // biome-ignore lint/correctness/useYield: nothing is asked for
  await store.write(function* (draft) {
    for (const one of rows) draft.save(runTable, one, null);
  });
  return store;
}

describe('a run over HTTP', () => {
  it.each([
    ['received', 1800, null],
    ['received', 1801, start],
    ['received', -3600, null],
    ['received', -3601, start],
    ['daily', 1801, null],
  ])(
    'that is %s has ended after half an hour of silence, or where the clock is an hour before it: at %d s',
    async (state, at, ended) => {
      const store = await storeWith(row(1, { state, ended_at: null }));
      expect(await allRuns(store, start + at)).toMatchObject([{ state, ended }]);
    },
  );

  it.each([
    ['open', null, true],
    ['received', null, true],
    ['received', start, false],
    ['daily', null, false],
    ['done', start, false],
  ] as const)('that is %s and ended at %j is under way: %j', (state, ended, expected) => {
    expect(isUnderWay({ state, ended })).toBe(expected);
  });
});

it('runs are told from the first to the last, in whatever order a store has them', async () => {
  const store = await storeWith(row(3, {}), row(1, {}), row(20, {}), row(2, {}));
  expect((await allRuns(store)).map(({ number }) => number)).toEqual([1, 2, 3, 20]);
});

describe('a clock', () => {
  it.each([
    [-day, undefined],
    [-day - 1, -day - 1],
    [0, undefined],
    [31 * day, undefined],
    [31 * day + 1, 31 * day + 1],
  ])('that is %d s from the last run has jumped: %j', async (seconds, jump) => {
    const runs = await allRuns(
      await storeWith(row(1, { ended_at: start + 9 * day }), row(2, { created_at: start - 9 })),
    );
    expect(clockJump(runs, start + seconds)).toBe(jump);
    expect(clockJump([], start)).toBeUndefined();
  });
});

describe('a run', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start * 1000 }));
  afterEach(() => void vi.useRealTimers());
  const begin = { feed: 'erp', detail: { command: 'products', files: [] } };
  const at = (seconds: number) => void vi.setSystemTime((start + seconds) * 1000);

  it('shows every 15 seconds that it is alive, until it ends or is left', async () => {
    vi.useFakeTimers({ now: start * 1000 });
    const { ledger, store } = shopOn(memoryStore());
    const seen = async () => (await store.readAll(runTable)).map(({ seen_at }) => seen_at - start);
    const open = await ledger.begin(begin);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await seen()).toEqual([15]);
    await vi.advanceTimersByTimeAsync(16_000);
    expect(await seen()).toEqual([30]);
    await open.end({ state: 'done', exit: 0 });
    expect(vi.getTimerCount()).toBe(0);
    const left = await ledger.begin(begin);
    left.abandon();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for another one of its feed, says so once, and gives up in the end', async () => {
    vi.useFakeTimers({ now: start * 1000 });
    const { ledger } = shopOn(memoryStore());
    await ledger.begin(begin);
    const waits: number[] = [];
    const second = ledger.begin({ ...begin, onWait: (run) => void waits.push(run) }).catch((error: unknown) => error);
    await ledger.begin({ ...begin, feed: 'other' });
    await vi.advanceTimersByTimeAsync(4000);
    expect(waits).toEqual([1]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await second).toMatchObject({
      code: 'catalog_locked',
      message: expect.stringContaining('Run 1 of feed erp'),
    });
    expect(waits).toEqual([1]);
  });

  it('is forgotten once it is so old, with what it changed, and no younger one is; the last of them is told', async () => {
    const { ledger, store, run } = shopOn(memoryStore());
    for (const seconds of [0, 1, 2]) {
      at(seconds);
      await run('', { A: { ...eur, stock: seconds }, B: eur });
    }
    at(101);
    expect(await ledger.forget(100, await ledger.runs())).toEqual({ runs: 2, last: 2 });
    expect((await ledger.runs()).map(({ number }) => number)).toEqual([3]);
    expect((await store.readAll(changeTable)).map(({ id }) => id.slice(0, 10))).toEqual([runId(3)]);
    expect(await ledger.forget(100, await ledger.runs())).toEqual({ runs: 0, last: 0 });
  });

  it('of which nothing is kept is deleted once it is so old, and no younger one, nor one that is shown', async () => {
    const { ledger, store, run } = shopOn(memoryStore());
    const unrecorded = async (seconds: number) => {
      at(seconds);
      const open = await ledger.begin({ ...begin, detail: { ...begin.detail, unrecorded: true } });
      await open.end({ state: 'done', exit: 0 });
    };
    await unrecorded(0);
    await unrecorded(1);
    await unrecorded(2);
    await run('', { A: eur });
    at(101);
    expect(await ledger.forget(100, await ledger.runs())).toEqual({ runs: 0, last: 0 });
    expect((await runHeads(store)).map(({ id }) => id)).toEqual([runId(3), runId(4)]);
  });

  it('is forgotten by its age at the last run, where the clock was set back', async () => {
    const { ledger, run } = shopOn(memoryStore());
    await run('', { A: eur });
    at(1000);
    await run('', { B: eur });
    at(-5000);
    await ledger.forget(500, await ledger.runs());
    expect((await ledger.runs()).map(({ number }) => number)).toEqual([2]);
  });

  it('that began a second before one that is under way is forgotten, if it is old enough; none that began with it', async () => {
    const { ledger, run } = shopOn(memoryStore());
    await run('', { A: eur });
    at(1);
    await run('', { B: eur });
    await ledger.begin(begin);
    at(1000);
    await ledger.forget(10, await ledger.runs());
    expect((await ledger.runs()).map(({ number }) => number)).toEqual([2, 3]);
  });

  it('is kept if it is one of the last 16 complete ones of its feed, or took back one of these', async () => {
    const { ledger } = shopOn(memoryStore());
    const done = async (feed: string, undoes?: readonly number[]): Promise<number> => {
      const open = await ledger.begin({ feed, detail: { ...begin.detail, ...(undoes && { undoes }) } });
      await open.end({ state: 'done', exit: 0 });
      return open.number;
    };
    const kept = [await done('rare')];
    for (const feed of ['erp', 'a']) {
      const runs: number[] = [];
      for (let nth = 0; nth < 17; nth++) runs.push(await done(feed));
      kept.push(...runs.slice(1));
      kept.push(await done('', runs.slice(0, 2)));
      await done('', runs.slice(0, 1));
    }
    at(1000);
    await ledger.forget(10, await ledger.runs());
    expect((await ledger.runs()).map(({ number }) => number)).toEqual(kept.sort((a, b) => a - b));
  });
});
