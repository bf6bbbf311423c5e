// One record of a source. Entries are immutable: a step that changes one replaces it, so that the order of lines and
// the counts stay right.
import type { Problem } from './diagnostics/refusal-codes.js';
import type { WrittenAmount } from './fields/currencies.js';
import type { Line, PlannedItem } from './import-report.js';
import type { CheckedFields } from './planning/item-task.js';

/** An item as it was sent: the catalog checks it. */
export interface RawEntry {
  readonly kind: 'raw';
  readonly item: unknown;
  /** Amounts to compare with the currency of the product, if the record alone does not state it. */
  readonly amounts?: readonly WrittenAmount[];
  /** Of an item that comes from a plan. */
  readonly planned?: PlannedItem;
}

/** An item whose fields its source has validated and normalized; only for a catalog on this machine. */
export interface ValidatedEntry {
  readonly kind: 'validated';
  readonly item: CheckedFields;
  /** The halves of the item's hash with the key of the first plan (`PlanResult.itemKey`); both 0 without one. */
  readonly high: number;
  readonly low: number;
}

/** A record that could not be read as an item. It is refused with this problem. */
export interface UnreadableEntry {
  readonly kind: 'unreadable';
  readonly problem: Problem;
  /** The record's key if it could be read, else ''. */
  readonly externalId: string;
  /** The cells of a row with a wrong number of them, from which a mapping may find the record. */
  readonly cells?: readonly string[];
  /** The item as far as it could be made, for the file of refused records. */
  readonly item?: Readonly<Record<string, unknown>>;
  /** Its amounts that are still to be compared with the currency of the product, for that file. */
  readonly amounts?: readonly WrittenAmount[];
  /** Of a record whose key could not be read: the keys that it may have. */
  readonly possibleKeys?: readonly string[];
}

/** An item that is reported and not decided: a later row supersedes it, or an earlier run of its plan applied it. */
export interface SettledEntry {
  readonly kind: 'settled';
  /** The item as it was read. */
  readonly item: unknown;
  /** Its line, but for its index. */
  readonly line: Omit<Line, 'index'>;
}

export type Entry = RawEntry | ValidatedEntry | UnreadableEntry | SettledEntry;

/** The entry of an item as it was sent. */
export function rawEntry(item: unknown): RawEntry {
  return { kind: 'raw', item };
}

/** The entry of an item that passed `prevalidator`. */
export function validatedEntry(item: CheckedFields, high = 0, low = 0): ValidatedEntry {
  return { kind: 'validated', item, high, low };
}

/** The entry of an item that is reported as unchanged and not decided. */
export function settledEntry(item: unknown, line: SettledEntry['line']): SettledEntry {
  return { kind: 'settled', item, line };
}

/** The entry of a record that could not be read. */
export function unreadableEntry(problem: Problem, externalId: string): UnreadableEntry {
  return { kind: 'unreadable', problem, externalId };
}

/** The item of an entry; undefined if its record could not be read. */
export function itemOf(entry: Entry | undefined): unknown {
  return entry === undefined || entry.kind === 'unreadable' ? undefined : entry.item;
}
