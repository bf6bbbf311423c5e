// How plainly the name of a column says a field whose headers are whole words.
import type { Field } from '../../../core/fields/fields.js';
import { isMass } from '../../../core/text/units.js';
import { formAttributes, isOtherThing } from './column-kinds.js';
import { emptyPart, partsOf, plainWord, tierOf, unitsIn, withoutBrackets } from './read-header.js';

/** Fields whose headers may end in a language. */
const translated: ReadonlySet<string> = new Set(['name', 'description', 'category']);
/** `name-en_US`, `description-de_DE-ecommerce`, `NL_Title_Short`. */
const locale = /[-_. ][a-z]{2}[-_][A-Z]{2}(?![A-Za-z]).*$|^[A-Z]{2}_(?=[A-Z][a-z])/u;

/**
 * The rank of a name: by all of it, else without its language, else by its last part (`node.title`, `g:price`,
 * `price@currency`), after all others.
 */
export function rankOf(name: string, descriptor: Field, place: (word: string) => number, field: string): number {
  if (formAttributes.test(name)) return -1;
  // `Waga (g)` is a weight, `Waga (zł)` is not.
  const isWeight = field === 'weight' && unitsIn(name).some(isMass);
  const whole = place(plainWord(isWeight ? withoutBrackets(name) : name));
  // `attributes.title` is no list of attributes.
  if (whole !== -1 || descriptor.kind === 'list') return whole;
  const inLanguage = translated.has(field) && locale.test(name) ? place(plainWord(name.replace(locale, ''))) : -1;
  if (inLanguage !== -1) return inLanguage + 500;
  const parts = partsOf(name);
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return -1;
  const isName = emptyPart.test(last) || (field === 'category' && tierOf(last, 'name') === 0);
  const outer = isName ? place(plainWord(parts.at(-2) ?? '')) : -1;
  if (outer !== -1) return outer + 1000;
  const at = isOtherThing(name) ? -1 : place(plainWord(last));
  return at === -1 ? -1 : at + 2000;
}
