// What is known of the items that are to be recognized, and their comparison with what was applied to their records last.
import type { CheckedItem } from '../../fields/check-item.js';
import type { Resource } from '../../resource.js';
import type { EpochRow } from '../../rows/reference-epoch.js';
import type { Draft, Heads } from '../../rows/snapshot.js';
import type { Row, Table } from '../../rows/table.js';
import type { CheckedFields } from '../item-task.js';
import type { Fingerprint } from './keyed-hash.js';

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
  /**
   * Whether an unchanged item becomes the one applied last where another was. A record has one fingerprint: where feeds are
   * ranked it is that of the highest feed, since feeds that took it from each other would write their records every night.
   */
  claim: 'always' | 'never' | 'in turns';
}

/** The state of recognizing the items of a plan. */
export interface Recognizing {
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

/** Records that are looked up by their keys, and what is found out about them. */
export interface AskedRecords {
  readonly asked: readonly string[];
  /** The places of their items. */
  readonly askedPlaces: readonly number[];
  readonly isPresent: Uint8Array;
}

/** Compares items with the rows of their records. */
export function compareRows(
  found: RecognizedItems,
  { asked, askedPlaces, isPresent }: AskedRecords,
  draft: Draft,
): void {
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
export function compareHeads(
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

/** Whether a record has the fingerprint of the item at a place. */
export function isSame({ high, low }: Recognizing, place: number, row: Row): boolean {
  return row['applied_high'] === high[place] && row['applied_low'] === low[place];
}

/** The count of the epoch that the item at a place depends on; 0 for none. */
export function epochOf({ state, epoch }: RecognizedItems, place: number): number {
  return state.usesEpoch[place] === 1 ? epoch.count : 0;
}
