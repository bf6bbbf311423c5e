// Whose value of a field applies, by the offers of all feeds for one record.
import { describe, expect, it } from 'vitest';
import { type FeedSettings, noFeedSettings } from '../../../../src/core/ledger/feed-ranking.js';
import {
  changedOffers,
  keptOut,
  lastWriterWins,
  mergedOffers,
  sendsSameMembers,
  withheldFields,
} from '../../../../src/core/planning/ranking/field-contest.js';
import { product } from '../../../../src/core/resources/product.js';

type Fields = Readonly<Record<string, unknown>>;

const offer = (fields: Fields) => new Map(Object.entries(fields));
const offersOf = (feeds: Readonly<Record<string, Fields>>) =>
  new Map(Object.entries(feeds).map(([feed, fields]) => [feed, offer(fields)]));
const among = (settings: Partial<FeedSettings>) => ({
  settings: { ...noFeedSettings, ...settings },
  resource: { ...product },
});

/** Two feeds by rank; `photos` owns a field; `other` and `more` are without a rank. */
const ranked = among({ order: ['high', 'low'], own: { photos: ['images'] } });

describe('whether the feed that was last counts', () => {
  const cases: readonly (readonly [string, boolean, Readonly<Record<string, Fields>>, readonly [string, string]])[] = [
    [
      'two feeds without a rank that send the same field',
      true,
      { other: { name: 'a' }, more: { name: 'b' } },
      ['other', 'more'],
    ],
    ['also where the values are equal', true, { other: { name: 'a' }, more: { name: 'a' } }, ['other', 'more']],
    ['other fields', false, { other: { name: 'a' }, more: { note: 'b' } }, ['other', 'more']],
    ['nothing sent by the first', false, { other: {}, more: { name: 'b' } }, ['other', 'more']],
    ['a ranked feed and one without a rank', true, { high: { name: 'a' }, more: { name: 'b' } }, ['high', 'more']],
    ['two ranked feeds', false, { high: { name: 'a' }, low: { name: 'b' } }, ['high', 'low']],
    ['two ranked feeds, the lower one first', false, { high: { name: 'a' }, low: { name: 'b' } }, ['low', 'high']],
    ['the owner of the field', false, { photos: { images: [] }, more: { images: [] } }, ['photos', 'more']],
    ['the owner of another field', true, { photos: { name: 'a' }, more: { name: 'b' } }, ['photos', 'more']],
    ['fields that exclude each other', true, { other: { price: 1 }, more: { grades: [] } }, ['other', 'more']],
    [
      'a price in another currency',
      true,
      { other: { price: 1, currency: 'EUR' }, more: { price: 2, currency: 'USD' } },
      ['other', 'more'],
    ],
    [
      'a field that the owner keeps out of both',
      false,
      { other: { images: [1] }, more: { images: [2] }, photos: { images: [3] } },
      ['other', 'more'],
    ],
    ['what is not known of the second feed may be any field', true, { other: { name: 'a' } }, ['other', 'more']],
    ['not one that the first feed owns', false, { photos: { images: [] } }, ['photos', 'more']],
    ['nor one that the first feed outranks', false, { high: { name: 'a' } }, ['high', 'low']],
    ['but one that it owns not', true, { photos: { images: [], name: 'a' } }, ['photos', 'more']],
    [
      'nor one that a third feed keeps out',
      false,
      { other: { images: [] }, photos: { images: [] } },
      ['other', 'more'],
    ],
    ['nor anything of a feed that sent nothing', false, {}, ['other', 'more']],
  ];

  it.each(cases)('%s: %s', (_, expected, offers, pair) => {
    expect(lastWriterWins({ ...ranked, resource: { ...product } }, offersOf(offers), pair)).toBe(expected);
  });
});

