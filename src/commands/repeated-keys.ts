// Keys that come twice in one file. They are always told, with both lines; --on-duplicate says what becomes of them:
//
//  last    (default) each row is applied in its turn, so that the last one stays
//  first   the first row is applied, the later ones are refused
//  refuse  none of them is applied; the file is read once more before, to know them
import { CatalogError } from '../core/errors.js';
import { isRefusedRow, refusedRow } from '../core/refused-row.js';
import type { Resource } from '../core/resource.js';
import { fold, quote } from '../core/text.js';
import type { Chunk, Source } from '../source/read.js';
import { type KeyWatch, keysRefused, keysTold, keyWatch } from './key-watch.js';

export const duplicateModes = ['last', 'first', 'refuse'] as const;
export type DuplicateMode = (typeof duplicateModes)[number];

/** Keys that are told one by one. */
const toldAtMost = 5;

/** Looks at the items of one file on their way. */
export interface RepeatedKeys {
  /** The chunks, with the items that the mode refuses as refused rows. */
  watch(chunks: AsyncIterable<Chunk>): AsyncIterable<Chunk>;
  /** What is said of them at the end; undefined where no key came twice. */
  words(): string | undefined;
}

/**
 * Watches the keys of a file.
 * @param known the keys of the whole file, read before; needed to refuse them all
 */
export function repeatedKeys(resource: Resource, mode: DuplicateMode, known?: KeyWatch): RepeatedKeys {
  const keys = known ?? keyWatch(mode === 'last' ? keysTold : keysRefused);
  const told: string[] = [];
  const last = resource.oncePerBatch
    ? 'those of one batch are refused, else the last row of each stays'
    : 'the last row of each stays';
  let count = 0;

  function look(item: unknown, line: number): unknown {
    const id = keyOf(resource, item);
    if (id === '') return item;
    const lines = known?.linesOf(sameAs(resource, id));
    const first = known === undefined ? keys.before(sameAs(resource, id), line) : lines?.first;
    const other = known === undefined ? first : line === first ? lines?.second : first;
    if (other === undefined || other === 0) {
      if (mode !== 'last' && keys.full()) throw tooMany(mode);
      return item;
    }
    if (line !== first || known === undefined) {
      count++;
      if (told.length < toldAtMost) told.push(`${quote(id)} on lines ${first} and ${line}`);
    }
    if (mode === 'last') return item;
    const message = `${quote(id)} is on line ${other} too; each record is sent once, or with --on-duplicate last`;
    return refusedRow({ code: 'repeated_in_file', field: resource.key, message }, id);
  }

  return {
    async *watch(chunks) {
      for await (const chunk of chunks) {
        chunk.items.forEach((item, i) => {
          chunk.items[i] = look(item, chunk.lines[i] ?? 0);
        });
        yield chunk;
      }
    },
    words() {
      if (count === 0) return undefined;
      const watched = keys.full() ? `; only the first ${keys.most} keys were watched` : '';
      const more = count > told.length ? ` and ${count - told.length} more` : '';
      const what = { last, first: 'only the first of each was taken', refuse: 'none was taken' }[mode];
      return `${count === 1 ? 'one row repeats a key' : `${count} rows repeat a key`}: ${told.join(', ')}${more}; ${what} (--on-duplicate)${watched}`;
    },
  };
}

function tooMany(mode: DuplicateMode): CatalogError {
  return new CatalogError(
    'usage',
    `--on-duplicate ${mode} remembers ${keysRefused} keys, and the file has more; split it, or leave the option out.`,
  );
}

/** Reads all keys of a source. */
export async function readKeys(source: Source, resource: Resource): Promise<KeyWatch> {
  const keys = keyWatch(keysRefused);
  for await (const { items, lines } of source.chunks) {
    items.forEach((item, i) => {
      const id = keyOf(resource, item);
      if (id !== '') keys.before(sameAs(resource, id), lines[i] ?? 0);
    });
  }
  return keys;
}

function keyOf(resource: Resource, item: unknown): string {
  if (typeof item !== 'object' || item === null || isRefusedRow(item)) return '';
  return resource.externalId(item as Readonly<Record<string, unknown>>);
}

/** Names of characteristics and categories are the same in any case; all other keys compare exactly. */
function sameAs(resource: Resource, id: string): string {
  return resource.name === 'attribute' || resource.name === 'category' ? fold(id) : id;
}
