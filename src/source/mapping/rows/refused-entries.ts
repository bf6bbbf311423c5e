// Refused records of `once: merge`. The first row of a key with a value for a field sets it: after one of them is
// corrected, the others must come before and after it as in the original file.
import type { UnreadableEntry } from '../../../core/entry.js';
import { joinRaws, type RawPart } from '../../record-reader.js';
import type { ItemOrigin } from './deduplicator.js';

/** A refused record with the keys it has or may have. */
export interface RefusedEntry {
  readonly ids: readonly string[];
  readonly entry: UnreadableEntry;
  readonly from: ItemOrigin;
}

/** The refused records in file order, with the texts of other records of their keys between them. */
export function amongOthers(missed: readonly RefusedEntry[], others: readonly RawPart[]) {
  const lines = new Set<string>();
  const left = others
    .filter(
      (part) => part.line !== undefined && lines.size < lines.add(`${part.line} ${part.isLookedUp === true}`).size,
    )
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  let at = 0;
  return missed.map(({ entry, from: { line, parts } }, i) => {
    const first = at;
    while (at < left.length && (i === missed.length - 1 || (left[at]?.line ?? 0) < line)) at++;
    const before = left.slice(first, at).filter((part) => (part.line ?? 0) < line);
    const behind = left.slice(first + before.length, at);
    const own = parts.map((part) => ({ ...part, line: part.line ?? line }));
    return { entry, line, raw: joinRaws([...before, ...own, ...behind]) };
  });
}
