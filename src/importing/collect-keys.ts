// Collects the keys that an import reads of each resource, including refused rows: the keys a feed lists. And in how many
// rows each field has a value.

import type { Entry } from '../core/entry.js';
import { type RecordKey, recordKey } from '../core/fields/record-key.js';
import type { Line } from '../core/import-report.js';
import { isFilled, wholeLists } from '../core/ledger/filled-fields.js';
import { hashNumber } from '../core/ledger/recorded-change.js';
import type { SeenKeys } from '../core/ledger/seen-keys.js';
import type { Resource } from '../core/resource.js';
import { hasTrustedKey } from '../core/trusted-key.js';
import type { ImportObserver } from './observer.js';

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
  /** Whether the last row has a key, and not all of its cells or characters: the file may have been cut off there. */
  isCut: boolean;
  /** Rows that could be read, and how many of them have a value in each field. */
  readable: number;
  readonly fields: readonly string[];
  readonly filled: number[];
  /** Fields that a constant fills in some file: they are no columns, so that nothing is missing where they are gone. */
  readonly constants: Set<string>;
  readonly lists: readonly string[];
  entries: number;
  refused: number;
  isPart: boolean;
}

function add(collected: Collected, hash: number): void {
  if (collected.count === collected.hashes.length) {
    const larger = new Float64Array(2 * collected.hashes.length);
    larger.set(collected.hashes);
    collected.hashes = larger;
  }
  collected.hashes[collected.count++] = hash;
}

function countValues(collected: Collected, entries: readonly Entry[]): void {
  const { fields, filled, lists } = collected;
  for (const entry of entries) {
    if (entry.kind === 'unreadable' || typeof entry.item !== 'object' || entry.item === null) continue;
    const item = entry.item as Readonly<Record<string, unknown>>;
    collected.readable++;
    for (let i = 0; i < fields.length; i++) if (isFilled(item[fields[i] as string])) (filled[i] as number)++;
    for (const list of lists) {
      const sent = item[list];
      if (Array.isArray(sent)) collected.entries += sent.length;
    }
  }
}

/** Whether a row with a wrong form has several lines: a misplaced quote may have joined rows, whose keys are unknown. */
function mayHideRows({ diagnostics = [] }: Line): boolean {
  return diagnostics.some(({ code, params }) => code === 'row_shape' && params?.['lines'] !== undefined);
}

export function seenKeys(): SeenKeysObserver {
  const all = new Map<string, Collected>();
  let current: Collected | undefined;
  return {
    begin({ resource, constants, source }) {
      const fields = Object.keys(resource.fields);
      if (current !== undefined) endFile(current);
      current = all.get(resource.name) ?? {
        ...{ resource, keyOf: recordKey(resource.fields, resource.key), hashes: new Float64Array(1024) },
        ...{ count: 0, total: 0, untrusted: 0, isCut: false, readable: 0, fields, filled: fields.map(() => 0) },
        ...{ constants: new Set(), lists: wholeLists.filter((name) => fields.includes(name)), entries: 0, refused: 0 },
        isPart: false,
      };
      if (source.found.isSentBack === true) current.isPart = true;
      for (const name of constants ?? []) current.constants.add(name);
      all.set(resource.name, current);
    },
    batch({ report, entries = [] }) {
      if (current === undefined) return;
      countValues(current, entries);
      current.refused += report.refused;
      for (const line of report.data) {
        current.total++;
        const isTrusted = hasTrustedKey(line, current.keyOf) && !mayHideRows(line);
        current.isCut = isTrusted && (line.code === 'row_shape' || line.code === 'invalid_text');
        if (isTrusted) add(current, hashNumber(current.keyOf.same(line.external_id)));
        else current.untrusted++;
      }
    },
    seen: () => [...all.values()].map(seenOf),
  };
}

/** The key of a row is that of its record; but where the last row is incomplete, those after it may be cut off. */
function endFile(collected: Collected): void {
  if (collected.isCut) collected.untrusted++;
  collected.isCut = false;
}

function seenOf(collected: Collected): SeenKeys {
  endFile(collected);
  const { resource, hashes, count, total, untrusted, readable, fields, filled, constants, entries, refused, isPart } =
    collected;
  const sorted = hashes.slice(0, count).sort();
  let unique = 0;
  for (const hash of sorted) if (unique === 0 || sorted[unique - 1] !== hash) sorted[unique++] = hash;
  const counts = Object.fromEntries(
    fields.map((name, i) => [name, filled[i] ?? 0]).filter(([name, n]) => n !== 0 && !constants.has(String(name))),
  );
  const keys = sorted.slice(0, unique);
  return { resource, keys, total, untrusted, isPart, filled: { rows: readable, fields: counts, entries, refused } };
}
