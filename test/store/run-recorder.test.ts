// The counts of a run while its transactions are decided more than once.
import { expect, it } from 'vitest';
import type { CatalogError } from '../../src/core/errors.js';
import type { Report } from '../../src/core/import-report.js';
import { type RunRow, runTable } from '../../src/core/ledger/run-tables.js';
import { noCounts } from '../../src/core/report-counts.js';
import { newDraft } from '../../src/core/rows/draft.js';
import type { Draft } from '../../src/core/rows/snapshot.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { recordPostedRun } from '../../src/store/ledger/posted-runs.js';
import { changeRecorded, type RunRecorder } from '../../src/store/ledger/run-recorder.js';
import type { Plan } from '../../src/store/store.js';
import { batchOf } from '../entries.js';
import { type Item, resourceCalled } from '../given.js';
import { memoryStore } from './memory-store.js';

const run: RunRow = {
  ...{ id: '1', key: '1', feed: '', state: 'open', created_at: 0, ended_at: null, seen_at: 0, process: '', exit: null },
  ...{ chunks: 0, detail: '', ...noCounts() },
};
const report = { ...noCounts(), unchanged: 1, total: 1 } as unknown as Report;

/** Runs a plan once for each of these drafts, as a store that decides again; gives what the last one saved. */
async function writtenBy(attempts: readonly ('changes' | 'same')[]): Promise<{ unwritten: number; written: number }> {
  const unwritten = { ...noCounts(), unchanged: 5, total: 5 };
  const recorder: RunRecorder = {
    keepsChanges: true,
    sharedRun: undefined,
    run: '1',
    file: 0,
    ask: () => undefined,
    find: () => run,
    detail: () => '',
    unwritten,
  };
  let draft: Draft = newDraft();
  let attempt = 0;
  async function write<T>(plan: Plan<T>): Promise<T> {
    let value: T | undefined;
    for (attempt = 0; attempt < attempts.length; attempt++) {
      draft = newDraft();
      const step = plan(draft).next();
      if (step.done) value = step.value;
    }
    return value as T;
  }
  // biome-ignore lint/correctness/useYield: nothing has to be loaded
  await changeRecorded(write, { recorder, resource: 'product', now: 1 }, function* (planned) {
    if (attempts[attempt] === 'changes') planned.save(runTable, { ...run, id: 'a record' }, null);
    return { reports: [report] };
  });
  const rows = [...draft.written(runTable)].filter(({ id }) => id === '1');
  return { unwritten: unwritten.total, written: rows[0]?.total ?? 0 };
}

it('counts that wait for a row are in it, or wait on, whatever was decided before', async () => {
  expect(await writtenBy(['changes'])).toEqual({ unwritten: 0, written: 6 });
  expect(await writtenBy(['same'])).toEqual({ unwritten: 6, written: 0 });
  expect(await writtenBy(['changes', 'same'])).toEqual({ unwritten: 6, written: 0 });
  expect(await writtenBy(['same', 'changes'])).toEqual({ unwritten: 0, written: 6 });
});

/** A catalog with two products, whose descriptions have six and five characters, and imports into it with such limits. */
async function limited(
  limits: Pick<RunRecorder, 'mostReplaced' | 'mostLoaded'>,
): Promise<(items: readonly Item[]) => Promise<string>> {
  const store = memoryStore();
  const products = resourceCalled('products');
  const send = async (items: readonly Item[], some: RunRecorder): Promise<string> => {
    const sent = batchOf(items.map((item) => ({ currency: 'EUR', ...item })));
    const actions: string[] = [];
    const catalog = storeCatalog(store, { recorder: some });
    for await (const { data } of catalog.importBatches(products, [sent]))
      actions.push(...data.map(({ action }) => action));
    return actions.join();
  };
  const posted = { owner: 'o', user: 'u', token: 't', feed: '' };
  const recorder = recordPostedRun(posted, { resource: 'product', file: '' });
  await send(
    [
      { sku: 'A', description: 'sixsix' },
      { sku: 'B', description: 'five5', stock: 1 },
    ],
    recorder,
  );
  const some = { ...recorder, mostReplaced: 1000, ...limits };
  return (items) => send(items, some).catch(({ code, message }: CatalogError) => `${code} ${message}`);
}

const both = [
  { sku: 'A', description: 'x' },
  { sku: 'B', description: 'y', stock: 2 },
];

it('several items may replace so many characters of texts, and not one more', async () => {
  // A row has a text of its own that changes as well: which run it is of.
  const [, most] = /^batch_too_large (\d+) characters/.exec(await (await limited({ mostReplaced: 0 }))(both)) ?? [];
  expect(Number(most)).toBeGreaterThanOrEqual(11);
  expect(Number(most)).toBeLessThan(40);
  expect(await (await limited({ mostReplaced: Number(most) }))(both)).toBe('updated,updated');
  expect(await (await limited({ mostReplaced: Number(most) - 1 }))(both)).toMatch(/^batch_too_large/);
});

it('one item may replace any text, and several without a limit any, too', async () => {
  const send = await limited({ mostReplaced: 2 });
  expect(await send([{ sku: 'A', description: 'x' }])).toBe('updated');
  expect(
    await send([
      { sku: 'C', description: 'new' },
      { sku: 'D', description: 'new' },
    ]),
  ).toBe('created,created');
});

it('a transaction loads texts up to its limit', async () => {
  expect(await (await limited({ mostLoaded: 3 }))(both)).toMatch(/^batch_too_large/);
  expect(await (await limited({ mostLoaded: 10_000 }))(both)).toBe('updated,updated');
});
