// Reports kept under an Idempotency-Key: saved in the transaction of their batch, so that a repeated batch gets the
// same response and is applied once.
import type { Batch, Catalog, ImportOptions } from '../catalog.js';
import type { Report } from '../import-report.js';
import type { Resource } from '../resource.js';
import type { Draft } from '../rows/snapshot.js';
import { column, defineTable } from '../rows/table.js';

/** A batch with an Idempotency-Key: its report is saved for repeated requests. */
export interface IdempotentRequest {
  /** The scope of the key: the API key and the path it was used with. */
  readonly owner: string;
  readonly key: string;
  /** A digest of the body's bytes. */
  readonly fingerprint: string;
  /** The report in its stored form. */
  readonly textOf: (report: Report) => string;
}

/** A catalog that returns the stored report for a repeated request: what a server needs. */
export interface IdempotentCatalog extends Catalog {
  /**
   * Applies one batch, and saves its report in the same transaction.
   * @throws IdempotencyKeyUsed if a report is saved under the key already; nothing is applied then
   */
  importOnce(
    resource: Resource,
    batch: Batch,
    options: Pick<ImportOptions, 'dryRun' | 'diff' | 'linesOf'>,
    receipt: IdempotentRequest,
  ): Promise<Report>;
}

/** How long a report is kept, in seconds. */
export const retentionSeconds = 24 * 60 * 60;

/**
 * Maximum saved reports; beyond it the oldest are deleted before their day is over. 250,000 batches of 40 are ten
 * million products: at 7,000 a second the last 24 minutes, and a client retries a batch for 15.
 */
export const retentionBounds = { rows: 250_000, column: 'report', bytes: 256 * 1024 * 1024 } as const;

export const idempotencyTable = defineTable(
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

/** Thrown by `importOnce` where a report is kept under the key already: the batch was not applied. */
export class IdempotencyKeyUsed extends Error {
  override readonly name = 'IdempotencyKeyUsed';

  /**
   * @param fingerprint the digest of the body that was answered
   * @param report the report in the form in which it was kept
   */
  constructor(
    readonly fingerprint: string,
    readonly report: string,
  ) {
    super('a report is kept under this Idempotency-Key');
  }
}

/**
 * Decides a batch with an Idempotency-Key, unless it was decided before.
 * @param now Unix seconds
 * @throws IdempotencyKeyUsed if its report is saved already
 */
export function* planOnce<P extends { readonly reports: readonly Report[] }>(
  receipt: IdempotentRequest,
  now: number,
  draft: Draft,
  plan: Generator<void, P>,
): Generator<void, P> {
  const { owner, key, fingerprint, textOf } = receipt;
  draft.find(idempotencyTable, 'id', owner, key);
  yield;
  const kept = draft.find(idempotencyTable, 'id', owner, key);
  if (kept !== undefined && kept.created_at > now - retentionSeconds)
    throw new IdempotencyKeyUsed(kept.fingerprint, kept.report);
  const planned = yield* plan;
  const [first] = planned.reports;
  if (first === undefined) throw new Error('a batch that was decided has no report');
  const report = textOf(first);
  draft.save(idempotencyTable, { owner, key, fingerprint, report, created_at: now }, kept);
  return planned;
}
