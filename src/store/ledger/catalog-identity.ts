// The identity of a catalog: derived from a random number that each catalog is created with, and that its copies and
// backups keep.
import { createHash } from 'node:crypto';
import { epochId, epochTable } from '../../core/rows/reference-epoch.js';
import type { Store } from '../store.js';

/** Characters of an identity: 96 bits. */
const length = 16;

/**
 * Returns the identity of a catalog. Since the random number is also the secret key of its fingerprints, only its hash
 * is used.
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
