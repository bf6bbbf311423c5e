// A member that is there twice: JSON.parse would take the last one without a word.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeatedMember } from '../../../src/source/json/repeated-member.js';
import { readMapped } from '../mapping/given.js';

/** An object as pairs, so that names may repeat. */
interface Pairs {
  readonly pairs: readonly (readonly [string, Written])[];
}
type Written = Pairs | readonly Written[] | string | number | null;

const name = fc.oneof(fc.constantFrom('a', 'b', '":', '\\', '{'), fc.string({ maxLength: 3 }));
const written = fc.letrec<{ any: Written }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.constantFrom('{"a": 1, "a": 2}', '":', '\\":'), fc.string()),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('any')), { maxLength: 4 }).map((pairs) => ({ pairs })),
  ),
})).any;

const isPairs = (value: Written): value is Pairs => typeof value === 'object' && value !== null && 'pairs' in value;

function textOf(value: Written, blank: string): string {
  if (Array.isArray(value)) return `[${value.map((one) => textOf(one, blank)).join(`,${blank}`)}]`;
  if (!isPairs(value)) return JSON.stringify(value);
  const members = value.pairs.map(([key, one]) => `${JSON.stringify(key)}${blank}:${blank}${textOf(one, blank)}`);
  return `{${blank}${members.join(',')}}`;
}

function repeatedIn(value: Written): string[] {
  if (Array.isArray(value)) return value.flatMap(repeatedIn);
  if (!isPairs(value)) return [];
  const names = value.pairs.map(([key]) => key);
  return [...names.filter((key, i) => names.indexOf(key) < i), ...value.pairs.flatMap(([, one]) => repeatedIn(one))];
}

describe('a member of JSON that is there twice', () => {
  it('is found in any object of a record, and nowhere else', () => {
    fc.assert(
      fc.property(written, fc.constantFrom('', ' ', '\n\t'), (value, blank) => {
        const text = textOf(value, blank);
        const found = repeatedMember(text, JSON.parse(text));
        const repeated = repeatedIn(value);
        if (repeated.length === 0) expect(found).toBeUndefined();
        else expect(repeated).toContain(found);
      }),
      { numRuns: 1000 },
    );
  });

  it('is found however deep it is, and in texts of megabytes', () => {
    const deep = `${'{"a":'.repeat(40)}{"b":1,"b":2}${'}'.repeat(40)}`;
    expect(repeatedMember(deep, JSON.parse(deep))).toBe('b');
    const long = JSON.stringify({ a: `"": ${'x\\"'.repeat(1_000_000)}` });
    expect(repeatedMember(long, JSON.parse(long))).toBeUndefined();
  });

  it.each([
    ['f.ndjson', '{"sku":"A","price":"1.00","price":"77.00"}\n{"sku":"B","price":"2.00"}\n'],
    ['f.json', '[{"sku":"A","price":"1.00","price":"77.00"},{"sku":"B","price":"2.00"}]'],
  ])('refuses its record in %s, and no other', async (file, text) => {
    const { items } = await readMapped('fields: {sku: sku, price: price}', text, { name: file });
    expect(items).toEqual(['!item_not_json', { sku: 'B', price: '2.00' }]);
  });
});
