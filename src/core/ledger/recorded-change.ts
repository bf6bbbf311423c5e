// A change as it is read back from the ledger.
import type { Row, Value } from '../rows/table.js';
import { hashText, type TextHash } from '../text/hash-text.js';

/** A value that is too long to be kept twice: its hash tells whether a record still has it. */
export interface HashedValue {
  readonly hash: string;
}

/** What a run did to one row. */
export interface RecordedChange {
  /** The resource whose items were imported. */
  readonly resource: string;
  /** Which of the run's files it was, and the line; 0 where there is none. */
  readonly file: number;
  readonly line: number;
  /** The record that the row is of, or a child of. */
  readonly record: string;
  /** The name of the row's table, and what identifies it there. */
  readonly table: string;
  readonly row: Readonly<Row>;
  /** Whether the run made the row. */
  readonly isNew: boolean;
  /** The columns that changed; of a new record none. */
  readonly columns: readonly string[];
  /** What they held before; empty of a new row. */
  readonly before: readonly Value[];
  readonly after: readonly (Value | HashedValue)[];
}

/** Texts longer than this are kept once, as what they were. */
const longestKeptTwice = 40;

const hash: TextHash = { low: 0, high: 0 };

/** 64 bits of hash of a text, as 16 hexadecimal digits. */
function hexHash(text: string): string {
  hashText(text, hash);
  return hash.low.toString(16).padStart(8, '0') + hash.high.toString(16).padStart(8, '0');
}

/** 53 bits of hash of a text, as a number: by it keys and records are counted, two of 200,000 share one once in a million times. */
export function hashNumber(text: string): number {
  hashText(text, hash);
  return (hash.high & 0x1fffff) * 0x100000000 + hash.low;
}

/** A value as it is kept after a change. */
export function keptAfter(value: Value): Value | HashedValue {
  return typeof value === 'string' && value.length > longestKeptTwice ? { hash: hexHash(value) } : value;
}

/** Whether a record holds what a change left. */
export function isStill(value: Value, after: Value | HashedValue): boolean {
  if (typeof after !== 'object' || after === null) return value === after;
  return typeof value === 'string' && value.length > longestKeptTwice && hexHash(value) === after.hash;
}
