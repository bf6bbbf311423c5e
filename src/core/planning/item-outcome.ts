// The outcome of an item: its rows are saved in the draft unless it is refused, and its line is made. The action is
// derived from the saved rows; rules never state it.
import { addNotice, type Diagnostics, newDiagnostics, noticesOf } from '../diagnostics/diagnostics.js';
import { reasonOf, refusals } from '../diagnostics/refusal-codes.js';
import { cutText, withinLimits } from '../diagnostics/report-limits.js';
import type { Action, Diagnostic, FieldChange, Line, Notice, PlannedItem } from '../import-report.js';
import { recordItem, recordOffer } from '../ledger/change-log.js';
import { changedAt } from '../ledger/changed-at.js';
import { heldOffer } from '../ledger/feed-offer.js';
import { offerTable, suspensionTable } from '../ledger/run-tables.js';
import { endedSuspension, isSuspended, isToBeCreated } from '../ledger/suspension.js';
import { leftOutNotice } from '../only-action.js';
import { isProvisional } from '../rows/provisional-id.js';
import type { Row, Table } from '../rows/table.js';
import { unchangedLine } from '../unchanged-line.js';
import { changesOf } from './item-changes.js';
import type { ItemState, SavedRow } from './item-state.js';
import type { Task } from './item-task.js';
import { expectedOf } from './planned-item.js';
import { hasFingerprint, isWorthKeeping, setApplied } from './recognition/recognize-items.js';

/** Shared by all items without diagnostics. */
const nothing: readonly Diagnostic[] = [];

/** The records of a batch's accepted items. */
export interface AcceptedRecords {
  /** The identifiers of new ones by item index. It is searched for known records only, so it needs no hash table. */
  readonly created: string[];
  /** The index of a known record's first item, by identifier. */
  readonly known: Map<string, number>;
}

/**
 * Completes an item: saves its rows in the draft unless it was refused.
 * @param task the item's task, which gets the notice about a repeated record
 * @param index the position of the item in its batch
 * @param records the records of accepted items so far; this one is added
 * @returns its line
 */
export function finishItem(state: ItemState, task: Task, index: number, records: AcceptedRecords): Line {
  const problems = state.found ?? state.checked.diagnostics;
  const isRefused = problems !== undefined && problems.problems.length > 0;
  const { resource, record } = state;
  const isOmitted = !isRefused && isToBeLeftOut(state);
  state.draft.endItem(!isRefused && !isOmitted);
  state.isSent = !isRefused && !isOmitted;
  if (!state.isSent) markOffer(state);
  if (isRefused) return refusedLine(state, index, problems);
  if (record === undefined) throw new Error(`${resource.name}: an item was neither saved nor refused`);
  if (record.before !== undefined && isSuspended(record.before)) regainStatus(state, task, record.before, record.next);
  if (isOmitted) return leftOutLine(state, index, record);
  tellRepetition(task, resource.key, { record, index }, records);
  // Before the rows are saved: changes are relative to the stored row.
  const changes = state.context.mode.diff ? changesOf(state) : undefined;
  const planned = state.context.mode.plan === 'make' && saves(state) ? plannedItem(state, changes ?? []) : undefined;
  saveRows(state, index, record);
  resource.remark?.(state.checked.item, task.notice);
  const line = acceptedLine(state, index, record, changes);
  return planned === undefined ? line : { ...line, planned };
}

/**
 * A record that was suspended by an undo, or because its feed did not list it, regains its status when it is listed
 * again.
 */
function regainStatus(state: ItemState, task: Task, before: Row, next: Row): void {
  const { draft, checked } = state;
  const { feed, mode } = state.context;
  if (feed?.lists === false || mode.isListing === false || !draft.some(suspensionTable)) return;
  const suspension = draft.find(suspensionTable, 'id', String(next['id']));
  if (suspension === undefined || suspension.status === '') return;
  const isGiven = checked.item['status'] !== undefined || next['status'] !== before['status'];
  state.children[state.childCount++] = {
    ...{ table: suspensionTable as Table, before: suspension },
    next: endedSuspension(suspension, isGiven),
  };
  if (isGiven) return;
  next['status'] = suspension.status;
  state.isChanged = true;
  task.notice('status_regained', 'status', suspension.status);
}

