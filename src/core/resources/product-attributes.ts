// Characteristic values of a product. Unlike other lists it is not a whole set: only the named characteristics are
// updated.
import { type ItemOf, integer, key, text } from '../fields/fields.js';
import { computed, kept, stored } from '../fields/members.js';
import { defineRecord } from '../fields/record-type.js';
import type { ChildChange, Task } from '../planning/item-task.js';
import { checkKept } from '../planning/merge-list.js';
import { refuseReference } from '../planning/references.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Row, RowOf } from '../rows/table.js';
import { fold } from '../text/text.js';
import { lineage } from './category.js';
import { type CharacteristicRow, characteristicTable, findCharacteristic, valueTable } from './characteristic-table.js';
import type { ProductRow } from './product-table.js';

export const attributeRecord = defineRecord(
  'product_attribute',
  {
    product: kept(''),
    type: stored(key('the characteristic, by identifier or name'), { column: 'characteristic', decided: true }),
    type_name: computed('string', (row, snapshot) => characteristicOf(row, snapshot)?.name ?? ''),
    ordinal: kept(0),
    value: stored(
      text('the value; one of the characteristic’s list where it has one', { maxBytes: 190, required: true }),
    ),
    unit: stored(text('unit of the value', { maxBytes: 50 })),
    position: stored(integer('display order')),
    listed: kept(1),
    unlisted: computed('boolean', isUnlisted),
  },
  { id: ['product', 'characteristic', 'ordinal'], parent: 'product' },
);

export const attributeTable = attributeRecord.table;

function characteristicOf(row: Row, snapshot: Snapshot): CharacteristicRow | undefined {
  return snapshot.find(characteristicTable, 'id', String(row['characteristic']));
}

/** Whether a value would be refused now: its characteristic has a list, and the value is not an active one of it. */
function isUnlisted(row: Row, snapshot: Snapshot): boolean {
  const characteristic = characteristicOf(row, snapshot);
  if (characteristic === undefined || characteristic.listed_values === 0) return false;
  const found = snapshot.find(valueTable, 'key', characteristic.id, fold(String(row['value']).trim()));
  return found?.listed !== 1 || found.status !== 'activated';
}

type AttributeRow = RowOf<typeof attributeTable>;

export type AttributeEntry = ItemOf<typeof attributeRecord.fields>;

/** Items that may contain characteristic values. */
type Attributed = readonly { readonly attributes?: readonly AttributeEntry[] }[];

/** The characteristics that these items name, each once. */
function typesIn(items: Attributed): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { attributes } of items) {
    if (attributes !== undefined) for (const { type } of attributes) if (type !== undefined) types.add(type);
  }
  return types;
}

/** Looks up the named characteristics. */
export function prefetchCharacteristics(items: Attributed, snapshot: Snapshot): void {
  for (const type of typesIn(items)) findCharacteristic(snapshot, type);
}

/** Looks up the named values of characteristics that are loaded and have a closed list. */
export function prefetchListedValues(items: Attributed, snapshot: Snapshot): void {
  const closed = new Map<string, CharacteristicRow>();
  for (const type of typesIn(items)) {
    const characteristic = findCharacteristic(snapshot, type);
    if (characteristic !== undefined && characteristic.listed_values > 0) closed.set(type, characteristic);
  }
  if (closed.size === 0) return;
  for (const { attributes = none } of items) {
    for (const { type, value } of attributes) {
      const characteristic = type === undefined ? undefined : closed.get(type);
      if (characteristic !== undefined && value !== undefined)
        snapshot.find(valueTable, 'key', characteristic.id, fold(value.trim()));
    }
  }
}

/** A value that an item names. */
interface NamedValue {
  readonly entry: AttributeEntry;
  readonly index: number;
  /** The value as it was sent; the entry has it in the list's spelling. */
  readonly written: string | undefined;
}

/** The values of one characteristic in an item. */
interface Named {
  readonly characteristic: CharacteristicRow;
  /** By the key that identifies them. */
  readonly values: Map<string, NamedValue>;
}

const none: readonly never[] = [];

/**
 * The entries for one characteristic are its new set on this product, matched with the stored ones by value. Other
 * characteristics stay as they are.
 */
export function decideAttributes(
  task: Task,
  entries: readonly AttributeEntry[],
  stored: ProductRow | undefined,
  next: ProductRow,
): void {
  const named = new Map<string, Named>();
  const isWithin = scopeChecker(task.snapshot, next);
  entries.forEach((entry, index) => {
    if (entry.type === undefined) return;
    const characteristic = findCharacteristic(task.snapshot, entry.type);
    if (characteristic === undefined) {
      refuseReference(task, `attributes[${index}].type`, entry.type, {
        word: 'characteristic',
        prefix: 'attr_',
        accepts: 'name or identifier',
      });
      return;
    }
    const value = entry.value === undefined ? undefined : listedValue(task, characteristic, entry.value, index);
    if (!isWithin(characteristic)) tellOutOfScope(task, characteristic, index);
    const known = named.get(characteristic.id) ?? { characteristic, values: new Map() };
    named.set(characteristic.id, known);
    if (value !== undefined)
      addValue(task, known, {
        entry: value === entry.value ? entry : { ...entry, value },
        index,
        written: entry.value,
      });
  });
  const rows = stored === undefined ? none : task.snapshot.children(attributeTable, stored.id);
  const before = rows.length === 0 ? undefined : rowsByCharacteristic(rows);
  let added = 0;
  for (const one of named.values())
    added += replaceValues(task, next.id, one, before?.get(one.characteristic.id) ?? none);
  checkKept(task, 'attributes', rows.length, added);
}

