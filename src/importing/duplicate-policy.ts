// Duplicate keys in one file. They are always reported, with both lines; the policy decides what is applied:
//
//  last    (default) each row is applied in its turn, so that the last one stays
//  first   the first row is applied, the later ones are refused
//  keep-last  only the last row is applied; the file is read once more before (superseded-rows.ts)
//  refuse  none of them is applied; the file is read once more before, to know them
import { repeatRemedy } from '../core/diagnostics/repeat-remedy.js';
import { sourceProblem } from '../core/diagnostics/source-problems.js';
import { unreadableEntry } from '../core/entry.js';
import { CatalogError } from '../core/errors.js';
import { recordKey } from '../core/fields/record-key.js';
import type { Resource } from '../core/resource.js';
import { groupDigits } from '../core/text/sanitize.js';
import { type Chunk, type KeyHashSet, keyOfEntry, newKeyHashSet, type Source } from '../source/open-source.js';
import type { DuplicateRows } from './observer.js';
import type { DuplicatePolicy } from './request.js';

/** Duplicate keys listed by name; the others are only counted. */
export const listedAtMost = 5;

/** Maximum keys kept in memory where duplicates are refused, in 50 MB; a file with more is an error. */
const keysRefused = 2_000_000;

/**
 * How many keys the source of a file watches: where duplicates are only reported, as many as fit 6 MB; none where all
 * keys are read before.
 */
export const watchedKeys: Readonly<Record<DuplicatePolicy, number | undefined>> = {
  last: 350_000,
  first: keysRefused,
  refuse: undefined,
  'keep-last': undefined,
};

/** Applies a policy to the rows of one file that share a key. */
export interface Duplicates {
  step(chunk: Chunk): Chunk | Promise<Chunk>;
  /** What was found; undefined if no row repeats a key. */
  found(): DuplicateRows | undefined;
}

/** Where a mapping says what becomes of the rows of a key (`once`): its items share none, but with rows that it refused. */
export const noDuplicates: Duplicates = { step: (chunk) => chunk, found: () => undefined };

/** An entry that repeats a key, and the line of the other one. */
interface Repeated {
  readonly index: number;
  readonly id: string;
  readonly other: number;
}

/**
 * Watches the keys of a file.
 * @param source opened with `watchKeys` as `watchedKeys` says; `joinsRows` if its mapping has `rows`
 * @param known the keys of the whole file, read before; needed to refuse them all
 */
export function newDuplicates(
  resource: Resource,
  policy: DuplicatePolicy,
  source: Pick<Source, 'overflowed'> & { readonly joinsRows?: boolean },
  known?: KeyHashSet,
): Duplicates {
  const listed: DuplicateRows['listed'][number][] = [];
  /** Of the keys that are known before: those of which an entry came, which may be on the line of the next one. */
  const met = known && newKeyHashSet(keysRefused);
  const key = recordKey(resource.fields, resource.key);
  let count = 0;

  function list({ id, other }: Repeated, line: number): void {
    count++;
    if (listed.length < listedAtMost) listed.push({ key: id, lines: [other, line] });
  }

  return {
    step(chunk) {
      if (policy !== 'last' && (known?.full() ?? source.overflowed())) throw tooMany(policy);
      const repeated = known === undefined ? laterOnes(chunk) : allOf(chunk, known, resource);
      if (repeated.length === 0) return chunk;
      for (const one of repeated) {
        const line = chunk.lines[one.index] ?? 0;
        // The first row of a key repeats no other.
        if (met === undefined || met.before(key.same(one.id), line) !== undefined) list(one, line);
      }
      return policy === 'last' ? chunk : refusing(chunk, repeated, resource, source.joinsRows);
    },
    found() {
      if (count === 0) return undefined;
      const watched = source.overflowed() ? watchedKeys[policy] : undefined;
      const remedy = repeatRemedy(
        listed.map((one) => one.key),
        source.joinsRows,
      );
      return {
        count,
        listed,
        applied: appliedRows(policy, resource),
        ...(remedy !== 'option' && { remedy }),
        ...(watched && { watchedKeys: watched }),
      };
    },
  };
}

function appliedRows(policy: DuplicatePolicy, resource: Resource): DuplicateRows['applied'] {
  if (policy === 'first') return 'first';
  if (policy === 'refuse') return 'none';
  return resource.oncePerBatch ? 'last-batch' : 'last';
}

/** Entries that repeat an earlier key, as the source reports them. */
function laterOnes({ repeats = [] }: Chunk): Repeated[] {
  return repeats.map(({ index, id, first }) => ({ index, id, other: first }));
}

/** All entries that share a key, including the first of each. */
function allOf({ entries, lines }: Chunk, keys: KeyHashSet, resource: Resource): Repeated[] {
  const key = recordKey(resource.fields, resource.key);
  const repeated: Repeated[] = [];
  entries.forEach((entry, index) => {
    const id = keyOfEntry(key, entry);
    const { first = 0, second = 0 } = id === '' ? {} : (keys.linesOf(key.same(id)) ?? {});
    if (second !== 0) repeated.push({ index, id, other: lines[index] === first ? second : first });
  });
  return repeated;
}

/** A chunk in which the repeated keys are refused. */
function refusing(chunk: Chunk, repeated: readonly Repeated[], resource: Resource, joinsRows?: boolean): Chunk {
  const entries = [...chunk.entries];
  for (const { index, id, other } of repeated) {
    const params = { key: id, line: other, remedy: repeatRemedy([id], joinsRows) };
    entries[index] = unreadableEntry(sourceProblem('key_repeated', params, resource.key), id);
  }
  return { ...chunk, entries };
}

function tooMany(policy: DuplicatePolicy): CatalogError {
  return new CatalogError(
    'usage',
    `--on-duplicate ${policy} remembers ${groupDigits(keysRefused)} keys, and the file has more; split it, or leave the option out.`,
  );
}

export async function readKeys(source: Source, resource: Resource): Promise<KeyHashSet> {
  const key = recordKey(resource.fields, resource.key);
  const keys = newKeyHashSet(keysRefused);
  for await (const { entries, lines } of source.chunks) {
    entries.forEach((entry, i) => {
      const id = keyOfEntry(key, entry);
      if (id !== '') keys.before(key.same(id), lines[i] ?? 0);
    });
  }
  return keys;
}