/** Whether an item saves any row of its record or of bookkeeping. */
function saves({ isChanged, recordDiffers, childCount, auxiliary, offer }: ItemState): boolean {
  return isChanged || recordDiffers || childCount > 0 || auxiliary.length > 0 || offer !== undefined;
}

function plannedItem(state: ItemState, changes: readonly FieldChange[]): PlannedItem {
  return { expect: expectedOf(state, changes), ...(state.repeats && { repeats: true }) };
}

function saveRows(state: ItemState, index: number, record: SavedRow): void {
  const { table, before, next } = record;
  const { draft, children, childCount, auxiliary } = state;
  keepFingerprint(state, record);
  // Columns that are not compared are saved too: later items of a dry run depend on them.
  const { now } = state.context.environment;
  if (state.isChanged) next['updated_at'] = changedAt(Number(before?.['updated_at'] ?? 0), now);
  if (state.isChanged || state.recordDiffers) draft.save(table, next, before ?? null);
  for (let i = 0; i < childCount; i++) {
    const child = children[i] as SavedRow;
    draft.save(child.table, child.next, child.before ?? null);
  }
  for (const row of auxiliary) draft.save(row.table, row.next, row.before ?? null);
  const { changes } = state.context;
  if (changes !== undefined && state.isChanged)
    recordItem(changes, index, record, { saves: children, count: childCount });
  if (state.offer !== undefined) saveOffer(state, state.offer, index, record);
}

function saveOffer(
  { draft, context }: ItemState,
  { id, before, run, line, fields }: NonNullable<ItemState['offer']>,
  index: number,
  record: SavedRow,
): void {
  const created = fields === '' ? 0 : context.environment.now;
  const next = { id, record: String(record.next['id']), run, line, fields, created_at: created };
  draft.save(offerTable, next, before ?? null);
  if (context.changes === undefined || before?.fields === fields) return;
  recordOffer(context.changes, index, { table: offerTable, before, next });
}

/** Saves the fingerprint of the item with its record, unless its decision found something to tell. */
function keepFingerprint(state: ItemState, { table, before, next }: SavedRow): void {
  const { recognized, place, draft, offer } = state;
  const applied = state.found === undefined ? recognized?.applied[place] : undefined;
  if (before === undefined || state.isChanged || state.recordDiffers) {
    if (applied !== undefined) setApplied(next, applied);
    return;
  }
  const unsettles = offer?.unsettles === true && hasFingerprint(before);
  if (!unsettles && (applied === undefined || recognized === undefined || !isWorthKeeping(recognized, applied, before)))
    return;
  const row = { ...before };
  if (applied !== undefined) setApplied(row, applied);
  // Stores may ignore what is kept next to a record. Saved, it loses the fingerprint that it had in any of them.
  if (unsettles) draft.save(table, row, before);
  else draft.keep(table, row, before);
}

/** The line of an item that was recognized as the one applied last. */
export function recognizedLine(state: ItemState, task: Task, index: number, id: string): Line {
  const { checked, context, resource } = state;
  resource.remark?.(checked.item, task.notice);
  const line = lineOf(index, checked.externalId, 'unchanged', shownId(state, id));
  return withNotices(state, line, context.mode.diff ? [] : undefined);
}

/** Written as one literal: a spread after `index` takes 3 % of the time of an import of unchanged items. */
function lineOf(index: number, externalId: string, action: Action, id: string | null): Line {
  return { index, external_id: externalId, action, id, code: null, title: null, reason: null, notice: nothing };
}

function acceptedLine(
  state: ItemState,
  index: number,
  { before, next }: SavedRow,
  changes: readonly FieldChange[] | undefined,
): Line {
  const action: Action = before === undefined ? 'created' : state.isChanged ? 'updated' : 'unchanged';
  const id = action === 'created' && state.context.mode.dryRun ? null : shownId(state, String(next['id']));
  return withNotices(state, lineOf(index, state.checked.externalId, action, id), changes);
}

