// A late index of hashed keys, which lags behind its table. Slugs come in no order: an index updated with every row
// has a page to write for nearly each of them. This one is updated once in thousands of rows, in its own order; the
// rows added since are cached here by their hash, read from the end of the table, where all new ones are. Measured on
// 200,000 new products: 1.4 s of processor and 335 MB written with an index on the table, 1.0 s and 150 MB without any.
import type { SavedRows } from '../../../core/rows/snapshot.js';
import type { Row } from '../../../core/rows/table.js';
import type { HashedLookup, Layout, Numbers } from './layout.js';
import type { Prepare } from './prepare.js';

/** The number of missing rows from which the index is updated: it then writes its pages once for all of them. */
const maximumLag = 32_768;

export interface LateIndex {
  /** The cells of all rows that have one of these keys, and of rows with another key of the same hash. */
  find(keys: ReadonlySet<string>): unknown[];
  /** To be called with the saved rows: updates the index if it lags far behind. */
  keepUp(saved: SavedRows): void;
  /** Clears the cache: a transaction was rolled back. */
  forget(): void;
}

/** `SELECT` of whole rows `t` of the table that are joined this way to `json_each(@keys) k`. */
type Select = (join: string) => string;

/** The rows that are not in the index yet. */
interface Tail {
  /** The last row in the index, and the last one cached here; -1 before the first read. */
  upto: number;
  seen: number;
  /** Row numbers by hash. A row whose key was changed is in the index under the new one. */
  readonly rows: Map<number, number | readonly number[]>;
}

interface LateIndexContext {
  readonly prepare: Prepare;
  readonly select: Select;
  /** Only if the store adopts identifiers: such rows are not appended to their table. */
  readonly numbers?: Numbers;
}

interface IndexState extends LateIndexContext {
  readonly layout: Layout;
  readonly hashed: HashedLookup;
  readonly source: string;
  /** The index's own table, with columns `hash` and `row`. */
  readonly index: string;
  readonly tail: Tail;
}

/**
 * The late index of a look-up. In addition to the table (with its `seq`), it needs a table of hashes and rows, named after
 * both, and an entry in `late_index`.
 */
export function lateIndex(layout: Layout, lookup: string, hashed: HashedLookup, context: LateIndexContext): LateIndex {
  const { table } = layout;
  const state: IndexState = {
    ...context,
    layout,
    hashed,
    source: table.lookups[lookup]?.[0] ?? '',
    index: `${table.name}_${lookup}`,
    tail: { upto: -1, seen: -1, rows: new Map() },
  };
  return {
    find: (keys) => findRows(state, keys),
    keepUp: (saved) => keepUp(state, saved),
    forget: () => restart(state.tail, -1),
  };
}

function restart(tail: Tail, upto: number): void {
  tail.upto = upto;
  tail.seen = upto;
  tail.rows.clear();
}

/** The last row in the index. */
function indexedUpto({ prepare, index }: IndexState): number {
  const sql = () => `SELECT upto FROM late_index WHERE name = '${index}'`;
  return Number(prepare(`${index}/upto`, sql).pluck().get());
}

/** The last row of the table. */
function lastRow({ prepare, index, layout }: IndexState): number {
  const sql = () => `SELECT max(seq) FROM ${layout.table.name}`;
  return Number(prepare(`${index}/newest`, sql).pluck().get());
}

function findRows(state: IndexState, keys: ReadonlySet<string>): unknown[] {
  const { layout, hashed, index, prepare, select } = state;
  const hashes = [...keys].map(hashed.hash);
  readTail(state);
  const join = `${index} i ON i.hash = k.value CROSS JOIN ${layout.table.name} t ON t.seq = i.row`;
  const found = prepare(`${index}/find`, () => select(join)).pluck();
  return [...found.all({ keys: JSON.stringify(hashes) }), ...findInTail(state, hashes)];
}

/** Reads the rows added since the last call, by this process or another. */
function readTail(state: IndexState): void {
  const { tail, hashed, index, prepare, layout } = state;
  const upto = indexedUpto(state);
  if (upto !== tail.upto) restart(tail, upto);
  const last = lastRow(state);
  if (last <= tail.seen) return;
  const since = (column: string): number[] => {
    const sql = () => `SELECT ${column} FROM ${layout.table.name} WHERE seq > ? ORDER BY seq`;
    return prepare(`${index}/since/${column}`, sql).pluck().all(tail.seen) as number[];
  };
  const hashes = since(hashed.column);
  // An import leaves no gaps: reading one of the two columns takes two thirds of the time.
  const seqs = last - tail.seen === hashes.length ? undefined : since('seq');
  for (let i = 0; i < hashes.length; i++) {
    const [hash, seq] = [hashes[i] as number, seqs?.[i] ?? tail.seen + 1 + i];
    const others = tail.rows.get(hash);
    tail.rows.set(hash, others === undefined ? seq : [others, seq].flat());
  }
  tail.seen = last;
}

function findInTail({ tail, index, prepare, select, layout }: IndexState, hashes: readonly number[]): unknown[] {
  const seqs: (number | readonly number[])[] = [];
  for (const hash of hashes) {
    const found = tail.rows.get(hash);
    if (found !== undefined) seqs.push(found);
  }
  if (seqs.length === 0) return [];
  const found = prepare(`${index}/late`, () => select(`${layout.table.name} t ON t.seq = k.value`)).pluck();
  return found.all({ keys: JSON.stringify(seqs.flat()) });
}

function hashOf({ hashed, source }: IndexState, row: Row): number {
  return hashed.hash(String(row[source]));
}

/** Updates the index if it lags far behind. */
function keepUp(state: IndexState, { created, changed }: SavedRows): void {
  const { layout, hashed, index, prepare, numbers } = state;
  if (numbers !== undefined && layout.numbered)
    for (const rows of [created, changed.keys()]) for (const row of rows) addOutOfOrder(state, row, numbers);
  const last = lastRow(state);
  const upto = indexedUpto(state);
  if (last - upto < maximumLag) return;
  const rows = `SELECT ${hashed.column}, seq FROM ${layout.table.name} WHERE seq > ? ORDER BY 1, 2`;
  prepare(`${index}/add`, () => `INSERT OR IGNORE INTO ${index} ${rows}`).run(upto);
  prepare(`${index}/added`, () => `UPDATE late_index SET upto = ? WHERE name = '${index}'`).run(last);
}

/** Indexes a row that is not appended to its table: one whose identifier was made elsewhere (row-numbers.ts). */
function addOutOfOrder(state: IndexState, row: Row, adopted: Numbers): void {
  const { layout, index, prepare } = state;
  const seq = layout.cell('seq', row, adopted) as number;
  if (seq > 0) return;
  prepare(`${index}/out-of-order`, () => `INSERT OR IGNORE INTO ${index} VALUES (?, ?)`).run(hashOf(state, row), seq);
}
