// The report kept under an Idempotency-Key: planned and stored in the transaction of the batch it answers for, so that
// a batch sent again is answered the same and applied once.
import type { Receipt } from './catalog.js';
import type { Report } from './line.js';
import type { Draft } from './snapshot.js';
import { column, defineTable } from './table.js';

/** How long a report is kept, in seconds. */
export const keptFor = 24 * 60 * 60;

const receiptTable = defineTable(
  'receipt',
  {
    owner: column.text,
    key: column.text,
    fingerprint: column.text,
    report: column.text,
    created_at: column.integer,
  },
  { id: ['owner', 'key'] },
);

/** Thrown by `importBatches` where a report is kept under the key already: the batch was not applied. */
export class ReceiptTaken extends Error {
  override readonly name = 'ReceiptTaken';

  /**
   * @param fingerprint the digest of the body that was answered
   * @param report the report as JSON, as it was sent then
   */
  constructor(
    readonly fingerprint: string,
    readonly report: string,
  ) {
    super('a report is kept under this Idempotency-Key');
  }
}

/**
 * Decides a batch that came with an Idempotency-Key, unless it was decided before.
 * @param now Unix seconds
 * @throws ReceiptTaken where its report is kept
 */
export function* planOnce<P extends { readonly reports: readonly Report[] }>(
  receipt: Receipt,
  now: number,
  draft: Draft,
  plan: Generator<void, P>,
): Generator<void, P> {
  const { owner, key, fingerprint } = receipt;
  draft.find(receiptTable, 'id', owner, key);
  yield;
  const kept = draft.find(receiptTable, 'id', owner, key);
  if (kept !== undefined && kept.created_at > now - keptFor) throw new ReceiptTaken(kept.fingerprint, kept.report);
  const planned = yield* plan;
  const report = JSON.stringify(planned.reports[0]);
  draft.save(receiptTable, { owner, key, fingerprint, report, created_at: now }, kept);
  return planned;
}
