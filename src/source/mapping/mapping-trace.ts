// What made the fields of an item, step by step: for people who write a mapping. An import has no trace.
import type { Entry } from '../../core/entry.js';
import type { RowPlace } from '../file-place.js';

/** A step of an expression, or the source with which it begins, and what it gave. */
export interface TraceStep {
  /** The position in the mapping file. */
  readonly place: string;
  /** The column or other source, or the word of the step. */
  readonly word: string;
  readonly value: unknown;
}

/** The records of an item, as they are read: cells by their column, or an object. */
export interface TracedItem {
  readonly entry: Entry;
  readonly lines: readonly number[];
  readonly records: readonly unknown[];
  readonly steps: readonly TraceStep[];
}

export interface MappingTrace {
  step(step: TraceStep): void;
  /** @param contexts the records of the item, each with its place */
  made(
    entry: Entry,
    contexts: readonly { readonly record: unknown; readonly place?: RowPlace }[],
    columns: readonly string[] | undefined,
  ): void;
}

/** A trace that keeps the items in the order in which they are made. */
export function mappingTrace(): MappingTrace & { readonly items: readonly TracedItem[] } {
  const items: TracedItem[] = [];
  let steps: TraceStep[] = [];
  return {
    items,
    step: (step) => void steps.push(step),
    made(entry, contexts, columns) {
      const records = contexts.map(({ record }) => namedCells(record, columns));
      items.push({ entry, records, lines: contexts.map(({ place }) => place?.line ?? 0), steps });
      steps = [];
    },
  };
}

function namedCells(record: unknown, columns: readonly string[] | undefined): unknown {
  if (columns === undefined) return record;
  return Object.fromEntries(columns.map((column, i) => [column, String((record as readonly unknown[])[i] ?? '')]));
}
