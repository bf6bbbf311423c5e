// `once`: deduplicates the items of a file by key. `first` keeps the first and drops the others; `merge` merges all items of
// a key, including the entries of their lists, and emits them at the end.

import { rawEntry, type WrittenAmount } from '../../../core/entry.js';
import { CatalogError } from '../../../core/errors.js';
import type { Fields } from '../../../core/fields/fields.js';
import type { RecordKey } from '../../../core/fields/record-key.js';
import { fold } from '../../../core/text/text.js';
import { appendableLists } from '../../column-targets.js';
import { joinRaws, type RawPart } from '../../record-reader.js';
import type { Section } from '../mapping.js';
import type { Deduplicator } from './deduplicator.js';
import { incomplete } from './group-gap.js';
import { isOfRow, keepFirst } from './keep-first.js';
import { rekeyed } from './refusal-origin.js';
import { amongOthers, type RefusedEntry } from './refused-entries.js';

type MergedItem = Record<string, unknown>;

/** The item of a key, merged from the rows read so far. */
interface HeldItem {
  readonly item: MergedItem;
  readonly line: number;
  /** The entries of its lists. */
  readonly seen: Set<string>;
  readonly raws: RawPart[];
  readonly amounts: WrittenAmount[];
  isBack: boolean;
  /** One of its rows was reimported with a corrected key. */
  isRekeyed: boolean;
}

/** Maximum number of distinct keys; a file with more is not a list of categories or characteristics. */
const mostKeys = 500_000;

/** Maximum refused records that wait for the others of their keys; further ones are reimported without them. */
const mostMissed = 10_000;

/** Makes the deduplicator of a file. @throws CatalogError `usage`, on `take`, for more than 500,000 keys */
export function deduplicator({ once, ...section }: Section, key: RecordKey, file: string): Deduplicator | undefined {
  if (once === undefined) return undefined;
  const check = (size: number): void => {
    if (size < mostKeys) return;
    throw new CatalogError(
      'usage',
      `${file}: once: more than ${mostKeys} different keys; leave once out, or split the file.`,
    );
  };
  return once === 'first' ? keepFirst(key, check, isOfRow(section)) : mergedByKey(key, check);
}

function mergedByKey(key: RecordKey, check: (size: number) => void): Deduplicator {
  const held = new Map<string, HeldItem>();
  const missed: RefusedEntry[] = [];
  /** Refused records that come back without the others of their keys. */
  let alone = 0;
  return {
    take(entry, { line, origin, parts, isBack }) {
      const { item, amounts = [] } = entry;
      const id = key.same(key.of(item));
      // Without a key it is refused as such.
      if (id === '') return entry;
      let one = held.get(id);
      if (one === undefined) {
        check(held.size);
        one = { item: {}, line, seen: new Set<string>(), raws: [], amounts: [], isBack: false, isRekeyed: false };
        held.set(id, one);
      }
      one.isBack ||= isBack;
      one.isRekeyed ||= entry.isRekeyed === true;
      // The first row with a value for a field sets it: later ones are ignored.
      one.amounts.push(...amounts.filter(({ field }) => one.item[field] === undefined));
      // Rows that add nothing are not needed to make the record again, so that the kept text is bounded by the record.
      const isNew = mergeInto(one.item, item, key.fields, one.seen);
      const own = parts.map((part) => ({ ...part, line: part.line ?? origin }));
      if (isNew && lastLine(one.raws) !== lastLine(own)) one.raws.push(...own);
      return undefined;
    },
    miss(entry, from) {
      // An unreadable record may have several keys.
      const keys = [entry.externalId, ...from.parts.flatMap(({ text, isKey }) => (isKey ? text : []))];
      const ids = [...new Set(keys.filter((id) => id !== '').map(key.same))];
      if (missed.length >= mostMissed) {
        alone++;
        return [];
      }
      missed.push({ ids, entry, from });
      return undefined;
    },
    rest: () => [
      ...wholeItems(held, key, missed),
      ...amongOthers(
        missed,
        missed.flatMap(({ ids }) => ids.flatMap((id) => held.get(id)?.raws ?? [])),
      ),
    ],
    notes: () => aloneNotes(alone),
  };
}

function aloneNotes(alone: number): string[] {
  if (alone === 0) return [];
  const [records, keys] = alone === 1 ? ['record comes', 'its key'] : ['records come', 'their keys'];
  return [
    `once: merge: ${alone} refused ${records} back without the other rows of ${keys}, since more than ${mostMissed} were ` +
      'refused: correct the file itself and import all of it',
  ];
}

/** The merged items. One that may lack a refused row is refused with it, where rows that come later cannot make up for it. */
function wholeItems(held: ReadonlyMap<string, HeldItem>, key: RecordKey, missed: readonly RefusedEntry[]) {
  const lacking = new Map<string, number>();
  if (isNamedLater(key)) for (const { ids, from } of missed) for (const id of ids) lacking.set(id, from.line);
  return [...held].map(([id, { item, line, raws, amounts, isBack, isRekeyed }]) => {
    const sent = isBack ? addingTo(item, key.fields) : item;
    // Entries that are only added to lists overwrite nothing.
    const made = isRekeyed && !isOnlyAdding(sent, key) ? rekeyed(rawEntry(sent)) : rawEntry(sent);
    const entry = amounts.length === 0 ? made : { ...made, amounts };
    const doubt = lacking.get(id);
    if (doubt === undefined) return { entry, line, raw: joinRaws(raws) };
    // Its rows are written around the refused one, in their order.
    return { entry: incomplete(entry, key, doubt, 'row of this record'), line, raw: '' };
  });
}

/**
 * Whether a new record gets its slug from a field that any of its rows may set: the slug stays the same if the name
 * comes later.
 */
function isNamedLater({ fields, names }: RecordKey): boolean {
  return fields['slug'] !== undefined && fields['name'] !== undefined && !names.includes('name');
}

/** The line of the last record among the parts; the parts after it are looked up by it. */
function lastLine(parts: readonly RawPart[]): number | undefined {
  return parts.findLast(({ isLookedUp }) => isLookedUp !== true)?.line;
}

/** An item of some rows of a record: it must not remove list entries of the others. */
function addingTo(item: MergedItem, fields: Fields): MergedItem {
  const adding = Object.entries(item).map(([name, value]) => {
    const canAdd = appendableLists.has(name) && fields[name]?.kind === 'list' && Array.isArray(value);
    return [name, canAdd ? { add: value } : value];
  });
  return Object.fromEntries(adding);
}

function isOnlyAdding(item: MergedItem, { names }: RecordKey): boolean {
  return Object.entries(item).every(([name, value]) => names.includes(name) || isAddition(value));
}

function isAddition(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'add' in value;
}

/**
 * Adds what `more` has: missing fields, and entries of lists by their keys.
 * @returns whether anything was added
 */
function mergeInto(item: MergedItem, more: MergedItem, fields: Fields, seen: Set<string>): boolean {
  let added = false;
  for (const [name, value] of Object.entries(more)) {
    const field = fields[name];
    if (field?.kind !== 'list' || !Array.isArray(value)) {
      if (item[name] !== undefined || value === undefined) continue;
      item[name] = value;
      added = true;
      continue;
    }
    const list = (item[name] ?? []) as unknown[];
    item[name] = list;
    for (const entry of value as readonly MergedItem[]) {
      const id = `${name}\0${fold(String(entry[field.entryKey]))}`;
      if (seen.has(id)) continue;
      seen.add(id);
      list.push(entry);
      added = true;
    }
  }
  return added;
}
