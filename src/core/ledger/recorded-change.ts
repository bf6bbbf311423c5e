// A change as it is read back from the ledger.
import type { Row, Value } from '../rows/table.js';

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
export const longestKeptTwice = 40;

/** 64 bits of hash of a text, as 16 hexadecimal digits (cyrb53 without its last step). */
export function hashText(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return hex(a) + hex(b);
}

function hex(half: number): string {
  return (half >>> 0).toString(16).padStart(8, '0');
}

/** A value as it is kept after a change. */
export function keptAfter(value: Value): Value | HashedValue {
  return typeof value === 'string' && value.length > longestKeptTwice ? { hash: hashText(value) } : value;
}

/** Whether a record holds what a change left. */
export function isStill(value: Value, after: Value | HashedValue): boolean {
  if (typeof after !== 'object' || after === null) return value === after;
  return typeof value === 'string' && value.length > longestKeptTwice && hashText(value) === after.hash;
}

/** A number for a record, by which it is counted: 52 bits of its hash. */
export function recordHash(id: string): number {
  return Number.parseInt(hashText(id).slice(0, 13), 16);
}
