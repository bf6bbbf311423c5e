// Offers as they are stored: read and written by the numbered shapes in the settings of feeds.
import {
  type FeedOffer,
  isNumbered,
  type OfferShapes,
  offerText,
  type PackedOffer,
  unpackOffer,
} from '../../ledger/feed-offer.js';
import { type FeedSettings, findSettingsRow, saveFeedSettings } from '../../ledger/feed-ranking.js';
import type { Draft } from '../../rows/snapshot.js';

/** The shapes by which a plan reads and writes offers. */
export interface StoredOffers {
  readonly draft: Draft;
  /** The row of settings that the rest is of: a plan may add shapes, and take them back. */
  row: ReturnType<typeof findSettingsRow>;
  shapes: OfferShapes;
  numbers: ReadonlyMap<string, number>;
  /** Offers without values, which many records share, by their text. */
  readonly shared: Map<string, FeedOffer>;
}

/** The offers of a plan. */
export function storedOffers(draft: Draft): StoredOffers {
  return { draft, row: undefined, shapes: [], numbers: new Map(), shared: new Map() };
}

/** Follows the settings. */
function refresh(offers: StoredOffers): void {
  const row = findSettingsRow(offers.draft);
  if (row === offers.row || row === undefined) return;
  const { shapes = [] } = JSON.parse(row.settings) as FeedSettings;
  offers.row = row;
  offers.shapes = shapes;
  offers.numbers = new Map(shapes.map((shape, i) => [shape, i]));
  offers.shared.clear();
}

export function readOffer(offers: StoredOffers, text: string): FeedOffer {
  refresh(offers);
  const known = offers.shared.get(text);
  if (known !== undefined) return known;
  const offer = unpackOffer(text, offers.shapes);
  if (text.startsWith('#') && !text.includes('[')) offers.shared.set(text, offer);
  return offer;
}

/** Serializes an offer, and numbers its shape where it is new. */
export function writeOffer(offers: StoredOffers, packed: PackedOffer): string {
  refresh(offers);
  const { shape } = packed;
  if (shape !== '' && !offers.numbers.has(shape) && isNumbered(offers.shapes, shape) && offers.row !== undefined) {
    const settings = JSON.parse(offers.row.settings) as FeedSettings;
    saveFeedSettings(offers.draft, { ...settings, shapes: [...offers.shapes, shape] });
    refresh(offers);
  }
  return offerText(packed, offers.numbers.get(shape));
}
