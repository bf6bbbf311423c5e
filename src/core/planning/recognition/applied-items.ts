// Recognizes items that can only be unchanged: the very item that was applied last to a record which nothing else changed since,
// while nothing it depends on changed. They are neither prefetched nor decided. Beside a record stand the fingerprint of that
// item and the count of the epoch it was applied in (`Table.fingerprint`); every other change of the record sets them to 0
// (`dropFingerprint`). Only items without any diagnostic leave a fingerprint, so that what earns a notice is always decided.
import type { CheckedItem } from '../../fields/check-item.js';
import type { Resource } from '../../resource.js';
import { type EpochRow, epochId, epochTable } from '../../rows/reference-epoch.js';
import type { Draft, Heads } from '../../rows/snapshot.js';
import type { Row, Table } from '../../rows/table.js';
import type { CheckedFields, Environment } from '../item-task.js';
import { type Fingerprint, hashWords } from './item-fingerprint.js';
import {
  type EncodeText,
  itemWriter,
  newWordBuffer,
  plainEncodeText,
  putText,
  putWord,
  seal,
  type WriteItem,
  wordForm,
} from './item-words.js';

/** How the items of a resource are recognized. */
export interface Recognition {
  /** Its table without what is large: identifier, key, and `Table.fingerprint`. */
  readonly heads: Table;
  /** Whether what is decided of an item depends on the item and its record alone, and on what is named below. */
  readonly isSteady: (item: CheckedFields) => boolean;
  /** Whether it depends on records whose changes move the epoch on (`Table.isReferredTo`). */
  readonly usesEpoch: (item: CheckedFields) => boolean;
  /** Tables of which only whether they have rows matters, for an item that refers to them. */
  readonly shop: readonly Table[];
  readonly usesShop: (item: CheckedFields) => boolean;
}

/** Which item was applied to a row last. */
export interface AppliedItem extends Fingerprint {
  /** The count of the epoch; 0 where the item does not depend on it. */
  epoch: number;
}

/** Seconds since the epoch moved from which on it counts as settled: moved every night, it never pays to follow it. */
const settledAfter = 3600;

/**
 * An unchanged item that is not the one applied last is made it on one of so many days. Two feeds that send the same records
 * with other fields would write them all every night; a feed whose form changed is followed within these days.
 */
const turns = 4;

const secondsOfDay = 86_400;

/** What is known of the items of a plan, by their place in it. */
export interface RecognizedItems {
  /** The record of an item that can only be unchanged: its identifier. */
  readonly unchanged: (string | undefined)[];
  readonly state: Recognizing;
  readonly epoch: EpochRow;
  /** The current time in Unix seconds. */
  readonly now: number;
  /** What `appliedBy` returns, filled anew by each call. */
  readonly applied: AppliedItem;
}

/** The state of recognizing the items of a plan. */
interface Recognizing {
  readonly resource: Resource;
  readonly recognition: Recognition;
  readonly items: readonly CheckedItem[];
  /** Half-words of the fingerprints, and 1 where the item uses the epoch; by place. */
  readonly high: Int32Array;
  readonly low: Int32Array;
  readonly usesEpoch: Uint8Array;
  /** Items that have a fingerprint: no diagnostics, and the only one for their record. */
  readonly hasFingerprint: Uint8Array;
}

/** Serves one item after the other: a batch from the network has few, and would pay for one of its own. */
let words = newWordBuffer();

/** Words of a buffer that is kept: items of usual size. */
const mostKept = 64 * 1024;

function emptyBuffer(): typeof words {
  if (words.words.length > mostKept) words = newWordBuffer();
  words.headCount = 0;
  return words;
}

const writers = new WeakMap<Resource, WriteItem>();

