// Characters for the properties of fast-check.
import fc from 'fast-check';

const [firstSurrogate, surrogates, last] = [0xd800, 0x800, 0x10ffff];

/**
 * Any character of Unicode, one code point each. The unit `binary` of fast-check is the same, and keeps a map of all of
 * them: 110 MB in each worker, which each collection of garbage looks through from then on.
 */
export const anyCharacter = fc.nat(last - surrogates).map(
  (number) => String.fromCodePoint(number < firstSurrogate ? number : number + surrogates),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== text) throw new Error('not a character');
    if (point >= firstSurrogate && point < firstSurrogate + surrogates) throw new Error('half a character');
    return point < firstSurrogate ? point : point - surrogates;
  },
);
