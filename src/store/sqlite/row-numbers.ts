// Identifiers ↔ row numbers. Identifiers are for the outside; rows that are many refer to each other by number, since
// identifiers of 31 letters would take more than all else that they hold.
//
// product          the identifier ends in its number (identifiers.ts), unless it was made elsewhere (by an older version,
//                  or by another store): those are listed in product_id
// characteristic   looked up in its table; few, and remembered
//
// A store that adopts (the scratch store of a dry run) is given all identifiers by others, and also those of records that
// it does not hold. Provisional ones count, and that is their number; all others are listed, under negative numbers. One that
// restores products from another catalog takes the number that an identifier tells where it is free, and lists it otherwise.
import { isProvisional, provisionalCount } from '../../core/rows/provisional-id.js';
import { numberIn } from '../identifiers.js';
import type { Numbers } from './layout.js';
import type { Prepare } from './save-rows.js';

/** Identifiers that are remembered at most; they are looked up again otherwise. */
const remembered = 10_000;

export interface RowNumbers extends Numbers {
  /** The number of a record to look for its rows, undefined if it has none here. */
  find(table: string, id: string): number | undefined;
  /** The identifier of a record that rows refer to by number. */
  idOf(table: string, number: number): string;
  /** Forgets what may have changed: a transaction begins, or was taken back. */
  forget(): void;
}

/** Whose identifiers a store takes: its own only, those of products of another catalog, or any, of records that are elsewhere. */
export type Adoption = 'none' | 'products' | 'all';

export function rowNumbers(prepare: Prepare, adoption: Adoption): RowNumbers {
  const adopts = adoption === 'all';
  /** The identifiers of products that were restored in this transaction, by the number that they tell. */
  const restored = new Map<number, string>();
  const numbers = new Map<string, number>();
  const ids = new Map<number, string>();
  let hasListed: boolean | undefined;
  const lastAdopted = new Map<string, number>();

  function remember(id: string, number: number): number {
    if (numbers.size >= remembered) numbers.clear();
    numbers.set(id, number);
    return number;
  }

  function listed(table: string, id: string): number | undefined {
    const sql = () => `SELECT seq FROM ${table}_id WHERE id = ?`;
    return prepare(`${table}_id/number`, sql).pluck().get(id) as number | undefined;
  }

  function list(table: string, id: string, number: number): number {
    prepare(`${table}_id/list`, () => `INSERT INTO ${table}_id VALUES (?, ?)`).run(id, number);
    hasListed = true;
    return remember(id, number);
  }

  function mayBeListed(): boolean {
    hasListed ??=
      prepare('product_id/some', () => 'SELECT EXISTS (SELECT 1 FROM product_id)')
        .pluck()
        .get() === 1;
    return hasListed;
  }

  /** Products: identifiers that this store made tell their numbers; provisional ones are of rows that are elsewhere. */
  function productNumber(id: string): number | undefined {
    if (isProvisional(id, 'prod_')) return undefined;
    if (!mayBeListed()) return numberIn(id);
    const number = numbers.get(id) ?? listed('product', id);
    return number === undefined ? numberIn(id) : remember(id, number);
  }

  function characteristicNumber(id: string): number | undefined {
    const known = numbers.get(id);
    if (known !== undefined) return known;
    const sql = () => 'SELECT seq FROM characteristic WHERE id = ?';
    const number = prepare('characteristic/number', sql).pluck().get(id) as number | undefined;
    return number === undefined ? undefined : remember(id, number);
  }

  function adoptedNumber(table: string, id: string): number | undefined {
    if (table === 'product' && isProvisional(id, 'prod_')) return provisionalCount(id);
    const number = numbers.get(id) ?? listed(table, id);
    if (number !== undefined) return remember(id, number);
    return table === 'product' ? undefined : characteristicNumber(id);
  }

  function find(table: string, id: string): number | undefined {
    if (adopts) return adoptedNumber(table, id);
    return table === 'product' ? productNumber(id) : characteristicNumber(id);
  }

  /** Lists an identifier that was made elsewhere. */
  function adopt(table: string, id: string): number {
    const sql = () => `SELECT min(0, ifnull(min(seq), 0)) FROM ${table}_id`;
    const first = lastAdopted.get(table) ?? Number(prepare(`${table}_id/first`, sql).pluck().get());
    lastAdopted.set(table, first - 1);
    return list(table, id, first - 1);
  }

  /** The number of a product that came with its identifier from another catalog. */
  function restoredNumber(id: string): number {
    const known = numbers.get(id) ?? listed('product', id);
    if (known !== undefined) return remember(id, known);
    const number = numberIn(id);
    const sql = () => 'SELECT id FROM product WHERE seq = ?';
    const holder = restored.get(number) ?? prepare('product/holder', sql).pluck().get(number) ?? id;
    if (holder !== id || !(number > 0)) return adopt('product', id);
    restored.set(number, id);
    return number;
  }

  return {
    numberOf(table, id) {
      if (adoption === 'products' && table === 'product') return restoredNumber(id);
      const number = find(table, id);
      if (number !== undefined) return number;
      if (!adopts) throw new Error(`a row refers to ${table} ${id}, which the catalog does not have`);
      return adopt(table, id);
    },
    find,
    idOf(table, number) {
      const known = ids.get(number);
      if (known !== undefined) return known;
      const sql = () => `SELECT id FROM ${table} WHERE seq = ?`;
      const own = prepare(`${table}/identifier`, sql).pluck().get(number) as string | undefined;
      const stub = () => `SELECT id FROM ${table}_id WHERE seq = ?`;
      const id = own ?? (prepare(`${table}_id/identifier`, stub).pluck().get(number) as string);
      if (ids.size >= remembered) ids.clear();
      ids.set(number, id);
      return id;
    },
    forget() {
      numbers.clear();
      ids.clear();
      restored.clear();
      lastAdopted.clear();
      hasListed = undefined;
    },
  };
}
