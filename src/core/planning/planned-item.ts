// Items of a plan: decided like every item, but refused if their record has changed since the plan was made.
import type { Line } from '../import-report.js';
import type { RecordStates } from '../ledger/record-state.js';
import { suspensionTable } from '../ledger/run-tables.js';
import { isSuspended } from '../ledger/suspension.js';
import type { Draft } from '../rows/snapshot.js';
import type { Row } from '../rows/table.js';
import type { ItemState } from './item-state.js';
import type { Task } from './item-task.js';

/** A draft that counts what is saved in it. */
export interface SaveCount {
  readonly draft: Draft;
  saves(): number;
}

/** Counts the rows that are saved in a draft from now on. */
export function countSaves(draft: Draft): SaveCount {
  let count = 0;
  return {
    draft: {
      ...draft,
      save(table, row, before) {
        count++;
        draft.save(table, row, before);
      },
    },
    saves: () => count,
  };
}

/**
 * Refuses an item whose record has another state than in the plan. An item without any effect is unchanged: somebody
 * else made the same change.
 * @param planned the expected state; '' for a new record
 */
export function holdToPlan(state: ItemState, task: Task, planned: string, states: RecordStates): void {
  const { resource, checked, record, draft, isChanged, found } = state;
  if (record === undefined || ((found ?? checked.diagnostics)?.problems.length ?? 0) > 0) return;
  if (!isChanged) return;
  const stored = isUndone(record.before, draft) && planned === '' ? undefined : record.before;
  const now = states.of(resource, stored, draft);
  if (now === planned) return;
  const fields = now === '' || planned === '' ? [] : states.differing(resource, planned, now);
  if (fields.length === 0 && now !== '' && planned !== '') return;
  const how = now === '' ? 'gone' : planned === '' ? 'created' : 'changed';
  task.refuse('changed_since_plan', resource.key, checked.externalId, { how, fields });
}

/**
 * Completes an item and adds the previous state of its record to the line, if the item changes anything.
 * @param finish completes it, and returns its line
 */
export function finishWithState(state: ItemState, finish: () => Line, counted: SaveCount, states: RecordStates): Line {
  const { resource, draft, record } = state;
  const saves = counted.saves();
  // Read from the draft before the item's rows are saved in it.
  const before = mayChange(state) ? states.of(resource, record?.before, draft) : undefined;
  const line = finish();
  if (before === undefined || counted.saves() === saves) return line;
  return state.repeats ? { ...line, before, repeats: true } : { ...line, before };
}

/** Whether an item may save rows: a suspended record may regain its status. */
function mayChange({ record, isChanged, recordDiffers, childCount, auxiliary, offer }: ItemState): boolean {
  if (record === undefined) return false;
  const { before } = record;
  const differs = isChanged || recordDiffers || childCount > 0 || auxiliary.length > 0 || offer !== undefined;
  return differs || (before !== undefined && isSuspended(before));
}

/** Whether a record was suspended because the run that created it was undone: it is treated as missing. */
function isUndone(row: Row | undefined, draft: Draft): boolean {
  if (row === undefined || !isSuspended(row) || !draft.some(suspensionTable)) return false;
  const suspension = draft.find(suspensionTable, 'id', String(row['id']));
  return suspension !== undefined && suspension.status !== '';
}
