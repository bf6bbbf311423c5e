// `once`: deduplicates the items of a file by key. `first` keeps the first and drops the others; `merge` merges all items of
// a key, including the entries of their lists, and emits them at the end.

import { problemOfRow } from '../../../core/diagnostics/row-phrase.js';
import { type Entry, rawEntry, type UnreadableEntry, unreadableEntry } from '../../../core/entry.js';
import { CatalogError } from '../../../core/errors.js';
import type { WrittenAmount } from '../../../core/fields/currencies.js';
import type { RecordKey } from '../../../core/fields/record-key.js';
import { appendableLists } from '../../column-targets.js';
import type { RowPlace } from '../../file-place.js';
import type { Section } from '../mapping.js';
import { type Aggregate, aggregatesOf, combined } from './aggregate.js';
import { type Deduplicator, isItemEntry, type RowLines } from './deduplicator.js';
import { incomplete } from './group-gap.js';
import { furtherName, isOfRow, keepFirst } from './keep-first.js';
import { type MergedItem, type MergedRows, mergedRows } from './merged-rows.js';
import { uncompared, withAmountsOf, withOpenAmounts } from './row-amounts.js';

/** The item of a key, merged from the rows read so far. */
interface HeldItem {
  readonly merged: MergedRows;
  /** The lines of the rows that added something, and the number of the first row. */
  readonly lines: number[];
  readonly number: number;
  amounts: readonly WrittenAmount[];
  /** The first of its rows that was refused, if that decides what the item is. */
  refused?: { readonly entry: UnreadableEntry; readonly row: RowPlace };
}

/** Maximum number of distinct keys; a file with more is not a list of categories or characteristics. */
const mostKeys = 500_000;

/** Makes the deduplicator of a file. @throws CatalogError `usage`, on `take`, for more keys, or held rows, than `most` */
export function deduplicator(
  { once, ...section }: Section,
  key: RecordKey,
  file: string,
  most = mostKeys,
): Deduplicator | undefined {
  if (once === undefined) return undefined;
  const check = (size: number): void => {
    if (size < most) return;
    throw new CatalogError(
      'usage',
      `${file}: once: more than ${most} different keys, or rows that differ from the first one of their key; leave once out, or split the file.`,
    );
  };
  const aggregates = aggregatesOf(section);
  return once === 'first'
    ? keepFirst(key, check, { isOfRow: isOfRow(section), furtherName: furtherName(section), aggregates })
    : mergedByKey(key, check, aggregates);
}

function mergedByKey(
  key: RecordKey,
  check: (size: number) => void,
  aggregates: ReadonlyMap<string, Aggregate>,
): Deduplicator {
  const held = new Map<string, HeldItem>();
  /** Unreadable rows that may be of a key, where rows that come later cannot make up for them. */
  const lacking = new Map<string, RowPlace>();
  const isOneOfAll = isNamedLater(key);

  function heldFor(id: string, number: number): HeldItem {
    let one = held.get(id);
    if (one === undefined) {
      check(held.size);
      one = { merged: mergedRows(key, aggregates), lines: [], number, amounts: [] };
      held.set(id, one);
    }
    return one;
  }

  function add(one: HeldItem, item: MergedItem, { lines, number }: RowLines): void {
    // Rows that add nothing are not needed to make the record again, so that their lines are bounded by the record.
    if (one.merged.add(item, { line: lines[0] ?? 0, number })) one.lines.push(...lines);
  }

  function takeRefused(entry: UnreadableEntry, from: RowLines): Entry | undefined {
    const { item = {}, externalId, possibleKeys } = entry;
    if (possibleKeys !== undefined) {
      if (isOneOfAll)
        for (const id of possibleKeys) lacking.set(key.same(id), { line: from.lines[0] ?? 0, number: from.number });
      return entry;
    }
    const id = key.same(externalId);
    if (id === '') return entry;
    if (!isOneOfAll) return { ...entry, item: addingTo(item, held.get(id), key) };
    const one = heldFor(id, from.number);
    one.refused ??= { entry, row: { line: from.lines[0] ?? 0, number: from.number } };
    one.amounts = withAmountsOf(one.amounts, { ...entry, item }, one.merged.item, aggregates);
    add(one, item, from);
    return undefined;
  }

  return {
    take(entry, from) {
      if (entry.kind === 'unreadable') return takeRefused(entry, from);
      if (!isItemEntry(entry)) return entry;
      const { item } = entry;
      const id = key.same(key.of(item));
      // Without a key it is refused as such.
      if (id === '') return entry;
      const one = heldFor(id, from.number);
      one.amounts = withAmountsOf(one.amounts, entry, one.merged.item, aggregates);
      add(one, item, from);
      return undefined;
    },
    rest: () =>
      [...held].map(([id, { merged, lines, number, refused, ...one }]) => {
        const { item, problem } = merged;
        const first = { line: lines[0] ?? 0, number };
        const told = refused && { ...refused.entry, problem: problemOfRow(refused.entry.problem, refused.row, first) };
        const refusal = told ?? (problem && unreadableEntry(problem, key.of(item)));
        if (refusal !== undefined) return { entry: withOpenAmounts({ ...refusal, item }, one.amounts), lines, number };
        const amounts = uncompared(one.amounts, item);
        const entry = amounts.length === 0 ? rawEntry(item) : { ...rawEntry(item), amounts };
        const row = lacking.get(id);
        const as = { role: 'row of this record', at: lines[0] ?? 0 } as const;
        const whole = row === undefined ? entry : incomplete(entry, key, row, as);
        return { entry: whole, lines, number };
      }),
    notes: () => [],
  };
}

/**
 * Whether a new record gets its slug from a field that any of its rows may set: the slug stays the same if the name
 * comes later.
 */
function isNamedLater({ fields, names }: RecordKey): boolean {
  return fields['slug'] !== undefined && fields['name'] !== undefined && !names.includes('name');
}

/**
 * What a refused row adds to the item of its key: the key, as its first row writes it, fields that no earlier row set otherwise,
 * and entries of lists.
 */
function addingTo(item: Readonly<MergedItem>, before: HeldItem | undefined, { fields, names }: RecordKey): MergedItem {
  const adding = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    const isList = fields[name]?.kind === 'list';
    if (isList && appendableLists.has(name) && Array.isArray(value)) return [[name, { add: value }]];
    const earlier = before?.merged.item[name];
    if (earlier === undefined || earlier === value) return [[name, value]];
    if (names.includes(name)) return [[name, earlier]];
    const same = isList ? undefined : combined(undefined, earlier, value);
    if (same !== undefined) return [[name, same]];
    return fields[name]?.required === true ? [[name, value]] : [];
  });
  return Object.fromEntries(adding);
}
