// A change as read back from the ledger.
import type { Row, Value } from '../rows/table.js';
import { hashText, type TextHash } from '../text/hash-text.js';

/** A value that is too long to be stored twice: its hash shows whether a record still has it. */
export interface HashedValue {
  readonly hash: string;
}

/** The change of one row by a run. */
export interface RecordedChange {
  readonly resource: string;
  /** Index of the run's file, and the line; 0 if there is none. */
  readonly file: number;
  readonly line: number;
  /** The record's mark (changed-at.ts) before and after its item; 0 before its creation, and for offers. */
  readonly markBefore: number;
  readonly markAfter: number;
  /** The record of the row, or the parent record of a child row. */
  readonly record: string;
  /** The name of the row's table, and what identifies it there. */
  readonly table: string;
  readonly row: Readonly<Row>;
  /** Whether the run created the row. */
  readonly isNew: boolean;
  /** The changed columns; none for a new record. */
  readonly columns: readonly string[];
  /** The former values; empty for a new row. */
  readonly before: readonly Value[];
  readonly after: readonly (Value | HashedValue)[];
}

export interface ChangeOfRun {
  readonly run: number;
  readonly change: RecordedChange;
}

/** Texts longer than this are stored only as former values. */
const longestKeptTwice = 40;

const hash: TextHash = { low: 0, high: 0 };

/** 64 bits of hash of a text, as 16 hexadecimal digits. */
function hexHash(text: string): string {
  hashText(text, hash);
  return hash.low.toString(16).padStart(8, '0') + hash.high.toString(16).padStart(8, '0');
}

/**
 * 53 bits of hash of a text, as a number, for counting keys and records: two of 200,000 share one with a chance of one
 * in a million.
 */
export function hashNumber(text: string): number {
  hashText(text, hash);
  return (hash.high & 0x1fffff) * 0x100000000 + hash.low;
}

/** The stored form of a value after a change. */
export function keptAfter(value: Value): Value | HashedValue {
  return typeof value === 'string' && value.length > longestKeptTwice ? { hash: hexHash(value) } : value;
}

/** Whether a record still has the value that a change gave it. */
export function isStill(value: Value, after: Value | HashedValue): boolean {
  if (typeof after !== 'object' || after === null) return value === after;
  return typeof value === 'string' && value.length > longestKeptTwice && hexHash(value) === after.hash;
}