describe('what does not apply', () => {
  it('is what a feed of a higher rank or the owner sends, too, each with the feed that keeps it out', () => {
    const sent = offer({ name: 'a', note: 'b', images: [1], price: 1 });
    const contest = {
      ...{ ...ranked, feed: 'low', before: offer({}), now: sent },
      others: offersOf({ high: { name: 'x', images: [2] }, photos: { images: [3] }, other: { note: 'y' } }),
    };
    expect(withheldFields(contest, sent)).toEqual([
      { member: 'name', value: 'a', owner: 'high' },
      { member: 'images', value: [1], owner: 'photos' },
    ]);
    expect(withheldFields({ ...contest, others: new Map() }, sent)).toEqual([]);
    expect(keptOut(ranked, new Map([...contest.others, ['low', sent]]))).toEqual([
      { feed: 'high', member: 'images', value: [2], owner: 'photos' },
      { feed: 'low', member: 'name', value: 'a', owner: 'high' },
      { feed: 'low', member: 'images', value: [1], owner: 'photos' },
    ]);
  });

  it('is an amount in another currency than that of the higher feed, and no amount in the same', () => {
    const sentBy = (currency: string) => ({
      ...{ ...ranked, feed: 'low', before: offer({}), now: offer({ price: 1, currency }) },
      others: offersOf({ high: { currency: 'EUR' } }),
    });
    const membersOf = (currency: string) =>
      withheldFields(sentBy(currency), sentBy(currency).now).map(({ member }) => member);
    expect(membersOf('USD')).toEqual(['price', 'currency']);
    expect(membersOf('EUR')).toEqual(['currency']);
  });

  it('is, of two fields that exclude each other, the one of the lower feed', () => {
    const sent = offer({ price: 1, stock: 2, name: 'a' });
    const contest = {
      ...ranked,
      feed: 'low',
      before: offer({}),
      now: sent,
      others: offersOf({ high: { grades: [] } }),
    };
    expect(withheldFields(contest, sent).map(({ member }) => member)).toEqual(['price', 'stock']);
  });
});

describe('what applies', () => {
  it('is each field of its highest feed, and of two feeds without a rank neither is known to', () => {
    const offers = offersOf({
      low: { name: 'low', note: 'low', images: [1] },
      high: { name: 'high' },
      photos: { images: [2] },
      other: { brand: 'o', unit: 'o' },
      more: { brand: 'm' },
    });
    expect(Object.fromEntries(mergedOffers(ranked, offers))).toEqual({
      name: { feed: 'high', value: 'high' },
      note: { feed: 'low', value: 'low' },
      images: { feed: 'photos', value: [2] },
      unit: { feed: 'other', value: 'o' },
      brand: undefined,
    });
  });

  it('passes to the next feed where the higher one ceases to send a field', () => {
    const contest = {
      ...{ ...ranked, feed: 'high', before: offer({ name: 'h', note: 'h' }), now: offer({ note: 'h' }) },
      others: offersOf({ low: { name: 'l', note: 'l' } }),
    };
    expect(changedOffers(contest)).toEqual({ passed: [{ member: 'name', feed: 'low', value: 'l' }], lost: [] });
    expect(changedOffers({ ...contest, now: contest.before })).toEqual({ passed: [], lost: [] });
  });

  it('a list of a lower feed is lost where a higher one sends what excludes it', () => {
    const others = offersOf({ low: { grades: [1] } });
    const contest = { ...ranked, feed: 'high', before: offer({}), now: offer({ price: 1 }), others };
    expect(changedOffers(contest)).toEqual({ passed: [], lost: ['grades'] });
    expect(changedOffers({ ...contest, now: offer({ name: 'a' }) })).toEqual({ passed: [], lost: [] });
    const own = { ...contest, before: offer({ grades: [2] }), others: offersOf({ low: {} }) };
    expect(changedOffers(own).lost).toEqual([]);
  });
});

it.each([
  ['the same fields with other values', true, { name: 'a', price: 1 }, { name: 'b', price: 2 }],
  ['another currency', false, { currency: 'EUR' }, { currency: 'USD' }],
  ['a field more', false, { name: 'a' }, { name: 'a', price: 1 }],
  ['a field less', false, { name: 'a', price: 1 }, { name: 'a' }],
  ['another field', false, { name: 'a' }, { price: 1 }],
  ['nothing before and now', false, {}, {}],
] as const)('whether an offer has the same members as before: %s: %s', (_, expected, before: Fields, now: Fields) => {
  expect(sendsSameMembers(product, offer(before), offer(now))).toBe(expected);
});
