// The sizes of an import's transactions.
import { expect, it } from 'vitest';
import type { PlanResult } from '../../src/core/planning/plan-batches.js';
import { pacingOf } from '../../src/store/applied-groups.js';
import { batchOf } from '../entries.js';

const group = [batchOf(Array.from({ length: 1000 }, (_, i) => ({ sku: `S-${i}` })))];

const planned = (counts: { readonly created: number; readonly unchanged: number }): PlanResult => ({
  reports: [
    { object: 'list', resource: 'product', dry_run: false, data: [], updated: 0, refused: 0, total: 1000, ...counts },
  ],
  stopped: false,
});

it('transactions are small behind those that write nothing, and grow as soon as one writes', async () => {
  const results = [planned({ created: 1000, unchanged: 0 }), planned({ created: 0, unchanged: 1000 })];
  const [writing, unchanged] = results as [PlanResult, PlanResult];
  let next = writing;
  const pacing = pacingOf({ mostItems: 1000, mostUnchanged: 300, longest: 1e6 }, 3, 40, async () => next);
  const sizes: number[] = [];
  for (next of [...Array(6).fill(writing), unchanged, unchanged, planned({ created: 1, unchanged: 999 }), writing]) {
    await pacing.apply(group, 0);
    sizes.push(pacing.size());
  }
  expect(sizes).toEqual([80, 160, 320, 640, 1000, 1000, 300, 300, 600, 1000]);
});
