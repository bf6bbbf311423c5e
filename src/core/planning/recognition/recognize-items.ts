// Recognizes items that can only be unchanged: the very item that was applied last to a record which nothing else changed since,
// while nothing it depends on changed. They are neither prefetched nor decided. Next to a record stand the fingerprint of that
// item and the count of the epoch it was applied in (`Table.fingerprint`); every other change of the record sets them to 0
// (`dropFingerprint`). An item leaves a fingerprint only if deciding it added no notice. Notices of the check and of
// `Resource.remark` follow from the item alone: recognized items get them, too.
// The key of a fingerprint has everything else that a decision depends on: the rules of this build, the names of the fields,
// the feeds' ranking, and whether the tables of the shop have rows.
import type { CheckedItem } from '../../fields/check-item.js';
import type { Fields } from '../../fields/fields.js';
import type { Recognition, Resource } from '../../resource.js';
import { type EpochRow, epochId, epochTable } from '../../rows/reference-epoch.js';
import type { Draft } from '../../rows/snapshot.js';
import type { Row, Table } from '../../rows/table.js';
import type { CheckedFields, Environment } from '../item-task.js';
import { type Fingerprint, hashItem, hashText } from './fingerprint.js';

/** What is kept next to a record of the item that was applied to it last; the epoch is 0 where the item does not depend on it. */
interface AppliedItem extends Fingerprint {
  readonly epoch: number;
}

/** What is known of the items of a plan, by their index in it. */
export interface RecognizedItems {
  /** The record of an item that can only be unchanged: its identifier. */
  readonly unchanged: (string | undefined)[];
  /** What is to be kept of each item; undefined where it is always decided. */
  readonly applied: (AppliedItem | undefined)[];
  /** The key of the hashes of items. */
  readonly itemKey: Readonly<Fingerprint>;
  readonly epoch: EpochRow;
  /** The current time in Unix seconds. */
  readonly now: number;
  /**
   * Whether an unchanged item becomes the one applied last where another was. A record has one fingerprint: where feeds are
   * ranked it is that of the highest feed, since feeds that took it from each other would write their records every night.
   */
  claim: 'always' | 'never' | 'in turns';
}

/** Seconds since the epoch moved from which on it counts as settled: moved every night, it never pays to follow it. */
const settledAfter = 3600;

/**
 * An unchanged item that is not the one applied last is made it on one of so many days. Two feeds that send the same records
 * with other fields would write them all every night; a feed whose form changed is followed within these days.
 */
const refreshEveryDays = 4;

const secondsOfDay = 86_400;

/** What the decisions about items depend on in addition to the catalog: known once the plan's first look-ups are loaded. */
export interface RecognitionScope {
  /** Part of the key of fingerprints; undefined where no item may be recognized. */
  key(): string | undefined;
}

/**
 * Recognizes the items of a plan, before any is decided. Yields while something is pending.
 * @returns undefined where the store keeps no fingerprints
 */
export function* recognizeItems(
  resource: Resource,
  items: readonly CheckedItem[],
  draft: Draft,
  { now, rules, scope }: Environment & { readonly scope: RecognitionScope },
): Generator<void, RecognizedItems | undefined> {
  const { recognition, key, name, fields } = resource;
  if (recognition === undefined) return undefined;
  const [table] = resource.tables as [Table];
  const indexes = indexesToCompare(items, key, recognition);
  const keys = indexes.map((index) => items[index]?.item[key] as string);
  if (keys.length > 0) draft.askHeads({ table, column: key, keys });
  const usesShop = indexes.some((index) => recognition.usesShop(itemAt(items, index)));
  if (usesShop) for (const one of recognition.shop) draft.some(one);
  let epoch = draft.find(epochTable, 'id', epochId);
  for (; draft.hasPending(); epoch = draft.find(epochTable, 'id', epochId)) yield;
  const scopeKey = scope.key();
  if (epoch === undefined || scopeKey === undefined) return undefined;
  const catalogKey = { high: epoch.key_high, low: epoch.key_low };
  const itemKey = hashText(catalogKey, JSON.stringify([rules, name, namesOf(fields)]));
  const filled = usesShop ? recognition.shop.map((one) => draft.some(one)) : [];
  const scopes = { shop: hashText(itemKey, JSON.stringify([scopeKey, filled])), other: hashText(itemKey, scopeKey) };
  const found: RecognizedItems = { unchanged: [], applied: [], itemKey, epoch, now, claim: 'in turns' };
  for (const index of indexes) {
    const { item, hash } = items[index] as CheckedItem;
    // Items that their source has hashed are not hashed again.
    const { high, low } =
      hash === undefined || (hash.high === 0 && hash.low === 0) ? hashItem(itemKey, fields, item) : hash;
    const scoped = recognition.usesShop(item) ? scopes.shop : scopes.other;
    const [top, bottom] = [high ^ scoped.high, low ^ scoped.low];
    const count = recognition.usesEpoch(item) ? epoch.count : 0;
    found.applied[index] = { high: top, low: bottom || (top === 0 ? 1 : 0), epoch: count };
  }
  compareHeads(found, draft, indexes);
  // Where there is no head there is no record: it need not be looked up again.
  const known = new Set(draft.loadedHeads()?.indexes);
  draft.missing(
    table,
    key,
    keys.filter((_, i) => !known.has(i)),
  );
  return found;
}

