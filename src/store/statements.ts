// The statements a store needs for a table, each prepared once. Rows are loaded in bulk: the keys of a look-up go in
// as one JSON array, so that a batch costs a query per table and not one per record or child.
import type { Statement } from 'better-sqlite3';
import {
  type Absent,
  type Draft,
  type Foreknowledge,
  keyParts,
  type Needs,
  type Parent,
  type Saved,
} from '../core/snapshot.js';
import { type HashedLookup, type Row, rowKey, type Table } from '../core/table.js';
import { numberIn } from './identifiers.js';
import { type LateIndex, lateIndex, type Place } from './late-index.js';
import { referenceChecker } from './reference-check.js';
import { rowSaver } from './save-rows.js';
import { type Database, scratchNumbers } from './sqlite.js';

/**
 * The row `t` as one text: a JSON array of its cells. Putting 28 cells of a product into an array one by one takes
 * better-sqlite3 longer than it takes SQLite to find them: a third more for the whole, and twice that as an object.
 */
function cellsOf(table: Table): string {
  return `json_array(${table.columns.map((name) => `t.${name}`).join(', ')})`;
}

function rowOf(table: Table, cells: unknown): Row {
  return table.rowOf(JSON.parse(cells as string));
}

function rowsOf(table: Table, found: readonly unknown[]): Row[] {
  return found.map((cells) => rowOf(table, cells));
}

/** Whether a look-up goes by the number that identifiers tell. */
function isByNumber(table: Table, lookup: string): boolean {
  return table.numberInId && lookup === 'id';
}

export interface Statements {
  /** What is known without loading, until the transaction ends. */
  foreknowledge(): Foreknowledge;
  /** Loads what a draft lacks. */
  load(needs: Needs, draft: Draft): void;
  /** Loads it where it is a single row of the catalog itself; else loads nothing and says false. */
  loadOne(needs: Needs, draft: Draft): boolean;
  /** Writes every row a draft saved. */
  save(draft: Draft): void;
  /** Forgets what was learned of the catalog in a transaction that was taken back. */
  forget(): void;
}

/**
 * The statements of one connection. With `base` attached, rows of `main` stand before those of `base` with the same
 * identity: `main` is then a scratch copy of what a dry run changes.
 */
