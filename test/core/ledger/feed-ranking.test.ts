// Which feed outranks which, for every ranking of four feeds and every owner of fields.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  byStrength,
  hasRanking,
  mayOutrank,
  noFeedSettings,
  outranks,
  silentFeeds,
} from '../../../src/core/ledger/feed-ranking.js';

const feeds = ['a', 'b', 'c', 'd'];
const fields = ['name', 'price', 'stock'];

const settings = fc
  .record({
    order: fc.shuffledSubarray(feeds),
    owners: fc.record(Object.fromEntries(fields.map((field) => [field, fc.constantFrom(undefined, ...feeds)]))),
    senders: fc.subarray(feeds),
  })
  .map(({ order, owners, senders }) => {
    const own: Record<string, string[]> = {};
    for (const field of fields) {
      const owner = owners[field];
      if (owner !== undefined) own[owner] = [...(own[owner] ?? []), field];
    }
    return { ...noFeedSettings, order, own, senders };
  });

it('the owner of a field outranks all others in it; else the feed that is named earlier, and none that has no rank', () => {
  fc.assert(
    fc.property(settings, fc.constantFrom(...feeds), fc.constantFrom(...feeds), (known, one, other) => {
      const { order, own } = known;
      const isAbove = order.includes(one) && order.includes(other) && order.indexOf(one) < order.indexOf(other);
      const overrules = (field: string) => outranks(known, { feed: one, field }, { feed: other, field });
      for (const field of fields) {
        const owner = feeds.find((feed) => own[feed]?.includes(field));
        expect(overrules(field)).toBe(one !== other && (owner === one || (owner !== other && isAbove)));
      }
      if (one !== other) expect(mayOutrank(known, one, other)).toBe(isAbove || (own[one]?.length ?? 0) > 0);
    }),
  );
});

it('feeds in the order of their strength: none outranks one before it, whatever their order was', () => {
  fc.assert(
    fc.property(settings, fc.shuffledSubarray(feeds), fc.constantFrom(...fields), (known, some, field) => {
      const sorted = [...some].sort(byStrength(known, field));
      expect([...some].reverse().sort(byStrength(known, field))).toEqual(sorted);
      for (const [place, feed] of sorted.entries())
        for (const later of sorted.slice(place + 1))
          expect(outranks(known, { feed: later, field }, { feed, field })).toBe(false);
    }),
  );
});

it('silent are the feeds that a feed has to do with, and that did not run since they are ranked', () => {
  fc.assert(
    fc.property(settings, fc.constantFrom(...feeds), (known, feed) => {
      const others = feeds.filter((one) => one !== feed && !known.senders.includes(one));
      const { order } = known;
      const { above, below } = silentFeeds(known, feed);
      expect([...above].sort()).toEqual(others.filter((one) => mayOutrank(known, one, feed)));
      expect([...below].sort()).toEqual(
        others.filter((one) => order.includes(feed) && order.indexOf(one) > order.indexOf(feed)),
      );
    }),
  );
});

it.each([
  [[], {}, false],
  [['a'], {}, false],
  [['a', 'b'], {}, true],
  [['a'], { a: [] }, false],
  [[], { a: ['price'] }, true],
])('feeds %o with owners %o are ranked: %s', (order, own, isRanked) => {
  expect(hasRanking({ ...noFeedSettings, order, own })).toBe(isRanked);
});

it('of two fields that exclude each other, each with an owner, none outranks the other', () => {
  const known = { ...noFeedSettings, own: { a: ['price'], b: ['grades'] } };
  const [price, grades] = [
    { feed: 'a', field: 'price' },
    { feed: 'b', field: 'grades' },
  ];
  expect([outranks(known, price, grades), outranks(known, grades, price)]).toEqual([false, false]);
});
