// Counts the values of all columns, for reports that show how full each is. Only on request, since it looks at every
// cell.

import type { SourceColumn } from '../column-targets.js';
import { refusalColumns } from '../column-targets.js';
import { unusedColumns, unusedMembers } from '../mapping/unused-columns.js';

/** How many records have a value in each column. */
export interface ValueCounts {
  watch(record: unknown): void;
  /** For a column of a table by its position; for JSON records by the member's name. */
  counts(): ReadonlyMap<string, number>;
}

const nothing: ReadonlySet<string> = new Set();

/** Counts the cells of a table. Columns are identified by their position, since several may have one name. */
export function cellCounts(width: number): ValueCounts {
  return unusedColumns(
    Array.from({ length: width }, (_, index) => String(index)),
    nothing,
  );
}

/** Counts the members of records that are objects; at most a thousand names. */
export function memberCounts(): ValueCounts {
  return unusedMembers(nothing);
}

export function tableColumns(
  names: readonly string[],
  fieldsOf: (index: number) => readonly string[],
  counted: ValueCounts | undefined,
): SourceColumn[] {
  const counts = counted?.counts();
  return names.flatMap((name, index) => {
    if (refusalColumns.includes(name.trim())) return [];
    const filled = counts && { filled: counts.get(String(index)) ?? 0 };
    return [{ name: name.trim() === '' ? `column ${index + 1}` : name.trim(), fields: fieldsOf(index), ...filled }];
  });
}

/** The members of JSON records with their targets: renamed and counted ones. */
export function memberColumns(
  renamed: Iterable<string>,
  fieldsOf: (name: string) => readonly string[],
  counted: ValueCounts | undefined,
): SourceColumn[] {
  const counts = counted?.counts();
  const names = new Set([...renamed, ...(counts?.keys() ?? [])]);
  return [...names].map((name) => ({
    name,
    fields: fieldsOf(name),
    ...(counts && { filled: counts.get(name) ?? 0 }),
  }));
}
