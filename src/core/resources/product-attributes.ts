// Characteristic values of a product. No whole set: only the characteristics named are updated, the others kept.
import { integer, key, text } from '../fields.js';
import { byKey } from '../merge.js';
import { refuseReference } from '../references.js';
import type { Snapshot } from '../snapshot.js';
import { column, defineTable, type Row, type RowOf } from '../table.js';
import type { ChildChange, Task } from '../task.js';
import { fold, nearest, quote } from '../text.js';
import { liesWithin } from './category.js';
import { type CharacteristicRow, findCharacteristic } from './characteristic-table.js';
import { valueTable } from './characteristic-values.js';
import type { ProductRow } from './product-table.js';

export const attributeFields = {
  type: key('the characteristic, by identifier or name'),
  value: text('the value; one of the characteristic’s list where it has one', { maxBytes: 190, required: true }),
  unit: text('unit', { maxBytes: 50 }),
  position: integer('display order'),
};

export const attributeTable = defineTable(
  'product_attribute',
  {
    product: column.text,
    characteristic: column.text,
    ordinal: column.integer,
    value: column.text,
    unit: column.text,
    position: column.integer,
    listed: column.integer,
  },
  { id: ['product', 'characteristic', 'ordinal'], parent: 'product' },
);

type AttributeRow = RowOf<typeof attributeTable>;

export interface AttributeEntry {
  readonly type?: string;
  readonly value?: string;
  readonly unit?: string;
  readonly position?: number;
}

/** Items that may say something of characteristics. */
type Attributed = readonly { readonly attributes?: readonly AttributeEntry[] }[];

/** What names characteristics in these items, each once. */
function typesIn(items: Attributed): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { attributes } of items) {
    if (attributes !== undefined) for (const { type } of attributes) if (type !== undefined) types.add(type);
  }
  return types;
}

/** Asks for the characteristics that are named. */
export function prefetchCharacteristics(items: Attributed, snapshot: Snapshot): void {
  for (const type of typesIn(items)) findCharacteristic(snapshot, type);
}

/** Asks for the values that are named of characteristics, once these are loaded, that have a closed list of them. */
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

/** What an item says of one characteristic. */
interface Named {
  readonly characteristic: CharacteristicRow;
  readonly values: AttributeEntry[];
}

const none: readonly never[] = [];

/** The entries that name one characteristic replace its values on this product; several entries are several values. */
export function decideAttributes(
  task: Task,
  entries: readonly AttributeEntry[],
  stored: ProductRow | undefined,
  next: ProductRow,
): void {
  const rows = stored === undefined ? none : task.snapshot.children(attributeTable, stored.id);
  const named: Named[] = [];
  entries.forEach((entry, i) => {
    if (entry.type === undefined) return;
    const characteristic = findCharacteristic(task.snapshot, entry.type);
    if (characteristic === undefined) {
      refuseReference(task, `attributes[${i}].type`, entry.type, {
        word: 'characteristic',
        accepted: 'the identifier (attr_) or the name of one imported before',
        prefixes: ['attr_'],
      });
      return;
    }
    const value = entry.value === undefined ? undefined : listedValue(task, characteristic, entry.value, i);
    tellOutOfScope(task, characteristic, next, i);
    // The entries of one characteristic mostly stand together.
    const known = named.findLast((one) => one.characteristic.id === characteristic.id);
    const sent = value === undefined || value === entry.value ? entry : { ...entry, value };
    if (known === undefined) named.push({ characteristic, values: value === undefined ? [] : [sent] });
    else if (value !== undefined) known.values.push(sent);
  });
  for (const one of named) {
    const before = rows.length === 0 ? none : rows.filter((row) => row.characteristic === one.characteristic.id);
    replaceValues(task, next.id, one, before);
  }
}

/** A value of a closed list must be an active one of it, and is kept in the list's spelling. */
function listedValue(task: Task, characteristic: CharacteristicRow, value: string, i: number): string | undefined {
  if (characteristic.listed_values === 0) return value;
  const found = task.snapshot.find(valueTable, 'key', characteristic.id, fold(value.trim()));
  if (found?.listed === 1 && found.status === 'activated') return found.label;
  const rows = task.snapshot.children(valueTable, characteristic.id);
  const active = rows.filter(({ listed, status }) => listed === 1 && status === 'activated').map(({ label }) => label);
  const near = nearest(value, active);
  const hint = near === undefined || active.length === 1 ? '' : `, the nearest is ${quote(near)}`;
  const accepted =
    active.length === 1
      ? `its only active value, ${quote(active[0])}, is`
      : `one of its ${active.length} active values is`;
  task.refuse(
    'attribute_value_not_listed',
    `attributes[${i}].value`,
    `${quote(value)} is no active value of ${quote(characteristic.name)}; ${accepted} accepted${hint}`,
  );
  return undefined;
}

function tellOutOfScope(task: Task, characteristic: CharacteristicRow, product: ProductRow, i: number): void {
  const { scope, scope_ident: ident } = characteristic;
  if (scope === 'catalog' || ident === null) return;
  const within = scope === 'product' ? product.id === ident : liesWithin(task.snapshot, product.category, ident);
  if (!within)
    task.notice(
      'attribute_out_of_scope',
      `attributes[${i}].type`,
      `${quote(characteristic.name)} applies to ${scope} ${ident}, which this product is not in`,
    );
}

function replaceValues(
  task: Task,
  product: string,
  { characteristic, values }: Named,
  before: readonly AttributeRow[],
): void {
  const stored = byKey(before, ({ ordinal }) => ordinal);
  const compared = !task.mode.dryRun || task.mode.diff;
  const change: ChildChange = { path: () => `attributes[${characteristic.name}]`, show };
  for (const [ordinal, entry] of values.entries()) {
    const row = stored?.get(ordinal);
    const kept = row?.listed === 1 ? row : undefined;
    const next: AttributeRow = {
      product,
      characteristic: characteristic.id,
      ordinal,
      value: entry.value ?? '',
      unit: entry.unit ?? kept?.unit ?? '',
      position: entry.position ?? kept?.position ?? 0,
      listed: 1,
    };
    task.child(attributeTable, row, next, change, compared);
  }
  for (let ordinal = values.length; ; ordinal++) {
    const row = stored?.get(ordinal);
    if (row === undefined) break;
    if (row.listed === 1) task.child(attributeTable, row, { ...row, listed: 0 }, change, compared);
  }
}

function show(row: Row): Readonly<Record<string, unknown>> {
  const { value, unit, position, listed } = row as AttributeRow;
  return listed === 1 ? { value, unit, position } : { value: '', unit: '', position };
}
