// What deduplicates the items of a file by key, and what it is given.
import type { Entry, RawEntry, UnreadableEntry } from '../../../core/entry.js';
import type { RawPart } from '../../record-reader.js';

/** An item made by a mapping. */
export type ItemEntry = RawEntry & { readonly item: Record<string, unknown> };

/** Whether an entry is an object, which alone can have a key. */
export function isItemEntry(entry: Entry): entry is ItemEntry {
  return entry.kind === 'raw' && typeof entry.item === 'object' && entry.item !== null;
}

/** The origin of an item. */
export interface ItemOrigin {
  readonly line: number;
  /** For a reimported record its line in the original file, else `line`. */
  readonly origin: number;
  /** The records behind it, if raw texts are kept. */
  readonly parts: readonly RawPart[];
  /** Reimported from a file of refused rows: other rows with its key may be stored already. */
  readonly isBack: boolean;
}

/** Emits one item per key. */
export interface Deduplicator {
  /** The result for an item: the item, a refusal, or nothing yet. */
  take(entry: ItemEntry, from: ItemOrigin): Entry | undefined;
  /**
   * Handles a refused record.
   * @returns the record with its context; undefined if it is dropped, or emitted later with the records of its key
   */
  miss(entry: UnreadableEntry, from: ItemOrigin): readonly RawPart[] | undefined;
  /** Handles the key of an earlier row that was reimported with a refused one: the key is taken. */
  know?(entry: Entry): void;
  /** The merged items, ordered by the first occurrence of each key, with their raw texts if kept. */
  rest(): readonly { readonly entry: Entry; readonly line: number; readonly raw: string }[];
  /** Notices to show at the end. */
  notes(): readonly string[];
}
