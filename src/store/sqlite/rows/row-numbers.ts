// Identifiers ↔ row numbers. Users see identifiers; tables with many rows refer to each other by number, since identifiers of 31
// letters would take more space than the rest of the row.
//
// product          the identifier ends in its number (identifiers.ts), unless it was made elsewhere (by another store):
//                  those are listed in product_id
// characteristic   looked up in its table; few, and remembered
//
// A store that adopts (the scratch store of a dry run) is given all identifiers by others, and also those of records that
// it does not hold. Provisional ones count, and that is their number; all others are listed, under negative numbers. One that
// restores products from another catalog takes the number that an identifier tells where it is free, and lists it otherwise.
import { isProvisional, provisionalCount } from '../../../core/rows/provisional-id.js';
import { numberIn } from '../../identifiers.js';
import type { Numbers } from './layout.js';
import type { Prepare } from './prepare.js';

/** Most identifiers in a cache; others are looked up again. */
const remembered = 10_000;

export interface RowNumbers extends Numbers {
  /** The number by which rows refer to a record; undefined if it has none here. */
  find(table: string, id: string): number | undefined;
  /** The identifier of a record that rows refer to by number. */
  idOf(table: string, number: number): string;
  /** Clears the caches: a transaction begins, or was rolled back. */
  forget(): void;
}

/** Which identifiers a store accepts: its own only, also products of another catalog, or any identifier of records that are elsewhere. */
export type Adoption = 'none' | 'products' | 'all';

interface NumberState {
  readonly prepare: Prepare;
  readonly adoption: Adoption;
  readonly numbers: Map<string, number>;
  readonly ids: Map<number, string>;
  /** The identifiers of products that were restored in this transaction, by the number in them. */
  readonly restored: Map<number, string>;
  /** Whether any product is listed in `product_id`; undefined until it was read. */
  hasListed: boolean | undefined;
}

export function rowNumbers(prepare: Prepare, adoption: Adoption): RowNumbers {
  const state: NumberState = {
    prepare,
    adoption,
    numbers: new Map(),
    ids: new Map(),
    restored: new Map(),
    hasListed: undefined,
  };
  return {
    numberOf: (table, id) => numberOf(state, table, id),
    find: (table, id) => findNumber(state, table, id),
    idOf: (table, number) => idOf(state, table, number),
    forget() {
      for (const cache of [state.numbers, state.ids, state.restored]) cache.clear();
      state.hasListed = undefined;
    },
  };
}

function numberOf(state: NumberState, table: string, id: string): number {
  if (state.adoption === 'products' && table === 'product') return restoredNumber(state, id);
  const number = findNumber(state, table, id);
  if (number !== undefined) return number;
  if (state.adoption === 'all') return adopt(state, table, id);
  throw new Error(`a row refers to ${table} ${id}, which the catalog does not have`);
}

function findNumber(state: NumberState, table: string, id: string): number | undefined {
  if (state.adoption === 'all') return adoptedNumber(state, table, id);
  return table === 'product' ? productNumber(state, id) : characteristicNumber(state, id);
}

function idOf({ ids, prepare }: NumberState, table: string, number: number): string {
  const known = ids.get(number);
  if (known !== undefined) return known;
  const sql = () => `SELECT id FROM ${table} WHERE seq = ?`;
  const own = prepare(`${table}/identifier`, sql).pluck().get(number) as string | undefined;
  const stub = () => `SELECT id FROM ${table}_id WHERE seq = ?`;
  const id = own ?? (prepare(`${table}_id/identifier`, stub).pluck().get(number) as string);
  if (ids.size >= remembered) ids.clear();
  ids.set(number, id);
  return id;
}

function remember({ numbers }: NumberState, id: string, number: number): number {
  if (numbers.size >= remembered) numbers.clear();
  numbers.set(id, number);
  return number;
}

/** The number of an identifier that is listed in `product_id` or `characteristic_id`. */
function listedNumber({ prepare }: NumberState, table: string, id: string): number | undefined {
  const sql = () => `SELECT seq FROM ${table}_id WHERE id = ?`;
  return prepare(`${table}_id/number`, sql).pluck().get(id) as number | undefined;
}

function mayBeListed(state: NumberState): boolean {
  const sql = () => 'SELECT EXISTS (SELECT 1 FROM product_id)';
  state.hasListed ??= state.prepare('product_id/some', sql).pluck().get() === 1;
  return state.hasListed;
}

/** Products: identifiers that this store made contain their numbers; provisional ones are of rows that are elsewhere. */
function productNumber(state: NumberState, id: string): number | undefined {
  if (isProvisional(id, 'prod_')) return undefined;
  if (!mayBeListed(state)) return numberIn(id);
  const number = state.numbers.get(id) ?? listedNumber(state, 'product', id);
  return number === undefined ? numberIn(id) : remember(state, id, number);
}

function characteristicNumber(state: NumberState, id: string): number | undefined {
  const known = state.numbers.get(id);
  if (known !== undefined) return known;
  const sql = () => 'SELECT seq FROM characteristic WHERE id = ?';
  const number = state.prepare('characteristic/number', sql).pluck().get(id) as number | undefined;
  return number === undefined ? undefined : remember(state, id, number);
}

function adoptedNumber(state: NumberState, table: string, id: string): number | undefined {
  if (table === 'product' && isProvisional(id, 'prod_')) return provisionalCount(id);
  const number = state.numbers.get(id) ?? listedNumber(state, table, id);
  if (number !== undefined) return remember(state, id, number);
  return table === 'product' ? undefined : characteristicNumber(state, id);
}

/** Lists an identifier that was made elsewhere, under the next negative number. */
function adopt(state: NumberState, table: string, id: string): number {
  const { prepare } = state;
  const sql = () => `SELECT min(0, ifnull(min(seq), 0)) - 1 FROM ${table}_id`;
  const number = Number(prepare(`${table}_id/next`, sql).pluck().get());
  prepare(`${table}_id/list`, () => `INSERT INTO ${table}_id VALUES (?, ?)`).run(id, number);
  state.hasListed = true;
  return remember(state, id, number);
}

/** The number of a product that came with its identifier from another catalog. */
function restoredNumber(state: NumberState, id: string): number {
  const { numbers, restored, prepare } = state;
  const known = numbers.get(id) ?? listedNumber(state, 'product', id);
  if (known !== undefined) return remember(state, id, known);
  const number = numberIn(id);
  const sql = () => 'SELECT id FROM product WHERE seq = ?';
  const holder = restored.get(number) ?? prepare('product/holder', sql).pluck().get(number) ?? id;
  if (holder !== id || !(number > 0)) return adopt(state, 'product', id);
  restored.set(number, id);
  return number;
}
