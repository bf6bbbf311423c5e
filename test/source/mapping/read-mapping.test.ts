// A mapping file as it is read: short forms are expanded, and open questions end it.
import { describe, expect, it } from 'vitest';
import { readMapping } from '../../../src/source/mapping/read-mapping.js';
import { fileOf } from '../given.js';

const read = (text: string, ...given: string[]) => readMapping(fileOf(text, 'map.yaml'), new Set(given));

/** The questions that a mapping has, a line each. */
function questionsOf(text: string, ...given: string[]): string[] {
  try {
    read(text, ...given);
  } catch (failure) {
    return (failure as Error).message.split('\n  ').slice(1);
  }
  return [];
}

describe('open questions', () => {
  const asking = `fields:
  sku: ?
  #   "no": each value once
    # "nr": "few"
  price: ?   # which one is it?
  #   "Cost": 1 to 2
  name: title
  # of the feed
  ean: ?
# Columns that fill nothing yet:
#   "x"
read:
  decimal: ?
  #   "," or "."`;

  it('are named with the lines of comment below them that are indented like them', () => {
    expect(questionsOf(asking)).toEqual([
      'line 2: sku: "no": each value once; "nr": "few"',
      'line 5: price: "Cost": 1 to 2',
      'line 9: ean: no column is named',
      'line 13: decimal: "," or "."',
    ]);
  });

  it('are none where the command answers them', () => {
    expect(questionsOf(asking, 'sku', 'ean', 'decimal')).toEqual(['line 5: price: "Cost": 1 to 2']);
    expect(questionsOf(asking, 'sku', 'ean', 'decimal', 'price')).toEqual([]);
  });

  it('are those of all sections and tables', () => {
    const text = `tables:
  t: { key: id, columns: { v: "?" } }
import:
  - fields: { sku: "?" }
    to: products
  - { to: categories, fields: { name: x, parent: "?" } }
`;
    expect(questionsOf(text).map((line) => line.slice(0, 12))).toEqual([
      'line 4: sku:',
      'line 6: pare',
      'line 2: v: n',
    ]);
  });
});

describe('categories of paths', () => {
  const path = 'each: { path: cat, separator: ">" }';
  const section = (more: string) => `${more}\nfields: { name: $name }\n`;

  it.each([
    [path, 'first'],
    [`${path}\nonce: merge`, 'merge'],
    ['each: { split: cat, by: ">" }', undefined],
    ['', undefined],
  ])('%j: once is %s', (more, once) => {
    expect(read(section(more)).import[0]?.once).toBe(once);
  });

  it('the first section that makes them says how they are named', () => {
    const { paths } = read(`import:
  - { to: products, fields: { sku: sku } }
  - { to: categories, each: { path: cat, separator: ">", name: full }, fields: { name: $name } }
  - { to: categories, each: { path: other, separator: "/" }, fields: { name: $name } }
`);
    expect(paths).toMatchObject({ section: { to: 'categories' }, each: { path: 'cat', name: 'full' } });
    expect(Object.hasOwn(read(section('')), 'paths')).toBe(false);
  });
});
