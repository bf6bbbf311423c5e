// Recognizes items that can only be unchanged: the very item that was applied last to a record which nothing else changed since,
// while nothing it depends on changed. They are neither prefetched nor decided. Beside a record stand the fingerprint of that
// item and the count of the epoch it was applied in (`Table.fingerprint`); every other change of the record sets them to 0
// (`dropFingerprint`). Only items without any diagnostic leave a fingerprint, so that what earns a notice is always decided.
import type { HashItems } from '../../catalog.js';
import type { CheckedItem } from '../../fields/check-item.js';
import type { Resource } from '../../resource.js';
import { type EpochRow, epochId, epochTable } from '../../rows/reference-epoch.js';
import type { Draft } from '../../rows/snapshot.js';
import type { Row, Table } from '../../rows/table.js';
import type { Environment } from '../item-task.js';
import { type HashItem, itemHasher, putText, wordForm } from './item-words.js';
import { type Fingerprint, plainKeyedHash } from './keyed-hash.js';
import {
  type AppliedItem,
  type AskedRecords,
  compareHeads,
  compareRows,
  epochOf,
  isSame,
  type Recognition,
  type RecognizedItems,
  type Recognizing,
} from './recognized-items.js';

/** Seconds since the epoch moved from which on it counts as settled: moved every night, it never pays to follow it. */
const settledAfter = 3600;

/**
 * An unchanged item that is not the one applied last is made it on one of so many days. Two feeds that send the same records
 * with other fields would write them all every night; a feed whose form changed is followed within these days.
 */
const turns = 4;

const secondsOfDay = 86_400;

/** For keys, which are few. */
const keyHash = plainKeyedHash();

const hashers = new WeakMap<Resource, HashItem>();

function hasherOf(resource: Resource): HashItem {
  const known = hashers.get(resource) ?? itemHasher(resource.fields);
  hashers.set(resource, known);
  return known;
}

/** What the decisions about items depend on beside the catalog: known once the plan's first look-ups are loaded. */
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
  recognition: Recognition,
  items: readonly CheckedItem[],
  draft: Draft,
  { now, program, scope, hashWith }: Environment & { readonly scope: RecognitionScope; readonly hashWith?: HashItems },
): Generator<void, RecognizedItems | undefined> {
  const state = begin(resource, recognition, items);
  const records = askForHeads(state, draft);
  let epoch = draft.find(epochTable, 'id', epochId);
  for (; draft.hasPending(); epoch = draft.find(epochTable, 'id', epochId)) yield;
  const scopeKey = scope.key();
  if (epoch === undefined || scopeKey === undefined) return undefined;
  const keys = keysOf(state, epoch, draft, { program, scopeKey });
  hashWith?.(keys.item);
  hashItems(state, keys);
  return recognized(state, { records, epoch, now }, draft);
}

function begin(resource: Resource, recognition: Recognition, items: readonly CheckedItem[]): Recognizing {
  const { length } = items;
  return {
    resource,
    recognition,
    items,
    high: new Int32Array(length),
    low: new Int32Array(length),
    usesEpoch: new Uint8Array(length),
    hasFingerprint: new Uint8Array(length),
  };
}

/** Whether an item has a fingerprint; without one it is decided at length. */
function mayHaveFingerprint(
  { diagnostics, unreadable, amounts, item }: CheckedItem,
  recognition: Recognition,
): boolean {
  return diagnostics === undefined && unreadable !== true && amounts === undefined && recognition.isSteady(item);
}

/**
 * Asks for the heads of the records, and for what the fingerprints depend on.
 * @returns the records
 */
function askForHeads(state: Recognizing, draft: Draft): WantedRecords {
  const { items, recognition, hasFingerprint, usesEpoch, resource } = state;
  const { shop } = recognition;
  const places = new Map<string, number>();
  const keys: string[] = [];
  let usesShop = false;
  for (let i = 0; i < items.length; i++) {
    const checked = items[i] as CheckedItem;
    const key = checked.item[resource.key];
    keys.push(typeof key === 'string' ? key : '');
    if (typeof key !== 'string') continue;
    const first = places.get(key);
    // Of several items for one record each is decided on what the ones before it left.
    if (first !== undefined) {
      hasFingerprint[first] = 0;
      continue;
    }
    places.set(key, i);
    if (!mayHaveFingerprint(checked, recognition)) continue;
    hasFingerprint[i] = 1;
    usesEpoch[i] = recognition.usesEpoch(checked.item) ? 1 : 0;
    usesShop ||= recognition.usesShop(checked.item);
  }
  if (usesShop) for (const table of shop) draft.some(table);
  const records = askedRecords(state, keys);
  askFor(records.asked, state, draft);
  return records;
}

type WantedRecords = Omit<AskedRecords, 'isPresent'>;

/** The records that are looked up: those of items with a fingerprint. */
function askedRecords({ hasFingerprint }: Recognizing, keys: readonly string[]): WantedRecords {
  const asked: string[] = [];
  const askedPlaces: number[] = [];
  for (let i = 0; i < keys.length; i++) {
    if (hasFingerprint[i] === 0) continue;
    asked.push(keys[i] as string);
    askedPlaces.push(i);
  }
  return { asked, askedPlaces };
}

