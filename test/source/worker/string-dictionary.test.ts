// Texts that are sent as indexes once both ends know them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRepetitive, newBudget, stringDictionary } from '../../../src/source/worker/string-dictionary.js';

const value = fc.oneof(
  fc.constantFrom('EUR', 'USD', '', 'x'.repeat(64), 'x'.repeat(65), '0', '1'),
  fc.string(),
  fc.constantFrom(undefined, null, 0, 1, 2, 0.5, -1, true, [], [1], {}, ['EUR']),
);

describe('repeated strings', () => {
  it('are decoded as they were sent, whatever is sent between them', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), (sent) => {
        const [here, there] = [stringDictionary(newBudget()), stringDictionary(newBudget())];
        const arrived = sent.map((one) => there.decode(structuredClone(here.encode(one))));
        expect(arrived).toStrictEqual(sent);
      }),
    );
  });

  it('are sent once as text, then as an index', () => {
    const { encode } = stringDictionary(newBudget());
    expect(['EUR', 'USD', 'EUR', 'EUR', 'USD'].map(encode)).toEqual(['EUR', 'USD', 0, 0, 1]);
  });

  it('are limited to a thousand short strings; others are sent as text', () => {
    const [here, there] = [stringDictionary(newBudget()), stringDictionary(newBudget())];
    const many = Array.from({ length: 1500 }, (_, i) => `word ${i}`);
    const long = 'l'.repeat(65);
    const sent = [long, long, ...many, ...many];
    const codes = sent.map(here.encode);
    expect(codes.slice(0, 2)).toEqual([long, long]);
    expect(codes.filter((code) => typeof code === 'number')).toHaveLength(1000);
    expect(codes.map(there.decode)).toEqual(sent);
  });

  it('of many fields share one limit; those beyond it are sent as text', () => {
    const [here, there] = [newBudget(), newBudget()];
    const fields = Array.from({ length: 30 }, () => [stringDictionary(here), stringDictionary(there)] as const);
    const sent = Array.from({ length: 1000 }, (_, i) => `word ${i}`);
    let numbered = 0;
    for (const [coding, making] of fields) {
      const codes = [...sent, ...sent].map(coding.encode);
      numbered += codes.filter((code) => typeof code === 'number').length;
      expect(codes.map(making.decode)).toEqual([...sent, ...sent]);
    }
    expect(numbered).toBe(20_000);
  });

  it('are detected among at least twenty strings', () => {
    const times = (count: number, of: (i: number) => unknown) => Array.from({ length: count }, (_, i) => of(i));
    expect(isRepetitive(times(20, () => 'EUR'))).toBe(true);
    expect(isRepetitive(times(19, () => 'EUR'))).toBe(false);
    expect(isRepetitive(times(40, (i) => (i % 2 === 0 ? null : 'EUR')))).toBe(true);
    expect(isRepetitive(times(100, (i) => `brand ${i % 75}`))).toBe(true);
    expect(isRepetitive(times(100, (i) => `brand ${i % 76}`))).toBe(false);
    expect(isRepetitive(times(100, (i) => i % 2))).toBe(false);
  });
});
