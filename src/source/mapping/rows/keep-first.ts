// `once: first`: the first item of each key is emitted, later ones are dropped. A refused record may be the first of
// its key: the records after it wait for its correction.

import { createHash } from 'node:crypto';
import type { FileNote } from '../../../core/diagnostics/file-notes.js';
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { type Entry, type UnreadableEntry, unreadableEntry } from '../../../core/entry.js';
import type { RecordKey } from '../../../core/fields/record-key.js';
import { fold, quote } from '../../../core/text/text.js';
import type { RowPlace } from '../../file-place.js';
import type { Section } from '../mapping.js';
import { type Aggregate, combined, rowsDisagree } from './aggregate.js';
import { type Deduplicator, type ItemEntry, isItemEntry } from './deduplicator.js';
import { incomplete } from './group-gap.js';

/** Values by field, each entry of a list separately. */
type KeptValues = ReadonlyMap<string, string | readonly string[]>;

interface FirstItem extends RowPlace {
  /** Its parent; undefined if it was refused. */
  readonly parent: string | undefined;
  /** Its values, with which later rows have to agree; long ones are cut. */
  readonly values?: KeptValues;
}

/** What the section says of repeated keys. */
export interface FirstRule {
  /** Whether items have fields from their rows, so that it matters which row came first. */
  readonly isOfRow: boolean;
  /** The fields whose first value counts. */
  readonly aggregates: ReadonlyMap<string, Aggregate>;
}

interface FirstState {
  readonly key: RecordKey;
  readonly check: (size: number) => void;
  readonly rule: FirstRule;
  readonly items: Map<string, FirstItem>;
  /** Unreadable records that may be the first of a key. */
  readonly doubted: Map<string, RowPlace>;
  readonly reported: Map<string, string>;
  /** Items with a different parent than the first of their key. */
  conflicts: number;
}

/** Maximum categories under two parents that a notice lists. */
const mostTold = 3;

/**
 * Keeps the first item of each key.
 * @param check refuses too many keys
 */
export function keepFirst(key: RecordKey, check: (size: number) => void, rule: FirstRule): Deduplicator {
  const state: FirstState = {
    key,
    check,
    rule,
    items: new Map(),
    doubted: new Map(),
    reported: new Map(),
    conflicts: 0,
  };
  return {
    take(entry, { lines: [line = 0], number }) {
      const row = { line, number };
      if (entry.kind === 'unreadable') return takeRefused(state, entry, row);
      if (!isItemEntry(entry)) return entry;
      const { item } = entry;
      const id = key.same(key.of(item));
      if (id === '') return entry;
      const parent = typeof item['parent'] === 'string' ? item['parent'].trim() : '';
      const before = state.items.get(id);
      const values = valuesOf(item, state);
      if (before !== undefined) return again(state, { id, name: key.of(item), parent, row, item, values }, before);
      check(state.items.size);
      const doubt = state.doubted.get(id);
      state.items.set(id, { parent: doubt === undefined ? parent : undefined, ...row, values });
      const as = { role: 'first row of this key', at: line } as const;
      return doubt === undefined ? entry : incomplete(entry, key, doubt, as);
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
function takeRefused(state: FirstState, entry: UnreadableEntry, row: RowPlace): Entry | undefined {
  const { key, items, doubted, check } = state;
  const { externalId, possibleKeys } = entry;
  for (const id of state.rule.isOfRow ? new Set(possibleKeys?.map(key.same)) : []) {
    if (id === '' || items.has(id) || doubted.has(id)) continue;
    check(doubted.size);
    doubted.set(id, row);
  }
  const id = key.same(externalId);
  if (possibleKeys !== undefined || id === '') return entry;
  if (items.has(id)) return undefined;
  check(items.size);
  items.set(id, { parent: undefined, ...row });
  return entry;
}

interface Again {
  readonly id: string;
  readonly name: string;
  readonly parent: string;
  readonly row: RowPlace;
  readonly item: ItemEntry['item'];
  readonly values: KeptValues;
}

/** Maximum characters of a value that are kept whole, and of what is shown of a longer one. */
const longestValue = 200;
const shownOfValue = 60;

/** The values of an item with which later items of its key have to agree. */
function valuesOf(item: ItemEntry['item'], { key, rule: { aggregates } }: FirstState): KeptValues {
  // Two parents of a category are refused by a rule of their own.
  const isCompared = (field: string) => field !== 'parent' && !key.names.includes(field) && !aggregates.has(field);
  return new Map(
    Object.entries(item).flatMap(([field, value]) => {
      if (value === undefined || !isCompared(field)) return [];
      return [[field, Array.isArray(value) ? value.map((entry) => cut(JSON.stringify(entry))) : cut(String(value))]];
    }),
  );
}

/** A value as it is compared and shown: of a long one its beginning and a hash. */
function cut(text: string): string {
  if (text.length <= longestValue) return text;
  return `${text.slice(0, shownOfValue)}… (${createHash('sha256').update(text).digest('hex').slice(0, 16)})`;
}

/** The first value in which a later item of a key differs; what only the first one has is no difference. */
function disagreement({ name, row, item, values }: Again, before: FirstItem): UnreadableEntry | undefined {
  for (const [field, value] of values) {
    const known = before.values?.get(field) ?? '';
    const isSame = Array.isArray(value)
      ? value.every((entry) => known.includes(entry))
      : combined(undefined, known, value) !== undefined;
    if (isSame) continue;
    const problem = rowsDisagree(
      field,
      { value: known, line: before.line, number: before.number },
      { value, ...row },
      field,
    );
    return { ...unreadableEntry(problem, name), item };
  }
  return undefined;
}

/** Handles a later item of a key: it is dropped, unless it is a category with another parent. */
function again(state: FirstState, one: Again, before: FirstItem): Entry | undefined {
  const { id, name, parent, row } = one;
  const place = `${id}\0${fold(parent)}`;
  if (before.parent === undefined) return undefined;
  if (fold(before.parent) === fold(parent) || state.items.has(place)) return disagreement(one, before);
  state.check(state.items.size);
  state.items.set(place, { parent, ...row });
  if (state.conflicts++ < mostTold)
    state.reported.set(name, `${quote(name)} (${parentPhrase(before.parent)}, ${parentPhrase(parent)})`);
  return twoPlaces(one, { ...before, parent: before.parent });
}

function notesOf({ conflicts, reported }: FirstState): FileNote[] {
  if (conflicts === 0) return [];
  const more = conflicts > reported.size ? ` and ${conflicts - reported.size} more` : '';
  const [what, are] = conflicts === 1 ? ['1 category', 'is'] : [`${conflicts} categories`, 'are'];
  const words =
    `${what} under more than one parent ${are} refused: ${[...reported.values()].join(', ')}${more}. ` +
    `To tell them apart, write name: {repeated: parent} beside path: in each of the mapping`;
  return [{ code: 'categories_twice', words }];
}

function parentPhrase(parent: string): string {
  return parent === '' ? 'top level' : `under ${parent}`;
}

/** A name with two parents in the tree would be moved back and forth. */
function twoPlaces({ name, parent, row }: Again, before: RowPlace & { readonly parent: string }): UnreadableEntry {
  const first = { first: before.parent, firstLine: before.line, firstRecord: before.number };
  const params = { name, ...first, second: parent, secondLine: row.line };
  return { ...unreadableEntry(sourceProblem('two_parents', params, 'parent'), name), item: { name, parent } };
}