export function newStatements(database: Database, hasBase: boolean): Statements {
  // Of two rows with one key the last that is loaded counts: what the dry run made, not what another process did meanwhile.
  const schemas = hasBase ? ['base', 'main'] : ['main'];
  const cache = new Map<string, Statement>();
  const late = new Map<string, LateIndex>();
  const written = new Set<Table>();

  function statement(name: string, sql: () => string): Statement {
    let found = cache.get(name);
    if (found === undefined) {
      found = database.prepare(sql());
      cache.set(name, found);
    }
    return found;
  }

  /**
   * `SELECT` of whole rows `t` from some places, without rows of the base that have a newer one in the scratch copy
   * (unless that has none at all: `bare`).
   */
  function select(table: Table, places: readonly Place[], bare: boolean = false): string {
    const parts = places.map(({ schema, join }) => {
      const same = rowKey(table)
        .map((name) => `newer.${name} = t.${name}`)
        .join(' AND ');
      const stale = `WHERE NOT EXISTS (SELECT 1 FROM main.${table.name} newer WHERE ${same})`;
      return `SELECT ${cellsOf(table)} FROM json_each(@keys) k CROSS JOIN ${join} ${schema === 'base' && !bare ? stale : ''}`;
    });
    return parts.join(' UNION ALL ');
  }

  /** The statement of a look-up. Nothing is looked for in the scratch copy of a table while that is empty. */
  function selecting(table: Table, lookup: string, on: string): Statement {
    const bare = hasBase && !written.has(table);
    const place = (schema: string) => ({ schema, join: `${schema}.${table.name} t ON ${on}` });
    const sql = () => select(table, (bare ? ['base'] : schemas).map(place), bare);
    return statement(`${table.name}/${lookup}${bare ? '/base' : ''}`, sql).pluck();
  }

  function loadByColumns(table: Table, lookup: string, keys: ReadonlySet<string>, draft: Draft): void {
    const columns = table.lookups[lookup] as readonly string[];
    const single = columns.length === 1;
    const on = single
      ? `t.${columns[0]} = k.value`
      : columns.map((name, i) => `t.${name} = json_extract(k.value, '$[${i}]')`).join(' AND ');
    const wanted = single ? [...keys] : [...keys].map(keyParts);
    const found = selecting(table, lookup, on);
    for (const row of rowsOf(table, found.all({ keys: JSON.stringify(wanted) }))) {
      const key = single ? String(row[columns[0] as string]) : columns.map((name) => row[name]).join('\0');
      draft.loaded(table, lookup, key, row);
    }
  }

  /**
   * Whether `t` has this identifier, which tells its number, unless it was given out before they did. Copies keep their
   * number, so the catalog knows of these too. What a dry run makes anew is never asked for by its made-up identifier.
   */
  function hasIdentifier(table: Table, id: string, number: string): string {
    const early = `SELECT early.seq FROM ${schemas[0]}.${table.name}_id early WHERE early.id = ${id}`;
    return `t.${table.number} = ifnull((${early}), ${number}) AND t.id = ${id}`;
  }

  function loadByIdentifier(table: Table, lookup: string, ids: ReadonlySet<string>, draft: Draft): void {
    const found = selecting(table, lookup, hasIdentifier(table, 'k.value ->> 0', 'k.value ->> 1'));
    const keys = JSON.stringify([...ids].map((id) => [id, numberIn(id)]));
    for (const row of rowsOf(table, found.all({ keys }))) draft.loaded(table, lookup, String(row['id']), row);
  }

  function lateIndexOf(table: Table, lookup: string): LateIndex {
    const name = `${table.name}/${lookup}`;
    const hashed = table.hashed[lookup] as HashedLookup;
    const known = { table, lookup, hashed };
    const found = late.get(name) ?? lateIndex(known, schemas, statement, (places) => select(table, places));
    late.set(name, found);
    return found;
  }

  function foreknowledge(): Foreknowledge {
    const known = new Map<LateIndex, Absent | undefined>();
    return (table, lookup) => {
      if (table.hashed[lookup] === undefined) return undefined;
      const index = lateIndexOf(table, lookup);
      if (!known.has(index)) known.set(index, index.absent());
      return known.get(index);
    };
  }

  function loadByHash(table: Table, lookup: string, keys: ReadonlySet<string>, draft: Draft): void {
    const column = table.lookups[lookup]?.[0] as string;
    for (const row of rowsOf(table, lateIndexOf(table, lookup).find(keys))) {
      const key = String(row[column]);
      if (keys.has(key)) draft.loaded(table, lookup, key, row);
    }
  }

  function keepUp(table: Table, saved: Saved): void {
    for (const lookup of Object.keys(table.hashed)) lateIndexOf(table, lookup).keepUp(saved);
  }

  function loadRows(table: Table, lookup: string, keys: ReadonlySet<string>, draft: Draft): void {
    draft.missing(table, lookup, keys);
    if (table.hashed[lookup] !== undefined) loadByHash(table, lookup, keys, draft);
    else if (isByNumber(table, lookup)) loadByIdentifier(table, lookup, keys, draft);
    else loadByColumns(table, lookup, keys, draft);
  }

  function loadChildren(table: Table, parents: ReadonlySet<Parent>, draft: Draft): void {
    const { parent } = table;
    if (parent === undefined) throw new Error(`table ${table.name} has no parent`);
    const byParent = new Map([...parents].map((id) => [id, [] as Row[]]));
    const found = selecting(table, 'children', `t.${parent} = k.value`);
    const rows = rowsOf(table, found.all({ keys: JSON.stringify([...parents]) }));
    for (const row of rows) byParent.get(row[parent] as Parent)?.push(row);
    for (const [id, children] of byParent) draft.loadedChildren(table, id, children);
  }

  function loadSome(table: Table, draft: Draft): void {
    const sql = () =>
      `SELECT ${schemas.map((schema) => `EXISTS (SELECT 1 FROM ${schema}.${table.name})`).join(' OR ')}`;
    draft.loadedSome(table, statement(`${table.name}/some`, sql).pluck().get() === 1);
  }

  function loadNumber(table: Table, draft: Draft): void {
    const sql = () => `SELECT max(${table.number}) FROM main.${table.name}`;
    const last = Number(statement(`${table.name}/last`, sql).pluck().get());
    draft.loadedNumber(table, hasBase ? Math.max(last, scratchNumbers) : last);
  }

  function loadOne(needs: Needs, draft: Draft): boolean {
    if (hasBase || needs.rows.size !== 1 || needs.children.size + needs.some.size + needs.numbers.size > 0)
      return false;
    for (const [table, lookups] of needs.rows) {
      for (const [lookup, keys] of lookups) {
        const [key] = keys;
        const [name, ...others] = table.lookups[lookup] as readonly string[];
        if (lookups.size > 1 || keys.size > 1 || key === undefined || others.length > 0) return false;
        if (table.hashed[lookup] !== undefined) return false;
        const byNumber = isByNumber(table, lookup);
        const has = byNumber ? hasIdentifier(table, '@id', '@number') : `t.${name} = ?`;
        const sql = () => `SELECT ${cellsOf(table)} FROM ${table.name} t WHERE ${has}`;
        const one = statement(`${table.name}/${lookup}/one`, sql).pluck();
        const cells = byNumber ? one.get({ id: key, number: numberIn(key) }) : one.get(key);
        draft.missing(table, lookup, keys);
        if (cells !== undefined) draft.loaded(table, lookup, key, rowOf(table, cells));
      }
    }
    return true;
  }

  const saveRows = rowSaver(statement, hasBase);
  // What a dry run writes refers to rows of the catalog beside it as well, and is not kept.
  const checkReferences = hasBase ? undefined : referenceChecker(statement);
  return {
    foreknowledge,
    loadOne,
    load(needs, draft) {
      for (const [table, lookups] of needs.rows) {
        for (const [lookup, keys] of lookups) loadRows(table, lookup, keys, draft);
      }
      for (const [table, parents] of needs.children) loadChildren(table, parents, draft);
      for (const table of needs.some) loadSome(table, draft);
      for (const table of needs.numbers) loadNumber(table, draft);
    },
    save(draft) {
      const all = draft.saved();
      saveRows(all);
      checkReferences?.(all);
      for (const [table, saved] of all) {
        written.add(table);
        keepUp(table, saved);
      }
    },
    forget() {
      for (const index of late.values()) index.forget();
    },
  };
}
