// What core is given of the outside: the clock, identifiers, transliteration, the list of languages. Each list is
// loaded when the first import needs it: a read needs none of them.
import type { Fields } from '../core/fields.js';
import type { World } from '../core/task.js';

/** Everything of the world but the time, which passes between one transaction and the next. */
export type Timeless = Omit<World, 'now'>;

/** Loads what deciding items with these fields takes. */
export async function loadWorld(fields: Fields): Promise<Timeless> {
  const [{ typeidUnboxed }, { default: toAscii }] = await Promise.all([import('typeid-js'), import('any-ascii')]);
  return {
    // Time-ordered: new records go to the end of their index, which random ones would tear through.
    newId: (prefix) => typeidUnboxed(prefix.slice(0, -1)),
    toAscii,
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
