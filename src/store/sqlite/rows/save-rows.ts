// How saved rows are written, which is a fifth of what an import of new products takes. Measured on 200,000 of them:
// upserts 1.35 s; a plain INSERT where a row is known to be new 1.06 s; with the columns that hold nothing, or all
// the same, spelled out instead of bound, a sixth less; many rows in one INSERT, an eighth less again; bound as arguments
// instead of as an array of them, a quarter less again. Half of what is left is binding. Losing: rows as JSON, taken
// separately by SQLite, four times as long.
import type { Statement } from 'better-sqlite3';
import { compile } from '../../../core/rows/compile-function.js';
import type { SavedRows } from '../../../core/rows/snapshot.js';
import type { Row, Value } from '../../../core/rows/table.js';
import { failpoint } from '../../failpoint.js';
import type { Layout, Numbers } from './layout.js';
import type { Prepare } from './prepare.js';
import { changing, rowUpdater } from './update-row.js';

/**
 * From how many rows on it pays to find the columns that have the same value in all of them. With 500 the main thread of an import
 * takes 0.8 % longer: its first transactions are small, and their rows are inserted one by one before anything is compiled.
 */
const manyRows = 100;

/** The share of new rows that may differ in these columns before they are determined anew. */
const mostOthers = 1 / 4;

/** How many rows one INSERT takes; 50 gain nothing more. */
const atOnce = 20;

/** The longest text and the highest number that become part of a statement: a time is the same for a second only. */
const longestWord = 32;
const highestNumber = 1000;

/** An INSERT of `atOnce` rows. */
interface Insert {
  /** Whether a row holds what the statement spells out. */
  readonly fits: (row: Row) => boolean;
  /** Inserts as many rows as the statement takes. */
  readonly run: (rows: readonly Row[]) => void;
  /** The columns that are spelled out, and what they hold. */
  readonly same: ReadonlyMap<string, Value>;
}

/** Writes every row that a draft saved. */
export function rowSaver(prepare: Prepare, numbers: Numbers): (all: ReadonlyMap<Layout, SavedRows>) => void {
  const update = rowUpdater(prepare, numbers);
  /** By table, the INSERT that fits most of the latest rows. */
  const usual = new Map<Layout, Insert>();
  /** The columns that held the same for a while: these are bound from then on, or a sorted file would never settle. */
  const varied = new Map<Layout, Set<string>>();

  function upsert(table: Layout, row: Row): void {
    const statement = prepare(`${table.name}/save`, () => {
      const sets = changing(table).map((name) => `${name} = excluded.${name}`);
      return `${insertInto(table, new Map(), 1)} ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${sets.join(', ')}`;
    });
    statement.run(table.columns.map((name) => table.cell(name, row, numbers)));
  }

  function insert(table: Layout, row: Row): void {
    const statement = prepare(`${table.name}/insert`, () => insertInto(table, new Map(), 1));
    statement.run(table.columns.map((name) => table.cell(name, row, numbers)));
  }

  function insertOf(table: Layout, rows: readonly Row[]): Insert | undefined {
    const known = usual.get(table);
    if (known !== undefined || rows.length < manyRows) return known;
    const others = varied.get(table) ?? new Set();
    const same = sameColumns(table, rows, others);
    const name = `${table.name}/insert-many-${others.size}`;
    const statement = prepare(name, () => insertInto(table, same, atOnce));
    const found = insertMany(table, same, statement, numbers);
    usual.set(table, found);
    return found;
  }

  /** A part of the file begins that has other values in these columns. */
  function giveUp(table: Layout, { same }: Insert, rows: readonly Row[]): void {
    const columns = varied.get(table) ?? new Set();
    varied.set(table, columns);
    for (const row of rows) for (const [name, value] of same) if (row[name] !== value) columns.add(name);
    usual.delete(table);
  }

  function saveTable(table: Layout, { created, changed }: SavedRows): void {
    const many = insertOf(table, created);
    const waiting: Row[] = [];
    let others = 0;
    for (const row of created) {
      if (many === undefined || !many.fits(row)) {
        insert(table, row);
        others++;
      } else if (waiting.push(row) === atOnce) {
        many.run(waiting);
        waiting.length = 0;
      }
    }
    for (const row of waiting) insert(table, row);
    for (const [row, origin] of changed) {
      if (origin === 'unknown') upsert(table, row);
      else update(table, row, origin);
    }
    if (many !== undefined && others > created.length * mostOthers) giveUp(table, many, created);
  }

  return (all) => {
    for (const [table, saved] of all) {
      saveTable(table, saved);
      failpoint('while-saving');
    }
  };
}

/**
 * `INSERT` of so many whole rows; a column of `same` is spelled out. It may leave a part of them behind when it fails,
 * which takes the whole transaction back anyway: so SQLite keeps no copy of the pages that it changes, which is 3 % of an
 * import of new products.
 */
function insertInto(table: Layout, same: ReadonlyMap<string, Value>, count: number): string {
  const values = table.columns.map((name) => (same.has(name) ? literal(same.get(name) ?? null) : '?')).join(', ');
  const rows = Array<string>(count).fill(`(${values})`).join(', ');
  return `INSERT OR FAIL INTO ${table.name} (${table.columns.join(', ')}) VALUES ${rows}`;
}

function literal(value: Value): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL');
}

/** The columns except `others` that have the same value, or none, in all of these rows. */
function sameColumns(table: Layout, rows: readonly Row[], others: ReadonlySet<string>): Map<string, Value> {
  const [first = {}] = rows;
  const names = table.columns.filter((name) => table.plain.has(name) && !others.has(name));
  const same = new Map(names.map((name) => [name, first[name] ?? null]));
  for (const [name, value] of same) {
    if (typeof value === 'string' ? value.length > longestWord : (value ?? 0) > highestNumber) same.delete(name);
  }
  for (const row of rows) for (const [name, value] of same) if (row[name] !== value) same.delete(name);
  return same;
}

/**
 * Compiled for the columns of a statement: reading a row by twenty names that are only known when it runs takes as long
 * as a third of the insert, and a list of the cells to bind a tenth of all that an import allocates.
 */
function insertMany(table: Layout, same: ReadonlyMap<string, Value>, statement: Statement, numbers: Numbers): Insert {
  const fits = [...same].map(([name, value]) => `row.${name} === ${JSON.stringify(value)}`);
  const bound = table.columns.filter((name) => !same.has(name));
  const rows = Array.from({ length: atOnce }, (_, i) => `r${i}`);
  const cells = rows.flatMap((row) => bound.map((name) => table.code(name, row)));
  const run = `return ([${rows}]) => statement.run(${cells});`;
  return {
    fits: compile<Insert['fits']>(['row'], `return ${fits.join(' && ') || true};`),
    run: compile<InsertMaker>(['statement', 'numbers', 'hashes'], run)(statement, numbers, table.hashes),
    same,
  };
}

type InsertMaker = (statement: Statement, numbers: Numbers, hashes: Layout['hashes']) => Insert['run'];
