// Which items of a plan were done, over any number of transactions.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Line, Report } from '../../../src/core/import-report.js';
import { markDone, type PlanProgress, progressWith } from '../../../src/core/ledger/plan-progress.js';

const action = fc.constantFrom<Line['action']>('created', 'updated', 'unchanged', 'refused');

/** A report with lines of these actions. */
const reportOf = (actions: readonly Line['action'][]): Report =>
  ({ data: actions.map((one) => ({ action: one })) }) as unknown as Report;

it('marks exactly the items that were not refused', () => {
  fc.assert(
    fc.property(fc.array(fc.array(action, { maxLength: 5 }), { maxLength: 6 }), (transactions) => {
      let progress: PlanProgress = [];
      for (const actions of transactions) progress = progressWith(progress, [reportOf(actions)]);
      const all = transactions.flat();
      const done = new Uint8Array(all.length);
      markDone(done, progress);
      expect([...done]).toEqual(all.map((one) => (one === 'refused' ? 0 : 1)));
    }),
  );
});

it('adds to what earlier runs did, and ignores items behind the last', () => {
  const done = new Uint8Array([0, 1, 0, 0]);
  markDone(done, [0, 2, 1, 1, 9]);
  expect([...done]).toEqual([0, 1, 1, 0]);
});
