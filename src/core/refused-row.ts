// A record that its source could not make an item of. It takes its place in the batch, so that the order of lines
// and the counts hold, and is refused with the words it carries.
import type { Problem } from './messages.js';

const mark = Symbol('refused row');

/** What a source says of a record it could not read. */
export interface RefusedRow {
  readonly [mark]: true;
  readonly problem: Problem;
  /** The record's key where it can be told, else ''. */
  readonly externalId: string;
}

/** Makes the entry of a batch that stands for an unreadable record. */
export function refusedRow(problem: Problem, externalId: string): RefusedRow {
  return { [mark]: true, problem, externalId };
}

/** Tells an unreadable record from an item; no JSON can forge one. */
export function isRefusedRow(item: unknown): item is RefusedRow {
  return typeof item === 'object' && item !== null && mark in item;
}
