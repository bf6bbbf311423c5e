// How many keys and rows `once` holds.
import { expect, it } from 'vitest';
import { rawEntry } from '../../../src/core/entry.js';
import { recordKey } from '../../../src/core/fields/record-key.js';
import { deduplicator } from '../../../src/source/mapping/rows/deduplicate.js';
import { characteristic } from '../given.js';

const byName = recordKey(characteristic, 'name');

it.each([
  ['first', 500_000],
  ['first', 1000],
  ['merge', 1000],
] as const)('once: %s keeps at most %i keys', (once, most) => {
  // The first one has the limit that imports have.
  const limit = most === 500_000 ? undefined : most;
  const keys = deduplicator({ to: 'attribute', fields: {}, once }, byName, 'feed.csv', limit);
  const take = (number: number) => keys?.take(rawEntry({ name: `G${number}` }), { lines: [number + 1], number });
  for (let number = 1; number <= most; number++) take(number);
  expect(() => take(most)).not.toThrow();
  expect(() => take(most + 1)).toThrow(
    `feed.csv: once: more than ${most} different keys, or rows that differ from the first one of their key; leave once out, or split the file.`,
  );
});

it('once: first holds at most so many rows that differ from the first one of their key', () => {
  const keys = deduplicator({ to: 'attribute', fields: {}, once: 'first' }, byName, 'feed.csv', 1000);
  const take = (number: number) =>
    keys?.take(rawEntry({ name: 'Colour', slug: `s${number}` }), { lines: [number + 1], number });
  for (let number = 1; number <= 1000; number++) take(number);
  expect(() => take(1001)).toThrow('more than 1000 different keys, or rows that differ');
});
