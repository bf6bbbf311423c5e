// What core is given of the outside: the clock, identifiers, transliteration, the list of languages. Each list is
// loaded when the first import needs it: a read needs none of them.
import type { Fields } from '../core/fields.js';
import { slugifier } from '../core/slug.js';
import type { World } from '../core/task.js';

/** Everything of the world but the time, which passes between one transaction and the next. */
export type Timeless = Omit<World, 'now'>;

/** Loads what deciding items with these fields takes. */
export async function loadWorld(fields: Fields): Promise<Timeless> {
  const [{ typeidUnboxed }, { default: toAscii }] = await Promise.all([import('typeid-js'), import('any-ascii')]);
  return {
    newId: idsFrom(() => typeidUnboxed()),
    slugify: slugifier(toAscii),
    isLanguage: await loadLanguages(fields),
  };
}

/** Loads the check of ISO 639-3 codes where one of the fields is a language; elsewhere it is never asked. */
export async function loadLanguages(fields: Fields): Promise<(code: string) => boolean> {
  const needed = Object.values(fields).some((field) => field.kind === 'text' && field.format === 'language');
  if (!needed) return () => false;
  const { iso6393 } = await import('iso-639-3');
  const codes = new Set(iso6393.map(({ iso6393: code }) => code));
  return (code) => codes.has(code);
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
/** Every two digits, by their value. */
const pairs = [...digits].flatMap((high) => [...digits].map((low) => high + low));

/** Milliseconds for which identifiers are counted up from one that was drawn. */
const longestSeries = 10;

/**
 * Identifiers in the order of time, so that new records go to the end of their index, which random ones would tear
 * through. A fresh TypeID is drawn every ten milliseconds; those that follow it count up its last thirty bits, as
 * RFC 9562 lets a UUIDv7 do (method 1), at a hundredth of the cost.
 * @param draw makes a TypeID suffix: 26 digits of base 32
 */
export function idsFrom(draw: () => string): (prefix: string) => string {
  let drawnAt = 0;
  let head = '';
  let count = 0;
  // All but the last two digits is the same for a thousand.
  let stem = '';
  let stemOf = '';
  return (prefix) => {
    const now = Date.now();
    if (now > drawnAt + longestSeries || ++count >= 2 ** 30) {
      const drawn = draw();
      drawnAt = now;
      head = drawn.slice(0, 20);
      // The highest bit starts at nought, so that a millisecond has room for half a billion.
      count = [...drawn.slice(20)].reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0) % 2 ** 29;
      stem = '';
    }
    if (stem === '' || prefix !== stemOf || (count & 1023) === 0) {
      stem = `${prefix}${head}${pairs[count >>> 20]}${pairs[(count >>> 10) & 1023]}`;
      stemOf = prefix;
    }
    return stem + pairs[count & 1023];
  };
}
