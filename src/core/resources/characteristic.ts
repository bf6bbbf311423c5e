// Characteristics, for example capacity or colour, with their closed lists of values.
import { sentKey } from '../check.js';
import { choice, integer, key, list, reference, statuses, text } from '../fields.js';
import { inDisplayOrder, type ListedRow, type MergedEntry, mergeList, tellDeactivated } from '../merge.js';
import { checkShopReference, isIdentifier, refuseReference } from '../references.js';
import type { Checked, Resource } from '../resource.js';
import type { Snapshot } from '../snapshot.js';
import { column, defineTable, type Row, type RowOf } from '../table.js';
import type { Task } from '../task.js';
import { fold, quote } from '../text.js';
import { categoryTable } from './category.js';
import { productTable } from './product-table.js';
import { pages } from './shop.js';

// What may be sent

const valueFields = {
  label: key('the value, unique within the characteristic', { maxBytes: 190 }),
  hex: text('six hexadecimal digits, with or without #; colour characteristics only', { format: 'hex' }),
  position: integer('display order; when omitted the value goes last'),
  status: choice('activated (default) or suspended', statuses),
  description: text('note about the value', { maxCharacters: 500 }),
  link_label: text('words of a link shown with the note; sent together with link_page'),
  link_page: reference('identifier of the text page the link opens; sent together with link_label', 'page', []),
};

