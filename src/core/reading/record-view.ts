// What a read gives of a record: its read shape, and what was asked for beside it.
import type { ReadShape } from '../import-report.js';
import type { Resource } from '../resource.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Row } from '../rows/table.js';

/** The words that `include` understands of a resource. */
export function includeWords(resource: Resource): readonly string[] {
  return Object.keys(resource.details);
}

/**
 * The read shape of a record's row, with details (decisions 4.7).
 * @param include words of `resource.details`; with any of them come the names beside the identifiers
 */
export function viewRecord(
  resource: Resource,
  row: Row,
  snapshot: Snapshot,
  include: readonly string[] = [],
): ReadShape {
  const shape = resource.view(row, snapshot);
  if (include.length === 0) return shape;
  const { details } = resource;
  // Into the shape itself, which is made anew for each read: a copy of it takes longer than all the rest.
  for (const word in details) {
    if (word !== 'names' && !include.includes(word)) continue;
    Object.assign(shape, details[word]?.read(row, snapshot));
  }
  return shape;
}
