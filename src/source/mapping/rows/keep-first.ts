// `once: first`: the first item of each key is emitted, later ones are dropped. A refused record may be the first of
// its key: the records after it wait for its correction, and those before it are written with it to the file of refused
// rows.
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { type Entry, type UnreadableEntry, unreadableEntry } from '../../../core/entry.js';
import type { RecordKey } from '../../../core/fields/record-key.js';
import { fold, quote } from '../../../core/text/text.js';
import type { RawPart } from '../../record-reader.js';
import type { Section } from '../mapping.js';
import type { Deduplicator, ItemOrigin } from './deduplicator.js';
import { entryKey, incomplete } from './group-gap.js';

/** The first item of a key. */
interface FirstItem {
  /** Its parent; undefined if it was refused. */
  readonly parent: string | undefined;
  readonly line: number;
  /** Its record, if the text is kept. */
  readonly part?: RawPart | undefined;
}

interface FirstState {
  readonly key: RecordKey;
  readonly check: (size: number) => void;
  /** Whether items have fields from their rows, so that it matters which row came first. */
  readonly isOfRow: boolean;
  readonly items: Map<string, FirstItem>;
  /** The lines of unreadable records that may be the first of a key. */
  readonly doubted: Map<string, number>;
  readonly reported: Map<string, string>;
  /** Items with a different parent than the first of their key. */
  apart: number;
  /** Characters of records that are kept, and at most. */
  kept: number;
  readonly mostKept: number;
  /** First records of keys that a refused one may have, and that do not come back with it. */
  unkept: number;
}

/** Maximum categories under two parents that a notice lists. */
const mostTold = 3;
/** Maximum characters of first records that are kept for the file of refused rows. */
const mostKept = 64 * 1024 * 1024;

/**
 * Keeps the first item of each key.
 * @param check refuses too many keys
 * @param mostText characters of first records that are kept for the file of refused rows; a notice says what is beyond
 */
export function keepFirst(
  key: RecordKey,
  check: (size: number) => void,
  isOfRow: boolean,
  mostText = mostKept,
): Deduplicator {
  const state: FirstState = {
    key,
    check,
    isOfRow,
    items: new Map(),
    doubted: new Map(),
    reported: new Map(),
    apart: 0,
    kept: 0,
    mostKept: mostText,
    unkept: 0,
  };
  return {
    take({ item, ...rest }, from) {
      const entry = { ...rest, item };
      const id = key.same(key.of(item));
      if (id === '') return entry;
      const parent = typeof item['parent'] === 'string' ? item['parent'].trim() : '';
      const before = state.items.get(id);
      if (before !== undefined) return again(state, { id, name: key.of(item), parent, line: from.line }, before);
      check(state.items.size);
      const doubt = state.doubted.get(id);
      state.items.set(id, {
        parent: doubt === undefined ? parent : undefined,
        line: from.line,
        part: keep(state, from),
      });
      return doubt === undefined ? entry : incomplete(entry, key, doubt, 'first row of this key');
    },
    miss(entry, from) {
      const keyless = from.parts.flatMap(({ text, isKey }) => (isKey ? text : []));
      return keyless.length > 0 ? missUnplaced(state, keyless, from) : missKnown(state, entry, from);
    },
    know(entry) {
      const id = key.same(entryKey(entry, key));
      if (id !== '' && !state.items.has(id)) state.items.set(id, { parent: undefined, line: 0 });
    },
    rest: () => [],
    notes: () => [...notesOf(state), ...unkeptNotes(state)],
  };
}

/** Whether the items of a section have fields that come of their rows, and not of the parts of a path alone. */
export function isOfRow({ each, fields }: Pick<Section, 'each' | 'fields'>): boolean {
  if (each === undefined) return true;
  return Object.values(fields).some((value) => {
    const words = typeof value === 'string' ? { column: value } : value;
    const isOwn = 'column' in words && String(words['column']).startsWith('$');
    return !isOwn && !('value' in words);
  });
}

