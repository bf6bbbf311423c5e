// Merges a child list that was sent with the stored set. A list is the whole set:
//
//    stored        sent           saved
//    red           red            –
//    red           red, blue      + blue, last
//    red, blue     blue           red deactivated, remembered as unlisted
//    red (off)     red            red activated again
//    red (off)     red suspended  –, it stays unlisted
//    red           (omitted)      –
//    red           []             red deactivated
//
// Left out: status becomes suspended. Listed again without a status, an unlisted entry is activated again; a listed
// one keeps its status. Sent as suspended, an unlisted entry stays as it is: a list can be sent back as it was read.
import type { Row } from '../rows/table.js';
import type { Task } from './item-task.js';

/** What every row of a whole-set list keeps in addition to its own fields. */
export interface ListedRow extends Row {
  status: string;
  /** 1 while the entry is part of the set, 0 once it was left out. */
  listed: number;
  position: number;
}

export interface MergedEntry<R extends ListedRow> {
  readonly before: R | undefined;
  readonly next: R;
  /** Its index in the sent list; undefined for a row that was left out. */
  readonly index: number | undefined;
}

export interface ListRules<R extends ListedRow, E> {
  /** The list's field: `values`. */
  readonly field: string;
  /** The key of an entry; undefined if it is invalid (and has a problem). */
  keyOf(entry: E, index: number): string | undefined;
  keyOfRow(row: R): string;
  /** A new row of the entry, in the list of a record; `merge` sets status, listed and position. */
  create(entry: E, record: string): R;
  /** The stored row with the entry's fields applied. */
  correct(row: R, entry: E): R;
  /** Entries without a position: new ones go last, or each takes its place in the list. */
  readonly positions: 'last' | 'index';
  /** What an entry is called in a message about a repetition. */
  readonly word: string;
}

interface ListEntry {
  readonly status?: string;
  readonly position?: number;
}

/** The list of one record: what was stored of it, and what was sent. */
export interface SentList<R extends ListedRow, E extends ListEntry> {
  readonly record: string;
  readonly stored: readonly R[];
  readonly entries: readonly E[];
}

/**
 * Merges the sent entries with the stored rows. Repeated entries get a problem (`duplicate_entry`).
 * @returns the sent entries in the order of the list, then the rows that were left out
 */
export function mergeList<R extends ListedRow, E extends ListEntry>(
  task: Task,
  rules: ListRules<R, E>,
  { record, stored, entries }: SentList<R, E>,
): readonly MergedEntry<R>[] {
  const known = byKey(stored, rules.keyOfRow);
  // Most new products have one photo: that needs no map.
  const seen = stored.length > 0 || entries.length > 1 ? new Map<string, number>() : undefined;
  const merged: { before: R | undefined; next: R; index: number; last: boolean }[] = [];
  entries.forEach((entry, index) => {
    const key = rules.keyOf(entry, index);
    if (key === undefined) return;
    const first = seen?.get(key);
    if (first !== undefined) {
      const place = `${rules.field}[${index}]`;
      task.refuse('duplicate_entry', place, undefined, { word: rules.word, first: `${rules.field}[${first}]` });
      return;
    }
    seen?.set(key, index);
    const before = known?.get(key);
    const next = before === undefined ? rules.create(entry, record) : rules.correct(before, entry);
    next.listed = before?.listed === 0 && entry.status === 'suspended' ? 0 : 1;
    next.status = entry.status ?? (before === undefined || before.listed === 0 ? 'activated' : before.status);
    const position = entry.position ?? (rules.positions === 'index' ? index : before?.position);
    next.position = position ?? 0;
    merged.push({ before, next, index, last: position === undefined });
  });
  placeLast(merged);
  checkKept(task, rules.field, stored.length, merged.filter(({ before }) => before === undefined).length);
  if (stored.length === 0) return merged;
  const left = stored.filter((row) => row.listed === 1 && seen?.has(rules.keyOfRow(row)) !== true);
  return [
    ...merged,
    ...inDisplayOrder(left, rules.keyOfRow).map((row) => ({
      before: row,
      next: { ...row, listed: 0, status: 'suspended' },
      index: undefined,
    })),
  ];
}

/**
 * What a record keeps of a list, with the entries that were left out. Without a bound, a record whose list is replaced again
 * and again would grow without end, and each of its imports with it.
 */
const mostKept = 4_000;

/** Refuses an item after which its record would keep too many entries. */
export function checkKept(task: Task, field: string, stored: number, added: number): void {
  if (added > 0 && stored + added > mostKept)
    task.refuse('too_many_kept', field, undefined, { kept: stored + added, most: mostKept });
}

/** Rows by key; undefined if there are none: a new record needs no map. */
function byKey<K, R extends Row>(rows: readonly R[], keyOf: (row: R) => K): ReadonlyMap<K, R> | undefined {
  return rows.length === 0 ? undefined : new Map(rows.map((row) => [keyOf(row), row]));
}

/** New entries go last, after the highest position of the new set, in the list's order. */
function placeLast(merged: readonly { readonly next: ListedRow; readonly last: boolean }[]): void {
  let highest = -1;
  for (const { next, last } of merged) if (!last) highest = Math.max(highest, next.position);
  for (const { next, last } of merged) if (last) next.position = ++highest;
}

/** Adds a notice about deactivated entries: which list, how many. */
export function noticeDeactivated(task: Task, field: string, merged: readonly MergedEntry<ListedRow>[]): void {
  const left = merged.filter(({ index }) => index === undefined).length;
  if (left > 0) task.notice('entries_deactivated', field, undefined, { count: left });
}

/** Rows in display order. */
export function inDisplayOrder<R extends ListedRow>(rows: readonly R[], tie: (row: R) => string): R[] {
  return [...rows].sort((a, b) => a.position - b.position || (tie(a) < tie(b) ? -1 : 1));
}