function itemAt(items: readonly CheckedItem[], index: number): CheckedFields {
  return (items[index] as CheckedItem).item;
}

/** The names of fields, with those of the entries of lists. */
function namesOf(fields: Fields): unknown[] {
  return Object.entries(fields).map(([name, field]) => (field.kind === 'list' ? [name, namesOf(field.entry)] : name));
}

/** The indexes of items that may have a fingerprint; all others are decided. */
function indexesToCompare(items: readonly CheckedItem[], key: string, { isSteady }: Recognition): number[] {
  const indexes = new Map<string, number>();
  const repeated = new Set<number>();
  for (const [index, { item }] of items.entries()) {
    const value = item[key];
    if (typeof value !== 'string') continue;
    // Of several items for one record each is decided on what the ones before it left.
    const first = indexes.get(value);
    if (first === undefined) indexes.set(value, index);
    else repeated.add(first);
  }
  return [...indexes.values()].filter((index) => {
    const { diagnostics, amounts, item } = items[index] as CheckedItem;
    return (
      (diagnostics === undefined || diagnostics.problems.length === 0) &&
      amounts === undefined &&
      !repeated.has(index) &&
      isSteady(item)
    );
  });
}

/** Compares the items with what was applied to their records last. */
function compareHeads({ unchanged, applied }: RecognizedItems, draft: Draft, indexes: readonly number[]): void {
  const heads = draft.loadedHeads();
  if (heads === undefined) return;
  const [highs = [], lows = [], epochs = []] = heads.fingerprints;
  for (const [i, at] of heads.indexes.entries()) {
    const index = indexes[at] as number;
    const own = applied[index] as AppliedItem;
    if (own.high === highs[i] && own.low === lows[i] && own.epoch === epochs[i]) unchanged[index] = heads.ids[i];
  }
}

/** Decides an item at length, and keeps no fingerprint of it. */
export function leaveUnrecognized({ unchanged, applied }: RecognizedItems, index: number): void {
  unchanged[index] = undefined;
  applied[index] = undefined;
}

/** Whether the fingerprint of an unchanged record has to be replaced by that of this item. */
export function isWorthKeeping({ epoch, now, claim }: RecognizedItems, own: AppliedItem, stored: Row): boolean {
  if (!hasFingerprint(stored)) return true;
  if (own.high === stored['applied_high'] && own.low === stored['applied_low'])
    return now - epoch.moved_at > settledAfter;
  if (claim !== 'in turns') return claim === 'always';
  return ((own.low >>> 0) + Math.floor(now / secondsOfDay)) % refreshEveryDays === 0;
}

/** Whether it is known which item was applied to a row last. */
export function hasFingerprint(row: Row): boolean {
  return (row['applied_high'] ?? 0) !== 0 || (row['applied_low'] ?? 0) !== 0;
}

/** Writes into a row which item was applied to it last. */
export function setApplied(row: Row, { high, low, epoch }: AppliedItem): void {
  row['applied_high'] = high;
  row['applied_low'] = low;
  row['applied_epoch'] = epoch;
}
