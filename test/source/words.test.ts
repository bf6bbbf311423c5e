// Texts that travel as numbers once both ends know them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areWords, newWords } from '../../src/source/words.js';

const value = fc.oneof(
  fc.constantFrom('EUR', 'USD', '', 'x'.repeat(64), 'x'.repeat(65), '0', '1'),
  fc.string(),
  fc.constantFrom(undefined, null, 0, 1, 2, 0.5, -1, true, [], [1], {}, ['EUR']),
);

describe('words', () => {
  it('arrive as they were sent, whatever else comes between them', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), (sent) => {
        const [here, there] = [newWords(), newWords()];
        const arrived = sent.map((one) => there.value(structuredClone(here.code(one))));
        expect(arrived).toStrictEqual(sent);
      }),
    );
  });

  it('travel once as text, and as numbers from then on', () => {
    const { code } = newWords();
    expect(['EUR', 'USD', 'EUR', 'EUR', 'USD'].map(code)).toEqual(['EUR', 'USD', 0, 0, 1]);
  });

  it('are a thousand at most and none of them long, and those beyond arrive as well', () => {
    const [here, there] = [newWords(), newWords()];
    const many = Array.from({ length: 1500 }, (_, i) => `word ${i}`);
    const long = 'l'.repeat(65);
    const sent = [long, long, ...many, ...many];
    const codes = sent.map(here.code);
    expect(codes.slice(0, 2)).toEqual([long, long]);
    expect(codes.filter((code) => typeof code === 'number')).toHaveLength(1000);
    expect(codes.map(there.value)).toEqual(sent);
  });

  it('are what repeats among at least twenty texts', () => {
    const times = (count: number, of: (i: number) => unknown) => Array.from({ length: count }, (_, i) => of(i));
    expect(areWords(times(20, () => 'EUR'))).toBe(true);
    expect(areWords(times(19, () => 'EUR'))).toBe(false);
    expect(areWords(times(40, (i) => (i % 2 === 0 ? null : 'EUR')))).toBe(true);
    expect(areWords(times(100, (i) => `brand ${i % 75}`))).toBe(true);
    expect(areWords(times(100, (i) => `brand ${i % 76}`))).toBe(false);
    expect(areWords(times(100, (i) => i % 2))).toBe(false);
  });
});
