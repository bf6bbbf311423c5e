// Makes the stored form of a transaction's changes (change-chunk.ts). Of an import of 200,000 products with other prices and
// stocks it takes 4 % of the time.
import { deflateRawSync } from 'node:zlib';
import { type ChangeLog, recordAt } from '../../core/ledger/change-log.js';
import { keptAfter } from '../../core/ledger/recorded-change.js';
import { columnReader } from '../../core/rows/column-reader.js';
import { isRecorded, type Row, type Table, type Value } from '../../core/rows/table.js';
import { firstMark, mostShared, type PackedChunk, type PackedGroup, type PackedValue } from './change-chunk.js';
import { addToFilter, newFilter } from './change-filter.js';

/** Changes of one kind: of the same columns of a table, or new rows. */
interface Group {
  readonly table: Table;
  readonly columns: readonly string[];
  readonly isNew: boolean;
  /** The indexes of these changes within the transaction. */
  readonly indexes: number[];
}

interface Groups {
  /** By the list object of the columns: those that differ, or for new rows all columns of their table. */
  readonly byList: Map<readonly string[], Group>;
  readonly byKind: Map<string, Group>;
}

/** What a chunk stores. */
export interface PackedChanges {
  /** A filter of its records. */
  readonly filter: string;
  readonly body: string;
}

/** Columns that change with every change. */
const unrecordedColumns = new Set(['updated_at']);

/** Texts shorter than this are stored as they are: deflate would make them longer. */
const shortest = 120;

/**
 * Shorter texts are deflated with little memory: setting up the usual 256 KiB takes longer than deflating a batch of 40 (38 µs,
 * now 15) or the records of a transaction of new ones. The result is hardly longer.
 */
const longestSmall = 16_384;
const smallDeflate = { level: 1, windowBits: 12, memLevel: 5 } as const;

/**
 * Serializes the changes of a transaction.
 * @param source the resource, and the index of the run's file
 * @returns undefined if there is nothing to store
 */
export function packChanges(
  log: ChangeLog,
  { resource, file }: { readonly resource: string; readonly file: number },
): PackedChanges | undefined {
  const groups: Groups = { byList: new Map(), byKind: new Map() };
  for (let at = 0; at < log.lines.length; at++) groupOf(groups, log, at).indexes.push(at);
  const told = [...groups.byKind.values()].filter(({ isNew, columns }) => isNew || columns.length > 0);
  if (told.length === 0) return undefined;
  const isOrdered = linesTellOrder(log);
  const filter = newFilter(log.lines.length);
  for (const { indexes } of told) for (const at of indexes) addToFilter(filter, recordAt(log, at));
  const chunk: PackedChunk = { resource, file, groups: told.map((group) => packGroup(group, log, isOrdered)) };
  const text = JSON.stringify(chunk);
  return { filter: filter.toString('base64'), body: text.length < shortest ? text : deflated(text) };
}

function deflated(text: string): string {
  return deflateRawSync(text, text.length < longestSmall ? smallDeflate : { level: 1 }).toString('base64');
}

/**
 * Whether two changes have the same line only if they have the same record: a JSON document may have all its records on
 * one line.
 */
function linesTellOrder(log: ChangeLog): boolean {
  const { lines } = log;
  for (let i = 1; i < lines.length; i++) {
    const [line, before] = [lines[i] as number, lines[i - 1] as number];
    if (line < before || (line === before && recordAt(log, i) !== recordAt(log, i - 1))) return false;
  }
  return true;
}

function groupOf({ byList, byKind }: Groups, { tables, befores, nexts }: ChangeLog, at: number): Group {
  const table = tables[at] as Table;
  const before = befores[at];
  const list = before === undefined ? table.columns : table.differing(before, nexts[at] as Row);
  const known = byList.get(list);
  if (known !== undefined) return known;
  const isNew = before === undefined;
  const columns = isNew
    ? contents(table)
    : list.filter((name) => !unrecordedColumns.has(name) && isRecorded(table, name));
  const kind = `${table.name} ${isNew ? '+' : columns}`;
  const group = byKind.get(kind) ?? { table, columns, isNew, indexes: [] };
  byKind.set(kind, group);
  byList.set(list, group);
  return group;
}

/** The columns of a new child except those that identify it; none of a new record. */
function contents({ columns, id, parent }: Table): readonly string[] {
  return parent === undefined ? [] : columns.filter((name) => !id.includes(name) && name !== parent);
}

function packGroup({ table, columns, isNew, indexes }: Group, log: ChangeLog, isOrdered: boolean): PackedGroup {
  const { lines, befores, nexts, marksBefore, marksAfter } = log;
  const before = columns.map((name) => columnReader(name)(befores, indexes));
  const next = columns.map((name) => columnReader(name)(nexts, indexes));
  return {
    ...{ table: table.name, columns, isNew },
    records: frontCoded(indexes.map((at) => recordAt(log, at))),
    lines: differences(indexes.map((at) => lines[at] as number)),
    marksAfter: differences(indexes.map((at) => marksAfter[at] as number)),
    marksBefore: differences(indexes.map((at) => marksBefore[at] as number)),
    ...(!isOrdered && { order: differences(indexes) }),
    ...(table.parent !== undefined && identity(table, nexts, indexes)),
    ...(!isNew && { before }),
    ...(columns.length > 0 && { after: next.map((values, c) => packAfter(before[c] ?? [], values)) }),
  };
}

/** Each record as how many characters it shares with the one before, as one character, and the rest. */
function frontCoded(records: readonly string[]): string[] {
  let before = '';
  return records.map((record) => {
    const most = Math.min(record.length, before.length, mostShared);
    let shared = 0;
    while (shared < most && record.charCodeAt(shared) === before.charCodeAt(shared)) shared++;
    before = record;
    return String.fromCharCode(firstMark + shared) + record.slice(shared);
  });
}

function differences(numbers: readonly number[]): number[] {
  return numbers.map((number, i) => number - (numbers[i - 1] ?? 0));
}

/** What identifies children in addition to their parent. */
function identity({ id, parent }: Table, rows: readonly Row[], indexes: readonly number[]) {
  const keyColumns = id.filter((name) => name !== parent);
  return { keyColumns, keys: keyColumns.map((name) => columnReader(name)(rows, indexes)) };
}

/** Written over the new values: a further list for each column is garbage that counts. */
function packAfter(before: readonly Value[], next: (Value | PackedValue)[]): PackedValue[] {
  for (let i = 0; i < next.length; i++) next[i] = packValue(before[i] as Value, next[i] as Value);
  return next;
}

function packValue(before: Value, value: Value): PackedValue {
  if (typeof value === 'number' && typeof before === 'number') {
    const difference = value - before;
    return before + difference === value ? difference : [value];
  }
  const kept = keptAfter(value);
  return typeof kept === 'object' && kept !== null ? [kept.hash] : kept;
}
