// The result of reading a record: its read shape, with requested details.
import type { ReadShape } from '../import-report.js';
import type { Resource } from '../resource.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Row } from '../rows/table.js';

/** The values of `include` that a resource supports. */
export function includeWords(resource: Resource): readonly string[] {
  return Object.keys(resource.details);
}

/** The details that a read adds. */
export interface Included {
  /** Names from `resource.details`. */
  readonly include?: readonly string[] | undefined;
  /** In Unix seconds. */
  readonly now: number;
}

export function viewRecord(
  resource: Resource,
  row: Row,
  snapshot: Snapshot,
  { include = [], now }: Included,
): ReadShape {
  const shape = resource.view(row, snapshot);
  if (include.length === 0) return shape;
  const { details } = resource;
  // Added to the shape itself, which is new for each read: copying it would take longer than all the rest.
  for (const word in details) {
    if (include.includes(word)) Object.assign(shape, details[word]?.read(row, snapshot, now));
  }
  return shape;
}
