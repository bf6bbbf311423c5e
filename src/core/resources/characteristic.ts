// Characteristics, for example capacity or colour, with their closed lists of values.
import { choice, type ItemOf, integer, key, list, reference, statuses, text } from '../fields/fields.js';
import { recordKey } from '../fields/record-key.js';
import type { Task } from '../planning/item-task.js';
import {
  isIdentifier,
  refuseReference,
  type ShopReferences,
  unresolvedReferences,
  withShopReferences,
} from '../planning/references.js';
import type { Resource } from '../resource.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Row } from '../rows/table.js';
import { fold } from '../text/text.js';
import { categoryTable } from './category.js';
import { type CharacteristicRow, characteristicTable } from './characteristic-table.js';
import { activeValues, decideValues, listedValues, valueFields, valueTable } from './characteristic-values.js';
import { productTable } from './product-table.js';
import { pages } from './shop.js';

// What may be sent

const fields = {
  name: key('name; a colour characteristic is always named Colour', {
    maxBytes: 190,
    required: false,
    anyCase: true,
  }),
  kind: choice('custom (default) or colour; never changed later', ['custom', 'colour'], { keys: { colour: 'Colour' } }),
  unit: text('unit; custom characteristics only', { maxBytes: 30 }),
  scope: choice('catalog (default), category or product', ['catalog', 'category', 'product']),
  scope_ident: reference('identifier of the category or product it applies to', 'category or product', [
    'cate_',
    'prod_',
  ]),
  position: integer('display order'),
  status: choice('activated (default) or suspended', statuses),
  values: list('the whole list of values', valueFields, 'label', { maxEntries: 400 }),
};

type CharacteristicItem = ItemOf<typeof fields>;

// What a batch needs

/** The record an item is about: for kind colour it is the one called Colour, whatever name the item carries. */
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

// What happens

function decideCharacteristic(task: Task<CharacteristicItem>, shared: boolean): void {
  const { item } = task;
  const name = nameOf(item);
  if (!name) {
    if (!task.hasProblem('name') && !task.hasProblem('kind'))
      task.refuse('field_required', 'name', undefined, { why: ' for every kind but colour' });
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
  return {
    ...stored,
    unit: stored.kind === 'colour' ? '' : (item.unit ?? stored.unit),
    scope: item.scope ?? stored.scope,
    position: item.position ?? stored.position,
    status: item.status ?? stored.status,
  };
}

function create(task: Task, item: CharacteristicItem, name: string): CharacteristicRow {
  const { now } = task.environment;
  const kind = item.kind ?? 'custom';
  if (kind === 'custom' && fold(name) === 'colour') {
    task.notice('custom_colour', 'kind');
  }
  return {
    id: task.snapshot.newId(characteristicTable),
    key: fold(name),
    name,
    kind,
    unit: kind === 'colour' ? '' : (item.unit ?? ''),
    scope: item.scope ?? 'catalog',
    scope_ident: null,
    position: item.position ?? 0,
    status: item.status ?? 'activated',
    shared: 0,
    listed_values: 0,
    created_at: now,
    updated_at: now,
  };
}

/** Unit: custom characteristics only. '' where it does not belong counts as not sent. */
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
      use: `Use the identifier of a ${next.scope} (${prefix}).`,
      prefixes: [prefix],
    });
  }
  next.scope_ident = sent;
}

// What is read back

function view(row: Row, snapshot: Snapshot): Readonly<Record<string, unknown>> {
  const it = row as CharacteristicRow;
  return {
    object: 'attribute',
    id: it.id,
    name: it.name,
    kind: it.kind,
    unit: it.unit,
    scope: it.scope,
    scope_ident: it.scope_ident ?? '',
    position: it.position,
    status: it.status,
    shared: it.shared === 1,
    values: activeValues(it.id, snapshot),
    created_at: it.created_at,
    updated_at: it.updated_at,
  };
}

/** What the scope refers to: the name of a category, the SKU of a product that was not deleted. */
function scopeName({ scope, scope_ident: ident }: CharacteristicRow, snapshot: Snapshot): string {
  if (ident === null) return '';
  if (scope === 'category') return snapshot.find(categoryTable, 'id', ident)?.name ?? '';
  const product = snapshot.find(productTable, 'id', ident);
  return product === undefined || product.status === 'deleted' ? '' : product.sku;
}

export const characteristic: Resource = {
  name: 'attribute',
  command: 'characteristics',
  words: ['characteristic', 'attribute', 'attributes'],
  title: 'Characteristic',
  limit: 25,
  key: 'name',
  prefix: 'attr_',
  fields,
  tables: [characteristicTable, valueTable],
  externalId: recordKey(fields, 'name').of,
  prefetch: withShopReferences(ofTheShop, [prefetchNames, prefetchLists]),
  decide: (task) => decideCharacteristic(task, false),
  find: (selector, snapshot) =>
    'id' in selector
      ? snapshot.find(characteristicTable, 'id', selector.id)
      : snapshot.find(characteristicTable, 'key', fold(selector.key.trim())),
  view,
  details: {
    names: (row, snapshot) => ({ scope_name: scopeName(row as CharacteristicRow, snapshot) }),
    values: (row, snapshot) => ({ values: listedValues((row as CharacteristicRow).id, snapshot) }),
    unresolved(row, snapshot) {
      const values = snapshot.children(valueTable, (row as CharacteristicRow).id).filter(({ listed }) => listed === 1);
      return { unresolved: unresolvedReferences<CharacteristicItem>(ofTheShop, { values }, snapshot) };
    },
  },
};

/** Characteristics shared by the service: loaded into a local catalog as part of the shop, read-only for imports. */
export const sharedCharacteristic: Resource = {
  ...characteristic,
  command: 'shared-characteristics',
  words: ['characteristics', 'shared-characteristic', 'shared_characteristics'],
  decide: (task) => decideCharacteristic(task, true),
};
