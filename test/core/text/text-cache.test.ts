import { expect, it } from 'vitest';
import { textCache } from '../../../src/core/text/text-cache.js';

it('counts keys, texts and 32 characters an entry, and is emptied where one more does not fit', () => {
  const cache = textCache<string>(16 * 64);
  for (let i = 10; i < 26; i++) cache.set(`${i}${'k'.repeat(20)}`, 'v'.repeat(10));
  // Sixteen entries of 64 fill it.
  expect(cache.size()).toBe(16 * 64);
  expect(cache.get(`10${'k'.repeat(20)}`)).toBe('v'.repeat(10));
  cache.set('last', '');
  expect([cache.size(), cache.get('last'), cache.get(`25${'k'.repeat(20)}`)]).toEqual([36, '', undefined]);
});

it('keeps no text of more than a sixteenth of it', () => {
  const cache = textCache<number>(16 * 64);
  cache.set('k'.repeat(33), 1);
  expect(cache.size()).toBe(0);
  cache.set('k'.repeat(32), 1);
  expect(cache.get('k'.repeat(32))).toBe(1);
});
