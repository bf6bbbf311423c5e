// An index of hashed keys that lags behind its table. Slugs come in no order: an index kept up with every row has a
// page to write for nearly each of them. This one is brought up to date once in thousands of rows, in its own order;
// the rows that came since are known here by their hash, read off the end of the table, where all new ones go.
//
// Measured on 200,000 new products: 1.4 s of processor and 335 MB written with an index on the table, 1.0 s and 150 MB
// without any.
import type { Absent, Origin, Saved } from '../core/snapshot.js';
import type { HashedLookup, Row, Table } from '../core/table.js';
import { type KeyFilter, keyFilter } from './key-filter.js';
import type { Prepare } from './save-rows.js';
import { scratchNumbers } from './sqlite.js';

/** From how many rows on that are not in the index it is brought up to date: it then writes its pages once for all. */
const mostBehind = 32_768;

export interface LateIndex {
  /** All rows that have one of these keys, as they are selected; rows with another key of the same hash are among them. */
  find(keys: ReadonlySet<string>): unknown[];
  /** Tells a plan keys that no row has, until its transaction ends; undefined where there is no filter. */
  absent(): Absent | undefined;
  /** To be called with the rows that were saved: brings the index up to date where it lags far behind. */
  keepUp(saved: Saved): void;
  /** Forgets what it knows: a transaction was taken back. */
  forget(): void;
}

/** A schema and how its rows `t` are found by the keys `k`. */
export interface Place {
  readonly schema: string;
  readonly join: string;
}

/** `SELECT` of whole rows of the table from these places, with `json_each(@keys) k`. */
export type Select = (places: readonly Place[]) => string;

/**
 * A filter is made once a quarter as many keys were looked for as there are rows, which takes as long as reading them,
 * and not for the few that a small file or a request has.
 */
const worthIt = { share: 1 / 4, least: 1000 } as const;

/**
 * One key of so many that may be there is loaded in its turn, which has its batch decided anew; where there are more,
 * all are asked for beforehand.
 */
const rare = 200;

/** How many hashes are read at once to fill a filter. */
const atOnce = 50_000;

/** What is known of one schema: the rows that its index does not have yet, and which keys it has at all. */
interface Tail {
  readonly schema: string;
  /** The last row that the index has, and the last one that is known here; -1 where nothing was looked at yet. */
  upto: number;
  seen: number;
  /** Numbers of rows by hash. A row whose key was changed since is in the index with the new one. */
  readonly rows: Map<number, number | readonly number[]>;
  /** Has every hash of the table as of this version of the file, until another connection changes it. */
  filter: { readonly version: number; readonly keys: KeyFilter } | undefined;
  /** Keys looked for without a filter. */
  asked: number;
}

function begin(tail: Tail, upto: number): void {
  tail.upto = upto;
  tail.seen = upto;
  tail.rows.clear();
}

/**
 * The late index of a look-up. Beside the table (with its `seq`) it needs one of hashes and rows, called by both, and an
 * entry in `late_index`.
 * @param schemas `main`, and `base` where `main` is a scratch copy
 */
