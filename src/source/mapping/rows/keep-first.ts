// `once: first`: the first item of each key is emitted, later ones are dropped. A refused record may be the first of
// its key: the records after it wait for its correction.
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { type Entry, type UnreadableEntry, unreadableEntry } from '../../../core/entry.js';
import type { RecordKey } from '../../../core/fields/record-key.js';
import { fold, quote } from '../../../core/text/text.js';
import type { Section } from '../mapping.js';
import { type Deduplicator, isItemEntry } from './deduplicator.js';
import { incomplete } from './group-gap.js';

/** The first item of a key. */
interface FirstItem {
  /** Its parent; undefined if it was refused. */
  readonly parent: string | undefined;
  readonly line: number;
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
}

/** Maximum categories under two parents that a notice lists. */
const mostTold = 3;

/**
 * Keeps the first item of each key.
 * @param check refuses too many keys
 */
export function keepFirst(key: RecordKey, check: (size: number) => void, isOfRow: boolean): Deduplicator {
  const state: FirstState = {
    key,
    check,
    isOfRow,
    items: new Map(),
    doubted: new Map(),
    reported: new Map(),
    apart: 0,
  };
  return {
    take(entry, [line = 0]) {
      if (entry.kind === 'unreadable') return takeRefused(state, entry, line);
      if (!isItemEntry(entry)) return entry;
      const { item } = entry;
      const id = key.same(key.of(item));
      if (id === '') return entry;
      const parent = typeof item['parent'] === 'string' ? item['parent'].trim() : '';
      const before = state.items.get(id);
      if (before !== undefined) return again(state, { id, name: key.of(item), parent, line }, before);
      check(state.items.size);
      const doubt = state.doubted.get(id);
      state.items.set(id, { parent: doubt === undefined ? parent : undefined, line });
      return doubt === undefined ? entry : incomplete(entry, key, { line: doubt }, 'first row of this key');
    },
    rest: () => [],
    notes: () => notesOf(state),
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

/**
 * Handles a refused record: later ones of its key are dropped, and so is the record itself if an earlier one exists. Of
 * one that may have several keys, the first record of each waits for its correction.
 */
function takeRefused(state: FirstState, entry: UnreadableEntry, line: number): Entry | undefined {
  const { key, items, doubted, check } = state;
  const { externalId, possibleKeys } = entry;
  for (const id of state.isOfRow ? new Set(possibleKeys?.map(key.same)) : []) {
    if (id === '' || items.has(id) || doubted.has(id)) continue;
    check(doubted.size);
    doubted.set(id, line);
  }
  const id = key.same(externalId);
  if (possibleKeys !== undefined || id === '') return entry;
  if (items.has(id)) return undefined;
  check(items.size);
  items.set(id, { parent: undefined, line });
  return entry;
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

function placeOf(parent: string): string {
  return parent === '' ? 'top level' : `under ${parent}`;
}

/** A name with two parents in the tree would be moved back and forth. */
function twoPlaces(name: string, parent: string, before: { parent: string; line: number }): UnreadableEntry {
  const params = { name, first: before.parent, firstLine: before.line, second: parent };
  return { ...unreadableEntry(sourceProblem('two_parents', params, 'parent'), name), item: { name, parent } };
}
