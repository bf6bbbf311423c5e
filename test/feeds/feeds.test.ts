// Real feeds through our mappings, into fresh catalogs; where there are no feeds there is nothing to import.
import { describe, expect, it } from 'vitest';
import { feeds, present } from './feeds.js';
import { importFeed } from './import-feed.js';

describe.runIf(present)('feeds as suppliers really send them', () => {
  it.each(feeds)('$name: what comes of it is what a person counted', async (feed) => {
    const counted = await importFeed(feed);
    expect(counted.created).toEqual(feed.created);
    expect(counted.updated).toBe(feed.updated ?? 0);
    expect(counted.refused).toEqual(feed.refused ?? {});
    expect(counted.code).toBe(feed.refused === undefined ? 0 : 3);
  });
});

it.runIf(!present)('there are no feeds beside the project, and none is needed', () => {
  expect(feeds.length).toBeGreaterThan(0);
});
