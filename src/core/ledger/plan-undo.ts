// Undoes runs, record by record: afterwards each field has the value that the last run gave it which still counts, as if the
// others had never been (undo-record.ts). Lists go back as a whole.
import type { SavedRow } from '../planning/item-state.js';
import { lineage } from '../resources/category.js';
import type { Draft } from '../rows/snapshot.js';
import type { Row, Table } from '../rows/table.js';
import { markChanges, recordItem, rollbackChanges } from './change-log.js';
import { changedAt } from './changed-at.js';
import type { KeptField, KeptReason } from './kept-field.js';
import { restoreOffers } from './ranked-history.js';
import type { ChangeOfRun } from './recorded-change.js';
import { regainedSlugs } from './regained-slugs.js';
import { offerTable } from './run-tables.js';
import type { RecordHistory, UndoContext } from './undo-context.js';
import { undoRecord } from './undo-record.js';
import { rootOf, type Undoing } from './undoing.js';

/** The result for a record. `kept`: some field stays. */
export type UndoOutcome = 'restored' | 'suspended' | 'kept' | 'unchanged';

/** A record of which changes are undone. */
export interface UndoneRecord {
  readonly id: string;
  /** Its key; '' if it is not there. */
  readonly key: string;
  readonly outcome: UndoOutcome;
  /** Whether something of it is changed, also where other fields of it stay. */
  readonly isChanged: boolean;
  readonly kept: readonly KeptField[];
  /** Whether the undone runs changed it. */
  readonly isItsOwn: boolean;
  /** What feeds send of it that is to be applied by the rules of an import, by member of their offers. */
  readonly again: ReadonlyMap<string, unknown>;
}

/**
 * Undoes the changes of some records.
 * @returns the plan's outcome
 */
export function* planUndo(
  records: readonly RecordHistory[],
  draft: Draft,
  context: UndoContext,
): Generator<void, readonly UndoneRecord[]> {
  for (;;) {
    draft.mark();
    markChanges(context.log);
    const undone = undoAll(records, draft, context);
    if (!draft.hasPending()) return undone;
    draft.rollback();
    rollbackChanges(context.log);
    yield;
  }
}

function undoAll(records: readonly RecordHistory[], draft: Draft, context: UndoContext): readonly UndoneRecord[] {
  const { resource } = context;
  const [root] = resource.tables as [Table];
  const undoings = records.flatMap((record) => undoRecord(record, draft, context) ?? []);
  const own = new Set(records.filter(({ changes }) => changes.some(isOwn)).map(({ id }) => id));
  const slugs = new Map<string, string>();
  for (const undoing of undoings) {
    const { slug } = rootOf(undoing);
    if (slug !== undoing.stored.row['slug']) slugs.set(undoing.id, String(slug));
  }
  const regained = regainedSlugs(slugs, draft, resource);
  const settled = new Map<Undoing, UndoneRecord | undefined>();
  // A former parent may be below a record until it is itself where it was.
  for (let [waiting, before] = [undoings, undoings.length + 1]; waiting.length > 0; ) {
    const isStuck = waiting.length === before;
    before = waiting.length;
    waiting = waiting.filter((undoing) => {
      const waits = !isStuck && !mayBeBelow(undoing, draft);
      if (!waits) settled.set(undoing, settle(undoing));
      return waits;
    });
  }
  return undoings.flatMap((undoing) => settled.get(undoing) ?? []);

  function isOwn({ run, change }: ChangeOfRun): boolean {
    return context.concerned.has(run) && change.table !== offerTable.name;
  }

  function settle(undoing: Undoing): UndoneRecord | undefined {
    const { id, stored, kept, again, ranked } = undoing;
    const isOther = ranked !== undefined && restoreOffers(ranked, draft, context);
    if (!regained.has(id)) leave(undoing, 'slug', 'slug_taken');
    if (!mayBeBelow(undoing, draft)) leave(undoing, stored.table.above as string, 'parent_below');
    const changed = changedRows(undoing);
    const isChanged = changed.length > 0;
    if (isChanged) save(undoing, changed, draft, context);
    else if (isOther) loseFingerprint(stored.row, draft, root);
    const outcome = outcomeOf(undoing, isChanged);
    if (outcome === 'unchanged' && again.size === 0 && !own.has(id)) return undefined;
    const key = String(stored.row[resource.key]);
    return { id, key, outcome, isChanged, kept, isItsOwn: own.has(id), again };
  }
}

/** Removes the fingerprint of a record: the next equal item is then decided, and its offer stored again, instead of recognized as unchanged. */
function loseFingerprint(row: Row, draft: Draft, root: Table): void {
  if (root.fingerprint?.some((name) => row[name] !== 0)) draft.save(root, { ...row }, row);
}

/** Leaves a column as it is. */
function leave(undoing: Undoing, column: string, reason: KeptReason): void {
  const [next, { row }] = [rootOf(undoing), undoing.stored];
  if (next[column] === row[column]) return;
  next[column] = row[column] ?? null;
  undoing.kept.push({ unit: column, reason });
}

/** Whether a record may be a descendant of another one again: that may be below it now. */
function mayBeBelow(undoing: Undoing, draft: Draft): boolean {
  const { table, row } = undoing.stored;
  const parent = table.above === undefined ? null : rootOf(undoing)[table.above];
  if (typeof parent !== 'string' || parent === row[table.above ?? '']) return true;
  return !lineage(draft, parent).has(undoing.id);
}

function changedRows({ today, next }: Undoing): SavedRow[] {
  return [...next].flatMap(([key, { table, row }]) => {
    const before = today.get(key)?.row;
    return before !== undefined && table.same(before, row) ? [] : [{ table, before, next: row }];
  });
}

function outcomeOf({ kept, isSuspended }: Undoing, isChanged: boolean): UndoOutcome {
  if (kept.length > 0) return 'kept';
  if (!isChanged) return 'unchanged';
  return isSuspended ? 'suspended' : 'restored';
}

/** Saves and records the changes of a record, with the time of the undo. */
function save({ stored }: Undoing, rows: readonly SavedRow[], draft: Draft, { log, now }: UndoContext): void {
  const updated_at = changedAt(Number(stored.row['updated_at']), now);
  const root = { ...(rows.find(({ table }) => table === stored.table)?.next ?? stored.row), updated_at };
  const others = rows.filter(({ table }) => table !== stored.table);
  draft.save(stored.table, root, stored.row);
  for (const { table, before, next } of others) draft.save(table, next, before ?? null);
  recordItem(log, 0, { table: stored.table, before: stored.row, next: root }, { saves: others, count: others.length });
}
