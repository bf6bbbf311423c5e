// Records row by row what a plan changes while it is decided. Accepted items add to it, a rollback of the draft removes
// from it, and the store saves it in the same transaction (store/ledger/change-packer.ts). Parallel lists, since most
// items of an import pass through.
import type { Row, Table } from '../rows/table.js';

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
  /** The record's mark (changed-at.ts) before and after the change of its item; 0 before its creation, and for offers. */
  readonly marksBefore: number[];
  readonly marksAfter: number[];
  /** The lines of the current batch, by index of the item. */
  batch: readonly number[];
  marked: number;
}

export function newChangeLog(): ChangeLog {
  return { lines: [], tables: [], befores: [], nexts: [], marksBefore: [], marksAfter: [], batch: [], marked: 0 };
}

export function markChanges(log: ChangeLog): void {
  log.marked = log.lines.length;
}

export function rollbackChanges(log: ChangeLog): void {
  const { lines, tables, befores, nexts, marksBefore, marksAfter } = log;
  for (const list of [lines, tables, befores, nexts, marksBefore, marksAfter]) list.length = log.marked;
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
  const before = Number(root.before?.['updated_at'] ?? 0);
  const after = Number(root.next['updated_at'] ?? 0);
  push(log, line, root, before, after);
  if (root.before === undefined) return;
  for (let i = 0; i < count; i++) push(log, line, saves[i] as ChangedRow, before, after);
}

/** Records a feed's offer of a record: it changes nothing of the record itself. */
export function recordOffer(log: ChangeLog, index: number, row: ChangedRow): void {
  push(log, log.batch[index] ?? 0, row, 0, 0);
}

/** The record of the row at an index, or the parent record of a child row. */
export function recordAt(log: ChangeLog, at: number): string {
  const { parent = 'id' } = log.tables[at] as Table;
  return (log.nexts[at] as Row)[parent] as string;
}

// Five parameters in place of four: an object for each change of an import is garbage that counts.
function push(
  log: ChangeLog,
  line: number,
  { table, before, next }: ChangedRow,
  markBefore: number,
  markAfter: number,
): void {
  if (before === next) return;
  log.lines.push(line);
  log.marksBefore.push(markBefore);
  log.marksAfter.push(markAfter);
  log.tables.push(table);
  log.befores.push(before);
  log.nexts.push(next);
}