export function lateIndex(
  { table, lookup, hashed }: { readonly table: Table; readonly lookup: string; readonly hashed: HashedLookup },
  schemas: readonly string[],
  prepare: Prepare,
  select: Select,
): LateIndex {
  const index = `${table.name}_${lookup}`;
  const numbered = schemas.length > 1 ? table.number : undefined;
  const tails = schemas.map(
    (schema): Tail => ({ schema, upto: -1, seen: -1, rows: new Map(), filter: undefined, asked: 0 }),
  );

  /** Keys that the filters were asked about by the plan under way, and those of them that may be there. */
  const asked = { all: 0, unsure: 0 };

  /** The number behind which the rows of a schema come: copies stand before, and are found by the index of the base. */
  function firstOf(schema: string): number {
    return schema === 'main' && numbered !== undefined ? scratchNumbers : 0;
  }

  /** Where a row may be that the index of a schema has: a copy keeps its number, and so its place in the index. */
  function placesOf(schema: string, join: (t: string) => string): Place[] {
    const holders = numbered !== undefined && schema === 'base' ? ['base', 'main'] : [schema];
    return holders.map((holder) => ({ schema: holder, join: join(`${holder}.${table.name} t`) }));
  }

  function uptoOf(schema: string): number {
    const sql = () => `SELECT upto FROM ${schema}.late_index WHERE name = '${index}'`;
    return Math.max(firstOf(schema), Number(prepare(`${schema}.${index}/upto`, sql).pluck().get()));
  }

  function newestOf(schema: string): number {
    const sql = () => `SELECT max(seq) FROM ${schema}.${table.name}`;
    return Number(prepare(`${schema}.${index}/newest`, sql).pluck().get());
  }

  /** Reads the rows that came since the last look, by this process or another. */
  function follow(tail: Tail): void {
    const { schema, rows } = tail;
    const upto = uptoOf(schema);
    if (upto !== tail.upto) begin(tail, upto);
    const newest = newestOf(schema);
    if (newest <= tail.seen) return;
    const since = (column: string): number[] => {
      const sql = () => `SELECT ${column} FROM ${schema}.${table.name} WHERE seq > ? ORDER BY seq`;
      const found = prepare(`${schema}.${index}/since/${column}`, sql).pluck().all(tail.seen);
      return found as number[];
    };
    const hashes = since(hashed.column);
    // An import leaves no gaps: reading one column of the two takes two thirds of the time.
    const seqs = newest - tail.seen === hashes.length ? undefined : since('seq');
    for (let i = 0; i < hashes.length; i++) {
      const [hash, seq] = [hashes[i] as number, seqs?.[i] ?? tail.seen + 1 + i];
      const others = rows.get(hash);
      rows.set(hash, others === undefined ? seq : [others, seq].flat());
    }
    tail.seen = newest;
  }

  function findLate({ schema, rows }: Tail, hashes: readonly number[]): unknown[] {
    const late: (number | readonly number[])[] = [];
    for (const hash of hashes) {
      const found = rows.get(hash);
      if (found !== undefined) late.push(found);
    }
    if (late.length === 0) return [];
    const sql = () => select(placesOf(schema, (t) => `${t} ON t.seq = k.value`));
    const found = prepare(`${schema}.${index}/late`, sql).pluck();
    return found.all({ keys: JSON.stringify(late.flat()) });
  }

  /** Reads every hash of a table: first those of its index, piece by piece, then those behind it. */
  function filled({ schema }: Tail, upto: number): KeyFilter {
    const keys = keyFilter();
    const sql = () => `SELECT hash FROM ${schema}.${index} WHERE hash > ? ORDER BY hash LIMIT ${atOnce}`;
    for (let last = -(2 ** 32); ; ) {
      const some = prepare(`${schema}.${index}/hashes`, sql).pluck().all(last) as number[];
      for (const hash of some) keys.add(hash);
      if (some.length < atOnce) break;
      last = some.at(-1) as number;
    }
    const late = () => `SELECT ${hashed.column} FROM ${schema}.${table.name} WHERE seq > ?`;
    for (const hash of prepare(`${schema}.${index}/late-hashes`, late).pluck().all(upto)) keys.add(hash as number);
    return keys;
  }

  /**
   * The filter of a schema, made once as many keys were looked for as reading all of them is worth. Only this connection
   * adds to it: what another one changed may be a key that it does not have.
   */
  function filterOf(tail: Tail): KeyFilter | undefined {
    const version = Number(
      prepare(`${tail.schema}/version`, () => `PRAGMA ${tail.schema}.data_version`)
        .pluck()
        .get(),
    );
    if (tail.filter?.version === version) return tail.filter.keys;
    if (tail.filter !== undefined) tail.asked = 0;
    tail.filter = undefined;
    if (tail.asked < Math.max(worthIt.least, (newestOf(tail.schema) - firstOf(tail.schema)) * worthIt.share))
      return undefined;
    tail.filter = { version, keys: filled(tail, uptoOf(tail.schema)) };
    return tail.filter.keys;
  }

  /** Takes in a copy whose key is not the one by which the base's index finds it: it does not go to the end of its table. */
  function addCopy(number: string, row: Row, origin: Origin): void {
    const [hash, seq] = [row[hashed.column], row[number] as number];
    if (seq > scratchNumbers || (typeof origin === 'object' && origin[hashed.column] === hash)) return;
    prepare(`${index}/copied`, () => `INSERT OR IGNORE INTO main.${index} VALUES (?, ?)`).run(hash, seq);
  }

  return {
    find(keys) {
      const hashes = [...keys].map(hashed.hash);
      for (const tail of tails) {
        tail.asked += keys.size;
        follow(tail);
      }
      const byHash = (schema: string) =>
        placesOf(schema, (t) => `${schema}.${index} i ON i.hash = k.value CROSS JOIN ${t} ON t.seq = i.row`);
      const found = prepare(`${index}/find`, () => select(schemas.flatMap(byHash)));
      const rows = found.pluck().all({ keys: JSON.stringify(hashes) });
      return [...rows, ...tails.flatMap((tail) => findLate(tail, hashes))];
    },
    absent() {
      const most = asked.all > 0 && asked.unsure * rare <= asked.all;
      asked.all = 0;
      asked.unsure = 0;
      const filters = tails.map(filterOf);
      if (filters.includes(undefined)) return undefined;
      return {
        most,
        lacks(key) {
          const hash = hashed.hash(key);
          asked.all++;
          for (const filter of filters) {
            if (filter?.mayHave(hash) === false) continue;
            asked.unsure++;
            return false;
          }
          return true;
        },
      };
    },
    keepUp({ created, changed }) {
      const own = tails.find(({ schema }) => schema === 'main')?.filter?.keys;
      if (own !== undefined)
        for (const rows of [created, changed.keys()]) for (const row of rows) own.add(row[hashed.column] as number);
      if (numbered !== undefined) for (const [row, origin] of changed) addCopy(numbered, row, origin);
      const newest = newestOf('main');
      const upto = uptoOf('main');
      if (newest - upto < mostBehind) return;
      const rows = `SELECT ${hashed.column}, seq FROM main.${table.name} WHERE seq > ? ORDER BY 1, 2`;
      prepare(`${index}/add`, () => `INSERT OR IGNORE INTO main.${index} ${rows}`).run(upto);
      prepare(`${index}/added`, () => `UPDATE main.late_index SET upto = ? WHERE name = '${index}'`).run(newest);
    },
    forget() {
      for (const tail of tails) begin(tail, -1);
    },
  };
}
