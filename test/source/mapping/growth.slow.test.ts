// A mapping cannot run away: what it makes of a record has a bound, and what a file makes of it as well.
import { describe, expect, it } from 'vitest';
import { readMapping } from '../../../src/source/mapping/read-mapping.js';
import { fileOf } from '../given.js';
import { readMapped } from './given.js';

const big = 'a'.repeat(300_000);

describe('what a step makes of a cell', () => {
  it.each([
    ['replace', 'replace: { a: "0123456789" }'],
    ['replace, step by step', 'replace: { a: bbb, b: ccc, c: ddd }'],
    ['a pattern', `replace: { pattern: "(.*)", with: "${'$1'.repeat(1000)}" }`],
    ['a list', `split: a, prefix: "0123456789"`],
  ])('%s', async (_, step) => {
    const feed = `sku,v\nA,${step.startsWith('split') ? 'xa'.repeat(150_000) : big}\nB,b\n`;
    const { items } = await readMapped(`fields: { sku: sku, name: { column: v, ${step} } }`, feed);
    expect(items[0]).toBe('!field_too_long');
    expect(items[1]).toMatchObject({ sku: 'B' });
  });

  it.each([
    ['a template', `{ template: "${'{v}'.repeat(1000)}" }`],
    ['columns', `{ columns: [${Array(10).fill('v').join(', ')}], join: "-" }`],
  ])('%s', async (_, value) => {
    const { items } = await readMapped(`fields: { sku: sku, name: ${value} }`, `sku,v\nA,${big}\nB,b\n`);
    expect(items[0]).toBe('!field_too_long');
    expect(items[1]).toMatchObject({ sku: 'B' });
  });

  it('a replacement is taken as it is written', async () => {
    const map = 'fields: { sku: sku, name: { column: v, replace: { x: "$&" } } }';
    expect((await readMapped(map, 'sku,v\nA,x1\n')).items).toEqual([{ sku: 'A', name: '$&1' }]);
  });
});

describe('a mapping file', () => {
  it.each([
    [
      'aliases of aliases',
      `a: &a [x,x]\n${[...'bcdefghijklmno'].map((one, i) => `${one}: &${one} [*${'abcdefghijklmno'[i]},*${'abcdefghijklmno'[i]}]`).join('\n')}`,
    ],
    ['deep nesting', `to: products\nfields: { sku: ${'{ first: ['.repeat(20_000)}`],
    ['an alias of itself', 'to: products\nfields: &f { sku: *f }'],
    [
      'a key that stands twice among many',
      `to: products\nfields:\n${Array.from({ length: 15_000 }, (_, i) => `  k${i}: A\n`).join('')}  k7: A\n`,
    ],
    ['a text of many lines in the place of words', `to: products\nset: >\n${' a\n'.repeat(100_000)}`],
    ['lines that begin with a quotation mark', `to: products\nset: >\n${` 'a\n "a\n`.repeat(50_000)}`],
  ])('%s is a wrong mapping', (_, text) => {
    expect(() => readMapping(fileOf(text, 'map.yaml'))).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