/** The record of an item, as context of others in the file of refused rows. */
function keep(state: FirstState, { origin, parts }: ItemOrigin): RawPart | undefined {
  const own = parts.find(({ isLookedUp, isKey }) => isLookedUp !== true && isKey !== true);
  if (own === undefined || !state.isOfRow || state.kept > state.mostKept) return undefined;
  state.kept += own.text.length;
  const { text, line = origin, isFilled = false } = own;
  return { text, line, isFilled, isLookedUp: true, isContext: true, isEarlier: true };
}

/**
 * Handles a refused record with a known key: later ones of the key are dropped, and so is the record itself if an
 * earlier one exists.
 */
function missKnown(
  state: FirstState,
  { externalId }: UnreadableEntry,
  { line }: ItemOrigin,
): readonly RawPart[] | undefined {
  const id = state.key.same(externalId);
  if (id === '') return [];
  if (state.items.has(id)) return undefined;
  state.check(state.items.size);
  state.items.set(id, { parent: undefined, line });
  return [];
}

/**
 * Handles an unreadable record that may have any of these keys.
 * @returns the first records of those keys that are taken
 */
function missUnplaced(state: FirstState, keys: readonly string[], { line }: ItemOrigin): readonly RawPart[] {
  if (!state.isOfRow) return [];
  const ids = new Set(keys.map(state.key.same).filter((id) => id !== ''));
  const earlier: RawPart[] = [];
  for (const id of ids) {
    const first = state.items.get(id);
    if (first?.part !== undefined) earlier.push(first.part);
    else if (first?.parent !== undefined && state.kept > state.mostKept) state.unkept++;
    else if (first === undefined && !state.doubted.has(id)) {
      state.check(state.doubted.size);
      state.doubted.set(id, line);
    }
  }
  return earlier;
}

interface Again {
  readonly id: string;
  readonly name: string;
  readonly parent: string;
  readonly line: number;
}

/** Handles a later item of a key: it is dropped, unless it is a category with another parent. */
function again(state: FirstState, { id, name, parent, line }: Again, before: FirstItem): Entry | undefined {
  const place = `${id}\0${fold(parent)}`;
  if (before.parent === undefined || fold(before.parent) === fold(parent) || state.items.has(place)) return undefined;
  state.check(state.items.size);
  state.items.set(place, { parent, line });
  if (state.apart++ < mostTold)
    state.reported.set(name, `${quote(name)} (${placeOf(before.parent)}, ${placeOf(parent)})`);
  return twoPlaces(name, parent, { parent: before.parent, line: before.line });
}

function notesOf({ apart, reported }: FirstState): string[] {
  if (apart === 0) return [];
  const more = apart > reported.size ? ` and ${apart - reported.size} more` : '';
  const [what, are] = apart === 1 ? ['1 category', 'is'] : [`${apart} categories`, 'are'];
  return [
    `${what} under more than one parent ${are} refused: ${[...reported.values()].join(', ')}${more}. ` +
      `To tell them apart, write name: {repeated: parent} beside path: in each of the mapping`,
  ];
}

/** Corrected and imported by itself, such a row would overwrite the first row of its key, which is not in its file. */
function unkeptNotes({ unkept }: FirstState): string[] {
  if (unkept === 0) return [];
  const rows = unkept === 1 ? '1 first row' : `${unkept} first rows`;
  return [
    `once: first: ${rows} of keys that refused rows may have did not fit into memory, and do not come back with them: ` +
      'correct such rows in the file itself and import all of it',
  ];
}

function placeOf(parent: string): string {
  return parent === '' ? 'top level' : `under ${parent}`;
}

/** A name with two parents in the tree would be moved back and forth. */
function twoPlaces(name: string, parent: string, before: { parent: string; line: number }): UnreadableEntry {
  const params = { name, first: before.parent, firstLine: before.line, second: parent };
  return unreadableEntry(sourceProblem('two_parents', params, 'parent'), name);
}
