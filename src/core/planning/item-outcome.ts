// One item on its way to a line. The action is derived here from what was saved, never claimed by a rule.

import {
  addIgnored,
  addNotice,
  addProblem,
  type Diagnostics,
  newDiagnostics,
  noticesOf,
} from '../diagnostics/diagnostics.js';
import { reasonOf, refusals } from '../diagnostics/refusal-codes.js';
import { cutText, withinLimits } from '../diagnostics/report-limits.js';
import type { CheckedItem } from '../fields/check-item.js';
import type { Action, Diagnostic, FieldChange, Line, Notice } from '../import-report.js';
import { type ChangeLog, recordItem } from '../ledger/change-log.js';
import type { Resource } from '../resource.js';
import { isProvisional } from '../rows/provisional-id.js';
import type { Draft } from '../rows/snapshot.js';
import type { Row, Table } from '../rows/table.js';
import type { ChildChange, Environment, ImportMode, Task } from './item-task.js';

interface SavedRow {
  readonly table: Table;
  readonly before: Row | undefined;
  readonly next: Row;
  readonly change?: ChildChange;
}

/** Nothing to say, which is the same of most items. */
const nothing: readonly Diagnostic[] = [];

/** A diagnostic without its data, as it is reported. */
function worded({ code, field, message }: Diagnostic): Notice {
  return { code, field, message };
}

/** The notices of an accepted item, as text and as data. */
function noticed(found: Diagnostics | undefined): Pick<Line, 'notice' | 'diagnostics'> {
  if (found === undefined) return { notice: nothing };
  const diagnostics = noticesOf(found);
  return { notice: diagnostics.map(worded), diagnostics };
}

function differs(table: Table, before: Row, next: Row, uncompared: readonly string[] = []): boolean {
  if (before === next || table.same(before, next)) return false;
  if (uncompared.length === 0) return true;
  for (const name of table.columns) if (before[name] !== next[name] && !uncompared.includes(name)) return true;
  return false;
}

/** Members of a read shape that no item changes, or that are told with the children. */
const notWritten = new Set(['object', 'id', 'values', 'axes', 'shared', 'updated_at', 'product']);

function fieldChanges(
  before: Readonly<Record<string, unknown>> | undefined,
  next: Readonly<Record<string, unknown>>,
  prefix: string,
): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const [name, to] of Object.entries(next)) {
    const from = before === undefined ? null : (before[name] ?? null);
    if (from !== to && !notWritten.has(name)) changes.push({ field: prefix + name, from, to });
  }
  return changes;
}

/** The records that items of a batch were accepted for. */
export interface AcceptedRecords {
  /** The identifiers of new ones, each at the index of its item. Looked into for known records only, so never hashed. */
  readonly created: string[];
  /** The index of the first item for a known one, by its identifier. */
  readonly known: Map<string, number>;
}

/** The items of a batch on their way, one at a time. */
export interface Tasks {
  /** The task of the next item; what was said of the one before is forgotten. */
  begin(checked: CheckedItem): Task;
  /**
   * Ends the task: applies what was saved unless it was refused, and gives the line. It is handed the records that
   * earlier items of the batch were accepted for, and adds its own.
   */
  settle(index: number, records: AcceptedRecords): Line;
}

/**
 * Takes the checked items of a batch to their lines. There is one task, begun anew for each item, so that an item does
 * not cost a dozen closures.
 */
