import { expect, it } from 'vitest';
import { ellipsize, shownFile } from '../../../src/core/text/sanitize.js';

it.each([
  ['abcd', 4, 'abcd'],
  ['abcde', 4, 'abc…'],
  // Characters count, not units of UTF-16.
  ['😀😀😀😀', 4, '😀😀😀😀'],
  ['😀😀😀😀😀', 4, '😀😀😀…'],
])('%s in %d characters is %s', (text, most, shown) => expect(ellipsize(text, most)).toBe(shown));

it('a file is shown by its name, and - as what it stands for', () => {
  expect(shownFile('-')).toBe('standard input');
  expect(shownFile('a\u001b[2Jb.csv')).toBe('a[2Jb.csv');
});
