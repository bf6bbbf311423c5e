// What tells one catalog from another one: a random number that each is made with, and that its copies and backups keep.
import { createHash } from 'node:crypto';
import { epochId, epochTable } from '../../core/rows/reference-epoch.js';
import type { Store } from '../store.js';

/** Characters of an identity: 96 bits. */
const length = 16;

/**
 * Names a catalog. The number behind the name is the key of its fingerprints and is kept to itself, so that its hash is used.
 * @returns '' for a store without fingerprints
 */
export async function catalogIdentity(store: Store): Promise<string> {
  const epoch = await store.read(function* (draft) {
    draft.find(epochTable, 'id', epochId);
    yield;
    return draft.find(epochTable, 'id', epochId);
  });
  if (epoch === undefined) return '';
  const { key_high: high, key_low: low } = epoch;
  return createHash('sha256').update(`catalog ${high} ${low}`).digest('base64url').slice(0, length);
}
