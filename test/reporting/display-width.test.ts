// The columns of a terminal that a text takes.
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { breakWideWords, cutToWidth, loadDisplayWidth, padToWidth } from '../../src/reporting/formats/display-width.js';

const characters = fc.constantFrom('商', '한', '🫠', '👩‍👩‍👧‍👦', 'e\u0301', '\u0e19\u0e49', 'ü', 'Ж', '™', 'x', ' ');
const texts = fc.array(characters, { maxLength: 80 }).map((all) => all.join(''));
const columns = fc.integer({ min: 2, max: 60 });

describe('the width of a text', () => {
  it('is the same with and without the library, for every character below U+3000', async () => {
    const [plain, widthOf] = [await loadDisplayWidth(['x']), await loadDisplayWidth(['商'])];
    const all = Array.from({ length: 0x3000 - 0x20 }, (_, i) => String.fromCodePoint(0x20 + i));
    // The function for wide texts counts the usual alphabets as the one without the library does.
    expect(all.filter((text) => widthOf(text) !== stringWidth(text))).toEqual([]);
    expect(plain('Жü→')).toBe(3);
  });

  it('is kept to by a cut text, which begins as the whole does', async () => {
    const widthOf = await loadDisplayWidth(['商']);
    fc.assert(
      fc.property(texts, columns, (text, most) => {
        const short = cutToWidth(text, most, widthOf);
        expect(widthOf(short)).toBeLessThanOrEqual(most);
        if (widthOf(text) <= most) expect(short).toBe(text);
        else expect(text.startsWith(short.replace(/…$/, ''))).toBe(true);
      }),
    );
  });

  it('is reached by a padded text, and every line of a broken one fits', async () => {
    const widthOf = await loadDisplayWidth(['商']);
    fc.assert(
      fc.property(texts, columns, (text, most) => {
        expect(widthOf(padToWidth(text, most, widthOf))).toBe(Math.max(most, widthOf(text)));
        const broken = breakWideWords(text, most, widthOf);
        expect(broken.replaceAll('\n', '')).toBe(text);
        for (const word of broken.split(/[ \n]/)) expect(widthOf(word)).toBeLessThanOrEqual(most);
      }),
    );
  });
});
