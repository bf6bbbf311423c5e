// One record of a source. Entries are immutable: a step that changes one replaces it, so that the order of lines and the
// counts hold.
import type { Problem } from './diagnostics/refusal-codes.js';
import type { CheckedFields } from './planning/item-task.js';

/** An amount with a currency sign or code beside it. */
export interface WrittenAmount {
  /** The field it fills. */
  readonly field: string;
  /** The text it was read from, and where that was. */
  readonly text: string;
  readonly source: string;
  /** The sign or code, and the currencies it can mean. */
  readonly written: string;
  readonly codes: readonly string[];
}

/**
 * What a plan says of an item: the state that its record had (core/ledger/record-state.ts), without which it is not applied,
 * and whether an earlier item of its feed's run had the same key; or that it was applied before.
 */
export type PlannedItem = { readonly before: string; readonly repeats?: boolean } | 'applied';

/** What was sent, as it was sent: the catalog checks it. */
export interface RawEntry {
  readonly kind: 'raw';
  readonly item: unknown;
  /** Amounts to compare with the currency of the product, if the record alone does not state it. */
  readonly amounts?: readonly WrittenAmount[];
  /** Of an item that comes from a plan. */
  readonly planned?: PlannedItem;
}

/** An item whose fields its source has validated and normalised: for a catalog on this machine only. */
export interface ValidatedEntry {
  readonly kind: 'validated';
  readonly item: CheckedFields;
}

/** A record that no item can be made of. It is refused with the problem it carries. */
export interface UnreadableEntry {
  readonly kind: 'unreadable';
  readonly problem: Problem;
  /** The record's key where it can be told, else ''. */
  readonly externalId: string;
  /** The cells of a row of another shape, where a mapping may find out what it was about. */
  readonly cells?: readonly string[];
}

export type Entry = RawEntry | ValidatedEntry | UnreadableEntry;

/** The entry of an item as it was sent. */
export function rawEntry(item: unknown): RawEntry {
  return { kind: 'raw', item };
}

/** The entry of an item that passed `prevalidator`. */
export function validatedEntry(item: CheckedFields): ValidatedEntry {
  return { kind: 'validated', item };
}

/** The entry of a record that could not be read. */
export function unreadableEntry(problem: Problem, externalId: string): UnreadableEntry {
  return { kind: 'unreadable', problem, externalId };
}
