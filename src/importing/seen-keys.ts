// Collects the keys that an import reads of each resource, including refused rows: the keys a feed lists.

import { type RecordKey, recordKey } from '../core/fields/record-key.js';
import { hashNumber } from '../core/ledger/recorded-change.js';
import type { SeenKeys } from '../core/ledger/seen-keys.js';
import type { Resource } from '../core/resource.js';
import { hasTrustedKey } from '../core/trusted-key.js';
import type { ImportObserver } from './observer.js';

/** An observer that collects keys. */
export interface SeenKeysObserver extends ImportObserver {
  /** What was read so far, by resource. */
  seen(): readonly SeenKeys[];
}

interface Collected {
  readonly resource: Resource;
  readonly keyOf: RecordKey;
  hashes: Float64Array;
  count: number;
  total: number;
  untrusted: number;
}

function add(collected: Collected, hash: number): void {
  if (collected.count === collected.hashes.length) {
    const larger = new Float64Array(2 * collected.hashes.length);
    larger.set(collected.hashes);
    collected.hashes = larger;
  }
  collected.hashes[collected.count++] = hash;
}

/** Makes the observer. */
export function seenKeys(): SeenKeysObserver {
  const all = new Map<string, Collected>();
  let current: Collected | undefined;
  return {
    begin({ resource }) {
      current = all.get(resource.name) ?? {
        ...{ resource, keyOf: recordKey(resource.fields, resource.key), hashes: new Float64Array(1024) },
        ...{ count: 0, total: 0, untrusted: 0 },
      };
      all.set(resource.name, current);
    },
    batch({ report }) {
      if (current === undefined) return;
      for (const line of report.data) {
        current.total++;
        if (hasTrustedKey(line, current.keyOf)) add(current, hashNumber(current.keyOf.same(line.external_id)));
        else current.untrusted++;
      }
    },
    seen: () => [...all.values()].map(seenOf),
  };
}

function seenOf({ resource, hashes, count, total, untrusted }: Collected): SeenKeys {
  const sorted = hashes.slice(0, count).sort();
  let unique = 0;
  for (const hash of sorted) if (unique === 0 || sorted[unique - 1] !== hash) sorted[unique++] = hash;
  return { resource, keys: sorted.slice(0, unique), total, untrusted };
}
