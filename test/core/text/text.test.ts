// When two names are the same, how long a text is, and how it is shown in a message.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  byteLength,
  characterLength,
  fold,
  nearest,
  nearestOfMany,
  quote,
  stepsOfAll,
} from '../../../src/core/text/text.js';
import { anyCharacter } from '../../any-character.js';
import { given } from '../../given.js';

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);

describe('fold: case-insensitive means Unicode', () => {
  it.each([
    ['ÉCRAN', 'écran'],
    ['e\u0301cran', 'ÉCRAN'],
    ['СТОЛ', 'стол'],
    ['Ǆ', 'ǆ'],
    ['A\u030a', 'å'],
    ['\u212b', 'å'],
  ])('%s is %s', (one, other) => {
    expect(fold(one)).toBe(fold(other));
  });

  it.each([
    ['ecran', 'écran'],
    ['I', 'ı'],
    ['straße', 'strasse'],
    ['a', 'а'],
    ['a b', 'a  b'],
  ])('%s is not %s', (one, other) => {
    expect(fold(one)).not.toBe(fold(other));
  });

  it('is the same folded twice, decomposed or in lower case', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fold(fold(text))).toBe(fold(text));
        expect(fold(text.normalize('NFD'))).toBe(fold(text));
        expect(fold(text.normalize('NFC').toLowerCase())).toBe(fold(text));
      }),
    );
  });

  it('decides which names are one record', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 8 }),
        fc.string({ unit: 'grapheme', maxLength: 8 }),
        (one, other) => {
          fc.pre(one.trim() !== '' && other.trim() !== '' && !`${one}${other}`.includes('\0'));
          const { data } = given().send('category', [{ name: one }, { name: other }]);
          expect(data[1]?.action).toBe(fold(one.trim()) === fold(other.trim()) ? 'unchanged' : 'created');
        },
      ),
    );
  });
});

describe('lengths', () => {
  it('bytes are UTF-8 bytes, characters are code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(byteLength(text)).toBe(Buffer.byteLength(text));
        expect(characterLength(text)).toBe(Array.from(text).length);
      }),
    );
  });

  it.each(['\u007f', '\u0080', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff', '\u{10000}'])(
    'those of %j are counted, at the bounds of one, two, three and four bytes',
    (text) => expect(byteLength(text)).toBe(Buffer.byteLength(text)),
  );

  it('190 bytes are accepted and 191 are not, whatever the characters are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 40, maxLength: 200, size: 'max' }), (text) => {
        fc.pre(!text.includes('\0') && text.trim() !== '');
        const line = given().line('category', { name: text });
        expect(line.code).toBe(Buffer.byteLength(text.trim()) > 190 ? 'field_too_long' : null);
      }),
    );
  });

  it('the limit itself is accepted: 190 bytes, and not 191', () => {
    fc.assert(
      fc.property(fc.constantFrom('é', '€', '🚲', 'x'), fc.constantFrom(189, 190, 191, 192), (unit, bytes) => {
        const text = unit
          .repeat(Math.floor(bytes / Buffer.byteLength(unit)))
          .concat('x'.repeat(bytes % Buffer.byteLength(unit)));
        expect(given().line('category', { name: text }).action).toBe(bytes <= 190 ? 'created' : 'refused');
      }),
    );
  });
});

describe('quote', () => {
  it('is one line of at most 60 characters without control characters or changes of direction', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.anything()), (value) => {
        const shown = quote(value);
        expect(characterLength(shown)).toBeLessThanOrEqual(60);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  it('cuts at 60 characters, with an ellipsis', () => {
    expect(quote('x'.repeat(100))).toBe(`"${'x'.repeat(58)}…`);
    expect(quote('short')).toBe('"short"');
    for (const letter of ['x', '😀']) {
      expect(quote(letter.repeat(58))).toBe(`"${letter.repeat(58)}"`);
      expect(quote(letter.repeat(59))).toBe(`"${letter.repeat(58)}…`);
    }
  });
});

describe('the nearest allowed value', () => {
  const words = ['new', 'like_new', 'very_good', 'good', 'poor'];

  it.each([
    ['like_nwe', 'like_new'],
    ['Like new', 'like_new'],
    ['LIKE_NEW', 'like_new'],
    ['verygood', 'very_good'],
    ['god', 'good'],
    ['nwe', 'new'],
  ])('of %s is %s', (value, expected) => {
    expect(nearest(value, words)).toBe(expected);
  });

  it.each([['mint'], [''], ['refurbished'], ['x'.repeat(10_000)]])('of %j is none', (value) => {
    expect(nearest(value, words)).toBeUndefined();
  });

  it('is a member of the list, and the value itself where the list has it in another case', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 12 }), { maxLength: 8 }),
        fc.string({ maxLength: 12 }),
        (list, value) => {
          const found = nearest(value, list);
          if (found !== undefined) expect(list).toContain(found);
          const same = list.find((word) => fold(word) === fold(value.trim()));
          if (same !== undefined) expect(fold(found ?? '')).toBe(fold(same));
        },
      ),
    );
  });

  it('is found within one edit: an insertion, deletion, substitution or swap', () => {
    const word = fc.stringMatching(/^[a-z]{5,12}$/);
    fc.assert(
      fc.property(word, fc.nat(10), fc.constantFrom('more', 'less', 'other', 'swapped'), (right, at, slip) => {
        const i = at % (right.length - 1);
        const [before, letter, next, after] = [right.slice(0, i), right[i], right[i + 1], right.slice(i + 2)];
        const wrong = {
          more: `${before}z${letter}${next}${after}`,
          less: `${before}${next}${after}`,
          other: `${before}z${next}${after}`,
          swapped: `${before}${next}${letter}${after}`,
        }[slip];
        expect(nearest(wrong, ['0000000000000', right, '11111'])).toBe(right);
      }),
    );
  });

  it('of many values is found in a list that is folded once, until all searches together have made their steps', () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `farbe ${i.toString(36).padStart(4, '0')} öl`);
    const stepsOf = (misses: number): number => {
      const spent = { steps: 0 };
      const near = nearestOfMany(keys, spent);
      for (let i = 0; i < misses; i++) near(`farbe ${i} öl?`);
      return spent.steps;
    };
    const [some, more] = [stepsOf(250), stepsOf(500)];
    expect(more).toBeLessThan(some * 2.5);
    expect(stepsOf(2_000)).toBeLessThan(stepsOfAll + 100_000);
  });

  it('of many values is as near as that of one, and the same again after the steps are spent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 12 }), { maxLength: 8 }),
        fc.string({ maxLength: 12 }),
        (list, value) => {
          const spent = { steps: 0 };
          const near = nearestOfMany(list, spent);
          const found = near(value);
          expect(found === undefined).toBe(nearest(value, list) === undefined);
          if (found !== undefined) expect(list).toContain(found);
          spent.steps = stepsOfAll + 1;
          expect(near(value)).toBe(found);
          expect(near(`${value}!`)).toBeUndefined();
        },
      ),
    );
  });
});
