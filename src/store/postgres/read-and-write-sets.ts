// The read set and the write set of a transaction, as sets of hashed keys. A transaction conflicts with another one only where
// its read set meets the other's write set. With hashes of 32 bits and 3,000 keys each, one pair in 500 is a false conflict.
import { rowKey } from '../../core/rows/draft-state.js';
import type { Pending, SavedRows } from '../../core/rows/snapshot.js';
import type { Row, Table } from '../../core/rows/table.js';

/** Most keys of a write set that is kept; a larger one conflicts with every reader. */
const mostHashes = 20_000;

function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** The seed that separates the keys of different look-ups; tables of one name are views of the same rows. */
function seedOf({ name }: Table, columns: readonly string[]): number {
  return hashOf(`${name} ${columns.join()}`, 0x811c9dc5);
}

const children = 'children of';
const some = 'any row';

/** Adds the keys that were looked up to a read set. */
export function addToReadSet(hashes: Set<number>, pending: Pending): void {
  for (const [table, lookups] of pending.rows)
    for (const [lookup, keys] of lookups) {
      const seed = seedOf(table, table.lookups[lookup] as readonly string[]);
      for (const key of keys) hashes.add(hashOf(key, seed));
    }
  for (const [table, parents] of pending.children) {
    const seed = seedOf(table, [children]);
    for (const parent of parents) hashes.add(hashOf(parent, seed));
  }
  for (const table of pending.some) hashes.add(seedOf(table, [some]));
  if (pending.heads === undefined) return;
  const { table, column, keys } = pending.heads;
  const seed = seedOf(table, [column]);
  for (const key of keys) hashes.add(hashOf(key, seed));
}

/** The write set of a transaction; undefined where it is not known in full, or too large. */
export function writeSetOf(
  saved: readonly ReadonlyMap<Table, SavedRows>[],
  more: readonly { readonly table: Table; readonly key: string }[],
): Int32Array | undefined {
  const hashes = new Set<number>();
  for (const { table, key } of more) hashes.add(hashOf(key, seedOf(table, table.id)));
  for (const tables of saved)
    for (const [table, { created, changed }] of tables) {
      if (created.length > 0) hashes.add(seedOf(table, [some]));
      const add = rowAdder(table, hashes);
      for (const row of created) add(row);
      for (const [row, before] of changed) {
        // The keys of its former version are not known.
        if (before === 'unknown') return undefined;
        add(row);
        add(before);
      }
      if (hashes.size > mostHashes) return undefined;
    }
  return Int32Array.from(hashes);
}

/** Returns a function that adds all keys by which a row of a table can be found. */
function rowAdder(table: Table, hashes: Set<number>): (row: Row) => void {
  const lookups = Object.values(table.lookups).map((columns) => ({ columns, seed: seedOf(table, columns) }));
  const { parent } = table;
  const seedOfChildren = seedOf(table, [children]);
  return (row) => {
    for (const { columns, seed } of lookups) hashes.add(hashOf(rowKey(columns, row), seed));
    if (parent !== undefined) hashes.add(hashOf(String(row[parent]), seedOfChildren));
  };
}

/** A write set as text. */
export function packHashes(hashes: Int32Array): string {
  return Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength).toString('base64');
}

/** Whether a read set meets a packed write set. */
export function overlap(read: ReadonlySet<number>, packed: string): boolean {
  const bytes = Buffer.from(packed, 'base64');
  for (let at = 0; at < bytes.length; at += 4) if (read.has(bytes.readInt32LE(at))) return true;
  return false;
}
