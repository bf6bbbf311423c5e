// One item on its way to a line. The action is derived here from what was saved, never claimed by a rule.
import type { CheckedItem } from './check.js';
import type { Action, Change, Line, Notice } from './line.js';
import { type Problem, reasonOf, refusals } from './messages.js';
import { isProvisional } from './provisional-id.js';
import type { Resource } from './resource.js';
import type { Draft } from './snapshot.js';
import type { Row, Table } from './table.js';
import type { ChildChange, Mode, Task, World } from './task.js';

interface Saved {
  readonly table: Table;
  readonly before: Row | undefined;
  readonly next: Row;
  readonly change?: ChildChange;
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
): Change[] {
  const changes: Change[] = [];
  for (const [name, to] of Object.entries(next)) {
    const from = before === undefined ? null : (before[name] ?? null);
    if (from !== to && !notWritten.has(name)) changes.push({ field: prefix + name, from, to });
  }
  return changes;
}

/** The records that items of a batch were accepted for. */
export interface Accepted {
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
  settle(index: number, records: Accepted): Line;
}

/**
 * Takes the checked items of a batch to their lines. There is one task, begun anew for each item, so that an item does
 * not cost a dozen closures.
 */
export function newTasks(
  resource: Resource,
  draft: Draft,
  context: { readonly world: World; readonly mode: Mode },
): Tasks {
  let checked: CheckedItem;
  let problems: readonly Problem[];
  let told: readonly Notice[];
  // Written over by each item: a list of its own for each costs more than what is in it.
  const saves: Saved[] = [];
  let saved: number;
  const asides: Saved[] = [];
  let root: Saved | undefined;
  let id: string | null;
  let changed: boolean;
  let rootDiffers: boolean;

  const task: Task & { item: Task['item'] } = {
    item: {},
    snapshot: draft,
    ...context,
    // Most items are never complained of: they cost no list of their own.
    refuse(code, field, message) {
      problems = [...problems, { code, field, message }];
    },
    notice(code, field, message) {
      told = [...told, { code, field, message }];
    },
    wrong: (path) => checked.problems.some(({ field }) => field === path),
    known: (row) => {
      id = String(row['id']);
    },
    record(table, before, next, uncompared) {
      root = { table, before, next };
      if (before !== undefined) id = String(before['id']);
      rootDiffers = before === undefined || differs(table, before, next);
      if (before === undefined || (rootDiffers && differs(table, before, next, uncompared))) changed = true;
    },
    child(table, before, next, change, compared = true) {
      if (before !== undefined && !differs(table, before, next)) return;
      saves[saved++] = { table, before, next, change };
      if (compared) changed = true;
    },
    aside: (table, before, next) => void asides.push({ table, before, next }),
  };

  function begin(next: CheckedItem): Task {
    checked = next;
    problems = next.problems;
    told = next.notices;
    saved = 0;
    if (asides.length > 0) asides.length = 0;
    root = undefined;
    id = null;
    changed = false;
    rootDiffers = false;
    task.item = next.item;
    return task;
  }

  /** In a dry run the identifier is null for a record that is not there yet. */
  function toldId(own: string | null): string | null {
    return own !== null && isProvisional(own, resource.prefix) ? null : own;
  }

  function changesOf(): Change[] {
    if (root === undefined) return [];
    const { before, next } = root;
    const shown = before === undefined ? undefined : resource.view(before, draft);
    const own = fieldChanges(shown, resource.view(next, draft), '');
    const ofChildren = saves.slice(0, saved).flatMap((save) => {
      if (save.change === undefined) return [];
      const { path, show } = save.change;
      return fieldChanges(save.before && show(save.before), show(save.next), `${path(save.next)}.`);
    });
    return [...own, ...ofChildren];
  }

  function refusedLine(index: number, first: Problem): Line {
    const others = problems.slice(1).map(({ code, field, message }) => ({ code, field, message }));
    const line = {
      index,
      external_id: checked.externalId,
      action: 'refused' as const,
      id: toldId(id),
      code: first.code,
      title: refusals[first.code].title,
      reason: reasonOf(first),
      // What else was noted would speak of things that were not applied.
      notice: [...others, ...checked.notices],
    };
    return context.mode.diff ? { ...line, changes: [] } : line;
  }

  function tellRepetition(record: string, isNew: boolean, index: number, { created, known }: Accepted): void {
    if (isNew) {
      created[index] = record;
      return;
    }
    const first = known.get(record) ?? created.indexOf(record);
    if (first === -1) known.set(record, index);
    else
      task.notice(
        'repeated_in_batch',
        resource.key,
        `item ${first} of this batch was applied to the same record before`,
      );
  }

  function settle(index: number, records: Accepted): Line {
    const first = problems[0];
    draft.endItem(first === undefined);
    if (first !== undefined) return refusedLine(index, first);
    if (root === undefined) throw new Error(`${resource.name}: an item was neither saved nor refused`);
    const { table, before, next } = root;
    tellRepetition(String(next['id']), before === undefined, index, records);
    const action: Action = before === undefined ? 'created' : changed ? 'updated' : 'unchanged';
    const changes = context.mode.diff ? changesOf() : undefined;
    // What is not compared is saved all the same: later items of a dry run see what this one would do.
    if (changed) next['updated_at'] = context.world.now;
    if (changed || rootDiffers) draft.save(table, next, before ?? null);
    for (let i = 0; i < saved; i++) {
      const save = saves[i] as Saved;
      draft.save(save.table, save.next, save.before ?? null);
    }
    for (const save of asides) draft.save(save.table, save.next, save.before);
    const shownId = action === 'created' && context.mode.dryRun ? null : toldId(String(next['id']));
    const line = {
      index,
      external_id: checked.externalId,
      action,
      id: shownId,
      code: null,
      title: null,
      reason: null,
      notice: told,
    };
    return changes === undefined ? line : { ...line, changes };
  }

  return { begin, settle };
}
