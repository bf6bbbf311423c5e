// The state of a record as a short text, which binds a plan to its records. Equal texts mean equal values in every
// column of the record and of its children; a difference shows in which.
import type { CheckedItem } from '../fields/check-item.js';
import type { Resource } from '../resource.js';
import { categoryTable } from '../resources/category.js';
import { characteristicTable } from '../resources/characteristic-table.js';
import { groupTable } from '../resources/product-group.js';
import { productTable } from '../resources/product-table.js';
import { isProvisional } from '../rows/provisional-id.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Row, Table, Value } from '../rows/table.js';
import { hashNumber } from './recorded-change.js';

/** Reads states. Records that are not loaded become pending, as with every look-up. */
export interface RecordStates {
  /** Looks up what the states of these items' records need. */
  prefetch(resource: Resource, items: readonly CheckedItem[], snapshot: Snapshot): void;
  /** The state of a record by its own row; '' for a new record. */
  of(resource: Resource, row: Row | undefined, snapshot: Snapshot): string;
  /** The columns and lists in which two states differ. */
  differing(resource: Resource, state: string, other: string): readonly string[];
}

export const recordStates: RecordStates = { prefetch, of: stateOf, differing };

/** Columns that are not values of a record: its keys, and what may be saved without a change. */
const unread: ReadonlySet<string> = new Set(['id', 'updated_at', 'ordinal']);

/** The column that identifies a record, which a planned record does not have yet. */
const fromCreation = 'created_at';

/** Stands for any value. */
const anyValue = '*';

/**
 * Columns that refer to records by identifier, with the keys of those: since a plan may create them, only the key is
 * stable.
 */
const references: Readonly<Record<string, readonly (readonly [table: Table, key: string])[]>> = {
  parent: [[categoryTable as Table, 'key']],
  category: [[categoryTable as Table, 'key']],
  product_group: [[groupTable as Table, 'name']],
  characteristic: [[characteristicTable as Table, 'key']],
  scope_ident: [
    [categoryTable as Table, 'key'],
    [productTable as Table, 'sku'],
  ],
};

function readColumns({ tables: [root] }: Resource): readonly string[] {
  return root?.columns.filter((name) => !unread.has(name) && root.fingerprint?.includes(name) !== true) ?? [];
}

function childTables({ tables }: Resource): readonly Table[] {
  return tables.slice(1).filter(({ parent }) => parent !== undefined);
}

function stateOf(resource: Resource, row: Row | undefined, snapshot: Snapshot): string {
  if (row === undefined) return '';
  const id = String(row['id']);
  const isPlanned = isProvisional(id, resource.prefix);
  const own = readColumns(resource).map((name) =>
    isPlanned && name === fromCreation ? anyValue : shortForm(name, row[name] ?? null, snapshot),
  );
  const lists = childTables(resource).map((table) => listForm(table, childrenOf(table, id, snapshot), snapshot));
  return [...own, ...lists].join(' ');
}

/** The children of a record; most catalogs have none of some kinds. */
function childrenOf(table: Table, id: string, snapshot: Snapshot): readonly Row[] {
  return snapshot.some(table) ? snapshot.children(table, id) : [];
}

/** A list in a form that does not depend on the order of its rows. Unlisted rows are left out. */
function listForm(table: Table, rows: readonly Row[], snapshot: Snapshot): string {
  const columns = table.columns.filter((name) => !unread.has(name) && name !== table.parent);
  const listed = rows.filter((row) => row['listed'] !== 0);
  const forms = listed.map((row) => columns.map((name) => shortForm(name, row[name] ?? null, snapshot)).join(' '));
  return forms.length === 0 ? '-' : hashNumber(forms.sort().join('\n')).toString(36);
}

function shortForm(column: string, value: Value, snapshot: Snapshot): string {
  if (value === null) return '-';
  if (value === '') return '_';
  if (typeof value === 'number') return `#${value}`;
  const key = keyOf(column, value, snapshot);
  return hashNumber(key === undefined ? value : `key ${key}`).toString(36);
}

/** The key of the record that a column refers to; undefined if it is empty or refers to nothing. */
function keyOf(column: string, value: string, snapshot: Snapshot): string | undefined {
  for (const [table, key] of references[column] ?? []) {
    if (!value.startsWith(table.prefix ?? '')) continue;
    const row = snapshot.find(table, 'id', value);
    if (row !== undefined) return String(row[key]);
  }
  return undefined;
}

function prefetch(resource: Resource, items: readonly CheckedItem[], snapshot: Snapshot): void {
  for (const { externalId } of items) {
    const row = externalId === '' ? undefined : resource.find({ key: externalId }, snapshot);
    if (row !== undefined) ask(resource, row, snapshot);
  }
}

/** Looks up what the state of a record needs. */
function ask(resource: Resource, row: Row, snapshot: Snapshot): void {
  const columns = resource.tables[0]?.columns ?? [];
  for (const name of columns) {
    const value = references[name] === undefined ? null : (row[name] ?? null);
    if (typeof value === 'string') keyOf(name, value, snapshot);
  }
  for (const table of childTables(resource)) childrenOf(table, String(row['id']), snapshot);
}

function differing(resource: Resource, state: string, other: string): readonly string[] {
  const names = [...readColumns(resource), ...childTables(resource).map(({ name }) => listName(resource, name))];
  const [own, others] = [state.split(' '), other.split(' ')];
  return names.filter((_, i) => own[i] !== others[i] && own[i] !== anyValue && others[i] !== anyValue);
}

/** The field name of a list in an item: `grades`. */
function listName({ fields }: Resource, table: string): string {
  const word = table.slice(table.lastIndexOf('_') + 1);
  return Object.keys(fields).find((name) => name.startsWith(word.replace(/axis$/, 'ax'))) ?? word;
}
