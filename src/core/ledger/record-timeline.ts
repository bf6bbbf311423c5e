// The changes of one record in the order in which they were made, and what it was after each. The order is that of the
// record's marks (changed-at.ts), not that of run numbers, since runs of two feeds overlap. Where two marks do not meet, a change
// is missing in the ledger: it may have changed every field.
import type { Resource } from '../resource.js';
import type { Row, Table } from '../rows/table.js';
import type { ChangeOfRun, RecordedChange } from './recorded-change.js';
import { suspensionTable } from './run-tables.js';

/** What changed a record at once. */
export interface RecordEvent {
  /** The run; undefined for a change that is not in the ledger, and for what was before the history that is kept. */
  readonly run: number | undefined;
  readonly changes: readonly RecordedChange[];
  /** The units (`unitOf`) that it changed; undefined if that may be all of them. */
  readonly units: ReadonlySet<string> | undefined;
  /** The record's mark after it and before it, which are times; undefined for a change that is not in the ledger. */
  readonly at?: number;
  readonly after?: number;
}

/** Whether an event is nothing but that a feed no longer lists the record, so that it is suspended. */
export function isSuspension({ changes }: RecordEvent): boolean {
  const suspension = changes.find(({ table }) => table === suspensionTable.name);
  if (suspension === undefined) return false;
  const { isNew, columns, after } = suspension;
  // Of a new suspension no columns are recorded.
  return isNew || after[columns.indexOf('status')] !== '';
}

/** Whether an event gave a record a status. One that the record regained, as it was listed again, was given before. */
export function givesStatus({ changes, units }: RecordEvent): boolean {
  const ended = changes.find(({ table }) => table === suspensionTable.name);
  return units?.has('status') !== false && ended?.columns.includes('run') !== true;
}

const unrecorded: RecordEvent = { run: undefined, changes: [], units: undefined };

/** Lists of which an item names some entries only: the entries with one value in this column are a set of their own. */
const setsOf: Readonly<Record<string, string>> = { product_attribute: 'characteristic' };

/** Columns of a record that say how many entries a list has. */
const countsOf: Readonly<Record<string, string>> = {
  listed_grades: 'product_grade',
  listed_values: 'characteristic_value',
};

/** The name of the smallest part that undo restores: a column, the status together with its suspension, or a whole list. */
export function unitOf({ tables }: Resource, table: string, row: Readonly<Row>, column: string): string {
  if (table === suspensionTable.name) return 'status';
  if (table === tables[0]?.name) return countsOf[column] ?? column;
  const set = setsOf[table];
  return set === undefined ? table : `${table} ${row[set]}`;
}

/** Every row of a record by its key (`keyOf`), as it was at one time. */
export type RecordState = ReadonlyMap<string, StateRow>;

/** A row of a record. */
export interface StateRow {
  readonly table: Table;
  readonly row: Row;
}

/** The key of a row of a record. @param values what identifies it in addition to the record */
export function keyOf(table: string, values: readonly unknown[]): string {
  return [table, ...values].join('\0');
}

/** The state of a record by its stored rows. */
export function stateOf(rows: readonly StateRow[]): RecordState {
  return new Map(
    rows.map((one) => {
      const { table, row } = one;
      return [
        keyOf(
          table.name,
          table.id.filter((name) => name !== table.parent).map((name) => row[name]),
        ),
        one,
      ];
    }),
  );
}

/** The rows and columns of a state that belong to a unit. */
export function* partsOf(
  resource: Resource,
  state: RecordState,
  unit: string,
): Generator<readonly [string, StateRow, string]> {
  for (const [key, one] of state)
    for (const column of one.table.columns)
      if (unitOf(resource, one.table.name, one.row, column) === unit) yield [key, one, column];
}

/** Whether a list has entries in a state of the record. */
export function hasEntries(list: string, state: RecordState): boolean {
  return [...state.values()].some(({ table, row }) => table.name === list && row['listed'] === 1);
}

export interface Timeline {
  /** From the earliest to the latest. */
  readonly events: readonly RecordEvent[];
  /** The index of the event that created the record; -1 if that is not in the history. */
  readonly creation: number;
  /** The state after an event; that of today after the last one. */
  stateAfter(event: number): RecordState;
}

