// The members of a characteristic and of its values without their rules, since values, axes and products refer to it.
import { choice, type ItemOf, integer, key, list, reference, statuses, text } from '../fields/fields.js';
import { constant, identifier, kept, readList, stored, timestamp } from '../fields/members.js';
import { defineRecord } from '../fields/record-type.js';
import { inDisplayOrder } from '../planning/merge-list.js';
import { isIdentifier } from '../planning/references.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { RowOf } from '../rows/table.js';
import { fold } from '../text/text.js';
import { textCache } from '../text/text-cache.js';

export const valueRecord = defineRecord(
  'characteristic_value',
  {
    id: identifier(),
    characteristic: kept(''),
    key: kept(''),
    // A label that differs in case is corrected, which counts as an update.
    label: stored(key('the value, unique within the characteristic', { maxBytes: 190 })),
    hex: stored(text('six hexadecimal digits, with or without #; colour characteristics only', { format: 'hex' }), {
      decided: true,
    }),
    position: stored(integer('display order; when omitted the value goes last'), { decided: true }),
    status: stored(choice('activated (default) or suspended', statuses), { initial: 'activated', decided: true }),
    listed: kept(1),
    description: stored(text('note about the value', { maxCharacters: 500 })),
    link_label: stored(text('words of a link shown with the note; sent together with link_page')),
    link_page: stored(
      reference('identifier of the text page the link opens; sent together with link_label', 'page', []),
    ),
  },
  {
    id: ['id'],
    lookups: { key: ['characteristic', 'key'] },
    parent: 'characteristic',
    prefix: 'atvl_',
    isReferredTo: true,
  },
);

export const valueTable = valueRecord.table;

export type ValueRow = RowOf<typeof valueTable>;

export type ValueEntry = ItemOf<typeof valueRecord.fields>;

/** Only active values are returned, in display order. */
function activeValues(characteristic: string, snapshot: Snapshot): Readonly<Record<string, unknown>>[] {
  const rows = snapshot
    .children(valueTable, characteristic)
    .filter(({ status, listed }) => listed === 1 && status === 'activated');
  return inDisplayOrder(rows, ({ id }) => id).map((row) => valueRecord.view(row, snapshot));
}

export const characteristicRecord = defineRecord(
  'characteristic',
  {
    object: constant('attribute'),
    id: identifier(),
    key: kept(''),
    name: stored(
      key('what it is called and recognized by; a colour characteristic is always named Colour', {
        maxBytes: 190,
        required: false,
        anyCase: true,
      }),
      { decided: true },
    ),
    kind: stored(
      choice('custom (default) or colour; never changed later', ['custom', 'colour'], { keys: { colour: 'Colour' } }),
      { initial: 'custom', decided: true, lasting: true },
    ),
    unit: stored(text('unit of its values; custom characteristics only', { maxBytes: 30 }), { decided: true }),
    scope: stored(choice('catalog (default), category or product', ['catalog', 'category', 'product']), {
      initial: 'catalog',
    }),
    scope_ident: stored(
      reference('identifier of the category or product it applies to', 'category or product', ['cate_', 'prod_']),
      { decided: true },
    ),
    position: stored(integer('display order')),
    status: stored(choice('activated (default) or suspended', statuses), { initial: 'activated' }),
    shared: kept(0, { lasting: true, shape: 'boolean', show: (shared) => shared === 1 }),
    listed_values: kept(0),
    values: readList(list('the whole list of values', valueRecord.fields, 'label', { maxEntries: 400 }), {
      shape: { list: valueRecord.readShape },
      compute: (row, snapshot) => activeValues(String(row['id']), snapshot),
    }),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { id: ['id'], lookups: { key: ['key'] }, prefix: 'attr_', isReferredTo: true },
);

export const characteristicTable = characteristicRecord.table;

export type CharacteristicRow = RowOf<typeof characteristicTable>;

/**
 * Cache of folded names, bounded in characters: a catalog has few characteristics, and its products repeat their names.
 */
const folded = textCache<string>(200_000);

function foldName(name: string): string {
  const known = folded.get(name);
  if (known !== undefined) return known;
  const key = fold(name);
  folded.set(name, key);
  return key;
}

export function findCharacteristic(snapshot: Snapshot, ident: string): CharacteristicRow | undefined {
  const byId = isIdentifier(ident, 'attr_') ? snapshot.find(characteristicTable, 'id', ident) : undefined;
  return byId ?? snapshot.find(characteristicTable, 'key', foldName(ident));
}
