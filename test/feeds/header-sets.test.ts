// What inspect suggests for a hundred headers with values, held against what their owners would answer.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/core/resources/index.js';
import { inspectFile } from '../../src/source/inspection/inspect-file.js';
import { suggestMapping } from '../../src/source/mapping/suggest/suggest-mapping.js';
import { folder } from '../cli/typed.js';
import { readHeaderSet } from './header-set-values.js';
import { headerSets } from './header-sets.js';

const known = Object.fromEntries(resources.map(({ command, key, fields }) => [command, { key, fields }]));
const cwd = folder({});

async function suggestionFor(line: string, index: number) {
  const set = readHeaderSet(line, index % 2 === 0 ? '.' : ',');
  const file = join(cwd, `${index}.csv`);
  writeFileSync(file, set.csv);
  return { set, suggestion: suggestMapping(await inspectFile({ file }), known, file) };
}

const watched = ['sku', 'name', 'price', 'price_compare', 'stock', 'ean', 'status', 'category', 'currency', 'weight'];

/** Fields that were filled by another column than the answer. */
async function wrongFields(line: string, index: number): Promise<string[]> {
  const { set, suggestion } = await suggestionFor(line, index);
  return watched.flatMap((field) => {
    const column = suggestion.fields.get(field);
    const isRight = column === undefined || column === set.answers.get(field);
    return isRight ? [] : [`${field}: ${column} for ${set.answers.get(field) ?? 'a question'}`];
  });
}

describe('of a hundred headers with values', () => {
  it.each(headerSets.map((line, index) => [line.split(' | ', 1)[0] ?? '', line, index] as const))(
    '%s: no field is wrong, and a question has the answer among its candidates',
    async (_, line, index) => {
      expect(await wrongFields(line, index)).toEqual([]);
      const { set, suggestion } = await suggestionFor(line, index);
      expect(suggestion.resource).toBe('products');
      for (const field of ['sku', 'name', 'price', 'stock']) {
        const asked = suggestion.questions.find((question) => question.field === field);
        const answer = set.answers.get(field);
        const columns = asked?.candidates.map(({ column }) => column);
        if (answer !== undefined) expect([suggestion.fields.get(field) ?? columns].flat()).toContain(answer);
        else expect(columns ?? []).toEqual(expect.arrayContaining([...(set.open.get(field) ?? [])]));
      }
    },
  );

  it('at most half of those with several columns of money ask for the price, none with one candidate', async () => {
    const all = await Promise.all(headerSets.map(suggestionFor));
    const asking = ({ suggestion }: (typeof all)[number]) =>
      suggestion.questions.some(({ field }) => field === 'price');
    const several = all.filter(({ set }) => set.moneyColumns > 1);
    const one = all.filter(({ set }) => set.moneyColumns === 1 && set.answers.has('price'));
    expect(several.length).toBeGreaterThan(50);
    expect(several.filter(asking).length).toBeLessThanOrEqual(several.length / 2);
    expect(one.filter(asking)).toEqual([]);
  });
});
