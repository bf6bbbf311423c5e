// What inspect suggests for headers with values, held against what their owners would answer.
import { describe, expect, it } from 'vitest';
import { askedColumns, asksForPrice, suggestionFor, wrongFields } from './header-set-suggestions.js';
import { headerSets } from './header-sets.js';
import { systemHeaderSets } from './system-header-sets.js';

describe.each([
  ['shops and suppliers', headerSets],
  ['other systems', systemHeaderSets],
] as const)('of the headers of %s, with values', (_, sets) => {
  it.each(sets.map((line, index) => [line.split(' | ', 1)[0] ?? '', line, index] as const))(
    '%s: no field is wrong, and a question has the answer among its candidates',
    async (_title, line, index) => {
      expect(await wrongFields(line, index)).toEqual([]);
      const { set, suggestion } = await suggestionFor(line, index);
      expect(suggestion.resource).toBe('products');
      for (const field of ['sku', 'name', 'price', 'stock']) {
        const asked = suggestion.questions.find((question) => question.field === field);
        const answer = set.answers.get(field);
        const columns = asked && askedColumns(asked);
        if (answer !== undefined) expect([suggestion.fields.get(field) ?? columns].flat()).toContain(answer);
        else expect(columns ?? []).toEqual(expect.arrayContaining([...(set.open.get(field) ?? [])]));
      }
    },
  );

  it('at most half of those with several columns of money ask for the price, none with one candidate', async () => {
    const { several, one } = await asksForPrice(sets);
    expect(several.length).toBeGreaterThan(30);
    expect(several.filter(Boolean).length).toBeLessThanOrEqual(several.length / 2);
    expect(one.filter(Boolean)).toEqual([]);
  });
});
