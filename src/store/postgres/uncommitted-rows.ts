// Lays the rows of a transaction that is decided and not yet committed over the rows that a later one loaded.
import { rowKey } from '../../core/rows/draft-state.js';
import type { Draft, HeadRequest, Pending, SavedRows } from '../../core/rows/snapshot.js';
import type { Row, Table } from '../../core/rows/table.js';

/** Replaces, in a draft, rows that it just loaded by their uncommitted versions. */
export type Overlay = (loaded: Pending, draft: Draft) => void;

/**
 * The overlay of a transaction.
 * @param saved its rows; those of later maps replace those of earlier ones
 */
export function overlayOf(saved: readonly ReadonlyMap<Table, SavedRows>[]): Overlay {
  // By the names of tables: what is loaded as another view of a table is overlaid, too.
  const byName = new Map<string, TableRows[]>();
  for (const tables of saved)
    for (const [table, rows] of tables) byName.set(table.name, [...(byName.get(table.name) ?? []), { table, rows }]);
  const indexes = new Map<string, ReadonlyMap<string, Row | null>>();

  function indexOf(table: Table, columns: readonly string[]): ReadonlyMap<string, Row | null> | undefined {
    const rows = byName.get(table.name);
    if (rows === undefined) return undefined;
    const place = `${table.name} ${columns.join()}`;
    const index = indexes.get(place) ?? rowsByKey(rows, columns);
    indexes.set(place, index);
    return index;
  }

  return (loaded, draft) => {
    for (const [table, lookups] of loaded.rows)
      for (const [lookup, keys] of lookups) {
        const index = indexOf(table, table.lookups[lookup] as readonly string[]);
        if (index !== undefined) layRows(draft, { table, lookup, keys }, index);
      }
    for (const [table, parents] of loaded.children)
      for (const rows of byName.get(table.name) ?? []) layChildren(draft, table, parents, rows);
    if (loaded.heads !== undefined) layHeads(draft, loaded.heads, indexOf(loaded.heads.table, [loaded.heads.column]));
    for (const table of loaded.some)
      if (byName.get(table.name)?.some(({ rows }) => rows.created.length > 0) === true) draft.loadedSome(table, true);
  };
}

/** The rows that a transaction saved of a table. */
interface TableRows {
  readonly table: Table;
  readonly rows: SavedRows;
}

/** Rows by key, in their last version; null for a key that is given up. */
function rowsByKey(saved: readonly TableRows[], columns: readonly string[]): ReadonlyMap<string, Row | null> {
  const index = new Map<string, Row | null>();
  for (const { rows } of saved) {
    for (const before of rows.changed.values()) if (before !== 'unknown') index.set(rowKey(columns, before), null);
    for (const row of rows.changed.keys()) index.set(rowKey(columns, row), row);
    for (const row of rows.created) index.set(rowKey(columns, row), row);
  }
  return index;
}

function layRows(
  draft: Draft,
  { table, lookup, keys }: { readonly table: Table; readonly lookup: string; readonly keys: ReadonlySet<string> },
  index: ReadonlyMap<string, Row | null>,
): void {
  for (const key of keys) {
    const row = index.get(key);
    if (row === undefined) continue;
    if (row === null) draft.missing(table, lookup, new Set([key]));
    else draft.loaded(table, lookup, key, row);
  }
}

/** Replaces the fingerprint columns of records that were written. */
function layHeads(
  draft: Draft,
  { table: { fingerprint = [] }, keys }: HeadRequest,
  index: ReadonlyMap<string, Row | null> | undefined,
): void {
  if (index === undefined) return;
  const written = new Map<number, Row | null>();
  for (let place = 0; place < keys.length; place++) {
    const row = index.get(keys[place] as string);
    if (row !== undefined) written.set(place, row);
  }
  const loaded = draft.loadedHeads();
  if (loaded === undefined || written.size === 0) return;
  const kept = loaded.places.flatMap((place, i) => (written.has(place) ? [] : [i]));
  const rows = [...written].flatMap(([place, row]) => (row === null ? [] : [{ place, row }]));
  draft.addHeads({
    places: [...kept.map((i) => loaded.places[i] as number), ...rows.map(({ place }) => place)],
    ids: [...kept.map((i) => loaded.ids[i] as string), ...rows.map(({ row }) => String(row['id']))],
    fingerprints: fingerprint.map((name, n) => [
      ...kept.map((i) => loaded.fingerprints[n]?.[i] as number),
      ...rows.map(({ row }) => Number(row[name])),
    ]),
  });
}

function layChildren(draft: Draft, table: Table, parents: ReadonlySet<string>, { rows }: TableRows): void {
  const { parent, id } = table;
  if (parent === undefined) return;
  const written = new Map<string, Row[]>();
  for (const row of [...rows.changed.keys(), ...rows.created]) {
    const of = String(row[parent]);
    if (!parents.has(of)) continue;
    const siblings = written.get(of);
    if (siblings === undefined) written.set(of, [row]);
    else siblings.push(row);
  }
  for (const [of, siblings] of written) {
    const ids = new Set(siblings.map((row) => rowKey(id, row)));
    const others = draft.children(table, of).filter((row) => !ids.has(rowKey(id, row)));
    draft.loadedChildren(table, of, [...others, ...siblings]);
  }
}
