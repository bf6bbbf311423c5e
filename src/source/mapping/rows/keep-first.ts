// `once: first`: the first item of each key counts, and later ones that say the same are left out. Where one differs, neither
// is imported: they are emitted at the end of the file, when that is known. A refused record may be the first of its key: the
// records after it wait for its correction.

import type { FileNote } from '../../../core/diagnostics/file-notes.js';
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { type Entry, type UnreadableEntry, unreadableEntry } from '../../../core/entry.js';
import type { RecordKey } from '../../../core/fields/record-key.js';
import { fold, quote } from '../../../core/text/text.js';
import type { RowPlace } from '../../file-place.js';
import { longerNaming, type RepeatedNaming } from '../language/category-namer.js';
import type { PathRule, Section } from '../mapping.js';
import { type Aggregate, combined, rowsDisagree } from './aggregate.js';
import { type Deduplicator, type ItemEntry, isItemEntry, type RowLines } from './deduplicator.js';
import { incomplete } from './group-gap.js';
import { withAmountsOf, withOpenAmounts } from './row-amounts.js';

type HeldEntry = { readonly entry: Entry } & RowLines;

interface FirstItem {
  readonly row: RowPlace;
  /** Its parent; undefined if it was refused. */
  readonly parent: string | undefined;
  /** Its values, with which later rows have to agree. */
  readonly item: ItemEntry['item'];
  /** What is emitted at the end: the first item, or why it is refused, and the later ones that are refused. */
  readonly held: [HeldEntry, ...HeldEntry[]];
  /** Why it was refused as it was read. */
  readonly refusal?: string;
}

/** What the section says of repeated keys. */
export interface FirstRule {
  /** Whether items have fields from their rows, so that it matters which row came first. */
  readonly isOfRow: boolean;
  /** The rule for repeated names that may tell apart two categories of one name, where paths name them. */
  readonly furtherName: RepeatedNaming | undefined;
  /** The fields whose first value counts. */
  readonly aggregates: ReadonlyMap<string, Aggregate>;
}

interface FirstState {
  readonly key: RecordKey;
  readonly check: (size: number) => void;
  readonly rule: FirstRule;
  readonly items: Map<string, FirstItem>;
  /** The later items that are held next to the first ones. */
  later: number;
  /** Unreadable records that may be the first of a key. */
  readonly doubted: Map<string, RowPlace>;
  /** Other parents than that of the first of a key, with the key. */
  readonly conflicts: Set<string>;
  readonly reported: Map<string, string>;
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
    later: 0,
    doubted: new Map(),
    conflicts: new Set(),
    reported: new Map(),
  };
  return {
    take(entry, from) {
      const [line = 0] = from.lines;
      const row = { line, number: from.number };
      if (entry.kind === 'unreadable') return takeRefused(state, entry, from);
      if (!isItemEntry(entry)) return entry;
      const { item } = entry;
      const id = key.same(key.of(item));
      if (id === '') return entry;
      const parent = typeof item['parent'] === 'string' ? item['parent'].trim() : '';
      const before = state.items.get(id);
      if (before !== undefined) {
        const refused = again(state, { id, name: key.of(item), parent, row, entry }, before);
        if (refused !== undefined) hold(state, before, { entry: refused, ...from });
        else addAmounts(state, before, entry);
        return undefined;
      }
      check(state.items.size + state.later);
      const doubt = state.doubted.get(id);
      const as = { role: 'first row of this key', at: line } as const;
      const first = doubt === undefined ? entry : incomplete(entry, key, doubt, as);
      state.items.set(id, {
        parent: doubt === undefined ? parent : undefined,
        row,
        item,
        held: [{ entry: first, ...from }],
      });
      return undefined;
    },
    rest: () => [...state.items.values()].flatMap(({ held }) => held),
    notes: () => notesOf(state),
  };
}

/** Holds a later item that is refused, so that it is emitted after the first one of its key. */
function hold(state: FirstState, before: FirstItem, later: HeldEntry): void {
  state.check(state.items.size + state.later);
  state.later++;
  before.held.push(later);
}

