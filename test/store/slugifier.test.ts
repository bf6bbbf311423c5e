// Slugs that are made from names.
import anyAscii from 'any-ascii';
import { expect, it } from 'vitest';
import { slugifier } from '../../src/store/slugifier.js';

const long = 'x'.repeat(190);

it.each([
  ['Lamp', 'lamp'],
  ['T Shirt 2', 't-shirt-2'],
  ['Lamp!', 'lamp'],
  ['Lamp ', 'lamp'],
  [' Lamp', 'lamp'],
  ['Lamp  2', 'lamp-2'],
  ['Lamp - 2', 'lamp-2'],
  ["Men's (blue)", 'mens-blue'],
  ['Café', 'cafe'],
  ['Cafe\u0301', 'cafe'],
  ['a\u0080b', 'ab'],
  ['!', ''],
  ['', ''],
  [' ', ''],
  [long, long],
  [`${long}y`, long],
  [`${'x'.repeat(189)} y`, 'x'.repeat(189)],
])('%j is %j', (name, slug) => {
  const slugify = slugifier(anyAscii);
  for (let nth = 0; nth < 2; nth++) expect(slugify(name)).toBe(slug);
});