const fields = {
  name: key('name; a colour characteristic is always named Colour', { maxBytes: 190, required: false }),
  kind: choice('custom (default) or colour; never changed later', ['custom', 'colour']),
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

// What is kept

export const characteristicTable = defineTable(
  'characteristic',
  {
    id: column.text,
    key: column.text,
    name: column.text,
    kind: column.text,
    unit: column.text,
    scope: column.text,
    scope_ident: column.nullableText,
    position: column.integer,
    status: column.text,
    shared: column.integer,
    listed_values: column.integer,
    created_at: column.integer,
    updated_at: column.integer,
  },
  { id: ['id'], lookups: { key: ['key'] } },
);

export const valueTable = defineTable(
  'characteristic_value',
  {
    id: column.text,
    characteristic: column.text,
    key: column.text,
    label: column.text,
    hex: column.text,
    position: column.integer,
    status: column.text,
    listed: column.integer,
    description: column.text,
    link_label: column.text,
    link_page: column.nullableText,
  },
  { id: ['id'], lookups: { key: ['characteristic', 'key'] }, parent: 'characteristic' },
);

export type CharacteristicRow = RowOf<typeof characteristicTable>;
type ValueRow = RowOf<typeof valueTable>;

interface ValueEntry {
  readonly label?: string;
  readonly hex?: string;
  readonly position?: number;
  readonly status?: string;
  readonly description?: string;
  readonly link_label?: string;
  readonly link_page?: string | null;
}

interface Item {
  readonly name?: string;
  readonly kind?: string;
  readonly unit?: string;
  readonly scope?: string;
  readonly scope_ident?: string | null;
  readonly position?: number;
  readonly status?: string;
  readonly values?: readonly ValueEntry[];
}

// What a batch needs

/** The record an item is about: for kind colour it is the one called Colour, whatever name the item carries. */
function nameOf(item: Item): string | undefined {
  return item.kind === 'colour' ? 'Colour' : item.name;
}

function prefetch(items: readonly Checked[], snapshot: Snapshot): boolean {
  for (const item of items as readonly Item[]) {
    const name = nameOf(item);
    if (!name) continue;
    const stored = snapshot.find(characteristicTable, 'key', fold(name));
    if (stored !== undefined && item.values !== undefined) snapshot.children(valueTable, stored.id);
  }
  return true;
}

/** A characteristic by identifier or by name. */
export function findCharacteristic(snapshot: Snapshot, ident: string): CharacteristicRow | undefined {
  const byId = isIdentifier(ident, 'attr_') ? snapshot.find(characteristicTable, 'id', ident) : undefined;
  return byId ?? snapshot.find(characteristicTable, 'key', fold(ident));
}

// What happens

function decideCharacteristic(task: Task, shared: boolean): void {
  const item = task.item as Item;
  const name = nameOf(item);
  if (!name) {
    if (!task.wrong('name') && !task.wrong('kind'))
      task.refuse('field_required', 'name', 'is missing; it must be sent for every kind but colour');
    return;
  }
  const stored = task.snapshot.find(characteristicTable, 'key', fold(name));
  if (stored !== undefined) task.known(stored);
  if (stored?.shared === 1 && !shared) {
    return task.refuse(
      'shared_read_only',
      'name',
      `${quote(stored.name)} is shared by the service; it can be read and not written`,
    );
  }
  if (item.kind === 'colour' && item.name && fold(item.name) !== 'colour') {
    task.notice(
      'name_replaced',
      'name',
      `${quote(item.name)} was replaced by Colour, which every colour characteristic is called`,
    );
  }
  const next = correct(task, item, stored, name);
  if (shared) next.shared = 1;
  checkUnit(task, item, next);
  applyScope(task, item, next);
  if (item.values !== undefined) decideValues(task, item.values, stored, next);
  task.record(characteristicTable, stored, next);
}

function correct(task: Task, item: Item, stored: CharacteristicRow | undefined, name: string): CharacteristicRow {
  if (stored === undefined) return create(task, item, name);
  if (item.kind !== undefined && item.kind !== stored.kind) {
    task.notice('kind_ignored', 'kind', `${item.kind} was not applied; ${quote(stored.name)} stays ${stored.kind}`);
  }
  return {
    ...stored,
    unit: stored.kind === 'colour' ? '' : (item.unit ?? stored.unit),
    scope: item.scope ?? stored.scope,
    position: item.position ?? stored.position,
    status: item.status ?? stored.status,
  };
}

function create(task: Task, item: Item, name: string): CharacteristicRow {
  const { now } = task.world;
  const kind = item.kind ?? 'custom';
  if (kind === 'custom' && fold(name) === 'colour') {
    task.notice('custom_colour', 'kind', 'a custom characteristic called Colour was created; its values have no hex');
  }
  return {
    id: task.world.newId('attr_'),
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
function checkUnit(task: Task, item: Item, next: CharacteristicRow): void {
  if (next.kind === 'colour' && item.unit) {
    task.refuse(
      'unit_not_allowed',
      'unit',
      `${quote(item.unit)} is not accepted on a colour characteristic; leave it out`,
    );
  }
}

/** scope_ident names an existing record that matches the scope; scope back to catalog clears it. */
function applyScope(task: Task, item: Item, next: CharacteristicRow): void {
  if (task.wrong('scope') || task.wrong('scope_ident')) return;
  const sent = item.scope_ident ?? undefined;
  if (next.scope === 'catalog') {
    if (sent !== undefined)
      task.refuse(
        'scope_ident_not_allowed',
        'scope_ident',
        `${quote(sent)} is not accepted for scope catalog; leave it out`,
      );
    next.scope_ident = null;
    return;
  }
  const [prefix, table] =
    next.scope === 'category' ? (['cate_', categoryTable] as const) : (['prod_', productTable] as const);
  if (sent === undefined) {
    const kept = item.scope_ident === undefined && next.scope_ident?.startsWith(prefix);
    if (!kept)
      task.refuse(
        'scope_ident_required',
        'scope_ident',
        `is missing; scope ${next.scope} needs the identifier of a ${next.scope} (${prefix})`,
      );
    return;
  }
  if (!isIdentifier(sent, prefix) || task.snapshot.find<Row>(table, 'id', sent) === undefined) {
    return refuseReference(task, 'scope_ident', sent, {
      word: next.scope,
      accepted: `the identifier of a ${next.scope} (${prefix})`,
      prefixes: [prefix],
    });
  }
  next.scope_ident = sent;
}

function decideValues(
  task: Task,
  entries: readonly ValueEntry[],
  stored: CharacteristicRow | undefined,
  next: CharacteristicRow,
): void {
  const rows = stored === undefined ? [] : task.snapshot.children(valueTable, stored.id);
  const merged = mergeList<ValueRow, ValueEntry>(
    task,
    {
      field: 'values',
      word: 'label',
      positions: 'last',
      keyOf: ({ label }) => (label === undefined ? undefined : fold(label)),
      keyOfRow: (row) => row.key,
      create: (entry) => newValue(task, next.id, entry),
      correct: correctValue,
    },
    rows,
    entries,
  );
  next.listed_values = merged.filter((entry) => entry.next.listed === 1).length;
  for (const entry of merged) checkValue(task, entries, entry, next.kind);
  tellDeactivated(task, 'values', merged);
  for (const { before, next: value } of merged) {
    task.child(valueTable, before, value, {
      path: `values[${value.label}]`,
      show: (row) => viewValue(row as ValueRow),
    });
  }
}

function newValue(task: Task, characteristic: string, entry: ValueEntry): ValueRow & ListedRow {
  const label = entry.label ?? '';
  const row = {
    id: task.world.newId('atvl_'),
    characteristic,
    key: fold(label),
    label,
    hex: '',
    position: 0,
    status: 'activated',
  };
  return correctValue({ ...row, listed: 1, description: '', link_label: '', link_page: null }, entry);
}

/** A label in other letters is corrected: that is an update. */
function correctValue(row: ValueRow, entry: ValueEntry): ValueRow {
  return {
    ...row,
    label: entry.label ?? row.label,
    hex: entry.hex || row.hex,
    description: entry.description ?? row.description,
    link_label: entry.link_label ?? row.link_label,
    link_page: entry.link_page === undefined ? row.link_page : entry.link_page,
  };
}

function checkValue(task: Task, entries: readonly ValueEntry[], merged: MergedEntry<ValueRow>, kind: string): void {
  const { index, next } = merged;
  const entry = index === undefined ? undefined : entries[index];
  if (entry === undefined) return;
  const path = `values[${index}]`;
  if (kind === 'custom' && entry.hex) {
    task.refuse(
      'hex_not_allowed',
      `${path}.hex`,
      `${quote(entry.hex)} is not accepted on a custom characteristic; leave it out`,
    );
  }
  if (kind === 'colour' && (next.hex === '' || entry.hex === '') && !task.wrong(`${path}.hex`)) {
    task.refuse(
      'hex_required',
      `${path}.hex`,
      'is missing; every value of a colour characteristic has six hexadecimal digits',
    );
  }
  checkLink(task, path, entry);
}

/** link_label and link_page are sent together; both '' remove the link. */
function checkLink(task: Task, path: string, entry: ValueEntry): void {
  if (task.wrong(`${path}.link_label`) || task.wrong(`${path}.link_page`)) return;
  const { link_label: label, link_page: page } = entry;
  if (label === undefined && page === undefined) return;
  if (label === undefined || page === undefined || (label === '') !== (page === null)) {
    const lacking = page === undefined || page === null ? 'link_page' : 'link_label';
    task.refuse(
      'link_incomplete',
      `${path}.${lacking}`,
      "is missing; link_label and link_page are sent together, both '' to remove the link",
    );
  }
  checkShopReference(task, `${path}.link_page`, page, pages);
}

// What is read back

function viewValue(row: ValueRow): Readonly<Record<string, unknown>> {
  return {
    id: row.id,
    label: row.label,
    hex: row.hex,
    position: row.position,
    status: row.status,
    description: row.description,
    link_label: row.link_label,
    link_page: row.link_page ?? '',
  };
}

/** Only active values are returned, in display order. */
function activeValues(characteristic: string, snapshot: Snapshot): Readonly<Record<string, unknown>>[] {
  const rows = snapshot
    .children(valueTable, characteristic)
    .filter(({ status, listed }) => listed === 1 && status === 'activated');
  return inDisplayOrder(rows, ({ id }) => id).map(viewValue);
}

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
  externalId: (item) => (item['kind'] === 'colour' ? 'Colour' : sentKey(item, 'name')),
  prefetch,
  decide: (task) => decideCharacteristic(task, false),
  find: (selector, snapshot) =>
    'id' in selector
      ? snapshot.find(characteristicTable, 'id', selector.id)
      : snapshot.find(characteristicTable, 'key', fold(selector.key.trim())),
  view,
};

/** Characteristics shared by the service: loaded into a local catalog as part of the shop, read-only for imports. */
export const sharedCharacteristic: Resource = {
  ...characteristic,
  command: 'shared-characteristics',
  words: ['characteristics', 'shared-characteristic', 'shared_characteristics'],
  decide: (task) => decideCharacteristic(task, true),
};
