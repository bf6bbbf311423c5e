// Records row by row what a plan changes while it is decided. Accepted items add to it, a rollback of the draft removes
// from it, and the store saves it in the same transaction (store/ledger/pack-changes.ts). Parallel lists, since most
// items of an import pass through.
import type { Row, Table } from '../rows/table.js';

/** A row that an accepted item saved. */
export interface ChangedRow {
  readonly table: Table;
  readonly before: Row | undefined;
  readonly next: Row;
}

/** The changes of one plan. Entries of all lists at one index belong together. */
export interface ChangeLog {
  /** The line of the item, 0 if it has none. */
  readonly lines: number[];
  readonly tables: Table[];
  readonly befores: (Row | undefined)[];
  readonly nexts: Row[];
  /** The lines of the current batch, by index of the item. */
  batch: readonly number[];
  marked: number;
}

export function newChangeLog(): ChangeLog {
  return { lines: [], tables: [], befores: [], nexts: [], batch: [], marked: 0 };
}

/** The state that `rollbackChanges` restores. */
export function markChanges(log: ChangeLog): void {
  log.marked = log.lines.length;
}

/** Drops what was recorded since the mark. */
export function rollbackChanges(log: ChangeLog): void {
  for (const list of [log.lines, log.tables, log.befores, log.nexts]) list.length = log.marked;
}

/**
 * Records the changes of an item. Of a new record only its creation is recorded, since its children came with it.
 * @param index of the item in its batch
 * @param root the record's own row
 * @param saves rows of its children; only the first `count` are valid
 */
export function recordItem(
  log: ChangeLog,
  index: number,
  root: ChangedRow,
  { saves, count }: { readonly saves: readonly ChangedRow[]; readonly count: number },
): void {
  const line = log.batch[index] ?? 0;
  push(log, line, root);
  if (root.before === undefined) return;
  for (let i = 0; i < count; i++) push(log, line, saves[i] as ChangedRow);
}

/** Records a bookkeeping row that belongs to a record. */
export function recordRow(log: ChangeLog, index: number, row: ChangedRow): void {
  push(log, log.batch[index] ?? 0, row);
}

/** The record of the row at an index, or the parent record of a child row. */
export function recordAt(log: ChangeLog, at: number): string {
  const { parent = 'id' } = log.tables[at] as Table;
  return (log.nexts[at] as Row)[parent] as string;
}

function push(log: ChangeLog, line: number, { table, before, next }: ChangedRow): void {
  if (before === next) return;
  log.lines.push(line);
  log.tables.push(table);
  log.befores.push(before);
  log.nexts.push(next);
}
