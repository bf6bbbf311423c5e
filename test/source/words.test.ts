// Texts that travel as numbers once both ends know them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areWords, newRoom, newWords } from '../../src/source/words.js';

const value = fc.oneof(
  fc.constantFrom('EUR', 'USD', '', 'x'.repeat(64), 'x'.repeat(65), '0', '1'),
  fc.string(),
  fc.constantFrom(undefined, null, 0, 1, 2, 0.5, -1, true, [], [1], {}, ['EUR']),
);

describe('words', () => {
  it('arrive as they were sent, whatever else comes between them', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), (sent) => {
        const [here, there] = [newWords(newRoom()), newWords(newRoom())];
        const arrived = sent.map((one) => there.value(structuredClone(here.code(one))));
        expect(arrived).toStrictEqual(sent);
      }),
    );
  });

  it('travel once as text, and as numbers from then on', () => {
    const { code } = newWords(newRoom());
    expect(['EUR', 'USD', 'EUR', 'EUR', 'USD'].map(code)).toEqual(['EUR', 'USD', 0, 0, 1]);
  });

  it('are a thousand at most and none of them long, and those beyond arrive as well', () => {
    const [here, there] = [newWords(newRoom()), newWords(newRoom())];
    const many = Array.from({ length: 1500 }, (_, i) => `word ${i}`);
    const long = 'l'.repeat(65);
    const sent = [long, long, ...many, ...many];
    const codes = sent.map(here.code);
    expect(codes.slice(0, 2)).toEqual([long, long]);
    expect(codes.filter((code) => typeof code === 'number')).toHaveLength(1000);
    expect(codes.map(there.value)).toEqual(sent);
  });

  it('of many fields share their room, and those beyond it arrive as well', () => {
    const [here, there] = [newRoom(), newRoom()];
    const fields = Array.from({ length: 30 }, () => [newWords(here), newWords(there)] as const);
    const sent = Array.from({ length: 1000 }, (_, i) => `word ${i}`);
    let numbered = 0;
    for (const [coding, making] of fields) {
      const codes = [...sent, ...sent].map(coding.code);
      numbered += codes.filter((code) => typeof code === 'number').length;
      expect(codes.map(making.value)).toEqual([...sent, ...sent]);
    }
    expect(numbered).toBe(20_000);
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
