// Real feeds through our mappings, into fresh catalogs; where there are no feeds there is nothing to import.
import { describe, expect, it } from 'vitest';
import { typedAsProcess } from '../cli/started.js';
import { typed } from '../cli/typed.js';
import { isFull } from '../tier.js';
import { feeds, present } from './feeds.js';
import { importFeed } from './import-feed.js';

/** Whether a feed is large. Its mapping is small, and has an example that is tried in any tier. */
const isLarge = ({ created }: { readonly created: Readonly<Record<string, number>> }): boolean =>
  (created['products'] ?? 0) > 20_000;

describe.runIf(present)('feeds as suppliers really send them', () => {
  it.each(feeds.filter((feed) => isFull || !isLarge(feed)))(
    '$name: what comes of it is what a person counted',
    async (feed) => {
      const counted = await importFeed(feed, isLarge(feed) ? typedAsProcess : typed);
      expect(counted.created).toEqual(feed.created);
      expect(counted.updated).toBe(feed.updated ?? 0);
      expect(counted.refused).toEqual(feed.refused ?? {});
      expect(counted.code).toBe(feed.refused === undefined ? 0 : 3);
    },
  );
});

it.runIf(!present)('there are no feeds beside the project, and none is needed', () => {
  expect(feeds.length).toBeGreaterThan(0);
});
