// What core is given of the outside: the clock, identifiers, transliteration, the list of languages. Each list is
// loaded when the first import needs it: a read needs none of them.
import type { Fields } from '../core/fields.js';
import { slugifier } from '../core/slug.js';
import type { World } from '../core/task.js';
import { idsFrom } from './identifiers.js';

/**
 * Loads what deciding items with these fields takes.
 * @returns gives the world as it is now, for one transaction: its clock stands still
 */
export async function loadWorld(fields: Fields): Promise<() => World> {
  const [{ typeidUnboxed }, { default: toAscii }] = await Promise.all([import('typeid-js'), import('any-ascii')]);
  const newIds = idsFrom(() => typeidUnboxed());
  const slugify = slugifier(toAscii);
  const isLanguage = await loadLanguages(fields);
  return () => {
    const now = Date.now();
    return { now: Math.floor(now / 1000), newId: newIds(now), slugify, isLanguage };
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