/** The line of an accepted item with its notices and changes, which are added to it: spread into a copy they take ten times as long. */
function withNotices(state: ItemState, line: Line, changes: readonly FieldChange[] | undefined): Line {
  const found = state.found ?? state.checked.diagnostics;
  if (found === undefined && changes === undefined) return line;
  const omitted = { problems: 0, notices: found?.omittedNotices ?? 0 };
  return withinLimits(Object.assign(line, found && noticesInLine(found), changes && { changes }), omitted);
}

/** Whether the import may not do to the record what the item would. One whose creation was undone would be created. */
function isToBeLeftOut({ context, record, draft }: ItemState): boolean {
  const { only } = context.mode;
  return only !== undefined && isToBeCreated(record?.before, draft) === (only === 'update');
}

/** The line of an item that is left out: nothing of it is saved. One that would change nothing is unchanged as ever. */
function leftOutLine(state: ItemState, index: number, { before }: SavedRow): Line {
  const { checked, context, isChanged } = state;
  // Notices of the decision are omitted: they concern changes that were not applied.
  const found = newDiagnostics(checked.diagnostics);
  if (isChanged && context.mode.only !== undefined) addNotice(found, leftOutNotice[context.mode.only], '');
  const diagnostics = noticesOf(found);
  const id = before === undefined ? null : shownId(state, String(before['id']));
  const line = { index, ...unchangedLine(checked.externalId, id, diagnostics.map(withoutData)), diagnostics };
  const omitted = { problems: 0, notices: found.omittedNotices };
  return withinLimits(context.mode.diff ? { ...line, changes: [] } : line, omitted);
}

/**
 * Notes, over HTTP, that the run sent the record, so that its feed lists it, also where nothing else of the item is saved. What
 * the feed offers stays.
 */
function markOffer({ draft, context, offer }: ItemState): void {
  if (offer?.before === undefined || context.feed?.marksAll !== true || offer.before.run === offer.run) return;
  draft.save(offerTable, heldOffer(offer.before, offer.run), offer.before);
}

function refusedLine(state: ItemState, index: number, { problems, omittedProblems }: Diagnostics): Line {
  const { resource, checked, id } = state;
  const [first, ...others] = problems;
  if (first === undefined) throw new Error(`${resource.name}: an item was refused for no reason`);
  // Notices of the decision are omitted: they concern changes that were not applied.
  const noted = checked.diagnostics === undefined ? nothing : noticesOf(checked.diagnostics);
  const line = {
    index,
    external_id: cutText(checked.externalId),
    action: 'refused' as const,
    id: shownId(state, id),
    code: first.code,
    title: refusals[first.code].title,
    reason: reasonOf(first),
    notice: [...others, ...noted].map(withoutData),
    diagnostics: [...problems, ...noted],
  };
  const omitted = { problems: omittedProblems, notices: checked.diagnostics?.omittedNotices ?? 0 };
  return withinLimits(state.context.mode.diff ? { ...line, changes: [] } : line, omitted);
}

function noticesInLine(found: Diagnostics): Pick<Line, 'notice' | 'diagnostics'> {
  const diagnostics = noticesOf(found);
  return { notice: diagnostics.map(withoutData), diagnostics };
}

function withoutData({ code, field, message }: Diagnostic): Notice {
  return { code, field, message };
}

/** In a dry run the identifier is null for a record that does not exist yet. */
function shownId({ resource }: ItemState, id: string | null): string | null {
  return id !== null && isProvisional(id, resource.prefix) ? null : id;
}

/** Adds a notice if an earlier item of the batch was accepted for the same record. */
function tellRepetition(
  task: Task,
  keyField: string,
  { record, index }: { readonly record: SavedRow; readonly index: number },
  { created, known }: AcceptedRecords,
): void {
  const id = String(record.next['id']);
  if (record.before === undefined) {
    created[index] = id;
    return;
  }
  const first = known.get(id) ?? created.indexOf(id);
  if (first === -1) known.set(id, index);
  else task.notice('repeated_in_batch', keyField, undefined, { index: first });
}
