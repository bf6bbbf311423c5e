// Describes recorded changes as reads name and show them: `grades[new].price` from 10.00 to 11.00, of the product with this SKU.
import { isStill, type RecordedChange } from '../../core/ledger/recorded-change.js';
import type { Resource } from '../../core/resource.js';
import { characteristicTable } from '../../core/resources/characteristic-table.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Row, Table, Value } from '../../core/rows/table.js';
import type { Store } from '../store.js';
import { untilLoaded } from '../until-loaded.js';
import { changeKey, changesSince } from './change-reader.js';
import { type ReferenceNames, referenceNames } from './reference-names.js';
import { type DescribedField, type EntryTurn, joinReplaced } from './replaced-entries.js';

export interface RecordRow {
  readonly table: Table;
  readonly isRoot: boolean;
  readonly row: Row;
}

/** What describing needs in addition to the row. */
export interface Describing {
  readonly resource: Resource;
  readonly draft: Draft;
}

/** The lists of children: their field, the columns that identify an entry, and those that no read shows. */
const lists: Readonly<Record<string, { readonly field: string; readonly keys: readonly string[] }>> = {
  product_grade: { field: 'grades', keys: ['grade'] },
  product_attribute: { field: 'attributes', keys: ['characteristic'] },
  product_media: { field: 'media', keys: ['file'] },
  characteristic_value: { field: 'values', keys: ['label'] },
  product_group_axis: { field: 'axes', keys: ['name', 'characteristic', 'source'] },
};
const unread: ReadonlySet<string> = new Set(['key', 'listed']);

/** The field of an item that a unit of an undo is: a list by its table, or a column. */
export function fieldOfUnit(unit: string): string {
  const [table = ''] = unit.split(' ', 1);
  return lists[table]?.field ?? (unit === 'product_group' ? 'group' : unit);
}

/** The entry of a list that a row is: `grades[new]`; undefined for a table that is no list. */
function entryName({ table, row }: RecordRow, { draft }: Describing): string | undefined {
  const list = lists[table.name];
  if (list === undefined) return undefined;
  const column = list.keys.find((name) => row[name] !== '' && row[name] !== null) ?? '';
  const value = String(row[column] ?? '');
  const shown = column === 'characteristic' ? draft.find(characteristicTable, 'id', value)?.name : undefined;
  return `${list.field}[${shown ?? value}]`;
}

/** The fields that a change of a row changed. @param changed the row as the change left it */
export function describeFields(changed: RecordRow, change: RecordedChange, shape: Describing): DescribedField[] {
  const { table, isRoot } = changed;
  const entry = isRoot ? '' : entryName(changed, shape);
  if (entry === undefined) return [];
  const identifying: readonly string[] = isRoot ? [] : (lists[table.name]?.keys ?? []);
  const described: DescribedField[] = [];
  const turn = turnOf(table, change);
  const turned = (isAsBefore: boolean) =>
    turn && { turn: { turn, entry, row: JSON.stringify(change.row), isAsBefore } };
  let { row } = changed;
  for (const [i, column] of change.columns.entries()) {
    const left = change.after[i] ?? null;
    const now = row[column] ?? null;
    const value = typeof left === 'object' && left !== null ? (isStill(now, left) ? now : undefined) : left;
    const before = change.isNew ? null : (change.before[i] ?? null);
    const at = { table, isRoot, row };
    const shown = (one: Value | undefined) => (one === undefined ? undefined : shownValue(at, column, one, shape));
    const field = isRoot ? rootField(row, column, [before, value ?? now], shape) : `${entry}.${column}`;
    const isUnseen = wasUnlisted(change) && seenOfEntry.has(column);
    const isNothing = isEmpty(left) && (change.isNew || (isUnseen && column !== 'value'));
    const isTold = isRoot || !(unread.has(column) || isNothing || (change.isNew && identifying.includes(column)));
    if (field !== undefined && isTold) {
      const former = change.isNew ? undefined : isUnseen ? '' : shown(before);
      described.push({ field, value: shown(value), before: former, ...turned(false) });
    } else if (column === 'listed' && turn !== undefined && !change.isNew) {
      for (const name of table.columns.filter((one) => seenOfEntry.has(one) && !change.columns.includes(one))) {
        const own = row[name] ?? undefined;
        if (name !== 'value' && isEmpty(own ?? '')) continue;
        const [value, before] = turn === 'entered' ? [own, ''] : ['', own];
        described.push({ field: `${entry}.${name}`, value, before, ...turned(name !== 'value') });
      }
    }
    row = { ...row, [column]: before };
  }
  return described.length > 0 || isRoot ? described : turnOfSuspended(change, entry);
}

/** A suspended entry that left or entered its list, which no other field shows. */
function turnOfSuspended({ columns, before, after, isNew }: RecordedChange, entry: string): DescribedField[] {
  const at = columns.indexOf('listed');
  if (isNew || at === -1) return [];
  return [{ field: `${entry}.listed`, value: after[at] === 1, before: before[at] === 1 }];
}

/** The columns that are shown where an entry enters or leaves its list; only of entries without a status. */
const seenOfEntry: ReadonlySet<string> = new Set(['value', 'unit', 'position']);

/** Whether an entry without a status, which shows by its value alone whether it is in its list, entered it or left it. */
function turnOf({ columns }: Table, change: RecordedChange): EntryTurn['turn'] | undefined {
  if (!columns.includes('listed') || columns.includes('status')) return undefined;
  const at = change.columns.indexOf('listed');
  if (at === -1) return change.isNew ? 'entered' : undefined;
  return change.after[at] === 1 ? 'entered' : 'left';
}

