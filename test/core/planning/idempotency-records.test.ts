// A report is kept under its Idempotency-Key for a day.
import { expect, it } from 'vitest';
import type { Report } from '../../../src/core/import-report.js';
import {
  IdempotencyKeyUsed,
  idempotencyTable,
  planOnce,
  retentionSeconds,
} from '../../../src/core/planning/idempotency-records.js';
import { reportOf } from '../../../src/core/report-counts.js';
import { memoryStore } from '../../store/memory-store.js';

it('and returned for a repeated batch, which is not planned', async () => {
  const store = memoryStore();
  let planned = 0;
  const once = (now: number, report: string) =>
    store.write((draft) => {
      const receipt = { owner: 'key /v1/product/import', key: 'k', fingerprint: `of ${report}`, textOf: () => report };
      return planOnce(receipt, now, draft, plan());
    });
  function* plan(): Generator<void, { reports: Report[] }> {
    planned++;
    yield;
    return { reports: [reportOf('product', false, [])] };
  }
  await once(1000, 'first');
  const last = 1000 + retentionSeconds - 1;
  const failure = await once(last, 'second').catch((cause: unknown) => cause);
  expect(failure).toBeInstanceOf(IdempotencyKeyUsed);
  expect(failure).toMatchObject({
    fingerprint: 'of first',
    report: 'first',
    message: expect.stringContaining('Idempotency-Key'),
  });
  expect(planned).toBe(1);
  await once(last + 1, 'third');
  expect(planned).toBe(2);
  expect(await store.readAll(idempotencyTable)).toMatchObject([{ report: 'third', created_at: last + 1 }]);
});
