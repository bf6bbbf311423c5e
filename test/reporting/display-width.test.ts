// The columns of a terminal that a text takes.
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { breakWideWords, cutToWidth, displayWidth, padToWidth } from '../../src/reporting/formats/display-width.js';
import { isFull } from '../tier.js';

const characters = fc.constantFrom(
  '商',
  '한',
  '🫠',
  '🇩🇪',
  '👩‍👩‍👧‍👦',
  'e\u0301',
  '\u0e19\u0e49',
  'ü',
  'Ж',
  '™',
  'x',
  ' ',
);
const texts = fc.array(characters, { maxLength: 80 }).map((all) => all.join(''));
const columns = fc.integer({ min: 2, max: 60 });

describe('the width of a text', () => {
  it('is that of a library that terminals are tested with, character by character', () => {
    const everyNth = (from: number, to: number, nth: number): string[] =>
      Array.from({ length: Math.floor((to - from) / nth) }, (_, i) => String.fromCodePoint(from + i * nth));
    const all = [
      ...everyNth(0x20, 0x3400, isFull ? 1 : 5),
      ...everyNth(0xa000, 0xd800, isFull ? 11 : 31),
      ...everyNth(0xf900, 0x1f000, isFull ? 11 : 31),
      ...everyNth(0x1f000, 0x1fb00, isFull ? 1 : 3),
    ];
    const differs = all.filter((text) => displayWidth(text) !== stringWidth(text));
    expect(differs).toEqual([]);
    expect(displayWidth('Жü→')).toBe(3);
    fc.assert(fc.property(texts, (text) => displayWidth(text) === stringWidth(text)));
  });

  it('does not count a colour', () => {
    expect(displayWidth('\u001b[31mred\u001b[0m 商')).toBe(6);
  });

  it('is kept to by a cut text, which begins as the whole does', () => {
    fc.assert(
      fc.property(texts, columns, (text, most) => {
        const short = cutToWidth(text, most);
        expect(displayWidth(short)).toBeLessThanOrEqual(most);
        if (displayWidth(text) <= most) expect(short).toBe(text);
        else expect(text.startsWith(short.replace(/…$/, ''))).toBe(true);
      }),
    );
  });

  it.each([
    ['REFURB-IPHONE-15-PRO', 12, 'REFURB-\nIPHONE-15-\nPRO'],
    ['a/very/long/path.csv:12', 10, 'a/very/\nlong/path.\ncsv:12'],
    ['Donaudampfschiff', 6, 'Donaud\nampfsc\nhiff'],
    ['翻新iPhone十五', 8, '翻新\niPhone十\n五'],
  ])('a wide word is broken where it has parts: %s', (word, most, lines) => {
    expect(breakWideWords(word, most)).toBe(lines);
  });

  it('is reached by a padded text, and every line of a broken one fits', () => {
    fc.assert(
      fc.property(texts, columns, (text, most) => {
        expect(displayWidth(padToWidth(text, most))).toBe(Math.max(most, displayWidth(text)));
        const broken = breakWideWords(text, most);
        expect(broken.replaceAll('\n', '')).toBe(text);
        for (const word of broken.split(/[ \n]/)) expect(displayWidth(word)).toBeLessThanOrEqual(most);
      }),
    );
  });
});
