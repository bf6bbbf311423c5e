// The amounts of several rows with a currency next to them: those that the item of a key was made of.
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../src/core/diagnostics/refusal-codes.js';
import { unreadableEntry } from '../../../../src/core/entry.js';
import { uncompared, withAmountsOf, withOpenAmounts } from '../../../../src/source/mapping/rows/row-amounts.js';

const codes = { '€': ['EUR'], $: ['USD', 'CAD'] };
const amount = (field: string, written: '€' | '$') => ({
  field,
  written,
  codes: codes[written],
  text: `1 ${written}`,
  source: 'column "p"',
});
const [euro, dollar, other] = [amount('price', '€'), amount('price', '$'), amount('cost', '€')];

describe('with a further row', () => {
  it.each([
    ['both stay', undefined, {}, { price: '2' }, [euro], [dollar], [euro, dollar]],
    ['the same is once', undefined, { price: '1' }, { price: '1' }, [euro], [euro], [euro]],
    ['those of another field stay', undefined, {}, {}, [euro], [other], [euro, other]],
    ['the last replaces it', 'last', { price: '1' }, { price: '2' }, [euro], [dollar], [dollar]],
    ['the last row has none', 'last', { price: '1' }, {}, [euro], [], [euro]],
    ['the first stays', 'first', { price: '1' }, { price: '2' }, [euro], [dollar], [euro]],
    ['the first row had none', 'first', {}, { price: '2' }, [], [dollar], [dollar]],
  ] as const)('%s', (_, how, before, item, known, amounts, made) => {
    const aggregates = new Map(how === undefined ? [] : [['price', how] as const]);
    expect(withAmountsOf(known, { item, amounts }, before, aggregates)).toEqual(made);
  });

  it('which has no amounts', () => {
    expect(withAmountsOf([euro], { item: {} }, {}, new Map())).toEqual([euro]);
  });
});

describe('of a refused entry those are open', () => {
  const entry = (item: object, more: object = {}) => ({
    ...unreadableEntry({ field: 'price', code: 'field_format', message: 'wrong' } as Problem, 'A'),
    item: item as Record<string, unknown>,
    ...more,
  });

  it('that are not compared with its currency, and not of the field that is wrong', () => {
    expect(withOpenAmounts(entry({}), [euro, other])).toEqual(entry({}, { amounts: [other] }));
    expect(withOpenAmounts(entry({ currency: 'USD' }), [other])).toEqual(
      entry({ currency: 'USD' }, { amounts: [other] }),
    );
  });

  it('of none, if all are compared', () => {
    expect(withOpenAmounts(entry({ currency: 'EUR' }), [other])).toEqual(entry({ currency: 'EUR' }));
    expect(withOpenAmounts(entry({}))).toEqual(entry({}));
    expect(withOpenAmounts(entry({}, { amounts: [euro] }), [euro])).toEqual(entry({}, { amounts: [] }));
  });
});

it.each([
  ['EUR', [euro], []],
  [' eur ', [euro], []],
  ['EUR', [euro, dollar], [euro, dollar]],
  ['', [euro], [euro]],
  [' ', [euro], [euro]],
  [undefined, [euro], [euro]],
])('an item in %j still has to compare', (currency, amounts, open) => {
  expect(uncompared(amounts, { currency })).toEqual(open);
});
