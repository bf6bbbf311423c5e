// Recognizes items that can only be unchanged: the very item that was applied last to a record which nothing else changed since,
// while nothing it depends on changed. They are neither prefetched nor decided. Beside a record stand the fingerprint of that
// item and the count of the epoch it was applied in (`Table.fingerprint`); every other change of the record sets them to 0
// (`dropFingerprint`). Only items without any diagnostic leave a fingerprint, so that what earns a notice is always decided.
import type { CheckedItem } from '../../fields/check-item.js';
import type { Resource } from '../../resource.js';
import { type EpochRow, epochId, epochTable } from '../../rows/reference-epoch.js';
import type { Draft } from '../../rows/snapshot.js';
import type { Row, Table } from '../../rows/table.js';
import type { Environment } from '../item-task.js';
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
  { now, program, encodeText = plainEncodeText, scope }: Environment & { readonly scope: RecognitionScope },
): Generator<void, RecognizedItems | undefined> {
  const state = begin(resource, recognition, items);
  const records = askForHeads(state, draft);
  let epoch = draft.find(epochTable, 'id', epochId);
  for (; draft.hasPending(); epoch = draft.find(epochTable, 'id', epochId)) yield;
  const scopeKey = scope.key();
  if (epoch === undefined || scopeKey === undefined) return undefined;
  hashItems(state, keysOf(state, epoch, draft, { program, scopeKey }), encodeText);
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

/** The key of an item's record; undefined where the item is decided at length in any case. */
function keyOf({ resource, recognition }: Recognizing, checked: CheckedItem): string | undefined {
  if (checked.diagnostics !== undefined || checked.unreadable === true || checked.amounts !== undefined)
    return undefined;
  const key = checked.item[resource.key];
  return typeof key === 'string' && recognition.isSteady(checked.item) ? key : undefined;
}

/**
 * Asks for the heads of the records, and for what the fingerprints depend on.
 * @returns the records
 */
function askForHeads(state: Recognizing, draft: Draft): WantedRecords {
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
    if (draft.heads === undefined && draft.headLoader === undefined) draft.find(heads, state.resource.key, key);
  }
  if (usesShop) for (const table of shop) draft.some(table);
  const records = askedRecords(state, places);
  const { asked } = records;
  if (asked.length > 0)
    draft.headLoader?.ask({ table: state.resource.tables[0] as Table, column: state.resource.key, keys: asked });
  return records;
}

type WantedRecords = Omit<AskedRecords, 'isPresent'>;

/** The records that are looked up: those of items with a fingerprint. */
function askedRecords({ hasFingerprint }: Recognizing, places: ReadonlyMap<string, number>): WantedRecords {
  const asked: string[] = [];
  const askedPlaces: number[] = [];
  for (const [key, place] of places) {
    if (hasFingerprint[place] === 0) continue;
    asked.push(key);
    askedPlaces.push(place);
  }
  return { asked, askedPlaces };
}

/** The keys of fingerprints: of items that refer to the shop, and of others. */
interface FingerprintKeys {
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
  const derive = (shop: number): Fingerprint => {
    const buffer = emptyBuffer();
    const named = putText(buffer, 0, program) + putText(buffer, 1, resource.name);
    const texts = scopeKey === '' ? named : named + putText(buffer, 2, scopeKey);
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
  const absent = new Set(asked.filter((_, i) => isPresent[i] === 0));
  if (absent.size > 0) draft.missing(resource.tables[0] as Table, resource.key, absent);
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
