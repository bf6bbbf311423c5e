// Required fields that no column fills surely: the columns that could.
import { describe, expect, it } from 'vitest';
import { profilesOf } from '../../../../src/source/inspection/column-profile.js';
import { requiredQuestions } from '../../../../src/source/mapping/suggest/required-fields.js';
import { known } from '../../suggested.js';

/** The questions about a resource whose free columns are given: field → its candidates, and what else can be the answer. */
function questions(resource: string, filled: readonly string[], columns: Readonly<Record<string, readonly string[]>>) {
  const { fields = {}, key = '' } = known[resource] ?? {};
  const values = Object.entries(columns).flatMap(([name, all]) =>
    all.map((value, i): [string, string, number] => [name, value, i]),
  );
  const asked = requiredQuestions({ descriptors: fields, key }, new Set(filled), profilesOf(values), 4);
  return asked.map(({ field, candidates, form }) => [
    field,
    candidates.map((one) => ('column' in one ? one.column : one.value)),
    form,
  ]);
}

const others = ['customer_external_id', 'product_sku', 'rating'];
const several = ', or several of them: { template: "{A}-{B}" }';

describe('the key', () => {
  it('is asked among columns that have another word in each record', () => {
    const columns = {
      ...{
        Nr: ['R1', 'R2', 'R3', 'R4'],
        Code: ['7', '8', '9', '10'],
        Gap: ['A', 'B', '', 'D'],
        Again: ['A', 'B', 'A', 'D'],
      },
      ...{ Text: ['a b', 'b c', 'c d', 'd e'], Amount: ['1.50', '2.50', '3.50', '4.50'] },
      ...{ List: ['["a"]', '["b"]', '["c"]', '["d"]'] },
    };
    expect(questions('reviews', others, columns)).toEqual([
      ['external_id', ['Nr', 'Code'], `or another column that has it${several}`],
    ]);
  });

  it('is asked among texts where it is a name', () => {
    const columns = { Nr: ['R1', 'R2', 'R3', 'R4'], Text: ['a b', 'b c', 'c d', 'd e'] };
    expect(questions('groups', [], columns)).toEqual([
      ['name', ['Nr', 'Text'], `or another column that has it${several}`],
    ]);
  });

  it('is asked among the first six', () => {
    const columns = Object.fromEntries([...'ABCDEFGH'].map((name) => [name, [1, 2, 3, 4].map((i) => `${name}${i}`)]));
    expect(questions('reviews', others, columns)[0]?.[1]).toEqual([...'ABCDEF']);
  });

  it('is asked without candidates where there are none', () => {
    expect(questions('reviews', others, {})).toEqual([['external_id', [], `the column that has it${several}`]]);
  });

  it.each([['sku'], ['external_id']])('is not asked where %s is filled', (field) => {
    expect(questions('products', [field], { Nr: ['R1', 'R2', 'R3', 'R4'] })).toEqual([]);
  });
});

describe('other fields', () => {
  it('of whole numbers are asked among those that they can have', () => {
    const columns = {
      ...{ Points: ['1', '5', '3', '4'], Low: ['0', '3', '2', '4'], High: ['6', '3', '2', '4'] },
      ...{ Half: ['2.5', '3.5', '2.5', '4'], Word: ['good', 'bad', 'bad', 'good'] },
    };
    expect(questions('reviews', ['external_id', ...others.slice(0, 2)], columns)).toEqual([
      ['rating', ['Points'], 'or another column that has it'],
    ]);
  });

  it('of texts are asked without candidates', () => {
    expect(questions('reviews', ['external_id', 'rating'], { Nr: ['R1', 'R2', 'R3', 'R4'] })).toEqual([
      ['customer_external_id', [], 'the column that has it'],
      ['product_sku', [], 'the column that has it'],
    ]);
  });
});
