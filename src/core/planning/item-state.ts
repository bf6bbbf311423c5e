// The state of one item while it is decided: its diagnostics and the rows it would save. All items of a batch share one
// state and one task, so that an item does not cost a dozen closures.
import { addIgnored, addNotice, addProblem, type Diagnostics, newDiagnostics } from '../diagnostics/diagnostics.js';
import type { CheckedItem } from '../fields/check-item.js';
import type { ChangeLog } from '../ledger/change-log.js';
import type { Resource } from '../resource.js';
import type { Draft } from '../rows/snapshot.js';
import type { Row, Table } from '../rows/table.js';
import type { Spent } from '../text/text.js';
import type { ChildChange, Environment, ImportMode, Task } from './item-task.js';
import type { FeedContext, OfferToSave } from './ranking/rank-item.js';
import { leaveUnrecognized, type RecognizedItems } from './recognition/recognize-items.js';

export interface SavedRow {
  readonly table: Table;
  readonly before: Row | undefined;
  readonly next: Row;
  readonly change?: ChildChange;
}

export interface ItemContext {
  readonly environment: Environment;
  readonly mode: ImportMode;
  /** Records the changes, if the catalog keeps a ledger. */
  readonly changes?: ChangeLog;
  readonly feed?: FeedContext;
}

export interface ItemState {
  readonly resource: Resource;
  readonly draft: Draft;
  readonly context: ItemContext;
  /** The recognition of the plan's items, and the position of this one among them. */
  readonly recognized: RecognizedItems | undefined;
  place: number;
  checked: CheckedItem;
  /** Diagnostics of the decision, added to those of the check; created when needed, as most items have none. */
  found: Diagnostics | undefined;
  /** The steps of the batch's searches. */
  readonly spent: Spent;
  /** Rows of children. Reused by each item: a list per item costs more than its content. */
  readonly children: SavedRow[];
  childCount: number;
  /** Rows of bookkeeping. */
  readonly auxiliary: SavedRow[];
  record: SavedRow | undefined;
  offer: (OfferToSave & { readonly line: number }) | undefined;
  /** Whether an earlier item of its feed's run had the same key. */
  repeats: boolean;
  /** Set when the item is finished: whether it was neither refused nor left out. */
  isSent: boolean;
  /** The identifier of the record, if known. */
  id: string | null;
  /** Whether a difference counts as an update. */
  isChanged: boolean;
  /** Whether the record's own row differs. */
  recordDiffers: boolean;
}

export function newItemState(
  resource: Resource,
  draft: Draft,
  context: ItemContext,
  recognized?: RecognizedItems,
): ItemState {
  return {
    resource,
    draft,
    context,
    recognized,
    place: 0,
    checked: { item: {}, externalId: '', diagnostics: undefined },
    found: undefined,
    spent: { steps: 0 },
    children: [],
    childCount: 0,
    auxiliary: [],
    record: undefined,
    offer: undefined,
    repeats: false,
    isSent: true,
    id: null,
    isChanged: false,
    recordDiffers: false,
  };
}

function diagnosticsOf(state: ItemState): Diagnostics {
  state.found ??= newDiagnostics(state.checked.diagnostics, state.spent);
  return state.found;
}

/** A task whose item can be replaced by the next one. */
export type ReusableTask = Task & { item: Task['item']; amounts: Task['amounts'] };

export function newTask(state: ItemState): ReusableTask {
  return {
    item: {},
    amounts: undefined,
    snapshot: state.draft,
    environment: state.context.environment,
    mode: state.context.mode,
    refuse: (code, field, value, params) =>
      addProblem(diagnosticsOf(state), code, field, { value, ...(params && { params }) }),
    notice: (code, field, value, params) => addNotice(diagnosticsOf(state), code, field, value, params),
    ignore: (path) => addIgnored(diagnosticsOf(state), path),
    leaveUnrecognized() {
      if (state.recognized !== undefined) leaveUnrecognized(state.recognized, state.place);
    },
    hasProblem: (path) => state.checked.diagnostics?.invalidFields?.has(path) === true,
    known(row) {
      state.id = String(row['id']);
    },
    saveRecord(table, before, next, uncompared) {
      state.record = { table, before, next };
      if (before !== undefined) state.id = String(before['id']);
      const differs = before === undefined || differ(table, before, next);
      state.recordDiffers = differs;
      const isChanged = before === undefined || (differs && differ(table, before, next, uncompared));
      if (isChanged) state.isChanged = true;
      return isChanged;
    },
    saveChild(table, before, next, change, compared = true) {
      if (before !== undefined && !differ(table, before, next)) return;
      state.children[state.childCount++] = { table, before, next, change };
      if (compared) state.isChanged = true;
    },
    saveAuxiliary: (table, before, next) => void state.auxiliary.push({ table, before, next }),
  };
}

/** Whether two rows differ in a column that is compared. */
function differ(table: Table, before: Row, next: Row, uncompared: readonly string[] = []): boolean {
  if (before === next || table.same(before, next)) return false;
  if (uncompared.length === 0) return true;
  for (const name of table.columns) if (before[name] !== next[name] && !uncompared.includes(name)) return true;
  return false;
}

export function beginItem(state: ItemState, task: ReusableTask, checked: CheckedItem, place: number): void {
  state.checked = checked;
  state.place = place;
  state.found = undefined;
  state.childCount = 0;
  if (state.auxiliary.length > 0) state.auxiliary.length = 0;
  state.record = undefined;
  state.offer = undefined;
  state.repeats = false;
  state.id = null;
  state.isChanged = false;
  state.recordDiffers = false;
  task.item = checked.item;
  task.amounts = checked.amounts;
}
