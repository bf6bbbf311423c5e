// Reads the stored form of a transaction's changes (packed-chunk.ts).
import { inflateRawSync } from 'node:zlib';
import type { HashedValue, RecordedChange } from '../../core/ledger/recorded-change.js';
import type { Value } from '../../core/rows/table.js';
import { firstMark, type PackedChunk, type PackedGroup, type PackedValue } from './packed-chunk.js';

/** Parses a stored text into its changes, in the order in which they were made; those of one item in any order. */
export function unpackChanges(body: string): RecordedChange[] {
  const text = body.startsWith('{') ? body : inflateRawSync(Buffer.from(body, 'base64')).toString();
  const { s: resource, f: file, d } = JSON.parse(text) as PackedChunk;
  const found: { readonly place: number; readonly change: RecordedChange }[] = [];
  for (const group of d) {
    let [line, place, markAfter, markBefore] = [0, 0, 0, 0];
    for (const [at, record] of frontDecoded(group.r).entries()) {
      line += group.l[at] ?? 0;
      markAfter += group.m[at] ?? 0;
      markBefore += group.p[at] ?? 0;
      place = group.o === undefined ? line : place + (group.o[at] ?? 0);
      found.push({ place, change: { resource, file, line, markBefore, markAfter, ...changeAt(group, at, record) } });
    }
  }
  return found.sort((a, b) => a.place - b.place).map(({ change }) => change);
}

function frontDecoded(coded: readonly string[]): string[] {
  let before = '';
  return coded.map((text) => {
    before = before.slice(0, text.charCodeAt(0) - firstMark) + text.slice(1);
    return before;
  });
}

function changeAt(
  { t: table, c: columns, n, k = [], i = [], b = [], a = [] }: PackedGroup,
  at: number,
  record: string,
): Omit<RecordedChange, 'resource' | 'file' | 'line' | 'markBefore' | 'markAfter'> {
  const row = k.length === 0 ? { id: record } : Object.fromEntries(k.map((name, c) => [name, i[c]?.[at] ?? null]));
  const before = b.map((values) => values[at] ?? null);
  const after = a.map((values, c) => unpackValue(before[c] ?? null, values[at] ?? null));
  return { record, table, row, isNew: n === 1, columns, before, after };
}

function unpackValue(before: Value, value: PackedValue): Value | HashedValue {
  if (typeof value === 'object' && value !== null) return typeof value[0] === 'number' ? value[0] : { hash: value[0] };
  return typeof value === 'number' && typeof before === 'number' ? before + value : value;
}
