// Offers as they are stored: by the shapes that the settings of feeds number.
import { beforeEach, expect, it } from 'vitest';
import { notKept, packOffer } from '../../../../src/core/ledger/feed-offer.js';
import {
  type FeedSettings,
  findFeedSettings,
  noFeedSettings,
  saveFeedSettings,
} from '../../../../src/core/ledger/feed-ranking.js';
import { feedSettingsTable } from '../../../../src/core/ledger/run-tables.js';
import {
  readOffer,
  type StoredOffers,
  storedOffers,
  writeOffer,
} from '../../../../src/core/planning/ranking/stored-offers.js';
import { newDraft } from '../../../../src/core/rows/draft.js';
import type { Draft } from '../../../../src/core/rows/snapshot.js';

let draft: Draft;
let offers: StoredOffers;
const settings = (): FeedSettings => findFeedSettings(draft) ?? noFeedSettings;
const packed = (fields: Readonly<Record<string, unknown>>) => packOffer(new Map(Object.entries(fields)), () => true);
const unkept = (...names: string[]) => packOffer(new Map(names.map((name) => [name, 1])), () => false);

beforeEach(() => {
  draft = newDraft();
  draft.missing(feedSettingsTable, 'id', new Set(['feeds']));
  saveFeedSettings(draft, { ...noFeedSettings, order: ['a', 'b'] });
  offers = storedOffers(draft);
});

it('an offer is read as it was written, each shape is numbered once, and another plan knows it', () => {
  const sent = [{ name: 'x' }, { name: 'y' }, { name: 'x', price: 5 }, {}, { name: 'z' }];
  const texts = sent.map((fields) => writeOffer(offers, packed(fields)));
  expect(settings()).toMatchObject({ order: ['a', 'b'], shapes: [expect.any(String), expect.any(String)] });
  expect(texts[3]).toBe('');
  for (const reader of [offers, storedOffers(draft)]) {
    expect(texts.map((text) => Object.fromEntries(readOffer(reader, text)))).toEqual(sent);
    expect(writeOffer(reader, packed({ name: 'y' }))).toBe(texts[1]);
  }
  expect(settings().shapes).toHaveLength(2);
});

it('without settings an offer has a shape of its own', () => {
  const none = newDraft();
  none.missing(feedSettingsTable, 'id', new Set(['feeds']));
  const text = writeOffer(storedOffers(none), packed({ name: 'x' }));
  expect(Object.fromEntries(readOffer(storedOffers(none), text))).toEqual({ name: 'x' });
});

it('shapes that a plan takes back are followed', () => {
  draft.mark();
  const before = writeOffer(offers, unkept('name'));
  expect([...readOffer(offers, before)]).toEqual([['name', notKept]]);
  draft.rollback();
  expect(settings().shapes).toBeUndefined();
  const after = writeOffer(offers, unkept('price'));
  expect(after).toBe(before);
  expect([...readOffer(offers, after)]).toEqual([['price', notKept]]);
});
