// The counts of a run while its transactions are decided more than once.
import { expect, it } from 'vitest';
import type { Report } from '../../src/core/import-report.js';
import { type RunRow, runTable } from '../../src/core/ledger/run-tables.js';
import { noCounts } from '../../src/core/report-counts.js';
import { newDraft } from '../../src/core/rows/draft.js';
import type { Draft } from '../../src/core/rows/snapshot.js';
import { changeRecorded, type RunRecorder } from '../../src/store/ledger/run-recorder.js';
import type { Plan } from '../../src/store/store.js';

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