/** Whether an event set a list to at least one entry. It reads the recorded change: the state may include later changes outside the history. */
export function isFilled({ events, stateAfter }: Timeline, at: number, list: string): boolean {
  const { units, changes } = events[at] as RecordEvent;
  if (units === undefined) return hasEntries(list, stateAfter(at));
  const isEmptied = ({ columns, after }: RecordedChange) =>
    columns.some((column, i) => countsOf[column] === list && after[i] === 0);
  return units.has(list) && !changes.some(isEmptied);
}

/**
 * Puts the changes of a record in order.
 * @param record its changes without offers, in the order of the ledger, and the time from which they are complete
 * @param today the stored state of the record
 * @param mark that of the stored record
 */
export function timelineOf(
  resource: Resource,
  { changes, since }: { readonly changes: readonly ChangeOfRun[]; readonly since: number },
  today: RecordState,
  mark: number,
): Timeline {
  const waiting = grouped(resource, changes);
  const events: RecordEvent[] = [];
  let next = mark;
  while (waiting.length > 0) {
    const meeting = waiting.findLastIndex(({ after }) => after === next);
    if (meeting === -1) events.unshift(unrecorded);
    const [found] = waiting.splice(meeting, 1) as [MarkedEvent];
    events.unshift(found.event);
    next = found.before;
  }
  const isCreated = next === 0 && events.length > 0;
  // One for the state before the kept history; a second one for a change outside the history since.
  if (!isCreated) events.unshift(...(next > since ? [unrecorded, unrecorded] : [unrecorded]));
  const states = new Map<number, RecordState>([[events.length - 1, today]]);
  return {
    events,
    creation: isCreated ? 0 : -1,
    stateAfter(event) {
      let at = event;
      while (!states.has(at)) at++;
      let state = states.get(at) as RecordState;
      for (; at > event; at--) state = stateBefore(state, events[at] as RecordEvent);
      states.set(event, state);
      return state;
    },
  };
}

interface MarkedEvent {
  readonly event: RecordEvent & { readonly changes: RecordedChange[]; readonly units: Set<string> | undefined };
  readonly before: number;
  readonly after: number;
}

/** The changes of one item, or of one undo, are one event: they have the same marks. */
function grouped(resource: Resource, changes: readonly ChangeOfRun[]): MarkedEvent[] {
  const events = new Map<string, MarkedEvent>();
  for (const { run, change } of changes) {
    const { markBefore: before, markAfter: after, table, row, columns } = change;
    const key = `${run} ${before} ${after}`;
    const units = before === 0 ? undefined : new Set<string>();
    const { event }: Pick<MarkedEvent, 'event'> = events.get(key) ?? {
      event: { run, changes: [], units, at: after, after: before },
    };
    events.set(key, { event, before, after });
    event.changes.push(change);
    for (const column of columns) event.units?.add(unitOf(resource, table, row, column));
    // Of a new suspension no columns are recorded.
    if (table === suspensionTable.name) event.units?.add('status');
  }
  return [...events.values()];
}

/** The state before an event. An entry that the event added is unlisted: reads and later imports treat it as if it were not there. */
function stateBefore(state: RecordState, { changes }: RecordEvent): RecordState {
  const former = new Map(state);
  for (const { table: name, row: keys, isNew, columns, before } of [...changes].reverse()) {
    const key = keyOf(name, Object.values(keys));
    const found = former.get(key);
    if (found === undefined) continue;
    const { table, row } = found;
    if (isNew) former.set(key, { table, row: withdrawn(found) });
    else
      former.set(key, {
        table,
        row: { ...row, ...Object.fromEntries(columns.map((column, i) => [column, before[i] ?? null])) },
      });
  }
  return former;
}

/** A row that was not there: an entry is unlisted, a suspension is over. */
export function withdrawn({ table, row }: StateRow): Row {
  if (table.parent === undefined) return { ...row, status: '' };
  return { ...row, listed: 0, ...(typeof row['status'] === 'string' && { status: 'suspended' }) };
}
