// A catalog file as whole records by key, without what differs from run to run (identifiers, times): records of two
// catalogs can be compared as text.
import { existsSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { openSqlite } from '../../src/store/sqlite/driver.js';

type Row = Record<string, unknown>;

/** What is in a catalog. */
export interface Dump {
  /** `product SKU-1` → the record with its children, as JSON. */
  readonly records: ReadonlyMap<string, string>;
  /** `product SKU-1` → its identifier. */
  readonly ids: ReadonlyMap<string, string>;
  /** What else decides how imports go on: the numbers given out for slugs. */
  readonly series: string;
}

/** Tables of records, with the column each is recognized by. */
const roots: Readonly<Record<string, string>> = {
  file: 'id',
  brand: 'id',
  warranty: 'id',
  page: 'id',
  customer: 'external_id',
  shop_order: 'external_id',
  characteristic: 'key',
  category: 'key',
  product_group: 'name',
  product: 'sku',
  review: 'external_id',
};

/** The item that was applied last is identified by a key that differs from catalog to catalog. */
const fingerprint = ['applied_high', 'applied_low', 'applied_epoch', 'former_prices'];

/** Tables of entries, with the column that names their record. */
const children: Readonly<Record<string, string>> = {
  shop_order_line: 'shop_order',
  characteristic_value: 'characteristic',
  product_group_axis: 'product_group',
  product_grade: 'product',
  product_attribute: 'product',
  product_media: 'product',
};

/** The name of a record in a dump. Names of characteristics and categories are recognized in any case. */
export function recordName(table: string, key: string): string {
  return `${table} ${roots[table] === 'key' ? key.toLowerCase() : key}`;
}

/** Opens a database for looking at it as a test does: also what a crash left is brought in order by that. */
export function openRaw(file: string): Sqlite.Database {
  return openSqlite(file, { timeout: 10_000 });
}

/** Reads a catalog whole; nothing where there is no file, or none of its tables yet. */
export function dumpOf(file: string): Dump {
  const records = new Map<string, string>();
  const ids = new Map<string, string>();
  if (!existsSync(file)) return { records, ids, series: '' };
  const database = openRaw(file);
  try {
    if (database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'product'`).get() === undefined)
      return { records, ids, series: '' };
    database.exec('BEGIN');
    readInto(database, records, ids);
    return { records, ids, series: JSON.stringify(database.prepare('SELECT * FROM slug_series ORDER BY stem').all()) };
  } finally {
    database.close();
  }
}

function readInto(database: Sqlite.Database, records: Map<string, string>, ids: Map<string, string>): void {
  const names = new Map<unknown, string>();
  const rows = Object.entries(roots).flatMap(([table, key]) =>
    (database.prepare(`SELECT * FROM ${table}`).all() as Row[]).map((row) => {
      const name = `${table} ${row[key]}`;
      names.set(row['id'], name);
      names.set(`${table} ${row['seq']}`, name);
      ids.set(name, String(row['id']));
      return { name, row };
    }),
  );
  // Entries name some of their records by number, in columns that are called as their tables.
  const named = (column: string, value: unknown): unknown =>
    names.get(typeof value === 'number' ? `${column} ${value}` : value) ?? value;
  const plain = (row: Row, without: readonly string[]): Row =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([column]) => !without.includes(column))
        .map(([column, value]) => [column, column.startsWith('external') ? value : named(column, value)]),
    );
  const entries = new Map<unknown, string[]>();
  for (const [table, parent] of Object.entries(children)) {
    for (const row of database.prepare(`SELECT * FROM ${table}`).all() as Row[]) {
      const text = `${table} ${JSON.stringify(plain(row, ['id', parent]))}`;
      const owner = named(parent, row[parent]);
      if (owner === row[parent]) throw new Error(`an entry without its record: ${text}`);
      entries.set(owner, [...(entries.get(owner) ?? []), text]);
    }
  }
  for (const { name, row } of rows) {
    const own = plain(row, ['id', 'seq', 'created_at', 'updated_at', ...fingerprint]);
    records.set(name, JSON.stringify([own, (entries.get(name) ?? []).sort()]));
  }
}

/** What an index that lags behind its table must not have: a missing row, an extra row, and a duplicate slug. */
function lateFaults(database: Sqlite.Database, table: string): string[] {
  const upto = `(SELECT upto FROM late_index WHERE name = '${table}_slug')`;
  const ask = (words: string, sql: string): string[] =>
    database
      .prepare(sql)
      .pluck()
      .all()
      .map((found) => `${table}: ${words} ${found}`);
  return [
    ...ask('slug twice', `SELECT slug FROM ${table} GROUP BY slug HAVING count(*) > 1`),
    ...ask(
      'not in its index: row',
      `SELECT seq FROM ${table} WHERE seq <= ${upto}
       AND NOT EXISTS (SELECT 1 FROM ${table}_slug WHERE hash = slug_hash AND row = seq)`,
    ),
    ...ask(
      'in its index without reason: row',
      `SELECT row FROM ${table}_slug
       WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE seq = row AND slug_hash = hash)`,
    ),
  ];
}

/** What is wrong with a file: by SQLite's own checks, and by what the catalog counts on; empty where all is well. */
export function faultsOf(file: string): string[] {
  const database = openRaw(file);
  try {
    const faults = (database.pragma('integrity_check') as { integrity_check: string }[]).map(
      (row) => row.integrity_check,
    );
    const strays = database.pragma('foreign_key_check') as unknown[];
    return [
      ...faults.filter((fault) => fault !== 'ok'),
      ...strays.map((stray) => JSON.stringify(stray)),
      ...['category', 'product'].flatMap((table) => lateFaults(database, table)),
    ];
  } finally {
    database.close();
  }
}
