// Characteristics, for example capacity or colour, with their closed lists of values.
import type { ItemOf } from '../fields/fields.js';
import type { Task } from '../planning/item-task.js';
import {
  isIdentifier,
  refuseReference,
  type ShopReferences,
  unresolvedReferences,
  unresolvedShape,
  withShopReferences,
} from '../planning/references.js';
import type { Resource } from '../resource.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Row } from '../rows/table.js';
import { fold } from '../text/text.js';
import { categoryTable } from './category.js';
import {
  type CharacteristicRow,
  characteristicRecord,
  characteristicTable,
  valueRecord,
  valueTable,
} from './characteristic-table.js';
import { decideValues, listedValues } from './characteristic-values.js';
import { defineResource } from './define-resource.js';
import { productTable } from './product-table.js';
import { pages } from './shop.js';

type CharacteristicItem = ItemOf<typeof characteristicRecord.fields>;

// Prefetch

/** The record of an item: for kind colour it is the one named Colour, whatever name the item has. */
function nameOf(item: CharacteristicItem): string | undefined {
  return item.kind === 'colour' ? 'Colour' : item.name;
}

const ofTheShop: readonly ShopReferences<CharacteristicItem>[] = [
  {
    kind: pages,
    each({ values }, ask) {
      if (values !== undefined) for (const { link_page: page } of values) ask(page);
    },
  },
];

function prefetchNames(items: readonly CharacteristicItem[], snapshot: Snapshot): void {
  for (const name of items.map(nameOf)) {
    if (name) snapshot.find(characteristicTable, 'key', fold(name));
  }
}

function prefetchLists(items: readonly CharacteristicItem[], snapshot: Snapshot): void {
  for (const item of items) {
    const name = item.values === undefined ? undefined : nameOf(item);
    const stored = name ? snapshot.find(characteristicTable, 'key', fold(name)) : undefined;
    if (stored !== undefined) snapshot.children(valueTable, stored.id);
  }
}

// Decision

function decideCharacteristic(task: Task<CharacteristicItem>, shared: boolean): void {
  const { item } = task;
  const name = nameOf(item);
  if (!name) {
    if (!task.hasProblem('name') && !task.hasProblem('kind'))
      task.refuse('field_required', 'name', undefined, { unless: 'kind colour' });
    return;
  }
  const stored = task.snapshot.find(characteristicTable, 'key', fold(name));
  if (stored !== undefined) task.known(stored);
  if (stored?.shared === 1 && !shared) {
    return task.refuse('shared_read_only', 'name', stored.name);
  }
  if (item.kind === 'colour' && item.name && fold(item.name) !== 'colour') {
    task.notice('name_replaced', 'name', item.name);
  }
  const next = correct(task, item, stored, name);
  if (shared) next.shared = 1;
  checkUnit(task, item, next);
  applyScope(task, item, next);
  if (item.values !== undefined) decideValues(task, item.values, stored, next);
  task.saveRecord(characteristicTable, stored, next);
}

function correct(
  task: Task,
  item: CharacteristicItem,
  stored: CharacteristicRow | undefined,
  name: string,
): CharacteristicRow {
  if (stored === undefined) return create(task, item, name);
  if (item.kind !== undefined && item.kind !== stored.kind) {
    task.notice('kind_ignored', 'kind', item.kind, { name: stored.name, kind: stored.kind });
  }
  const next = { ...stored };
  characteristicRecord.applySent(item, next);
  if (stored.kind === 'colour') next.unit = '';
  else if (item.unit !== undefined) next.unit = item.unit;
  return next;
}

function create(task: Task, item: CharacteristicItem, name: string): CharacteristicRow {
  const kind = item.kind ?? 'custom';
  if (kind === 'custom' && fold(name) === 'colour') {
    task.notice('custom_colour', 'kind');
  }
  const row = characteristicRecord.newRow(task.snapshot.newId(characteristicTable), task.environment.now);
  characteristicRecord.applySent(item, row);
  row.key = fold(name);
  row.name = name;
  row.kind = kind;
  if (kind !== 'colour' && item.unit !== undefined) row.unit = item.unit;
  return row;
}

