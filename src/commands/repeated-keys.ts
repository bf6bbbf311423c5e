// Keys that come twice in one file. They are always told, with both lines; --on-duplicate says what becomes of them:
//
//  last    (default) each row is applied in its turn, so that the last one stays
//  first   the first row is applied, the later ones are refused
//  refuse  none of them is applied; the file is read once more before, to know them
import { unreadableEntry } from '../core/entry.js';
import { CatalogError } from '../core/errors.js';
import { keyOf } from '../core/key-of.js';
import type { Resource } from '../core/resource.js';
import { quote } from '../core/text.js';
import { type Chunk, type KeyWatch, keyOfEntry, keyWatch, type Source } from '../source/read.js';
import { grouped } from './printable.js';

export const duplicateModes = ['last', 'first', 'refuse'] as const;
export type DuplicateMode = (typeof duplicateModes)[number];

/** Keys that are told one by one. */
const toldAtMost = 5;

/** Keys remembered where repetitions are refused, in 50 MB; a file with more is an error, not a guess. */
const keysRefused = 2_000_000;

/**
 * Keys that the source of a file is to watch: where repetitions are only told as many as take 6 MB, so that an import of
 * any size keeps within its memory; none where all keys are read before.
 */
export const watchedKeys: Readonly<Record<DuplicateMode, number | undefined>> = {
  last: 350_000,
  first: keysRefused,
  refuse: undefined,
};

/** Looks at the items of one file on their way. */
export interface RepeatedKeys {
  /** The chunks of the source, with the items that the mode refuses as refused rows. */
  watch(source: Source): AsyncIterable<Chunk>;
  /** What is said of them at the end; undefined where no key came twice. */
  words(): string | undefined;
}

/** An item that repeats a key, and the line that has it too. */
interface Repeated {
  readonly index: number;
  readonly id: string;
  readonly other: number;
}

/**
 * Tells the keys that come twice in a file, and refuses what the mode refuses.
 * @param known the keys of the whole file, read before; needed to refuse them all
 */
export function repeatedKeys(resource: Resource, mode: DuplicateMode, known?: KeyWatch): RepeatedKeys {
  const key = keyOf(resource.fields, resource.key);
  const told: string[] = [];
  const last = resource.oncePerBatch
    ? 'those of one batch are refused, else the last row of each stays'
    : 'the last row of each stays';
  let count = 0;
  let overflowed = () => false;

  function tell(id: string, first: number, line: number): void {
    count++;
    if (told.length < toldAtMost) told.push(`${quote(id)} on lines ${first} and ${line}`);
  }

  /** Those that come after the first, as the source says. */
  function later({ lines, repeats = [] }: Chunk): Repeated[] {
    for (const { index, id, first } of repeats) tell(id, first, lines[index] ?? 0);
    return repeats.map(({ index, id, first }) => ({ index, id, other: first }));
  }

  /** All of them, the first of each as well. */
  function all({ entries, lines }: Chunk, keys: KeyWatch): Repeated[] {
    const repeated: Repeated[] = [];
    entries.forEach((entry, index) => {
      const id = keyOfEntry(key, entry);
      const { first = 0, second = 0 } = id === '' ? {} : (keys.linesOf(key.same(id)) ?? {});
      if (second === 0) return;
      const line = lines[index] ?? 0;
      if (line !== first) tell(id, first, line);
      repeated.push({ index, id, other: line === first ? second : first });
    });
    return repeated;
  }

  return {
    async *watch(source) {
      if (known === undefined) overflowed = source.overflowed;
      for await (const chunk of source.chunks) {
        if (mode !== 'last' && (known?.full() ?? overflowed())) throw tooMany(mode);
        const repeated = known === undefined ? later(chunk) : all(chunk, known);
        yield mode === 'last' || repeated.length === 0 ? chunk : refusing(chunk, repeated, resource);
      }
    },
    words() {
      if (count === 0) return undefined;
      const watched = overflowed() ? `; only the first ${grouped(watchedKeys[mode] ?? 0)} keys were watched` : '';
      const more = count > told.length ? ` and ${grouped(count - told.length)} more` : '';
      const what = { last, first: 'only the first of each was taken', refuse: 'none was taken' }[mode];
      return `${count === 1 ? 'one row repeats a key' : `${grouped(count)} rows repeat a key`}: ${told.join(', ')}${more}; ${what} (--on-duplicate)${watched}`;
    },
  };
}

function tooMany(mode: DuplicateMode): CatalogError {
  return new CatalogError(
    'usage',
    `--on-duplicate ${mode} remembers ${grouped(keysRefused)} keys, and the file has more; split it, or leave the option out.`,
  );
}

/** A chunk in which the repeated keys are refused. */
function refusing(chunk: Chunk, repeated: readonly Repeated[], resource: Resource): Chunk {
  const entries = [...chunk.entries];
  for (const { index, id, other } of repeated) {
    const message = `${quote(id)} is on line ${other} too; each record is sent once, or with --on-duplicate last`;
    entries[index] = unreadableEntry({ code: 'repeated_in_file', field: resource.key, message }, id);
  }
  return { ...chunk, entries };
}

/** Reads all keys of a source. */
export async function readKeys(source: Source, resource: Resource): Promise<KeyWatch> {
  const key = keyOf(resource.fields, resource.key);
  const keys = keyWatch(keysRefused);
  for await (const { entries, lines } of source.chunks) {
    entries.forEach((entry, i) => {
      const id = keyOfEntry(key, entry);
      if (id !== '') keys.before(key.same(id), lines[i] ?? 0);
    });
  }
  return keys;
}
