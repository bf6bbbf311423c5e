// The table of characteristics, apart from their rules: values, axes and products refer to it.
import { isIdentifier } from '../planning/references.js';
import type { Snapshot } from '../rows/snapshot.js';
import { column, defineTable, type RowOf } from '../rows/table.js';
import { fold } from '../text/text.js';
import { textCache } from '../text/text-cache.js';

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
  { id: ['id'], lookups: { key: ['key'] }, prefix: 'attr_' },
);

export type CharacteristicRow = RowOf<typeof characteristicTable>;

/** Names as they compare, up to so many characters: a catalog has few, and its products name each again and again. */
const folded = textCache<string>(200_000);

function foldName(name: string): string {
  const known = folded.get(name);
  if (known !== undefined) return known;
  const key = fold(name);
  folded.set(name, key);
  return key;
}

/** A characteristic by identifier or by name. */
export function findCharacteristic(snapshot: Snapshot, ident: string): CharacteristicRow | undefined {
  const byId = isIdentifier(ident, 'attr_') ? snapshot.find(characteristicTable, 'id', ident) : undefined;
  return byId ?? snapshot.find(characteristicTable, 'key', foldName(ident));
}