/** Values of a closed list are compared case-insensitively, others exactly. */
function sameValue({ listed_values: listed }: CharacteristicRow, value: string): string {
  return listed > 0 ? fold(value.trim()) : value;
}

function addValue(task: Task, { characteristic, values }: Named, named: NamedValue): void {
  const { entry, index } = named;
  const same = sameValue(characteristic, entry.value ?? '');
  const first = values.get(same);
  if (first === undefined) values.set(same, named);
  else {
    const params = { name: characteristic.name, first: `attributes[${first.index}]` };
    task.refuse('duplicate_entry', `attributes[${index}].value`, entry.value, params);
  }
}

function rowsByCharacteristic(rows: readonly AttributeRow[]): ReadonlyMap<string, readonly AttributeRow[]> {
  const grouped = new Map<string, AttributeRow[]>();
  for (const row of rows) {
    const own = grouped.get(row.characteristic);
    if (own === undefined) grouped.set(row.characteristic, [row]);
    else own.push(row);
  }
  return grouped;
}

/** A value of a closed list must be an active one, and is stored in the list's spelling. */
function listedValue(task: Task, characteristic: CharacteristicRow, value: string, i: number): string | undefined {
  if (characteristic.listed_values === 0) return value;
  const found = task.snapshot.find(valueTable, 'key', characteristic.id, fold(value.trim()));
  if (found?.listed === 1 && found.status === 'activated') return found.label;
  // Looked up even if the message is not made: it has to be loaded before the batch is decided for good.
  const rows = task.snapshot.children(valueTable, characteristic.id);
  task.refuse('attribute_value_not_listed', `attributes[${i}].value`, value, () => {
    const active = rows.filter(({ listed, status }) => listed === 1 && status === 'activated');
    return { name: characteristic.name, sent: value, allowed: active.map(({ label }) => label) };
  });
  return undefined;
}

/** Checks whether a product is in the scope of a characteristic; the ancestors of its category are determined once. */
function scopeChecker(snapshot: Snapshot, product: ProductRow): (characteristic: CharacteristicRow) => boolean {
  let above: ReadonlySet<string> | undefined;
  return ({ scope, scope_ident: ident }) => {
    if (scope === 'catalog' || ident === null) return true;
    if (scope === 'product') return product.id === ident;
    above ??= lineage(snapshot, product.category);
    return above.has(ident);
  };
}

function tellOutOfScope(task: Task, { name, scope, scope_ident: ident }: CharacteristicRow, i: number): void {
  task.notice('attribute_out_of_scope', `attributes[${i}].type`, name, { scope, ident: ident ?? '' });
}

/**
 * A stored value that is sent again keeps the columns that are not sent; one that is not sent is removed; others are
 * new.
 * @returns the number of rows that were created
 */
function replaceValues(
  task: Task,
  product: string,
  { characteristic, values }: Named,
  rows: readonly AttributeRow[],
): number {
  const compared = task.mode.comparesLists;
  const change: ChildChange = { path: ({ value }) => `attributes[${characteristic.name}=${value}]`, show };
  const save = (before: AttributeRow | undefined, next: AttributeRow) =>
    task.saveChild(attributeTable, before, next, change, compared);
  const fresh = new Map(values);
  const unlisted: AttributeRow[] = [];
  let ordinal = -1;
  for (const row of [...rows].sort((a, b) => a.ordinal - b.ordinal)) {
    ordinal = Math.max(ordinal, row.ordinal);
    const same = sameValue(characteristic, row.value);
    const sent = row.listed === 1 ? fresh.get(same) : undefined;
    if (row.listed === 0) unlisted.push(row);
    else if (sent === undefined) save(row, { ...row, listed: 0 });
    else {
      fresh.delete(same);
      const next = { ...row };
      attributeRecord.applySent(sent.entry, next);
      // Sent back as it was read, it counts as unchanged, even if the list's spelling was changed since.
      if (sent.written === row.value) next.value = row.value;
      save(row, next);
    }
  }
  // A row without a value is reused before a new one is created.
  let reused = 0;
  for (const { entry } of fresh.values()) {
    const before = unlisted[reused++];
    const next = attributeRecord.newRow('', 0);
    next.product = product;
    next.characteristic = characteristic.id;
    next.ordinal = before?.ordinal ?? ++ordinal;
    attributeRecord.applySent(entry, next);
    save(before, next);
  }
  return Math.max(0, fresh.size - unlisted.length);
}

function show(row: Row): Readonly<Record<string, unknown>> {
  const { value, unit, position, listed } = row as AttributeRow;
  return listed === 1 ? { value, unit, position } : { value: '', unit: '', position };
}
