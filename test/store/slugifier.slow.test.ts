// The cache of slugs is bounded in bytes.
import { expect, it } from 'vitest';
import { slugifier } from '../../src/store/slugifier.js';
import { collected } from '../collected.js';

it('the cache of slugs does not grow with names of any length', () => {
  const slugify = slugifier((name) => name);
  const before = collected().heapUsed;
  for (let i = 0; i < 80; i++) slugify(`${i}é${'x'.repeat(1_000_000)}`);
  for (let i = 0; i < 20_000; i++) slugify(`${i}é ${'y'.repeat(i % 150)}`);
  // 80 names of a megabyte would be 80 MB.
  expect(collected().heapUsed - before).toBeLessThan(40_000_000);
  // Held until here, so that nothing of it is collected before.
  expect(slugify('a')).toBe('a');
});
