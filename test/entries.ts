// Entries for tests: raw items, and entries of the other kinds.
import type { Batch } from '../src/core/catalog.js';
import { type Entry, rawEntry } from '../src/core/entry.js';

const kinds: readonly unknown[] = ['raw', 'validated', 'unreadable', 'settled'] satisfies Entry['kind'][];

/** A batch of items as they were sent; what is an entry already stays one. No item of a test has such a `kind`. */
export function batchOf(items: readonly unknown[]): Batch {
  return items.map((one) => (isEntry(one) ? one : rawEntry(one)));
}

function isEntry(one: unknown): one is Entry {
  return typeof one === 'object' && one !== null && 'kind' in one && kinds.includes(one.kind);
}