/** Whether an entry was in no list before a change: its former value was seen by nobody. */
function wasUnlisted({ columns, before }: RecordedChange): boolean {
  return before[columns.indexOf('listed')] === 0;
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null;
}

export function rowBefore(row: Row, { columns, before, isNew }: RecordedChange): Row {
  const former = columns.map((name, i) => [name, isNew ? null : (before[i] ?? null)] as const);
  return { ...row, ...Object.fromEntries(former) };
}

/** The field of a read that shows a column of a record: the one that changes with the column, or of several the one of its name. */
function rootField(
  row: Row,
  column: string,
  [before, after]: readonly [Value, Value],
  { resource, draft }: Describing,
): string | undefined {
  const one = resource.view({ ...row, [column]: before }, draft);
  const other = resource.view({ ...row, [column]: after }, draft);
  const changed = Object.keys(other).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
  return changed.includes(column) ? column : changed[0];
}

/** A value as a read shows it. */
function shownValue({ isRoot, row }: RecordRow, column: string, value: Value, shape: Describing): unknown {
  if (!isRoot) return column === 'price' && typeof value === 'number' ? (value / 100).toFixed(2) : value;
  const { resource, draft } = shape;
  const name = rootField(row, column, [value, differentFrom(value)], shape);
  return name === undefined ? value : resource.view({ ...row, [column]: value }, draft)[name];
}

/** A different value of the same type. */
function differentFrom(value: Value): Value {
  return typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${value}-` : 1;
}

/** A change of a record. */
export interface DescribedChange {
  /** The name of the resource, and the key of the record; '' if the record is not there. */
  readonly resource: string;
  readonly key: string;
  readonly id: string;
  readonly isNew: boolean;
  readonly fields: readonly DescribedField[];
  /** The names of the records that the values refer to. */
  readonly names: ReferenceNames;
  /** Index of the run's file, and the line; 0 if there is none. */
  readonly file: number;
  readonly line: number;
}

/**
 * Describes the changes of one transaction, with the keys of their records.
 * @param chunk the identifier of the chunk that they are in
 */
export async function describeChanges(
  store: Store,
  { chunk, changes }: { readonly chunk: string; readonly changes: readonly RecordedChange[] },
  resourceOf: (name: string) => Resource | undefined,
): Promise<DescribedChange[]> {
  // An entry that left made room for others: its row may have had their values since.
  const turned = changes.filter(({ isNew, columns }) => !isNew && columns.includes('listed'));
  const later = await changesSince(store, chunk, turned);
  return store.read((draft) =>
    untilLoaded(draft, () => {
      const since = new Map(later);
      const described = [...changes].reverse().flatMap((change) => {
        const key = changeKey(change);
        const known = since.get(key) ?? [];
        since.set(key, [...known, change]);
        return describeChange(change, { resource: resourceOf(change.resource), since: known, draft });
      });
      return perLine(described.reverse());
    }),
  );
}

/** One change for each record and line. */
function perLine(changes: readonly DescribedChange[]): DescribedChange[] {
  const byLine = new Map<string, DescribedChange[]>();
  for (const change of changes) {
    const key = `${change.id} ${change.file} ${change.line}`;
    const known = byLine.get(key);
    if (known === undefined) byLine.set(key, [change]);
    else known.push(change);
  }
  // A line may have a change for each of ten thousand values of a characteristic.
  return [...byLine.values()].map((all) => ({
    ...(all.at(-1) as DescribedChange),
    isNew: all.some(({ isNew }) => isNew),
    fields: joinReplaced(all.flatMap(({ fields }) => fields)),
    names: new Map(all.flatMap(({ names }) => [...names])),
  }));
}

interface DescribingChange {
  readonly resource: Resource | undefined;
  /** What is known of the later changes of the row, the latest first. */
  readonly since: readonly RecordedChange[];
  readonly draft: Draft;
}

function describeChange(change: RecordedChange, { resource, since, draft }: DescribingChange): DescribedChange[] {
  if (resource === undefined) return [];
  const { record, table: name, isNew, file, line } = change;
  const [root] = resource.tables as [Table];
  const stored = draft.find(root, 'id', record);
  const described = { resource: resource.name, key: String(stored?.[resource.key] ?? ''), id: record, file, line };
  if (stored === undefined || (isNew && name === root.name))
    return [{ ...described, isNew: isNew && name === root.name, fields: [], names: new Map() }];
  const latest = name === root.name ? stored : childOf(change, resource, draft);
  const table = resource.tables.find((one) => one.name === name);
  if (latest === undefined || table === undefined) return [];
  const row = since.reduce(rowBefore, latest);
  // Other changes may have been later: what this one left is known.
  const left = change.columns.map((column, i) => [column, change.after[i] ?? null] as const);
  const known = left.filter(
    (pair): pair is readonly [string, Value] => typeof pair[1] !== 'object' || pair[1] === null,
  );
  const now = { ...row, ...Object.fromEntries(known) };
  // Without history, an entry that left may have made room for another one: then its own value is not known.
  if (now['listed'] !== row['listed'] && 'value' in now) now['value'] = null;
  const changed = { table, isRoot: name === root.name, row: now };
  const fields = describeFields(changed, change, { resource, draft });
  const values = fields.flatMap(({ field, value, before }) => [[field, value] as const, [field, before] as const]);
  const names = referenceNames(resource, values, draft);
  return fields.length === 0 ? [] : [{ ...described, isNew: false, fields, names }];
}

function childOf({ table: name, record, row }: RecordedChange, { tables }: Resource, draft: Draft): Row | undefined {
  const table = tables.find((one) => one.name === name);
  if (table?.parent === undefined) return undefined;
  const keys = Object.entries(row);
  return draft.children(table, record).find((one) => keys.every(([column, value]) => one[column] === value));
}