/** Unit: custom characteristics only. '' counts as not sent where no unit is allowed. */
function checkUnit(task: Task, item: CharacteristicItem, next: CharacteristicRow): void {
  if (next.kind === 'colour' && item.unit) {
    task.refuse('unit_not_allowed', 'unit', item.unit);
  }
}

/** scope_ident names an existing record that matches the scope; scope back to catalog clears it. */
function applyScope(task: Task, item: CharacteristicItem, next: CharacteristicRow): void {
  if (task.hasProblem('scope') || task.hasProblem('scope_ident')) return;
  const sent = item.scope_ident ?? undefined;
  if (next.scope === 'catalog') {
    if (sent !== undefined) task.refuse('scope_ident_not_allowed', 'scope_ident', sent);
    next.scope_ident = null;
    return;
  }
  const [prefix, table] =
    next.scope === 'category' ? (['cate_', categoryTable] as const) : (['prod_', productTable] as const);
  if (sent === undefined) {
    const kept = item.scope_ident === undefined && next.scope_ident?.startsWith(prefix);
    if (!kept) task.refuse('scope_ident_required', 'scope_ident', undefined, { scope: next.scope, prefix });
    return;
  }
  if (!isIdentifier(sent, prefix) || task.snapshot.find<Row>(table, 'id', sent) === undefined) {
    return refuseReference(task, 'scope_ident', sent, {
      word: next.scope,
      prefix,
      accepts: 'identifier',
    });
  }
  next.scope_ident = sent;
}

// Read

/** The record the scope refers to: the name of a category, the SKU of a product that was not deleted. */
function scopeName({ scope, scope_ident: ident }: CharacteristicRow, snapshot: Snapshot): string {
  if (ident === null) return '';
  if (scope === 'category') return snapshot.find(categoryTable, 'id', ident)?.name ?? '';
  const product = snapshot.find(productTable, 'id', ident);
  return product === undefined || product.status === 'deleted' ? '' : product.sku;
}

export const characteristic = defineResource(characteristicRecord, {
  name: 'attribute',
  command: 'characteristics',
  words: ['characteristic', 'attribute', 'attributes'],
  title: 'Characteristic',
  limit: 25,
  key: 'name',
  lookup: 'key',
  excludes: { scope: ['scope_ident'], scope_ident: ['scope'] },
  tables: [characteristicTable, valueTable],
  prefetch: withShopReferences(ofTheShop, [prefetchNames, prefetchLists]),
  decide: (task) => decideCharacteristic(task, false),
  details: {
    names: {
      shape: { scope_name: 'string' },
      names: ['category', 'product'],
      read: (row, snapshot) => ({ scope_name: scopeName(row as CharacteristicRow, snapshot) }),
    },
    values: {
      shape: { values: { list: valueRecord.readShape } },
      read: (row, snapshot) => ({ values: listedValues((row as CharacteristicRow).id, snapshot) }),
    },
    unresolved: {
      shape: unresolvedShape,
      read(row, snapshot) {
        const rows = snapshot.children(valueTable, (row as CharacteristicRow).id);
        const values = rows.filter(({ listed }) => listed === 1);
        return { unresolved: unresolvedReferences<CharacteristicItem>(ofTheShop, { values }, snapshot) };
      },
    },
  },
});

/** Characteristics shared by the service: loaded into a local catalog as part of the shop, read-only for imports. */
export const sharedCharacteristic: Resource = {
  ...characteristic,
  command: 'shared-characteristics',
  words: [
    ...['characteristics', 'characteristic', 'attribute', 'attributes'],
    ...['shared-characteristic', 'shared_characteristics', 'shared-attribute', 'shared-attributes'],
  ],
  decide: (task) => decideCharacteristic(task, true),
};