function writerOf(resource: Resource): WriteItem {
  const known = writers.get(resource) ?? itemWriter(resource.fields);
  writers.set(resource, known);
  return known;
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
  { now, program, encodeText = plainEncodeText }: Environment,
): Generator<void, RecognizedItems | undefined> {
  const state = begin(resource, recognition, items);
  const places = askForHeads(state, draft);
  let epoch = draft.find(epochTable, 'id', epochId);
  for (; draft.hasPending(); epoch = draft.find(epochTable, 'id', epochId)) yield;
  if (epoch === undefined) return undefined;
  hashItems(state, keysOf(state, epoch, draft, program), encodeText);
  return recognized(state, { places, epoch, now }, draft);
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

/** The key of an item's record; undefined where the item is decided at length in any case. */
function keyOf({ resource, recognition }: Recognizing, checked: CheckedItem): string | undefined {
  if (checked.diagnostics !== undefined || checked.unreadable === true || checked.amounts !== undefined)
    return undefined;
  const key = checked.item[resource.key];
  return typeof key === 'string' && recognition.isSteady(checked.item) ? key : undefined;
}

/**
 * Asks for the heads of the records, and for what the fingerprints depend on.
 * @returns the places of the items by the keys of their records
 */
function askForHeads(state: Recognizing, draft: Draft): ReadonlyMap<string, number> {
  const { items, recognition, hasFingerprint, usesEpoch } = state;
  const { heads, shop } = recognition;
  const places = new Map<string, number>();
  let usesShop = false;
  for (let i = 0; i < items.length; i++) {
    const checked = items[i] as CheckedItem;
    const key = String(checked.item[state.resource.key] ?? '');
    const first = places.get(key);
    // Of several items for one record each is decided on what the ones before it left.
    if (first !== undefined) hasFingerprint[first] = 0;
    else places.set(key, i);
    if (first !== undefined || keyOf(state, checked) === undefined) continue;
    hasFingerprint[i] = 1;
    usesEpoch[i] = recognition.usesEpoch(checked.item) ? 1 : 0;
    usesShop ||= recognition.usesShop(checked.item);
    if (draft.heads === undefined) draft.find(heads, state.resource.key, key);
  }
  if (usesShop) for (const table of shop) draft.some(table);
  return places;
}

/** The keys of fingerprints: of items that refer to the shop, and of others. */
interface FingerprintKeys {
  readonly shop: Fingerprint;
  readonly other: Fingerprint;
}

/** Derives the keys of a resource's fingerprints from that of the catalog. */
function keysOf(state: Recognizing, epoch: EpochRow, draft: Draft, program: string): FingerprintKeys {
  const { resource, recognition, items } = state;
  const derive = (shop: number): Fingerprint => {
    const buffer = emptyBuffer();
    const texts = putText(buffer, 0, program) + putText(buffer, 1, resource.name);
    putWord(buffer, shop);
    putWord(buffer, wordForm);
    seal(buffer, texts, plainEncodeText);
    const key = { high: 0, low: 0 };
    hashWords({ high: epoch.key_high, low: epoch.key_low }, buffer, key);
    return key;
  };
  const other = derive(0);
  if (!items.some(({ item }) => recognition.usesShop(item))) return { shop: other, other };
  const filled = recognition.shop.reduce((bits, table, i) => bits | (draft.some(table) ? 2 << i : 0), 1);
  return { shop: derive(filled), other };
}

function hashItems(state: Recognizing, keys: FingerprintKeys, encode: EncodeText): void {
  const { resource, recognition, items, high, low, hasFingerprint } = state;
  const buffer = emptyBuffer();
  const into = { high: 0, low: 0 };
  const writeItem = writerOf(resource);
  for (let i = 0; i < items.length; i++) {
    if (hasFingerprint[i] === 0) continue;
    const { item } = items[i] as CheckedItem;
    buffer.headCount = 0;
    seal(buffer, writeItem(buffer, item), encode);
    hashWords(recognition.usesShop(item) ? keys.shop : keys.other, buffer, into);
    high[i] = into.high;
    low[i] = into.low;
  }
}

/** Compares the items with what was applied to their records last. */
function recognized(
  state: Recognizing,
  { places, epoch, now }: Pick<RecognizedItems, 'epoch' | 'now'> & { readonly places: ReadonlyMap<string, number> },
  draft: Draft,
): RecognizedItems {
  const { resource, hasFingerprint } = state;
  const found: RecognizedItems = { unchanged: [], state, epoch, now, applied: { high: 0, low: 0, epoch: 0 } };
  const asked: string[] = [];
  const askedPlaces: number[] = [];
  for (const [key, place] of places) {
    if (hasFingerprint[place] === 0) continue;
    asked.push(key);
    askedPlaces.push(place);
  }
  const isPresent = new Uint8Array(asked.length);
  if (draft.heads === undefined) compareRows(found, { asked, askedPlaces, isPresent }, draft);
  else {
    const heads = draft.heads(resource.tables[0] as Table, resource.key, asked);
    // All are decided: nothing is known of their records.
    if (heads === undefined) return found;
    compareHeads(found, { askedPlaces, isPresent }, heads);
  }
  // Where there is no head there is no record: it need not be looked up again.
  const absent = new Set(asked.filter((_, i) => isPresent[i] === 0));
  if (absent.size > 0) draft.missing(resource.tables[0] as Table, resource.key, absent);
  return found;
}

/** Records that are looked up by their keys, and what is found out about them. */
interface AskedRecords {
  readonly asked: readonly string[];
  /** The places of their items. */
  readonly askedPlaces: readonly number[];
  readonly isPresent: Uint8Array;
}

function compareRows(found: RecognizedItems, { asked, askedPlaces, isPresent }: AskedRecords, draft: Draft): void {
  const { resource, recognition } = found.state;
  for (let i = 0; i < asked.length; i++) {
    const head = draft.find<Row>(recognition.heads, resource.key, asked[i] as string);
    if (head === undefined) continue;
    isPresent[i] = 1;
    const place = askedPlaces[i] as number;
    if (isSame(found.state, place, head) && head['applied_epoch'] === epochOf(found, place))
      found.unchanged[place] = String(head['id']);
  }
}

/** The same for heads that the store gives at once. */
function compareHeads(
  found: RecognizedItems,
  { askedPlaces, isPresent }: Omit<AskedRecords, 'asked'>,
  { places, ids, fingerprints: [highs = [], lows = [], epochs = []] }: Heads,
): void {
  const { high, low } = found.state;
  for (let i = 0; i < places.length; i++) {
    const at = places[i] as number;
    isPresent[at] = 1;
    const place = askedPlaces[at] as number;
    if (highs[i] === high[place] && lows[i] === low[place] && epochs[i] === epochOf(found, place))
      found.unchanged[place] = ids[i];
  }
}

function isSame({ high, low }: Recognizing, place: number, row: Row): boolean {
  return row['applied_high'] === high[place] && row['applied_low'] === low[place];
}

function epochOf({ state, epoch }: RecognizedItems, place: number): number {
  return state.usesEpoch[place] === 1 ? epoch.count : 0;
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

/** Whether the fingerprint of an unchanged record has to be replaced by that of this item. */
export function isWorthKeeping({ state, epoch, now }: RecognizedItems, place: number, stored: Row): boolean {
  if (state.hasFingerprint[place] === 0) return false;
  if (stored['applied_high'] === 0 && stored['applied_low'] === 0) return true;
  if (isSame(state, place, stored)) return now - epoch.moved_at > settledAfter;
  return (((state.low[place] as number) >>> 0) + Math.floor(now / secondsOfDay)) % turns === 0;
}

/** Writes into a row which item was applied to it last. */
export function setApplied(row: Row, { high, low, epoch }: AppliedItem): void {
  row['applied_high'] = high;
  row['applied_low'] = low;
  row['applied_epoch'] = epoch;
}
