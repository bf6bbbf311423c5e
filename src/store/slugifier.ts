// Makes slugs from texts, fast: it is called twice for every new record. The rules of slugs are in core/planning/slug.ts.
import { longestSlug } from '../core/planning/slug.js';
import { textCache } from '../core/text/text-cache.js';

/** The size of the cache in characters of names and slugs: more names than a transaction has. */
const remembered = 1_000_000;

/**
 * Converts a text to an address segment: ASCII letters and digits in lower case, with hyphens between; '' if nothing
 * remains. Results are cached: each name is needed once to load the holder of its slug, and again to choose it.
 */
export function slugifier(toAscii: (text: string) => string): (name: string) => string {
  const slugs = textCache<string>(remembered);
  return (name) => {
    // Converting it again is faster than caching it.
    const plain = plainSlug(name);
    if (plain !== undefined) return plain;
    const known = slugs.get(name);
    if (known !== undefined) return known;
    const slug = slugify(name, toAscii);
    slugs.set(name, slug);
    return slug;
  };
}

const hyphen = 0x2d;

/** The slug character for a character of a plain name, by code; 0 for any other. */
const inSlug = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return character === ' ' ? hyphen : /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});

/** The buffer of a slug; longer names take the general path. */
const room = Buffer.alloc(longestSlug);

/**
 * The slug of a name of ASCII words with single spaces between them, as most names are; undefined for any other.
 * Character by character: with expressions and `replace` an import of new products takes 7 % longer.
 */
function plainSlug(name: string): string | undefined {
  if (name.length > room.length) return undefined;
  let before = hyphen;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    const written = code < 128 ? (inSlug[code] as number) : 0;
    if (written === 0 || (written === hyphen && before === hyphen)) return undefined;
    room[i] = written;
    before = written;
  }
  return before === hyphen ? undefined : room.toString('latin1', 0, name.length);
}

function slugify(name: string, toAscii: (text: string) => string): string {
  const ascii = /^[\0-\x7f]*$/.test(name) ? name : toAscii(name.normalize('NFC'));
  return ascii
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, longestSlug)
    .replace(/-$/, '');
}