export function newTasks(
  resource: Resource,
  draft: Draft,
  context: { readonly environment: Environment; readonly mode: ImportMode; readonly changes?: ChangeLog },
): Tasks {
  let checked: CheckedItem;
  // What was found by deciding, on top of what the check found: begun with the first of it, as most items have none.
  let found: Diagnostics | undefined;
  // Written over by each item: a list of its own for each costs more than what is in it.
  const saves: SavedRow[] = [];
  let saved: number;
  const asides: SavedRow[] = [];
  let root: SavedRow | undefined;
  let id: string | null;
  let changed: boolean;
  let rootDiffers: boolean;

  function diagnostic(): Diagnostics {
    found ??= newDiagnostics(checked.diagnostics);
    return found;
  }

  const task: Task & { item: Task['item']; amounts: Task['amounts'] } = {
    item: {},
    amounts: undefined,
    snapshot: draft,
    ...context,
    refuse: (code, field, value, params) => addProblem(diagnostic(), code, field, { value, ...(params && { params }) }),
    notice: (code, field, value, params) => addNotice(diagnostic(), code, field, value, params),
    ignore: (path) => addIgnored(diagnostic(), path),
    hasProblem: (path) => checked.diagnostics?.invalidFields?.has(path) === true,
    known: (row) => {
      id = String(row['id']);
    },
    saveRecord(table, before, next, uncompared) {
      root = { table, before, next };
      if (before !== undefined) id = String(before['id']);
      rootDiffers = before === undefined || differs(table, before, next);
      if (before === undefined || (rootDiffers && differs(table, before, next, uncompared))) changed = true;
    },
    saveChild(table, before, next, change, compared = true) {
      if (before !== undefined && !differs(table, before, next)) return;
      saves[saved++] = { table, before, next, change };
      if (compared) changed = true;
    },
    saveAuxiliary: (table, before, next) => void asides.push({ table, before, next }),
  };

  function begin(next: CheckedItem): Task {
    checked = next;
    found = undefined;
    saved = 0;
    if (asides.length > 0) asides.length = 0;
    root = undefined;
    id = null;
    changed = false;
    rootDiffers = false;
    task.item = next.item;
    task.amounts = next.amounts;
    return task;
  }

  /** In a dry run the identifier is null for a record that is not there yet. */
  function toldId(own: string | null): string | null {
    return own !== null && isProvisional(own, resource.prefix) ? null : own;
  }

  function changesOf(): FieldChange[] {
    if (root === undefined) return [];
    const { before, next } = root;
    const shown = before === undefined ? undefined : resource.view(before, draft);
    const own = fieldChanges(shown, resource.view(next, draft), '');
    const ofChildren = saves.slice(0, saved).flatMap((save) => {
      if (save.change === undefined) return [];
      const { before, next: after, change } = save;
      const path = change.path(after['listed'] === 0 && before !== undefined ? before : after);
      const changes = fieldChanges(before && change.show(before, draft), change.show(after, draft), `${path}.`);
      // An entry that was suspended already and is left out looks the same, until it is listed again.
      if (changes.length > 0 || before === undefined) return changes;
      return [{ field: `${path}.listed`, from: before['listed'] === 1, to: after['listed'] === 1 }];
    });
    return [...own, ...ofChildren];
  }

  function refusedLine(index: number, { problems, omittedProblems }: Diagnostics): Line {
    const [first, ...others] = problems;
    if (first === undefined) throw new Error(`${resource.name}: an item was refused for no reason`);
    // What was noted while deciding would speak of things that were not applied.
    const noted = checked.diagnostics === undefined ? nothing : noticesOf(checked.diagnostics);
    const line = {
      index,
      external_id: cutText(checked.externalId),
      action: 'refused' as const,
      id: toldId(id),
      code: first.code,
      title: refusals[first.code].title,
      reason: reasonOf(first),
      notice: [...others, ...noted].map(worded),
      diagnostics: [...problems, ...noted],
    };
    const omitted = { problems: omittedProblems, notices: checked.diagnostics?.omittedNotices ?? 0 };
    return withinLimits(context.mode.diff ? { ...line, changes: [] } : line, omitted);
  }

  function tellRepetition(record: string, isNew: boolean, index: number, { created, known }: AcceptedRecords): void {
    if (isNew) {
      created[index] = record;
      return;
    }
    const first = known.get(record) ?? created.indexOf(record);
    if (first === -1) known.set(record, index);
    else task.notice('repeated_in_batch', resource.key, undefined, { index: first });
  }

  function settle(index: number, records: AcceptedRecords): Line {
    const wrong = found ?? checked.diagnostics;
    const isRefused = wrong !== undefined && wrong.problems.length > 0;
    draft.endItem(!isRefused);
    if (isRefused) return refusedLine(index, wrong);
    if (root === undefined) throw new Error(`${resource.name}: an item was neither saved nor refused`);
    const { table, before, next } = root;
    tellRepetition(String(next['id']), before === undefined, index, records);
    const action: Action = before === undefined ? 'created' : changed ? 'updated' : 'unchanged';
    const changes = context.mode.diff ? changesOf() : undefined;
    // What is not compared is saved all the same: later items of a dry run see what this one would do.
    if (changed) next['updated_at'] = context.environment.now;
    if (changed || rootDiffers) draft.save(table, next, before ?? null);
    for (let i = 0; i < saved; i++) {
      const save = saves[i] as SavedRow;
      draft.save(save.table, save.next, save.before ?? null);
    }
    for (const save of asides) draft.save(save.table, save.next, save.before);
    if (context.changes !== undefined && changed) recordItem(context.changes, index, root, { saves, count: saved });
    const shownId = action === 'created' && context.mode.dryRun ? null : toldId(String(next['id']));
    const told = found ?? checked.diagnostics;
    const line = {
      index,
      external_id: checked.externalId,
      action,
      id: shownId,
      code: null,
      title: null,
      reason: null,
      ...noticed(told),
    };
    if (told === undefined && changes === undefined) return line;
    const omitted = { problems: 0, notices: told?.omittedNotices ?? 0 };
    return withinLimits(changes === undefined ? line : { ...line, changes }, omitted);
  }

  return { begin, settle };
}
