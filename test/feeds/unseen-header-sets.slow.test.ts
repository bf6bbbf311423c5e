// What inspect suggests for headers whose words were not looked up before they were written.
import { describe, expect, it } from 'vitest';
import { furtherHeaderSets } from './further-header-sets.js';
import {
  askedColumns,
  asksForPrice,
  suggestionFor,
  suggestionOfProducts,
  wrongFields,
} from './header-set-suggestions.js';
import { marketplaceHeaderSets } from './marketplace-header-sets.js';
import { otherAmounts } from './other-amounts.js';
import { unseenHeaderSets } from './unseen-header-sets.js';

describe.each([
  ['a hundred', unseenHeaderSets, 5],
  [
    'fifty more, of marketplaces and in languages of which hardly a word is known',
    [...furtherHeaderSets, ...marketplaceHeaderSets],
    14,
  ],
] as const)('of %s headers that were not known', (_, sets, mostMissed) => {
  it.each(sets.map((line, index) => [line.split(' | ', 1)[0] ?? '', line, index] as const))(
    '%s: no field is wrong, and what only its owner can tell is asked',
    async (_title, line, index) => {
      expect(await wrongFields(line, index)).toEqual([]);
      const { set, suggestion } = await suggestionFor(line, index);
      expect(suggestion.resource).toBe('products');
      for (const question of suggestion.questions) {
        const expected = [set.answers.get(question.field) ?? set.open.get(question.field) ?? []].flat();
        expect(askedColumns(question)).toEqual(expect.arrayContaining(expected));
      }
      for (const field of ['sku', 'name', 'price', 'stock'].filter((one) => set.open.has(one)))
        expect(suggestion.questions.map((question) => question.field)).toContain(field);
    },
  );

  it('at most half of those with several columns of money ask for the price, none with one candidate', async () => {
    const { several, one } = await asksForPrice(sets);
    expect(several.length).toBeGreaterThan(sets.length / 2);
    expect(several.filter(Boolean).length).toBeLessThanOrEqual(several.length / 2);
    expect(one.filter(Boolean)).toEqual([]);
  });

  it('a column that is not recognized leaves its field empty, in few of them', async () => {
    const all = await Promise.all(sets.map(suggestionFor));
    const missed = all.flatMap(({ set, suggestion }) => {
      const asked = suggestion.questions.map(({ field }) => field);
      const fields = ['sku', 'name', 'price', 'stock'].filter((field) => set.answers.has(field));
      return fields.filter((field) => !suggestion.fields.has(field) && !asked.includes(field));
    });
    expect(missed.length).toBeLessThanOrEqual(mostMissed);
  });
});

describe('an amount that is no price, as the only one of a file', () => {
  it.each(Object.entries(otherAmounts))('%s fill no field', async (_, headers) => {
    for (const [index, header] of headers.split(', ').entries()) {
      const { suggestion } = await suggestionOfProducts(
        `shop | SKU=code | Name=text | ${header}=unit | Qty=qty`,
        index,
      );
      expect([...suggestion.fields.values()]).not.toContain(header);
    }
  });
});
