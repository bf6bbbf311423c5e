// Derives a record type from the declarations of its members: fields, table, new row, view and read shape, so that none
// of them lists the members again.
import type { ReadShape } from '../import-report.js';
import type { ReadFields } from '../reading/read-shapes.js';
import type { Snapshot } from '../rows/snapshot.js';
import { defineTable, type Row, type Table, type TableKeys } from '../rows/table.js';
import { type Field, type ItemOf, mayBeLong } from './fields.js';
import type { FieldsOf, RecordMember, RecordMembers, RowOfMembers } from './members.js';
import {
  type AppliedField,
  applySentOf,
  makeRowOf,
  type NewColumn,
  type ShownMember,
  viewOf,
} from './record-functions.js';

/** What is derived from the members of a record. */
export interface RecordType<M extends RecordMembers> {
  /** The fields that may be sent, in the order of the declarations. */
  readonly fields: FieldsOf<M>;
  readonly table: Table<RowOfMembers<M>>;
  readonly readShape: ReadFields;
  /** Creates a row with only identifier and time set. */
  newRow(id: string, now: number): RowOfMembers<M>;
  /** Writes the sent fields into a row, except those that `decide` sets. */
  applySent(item: ItemOf<FieldsOf<M>>, row: RowOfMembers<M>): void;
  view(row: Row, snapshot: Snapshot): ReadShape;
}

function columnOf(name: string, { column }: RecordMember): string {
  return column === undefined || column.name === '' ? name : column.name;
}

/** The members of a read in order: that of their declarations, except for those that name the member before them. */
function readOrder(members: RecordMembers): readonly (readonly [string, RecordMember])[] {
  const read = Object.entries(members).filter(([, member]) => member.read !== undefined);
  const ordered = read.filter(([, { read: { after } = {} }]) => after === undefined);
  for (const moved of read) {
    const after = moved[1].read?.after;
    if (after === undefined) continue;
    const place = ordered.findIndex(([name]) => name === after);
    if (place === -1) throw new Error(`${moved[0]} is read after ${after}, which is not there or is moved itself`);
    ordered.splice(place + 1, 0, moved);
  }
  return ordered;
}

function newColumns(members: RecordMembers): NewColumn[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const { column } = member;
    if (column === undefined) return [];
    return [{ column: columnOf(name, member), initial: column.initial, isTime: column.isTime === true }];
  });
}

/** The columns that cannot be empty. */
function lastingColumns<M extends RecordMembers>(members: M): (keyof RowOfMembers<M> & string)[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const { column, field } = member;
    if (column === undefined) return [];
    const isLasting = column.lasting === true || column.isTime === true || field?.required === true;
    return isLasting ? [columnOf(name, member) as keyof RowOfMembers<M> & string] : [];
  });
}

/** The columns of texts that have no short limit of their own. */
function longTexts<M extends RecordMembers>(members: M): (keyof RowOfMembers<M> & string)[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const isLong = member.field?.kind === 'text' && member.column !== undefined && mayBeLong(member.field);
    return isLong ? [columnOf(name, member) as keyof RowOfMembers<M> & string] : [];
  });
}

function appliedFields(members: RecordMembers): AppliedField[] {
  return Object.entries(members).flatMap(([name, member]) => {
    if (member.isApplied !== true) return [];
    return [{ name, column: columnOf(name, member), isBoolean: member.field?.kind === 'boolean' }];
  });
}

function shownMembers(members: RecordMembers): ShownMember[] {
  return readOrder(members).map(([name, member]) => {
    return { name, column: columnOf(name, member), show: member.read?.show, compute: member.read?.compute };
  });
}

/**
 * Derives a record type.
 * @param name the name of its table in the store
 * @param members its members, in the order in which they are sent
 * @param keys as `defineTable` takes them
 */
export function defineRecord<const M extends RecordMembers>(
  name: string,
  members: M,
  keys: Omit<TableKeys<RowOfMembers<M>>, 'lasting' | 'longTexts'>,
): RecordType<M> {
  const columns: Row = {};
  for (const { column, initial } of newColumns(members)) columns[column] = initial;
  const fields: Record<string, Field> = {};
  for (const [field, member] of Object.entries(members)) if (member.field) fields[field] = member.field;
  // The mapped types describe what the loops above make of `members`.
  return {
    fields: fields as FieldsOf<M>,
    table: defineTable(name, columns as RowOfMembers<M>, {
      ...keys,
      lasting: lastingColumns(members),
      longTexts: longTexts(members),
    }) as Table<RowOfMembers<M>>,
    readShape: Object.fromEntries(readOrder(members).flatMap(([key, { read }]) => (read ? [[key, read.shape]] : []))),
    newRow: makeRowOf(newColumns(members)) as RecordType<M>['newRow'],
    applySent: applySentOf(appliedFields(members)) as RecordType<M>['applySent'],
    view: viewOf(shownMembers(members)),
  };
}
