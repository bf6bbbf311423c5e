// How many keys and rows `once` holds.
import { expect, it } from 'vitest';
import { rawEntry } from '../../../src/core/entry.js';
import { recordKey } from '../../../src/core/fields/record-key.js';
import { deduplicator } from '../../../src/source/mapping/rows/deduplicate.js';
import { characteristic } from '../given.js';

it.each(['first', 'merge'] as const)('once: %s keeps at most 500,000 keys', (once) => {
  const keys = deduplicator({ to: 'attribute', fields: {}, once }, recordKey(characteristic, 'name'), 'feed.csv');
  const take = (number: number) => keys?.take(rawEntry({ name: `G${number}` }), { lines: [number + 1], number });
  for (let number = 1; number <= 500_000; number++) take(number);
  expect(() => take(500_000)).not.toThrow();
  expect(() => take(500_001)).toThrow(
    'feed.csv: once: more than 500000 different keys, or rows that differ from the first one of their key; leave once out, or split the file.',
  );
});

it('once: first holds at most 500,000 rows that differ from the first one of their key', () => {
  const section = { to: 'attribute', fields: {}, once: 'first' } as const;
  const keys = deduplicator(section, recordKey(characteristic, 'name'), 'feed.csv');
  const take = (number: number) =>
    keys?.take(rawEntry({ name: 'Colour', slug: `s${number}` }), { lines: [number + 1], number });
  for (let number = 1; number <= 500_000; number++) take(number);
  expect(() => take(500_001)).toThrow('more than 500000 different keys, or rows that differ');
});
