// What an undo leaves as it is, and why.

/**
 * Why a field stays: a run that counts changed it since, or another field of the record whose creation is undone, and may have
 * sent this one as it is; a change that is not in the ledger; a feed lists the record; it
 * has no status by which it could be suspended; its former slug is taken; its former parent is below it now.
 */
export type KeptReason =
  | 'changed_since'
  | 'record_changed'
  | 'unrecorded_change'
  | 'listed_by_feed'
  | 'no_status'
  | 'slug_taken'
  | 'parent_below';

/** A field that stays as it is. */
export interface KeptField {
  /** A column, or the table of a list; '' for the whole record. */
  readonly unit: string;
  readonly reason: KeptReason;
  /** The run that changed the field or the record since. */
  readonly run?: number;
}
