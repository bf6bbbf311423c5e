// The reports kept under an Idempotency-Key, so that a batch sent again answers the same and is not applied again.

/** A report that was kept. */
export interface KeptReport {
  /** The digest of the body it answered. */
  readonly fingerprint: string;
  /** The report as JSON, as it was sent the first time. */
  readonly report: string;
}

/** What the server asks of the kept reports. They are written by `importBatches`, in the batch's own transaction. */
export interface Receipts {
  /** The report kept for this owner's key within the last 24 hours. */
  find(owner: string, key: string): KeptReport | undefined;
}

/** Thrown by `importBatches` where a report was kept under the key since it was looked for: the batch was not applied. */
export class ReceiptTaken extends Error {
  override readonly name = 'ReceiptTaken';
}