function askFor(asked: readonly string[], { resource, recognition }: Recognizing, draft: Draft): void {
  if (asked.length === 0) return;
  const { key } = resource;
  if (draft.headLoader !== undefined)
    draft.headLoader.ask({ table: resource.tables[0] as Table, column: key, keys: asked });
  else if (draft.heads === undefined) for (const one of asked) draft.find(recognition.heads, key, one);
}

/** What fingerprints are made of beside the item. */
interface FingerprintKeys {
  /** The key of the hashes of items. */
  readonly item: Fingerprint;
  /** What is added to the hash, bit by bit: for items that refer to the shop, and for others. */
  readonly shop: Fingerprint;
  readonly other: Fingerprint;
}

/** Derives the keys of a resource's fingerprints from that of the catalog. */
function keysOf(
  state: Recognizing,
  epoch: EpochRow,
  draft: Draft,
  { program, scopeKey }: { readonly program: string; readonly scopeKey: string },
): FingerprintKeys {
  const { resource, recognition, items } = state;
  const derive = (texts: readonly string[], ...words: number[]): Fingerprint => {
    const key = { high: 0, low: 0 };
    keyHash.begin({ high: epoch.key_high, low: epoch.key_low });
    for (const [i, text] of texts.entries()) putText(keyHash, i, text);
    for (const word of [...words, wordForm]) keyHash.word(word);
    keyHash.end(key);
    return key;
  };
  const item = derive([program, resource.name]);
  const scoped = (shop: number): Fingerprint => derive([program, resource.name, scopeKey], shop);
  const other = scoped(0);
  if (!items.some((one) => recognition.usesShop(one.item))) return { item, shop: other, other };
  const filled = recognition.shop.reduce((bits, table, i) => bits | (draft.some(table) ? 2 << i : 0), 1);
  return { item, shop: scoped(filled), other };
}

/** Items that their source has hashed are not hashed again. */
function hashItems(state: Recognizing, { item: key, shop, other }: FingerprintKeys): void {
  const { resource, recognition, items, high, low, hasFingerprint } = state;
  const into = { high: 0, low: 0 };
  const hashItem = hasherOf(resource);
  for (let i = 0; i < items.length; i++) {
    if (hasFingerprint[i] === 0) continue;
    const { item, hash = into } = items[i] as CheckedItem;
    const isHashed = hash !== into && (hash.high !== 0 || hash.low !== 0);
    if (!isHashed) hashItem(key, item, into);
    const { high: top, low: bottom } = isHashed ? hash : into;
    const scope = recognition.usesShop(item) ? shop : other;
    high[i] = top ^ scope.high;
    // Both halves 0 would be a row that no item was applied to.
    low[i] = bottom ^ scope.low || (high[i] === 0 ? 1 : 0);
  }
}

/** Compares the items with what was applied to their records last. */
function recognized(
  state: Recognizing,
  { records, epoch, now }: Pick<RecognizedItems, 'epoch' | 'now'> & { readonly records: WantedRecords },
  draft: Draft,
): RecognizedItems {
  const { resource } = state;
  const found: RecognizedItems = {
    unchanged: [],
    state,
    epoch,
    now,
    applied: { high: 0, low: 0, epoch: 0 },
    claim: 'in turns',
  };
  const { asked, askedPlaces } = records;
  const isPresent = new Uint8Array(asked.length);
  if (draft.headLoader !== undefined) {
    const heads = draft.headLoader.loaded();
    if (heads !== undefined) compareHeads(found, { askedPlaces, isPresent }, heads);
  } else if (draft.heads === undefined) compareRows(found, { asked, askedPlaces, isPresent }, draft);
  else {
    const heads = draft.heads(resource.tables[0] as Table, resource.key, asked);
    // All are decided: nothing is known of their records.
    if (heads === undefined) return found;
    compareHeads(found, { askedPlaces, isPresent }, heads);
  }
  // Where there is no head there is no record: it need not be looked up again.
  const absent = isPresent.includes(1) ? asked.filter((_, i) => isPresent[i] === 0) : asked;
  if (absent.length > 0) draft.missing(resource.tables[0] as Table, resource.key, absent);
  return found;
}

/**
 * The fingerprint of an item, to be kept with its record.
 * @returns the same object every time; undefined where the item may have none
 */
export function appliedBy(recognized: RecognizedItems, place: number): AppliedItem | undefined {
  const { state, applied } = recognized;
  if (state.hasFingerprint[place] === 0) return undefined;
  applied.high = state.high[place] as number;
  applied.low = state.low[place] as number;
  applied.epoch = epochOf(recognized, place);
  return applied;
}

/** Decides an item at length, and keeps no fingerprint of it. */
export function leaveUnrecognized({ unchanged, state }: RecognizedItems, place: number): void {
  unchanged[place] = undefined;
  state.hasFingerprint[place] = 0;
}

/** Whether the fingerprint of an unchanged record has to be replaced by that of this item. */
export function isWorthKeeping({ state, epoch, now, claim }: RecognizedItems, place: number, stored: Row): boolean {
  if (state.hasFingerprint[place] === 0) return false;
  if (!hasFingerprint(stored)) return true;
  if (isSame(state, place, stored)) return now - epoch.moved_at > settledAfter;
  if (claim !== 'in turns') return claim === 'always';
  return (((state.low[place] as number) >>> 0) + Math.floor(now / secondsOfDay)) % turns === 0;
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
