// What is told of the items that an import leaves out.
import { expect, it } from 'vitest';
import type { Line } from '../../src/core/import-report.js';
import { noCounts } from '../../src/core/report-counts.js';
import { leftOutItems } from '../../src/importing/left-out-items.js';

it('all items are counted, and 20 of them named', () => {
  const told: unknown[] = [];
  const { batch, end } = leftOutItems({ log: { warn: (...one: unknown[]) => void told.push(one) } });
  const none = { index: 0, id: null, action: 'unchanged' as const, code: null, title: null, reason: null };
  const data = Array.from({ length: 25 }, (_, i): Line => {
    const notice = [{ code: 'not_created', field: '', message: '' }];
    return { ...none, external_id: `A${i}`, notice };
  });
  batch?.({
    report: { object: 'list', resource: 'product', dry_run: false, data, ...noCounts() },
    lines: [],
    offset: 0,
  });
  end?.({} as never);
  const keys = Array.from({ length: 20 }, (_, i) => `A${i}`);
  expect(told).toEqual([['items_left_out', { resource: 'product', only: 'update', keys, count: 25 }]]);
});
