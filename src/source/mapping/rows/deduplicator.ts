// What deduplicates the items of a file by key.
import type { FileNote } from '../../../core/diagnostics/file-notes.js';
import type { Entry, RawEntry } from '../../../core/entry.js';

/** An item made by a mapping. */
export type ItemEntry = RawEntry & { readonly item: Record<string, unknown> };

/** Whether an entry is an item, so that it may have a key: what a mapping makes is an object. */
export function isItemEntry(entry: Entry): entry is ItemEntry {
  return entry.kind === 'raw';
}

/** The records of an entry: their lines, and the number of the first. */
export interface RowLines {
  readonly lines: readonly number[];
  readonly number: number;
}

/** Emits one item per key. */
export interface Deduplicator {
  /** The result for an entry: an item, a refusal, or nothing yet. */
  take(entry: Entry, from: RowLines): Entry | undefined;
  /** The merged items, ordered by the first occurrence of each key. */
  rest(): readonly ({ readonly entry: Entry } & RowLines)[];
  notes(): readonly FileNote[];
}