/** Adds the amounts of a later item that agrees to those of the first one: they agree only in its currency. */
function addAmounts({ rule }: FirstState, before: FirstItem, later: ItemEntry): void {
  const [first] = before.held;
  if (first.entry.kind !== 'raw') return;
  const amounts = withAmountsOf(first.entry.amounts ?? [], later, before.item, rule.aggregates);
  if (amounts.length > 0) before.held[0] = { ...first, entry: { ...first.entry, amounts } };
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

/** The rule that makes longer names of the paths of a section, if these name its items. */
export function furtherName({ each }: Pick<Section, 'each'>): RepeatedNaming | undefined {
  const paths = [each ?? []].flat().find((one) => 'path' in one);
  return paths === undefined ? undefined : longerNaming(paths as PathRule['each'])[0];
}

/**
 * Handles a refused record: later ones of its key that say the same wait for its correction, also those that are refused for the
 * same reason. Of one that may have several keys, the first record of each waits.
 */
function takeRefused(state: FirstState, entry: UnreadableEntry, from: RowLines): Entry | undefined {
  const { items, doubted, check } = state;
  const row = { line: from.lines[0] ?? 0, number: from.number };
  const { externalId, possibleKeys, item = {} } = entry;
  for (const id of state.rule.isOfRow ? new Set(possibleKeys?.map(state.key.same)) : []) {
    if (id === '' || items.has(id) || doubted.has(id)) continue;
    check(doubted.size);
    doubted.set(id, row);
  }
  const id = state.key.same(externalId);
  if (possibleKeys !== undefined || id === '') return entry;
  const before = items.get(id);
  const refusal = entry.problem.message;
  if (before !== undefined) {
    const isSame = before.refusal === refusal && Object.entries(item).every((one) => agrees(state, one, before));
    if (!isSame) hold(state, before, { entry: { ...entry, item: asFirst(state, item, before) }, ...from });
    return undefined;
  }
  check(items.size + state.later);
  items.set(id, { parent: undefined, row, item, refusal, held: [{ entry, ...from }] });
  return undefined;
}

interface Again {
  readonly id: string;
  readonly name: string;
  readonly parent: string;
  readonly row: RowPlace;
  readonly entry: ItemEntry;
}

/** Whether a later item of a key may have this value; what only the first one has is no difference. */
function agrees({ key, rule }: FirstState, [field, value]: readonly [string, unknown], before: FirstItem): boolean {
  // Two parents of a category are refused by a rule of their own.
  if (value === undefined || field === 'parent' || key.names.includes(field) || rule.aggregates.has(field)) return true;
  const known = before.item[field];
  // Of a refused record it may be what could not be read.
  if (known === undefined && before.refusal !== undefined) return true;
  const entries = entriesOf(value);
  if (entries === undefined) return combined(undefined, known ?? '', value) !== undefined;
  const there = new Set(entriesOf(known)?.map((entry) => JSON.stringify(entry)));
  return entries.every((entry) => there.has(JSON.stringify(entry)));
}

/** The entries of a list, or of one of additions (`{add: […]}`). */
function entriesOf(value: unknown): readonly unknown[] | undefined {
  const list = Array.isArray(value) ? value : Object(value)['add'];
  return Array.isArray(list) ? list : undefined;
}

/** A later item that comes back, so that it changes nothing in which it agrees with the first one. */
function asFirst(state: FirstState, item: ItemEntry['item'], before: FirstItem): ItemEntry['item'] {
  return Object.fromEntries(
    Object.entries(item).map(([field, value]) => {
      const isSame = field !== 'parent' && agrees(state, [field, value], before);
      return [field, isSame ? (before.item[field] ?? value) : value];
    }),
  );
}

/** Refuses a later item of a key that differs, and the first one with it. */
function disagreement(state: FirstState, { name, row, entry }: Again, before: FirstItem): UnreadableEntry | undefined {
  const { item, amounts } = entry;
  const differing = Object.entries(item).find((one) => !agrees(state, one, before));
  if (differing === undefined) return undefined;
  const [field, value] = differing;
  const choice = entriesOf(value) === undefined ? 'first' : 'entries';
  const earlier = { value: before.item[field] ?? '', ...before.row };
  const problem = rowsDisagree(earlier, { value, ...row }, { field, choice });
  const [first] = before.held;
  if (first.entry.kind === 'raw')
    before.held[0] = {
      ...first,
      entry: withOpenAmounts({ ...unreadableEntry(problem, name), item: before.item }, first.entry.amounts),
    };
  return withOpenAmounts({ ...unreadableEntry(problem, name), item: asFirst(state, item, before) }, amounts);
}

/** Handles a later item of a key: it is left out where it says the same. */
function again(state: FirstState, one: Again, before: FirstItem): Entry | undefined {
  const { id, name, parent } = one;
  const place = `${id}\0${fold(parent)}`;
  const isKnownPlace = before.parent === undefined || fold(before.parent) === fold(parent);
  if (isKnownPlace || state.conflicts.has(place)) return disagreement(state, one, before);
  state.conflicts.add(place);
  if (state.conflicts.size <= mostTold)
    state.reported.set(name, `${quote(name)} (${parentPhrase(before.parent)}, ${parentPhrase(parent)})`);
  return twoPlaces(one, { ...before.row, parent: before.parent }, state.rule.furtherName);
}

function notesOf({ conflicts: { size: conflicts }, reported, rule: { furtherName } }: FirstState): FileNote[] {
  if (conflicts === 0) return [];
  const more = conflicts > reported.size ? ` and ${conflicts - reported.size} more` : '';
  const [what, are] = conflicts === 1 ? ['1 category', 'is'] : [`${conflicts} categories`, 'are'];
  const words =
    `${what} under more than one parent ${are} refused: ${[...reported.values()].join(', ')}${more}. ` +
    (furtherName === undefined
      ? 'Name them apart in the file'
      : `To tell them apart, write name: {repeated: ${furtherName}} next to path: in each of the mapping`);
  return [{ code: 'categories_twice', words }];
}

function parentPhrase(parent: string): string {
  return parent === '' ? 'top level' : `under ${parent}`;
}

/** A name with two parents in the tree would be moved back and forth. */
function twoPlaces(
  { name, parent, row }: Again,
  before: RowPlace & { readonly parent: string },
  furtherName: FirstRule['furtherName'],
): UnreadableEntry {
  const first = { first: before.parent, firstLine: before.line, firstRecord: before.number };
  const params = { name, ...first, second: parent, secondLine: row.line, furtherName: furtherName ?? '' } as const;
  return { ...unreadableEntry(sourceProblem('two_parents', params, 'parent'), name), item: { name, parent } };
}
