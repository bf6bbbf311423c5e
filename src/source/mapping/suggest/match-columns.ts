// Finds the column for each field: by the field's own name, by words in the languages of suppliers, or else by its
// values.
import type { Field, Fields } from '../../../core/fields/fields.js';
import { columnTarget } from '../../column-targets.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { emptyPart, formAttributes, isOtherThing, otherHeaders, rowKinds } from './header-exceptions.js';
import { headerWords } from './header-words.js';

/** Columns named as this program names fields, by the path of their target. */
export function ownColumns(columns: readonly ColumnProfile[], fields: Fields): ReadonlyMap<string, string> {
  const own = new Map<string, string>();
  for (const facts of columns) {
    const target = columnTarget(facts.name, fields);
    if (target === undefined || own.has(target.path)) continue;
    if (facts.filled > 0 ? !canBe(facts, target.field) : isAttributed(facts, columns)) continue;
    own.set(target.path, facts.name);
  }
  return own;
}

/** Whether an element is empty because its value is in attributes: `<price gross="1.00"/>`. */
function isAttributed({ name }: ColumnProfile, columns: readonly ColumnProfile[]): boolean {
  return columns.some((other) => other.name.startsWith(`${name}@`));
}

/** Fields whose values distinguish records: a column with one value, or few, does not match. */
const telling: ReadonlySet<string> = new Set(['sku', 'external_id', 'ean', 'slug']);

/** Whether a column has as many different values as a field needs. */
function tellsApart({ filled, distinct, many }: ColumnProfile, field: string): boolean {
  if (filled < fewestToJudge || many) return true;
  return telling.has(field) ? distinct * 2 > filled : field !== 'name' || distinct > 1;
}

const fewestToJudge = 5;

/** Whether the values of a column can be those of a field. */
function canBe(facts: ColumnProfile, field: Field): boolean {
  if (field.kind === 'decimal' || field.kind === 'integer') return numbersIn(facts) * 2 >= facts.filled;
  if (field.kind === 'reference' && field.to === 'category' && tellsRowKind(facts)) return false;
  if (field.kind !== 'reference' || field.byName || nameable.has(field.to)) return true;
  // An identifier has no spaces, and its prefix or at least a sign of having been generated.
  if (facts.spaced > 0) return false;
  const { prefixes } = field;
  return facts.samples.every((sample) =>
    prefixes.length > 0 ? prefixes.some((prefix) => sample.startsWith(prefix)) : /[\d_]/.test(sample),
  );
}

/** Whether the values of a column give the kind of each row: `product`, `variation`. */
function tellsRowKind({ distinct, samples }: ColumnProfile): boolean {
  return (
    distinct <= samples.length && samples.every((sample) => rowKinds.has(sample.toLowerCase().split('_', 1)[0] ?? ''))
  );
}

/** Kinds of records that a file may refer to by name. */
const nameable: ReadonlySet<string> = new Set(['category', 'product group', 'characteristic']);

function numbersIn({ numbers: { plain, point, comma, either } }: ColumnProfile): number {
  return plain + point + comma + either;
}

/** A header normalized for comparison: no case, white space or punctuation. */
export function plainWord(header: string): string {
  return header
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Words that show that a header is not a price, whatever its other words are. */
const notThePrice =
  /cost|purchase|einkauf|\bek\b|weight|gewicht|width|height|length|depth|size|lat|lon|tax|rate|rating|percent|year|compare|impact|(?:pro|per|je|par|por|za|\/)\s*\d{2,}/iu;

/** Each field with its best column; a column fills one field. */
export function matchColumns(
  columns: readonly ColumnProfile[],
  fields: Fields,
  own: ReadonlyMap<string, string>,
  key: string | undefined,
): ReadonlyMap<string, string> {
  const found = new Map([...own].filter(([path]) => fields[path] !== undefined));
  const taken = new Set(own.values());
  const free = columns.filter(({ filled }) => filled > 0);
  const give = (field: string, column: string | undefined): void => {
    if (column === undefined) return;
    found.set(field, column);
    taken.add(column);
  };
  // Of several matching columns, the one whose word comes first in the list: Categories before Type.
  const take = (place: (column: string, field: string) => number): void => {
    for (const [field, descriptor] of Object.entries(fields)) {
      if (found.has(field)) continue;
      const [column] = free
        .filter((facts) => !taken.has(facts.name) && canBe(facts, descriptor) && tellsApart(facts, field))
        .map(({ name }) => ({ name, at: placeOf(name, field, (word) => place(word, field)) }))
        .filter(({ at }) => at !== -1)
        .sort((one, other) => one.at - other.at);
      give(field, column?.name);
    }
  };
  take((column, field) => (column === plainWord(field) ? 0 : -1));
  take((column, field) => {
    const words = headerWords[field] ?? [];
    // `Seller SKU` and `Product Code/SKU` before `Product ID`.
    if (field === 'sku' && column.endsWith('sku') && otherHeaders['sku']?.test(column) !== true) return 0;
    return words.indexOf(column);
  });
  take((column, field) =>
    otherHeaders[field]?.test(column) === true
      ? -1
      : (headerWords[field] ?? []).findIndex((word) => word.length > 4 && column.startsWith(word)),
  );
  if (fields['price'] !== undefined && !found.has('price'))
    give('price', (pricedColumn(free, taken) ?? amountColumn(free, taken))?.name);
  if (key !== undefined && !found.has(key)) give(key, keyColumn(free, taken)?.name);
  const described = free.find(({ name }) => name === found.get('description'));
  // A short text alone is the name: `Descripción`.
  if (fields['sku'] !== undefined && !found.has('name') && described !== undefined && isName(described)) {
    found.set('name', described.name);
    found.delete('description');
  }
  const named = Object.entries(fields).filter(([field, one]) => found.has(field) && !isKnownAs(one, found));
  return new Map(named.map(([field]) => [field, found.get(field) ?? '']));
}

/** The longest name in bytes. */
const longestName = 190;

/** Whether a column with the header of a description holds names. */
function isName({ name, longest }: ColumnProfile): boolean {
  return longest <= longestName && !/long|lang|html|body|detail|content|seo|meta/iu.test(name);
}

/** Whether a field is filled already by the one of which it is an alias. */
function isKnownAs(field: Field, found: ReadonlyMap<string, string>): boolean {
  return field.kind === 'text' && field.aliasOf !== undefined && found.has(field.aliasOf);
}

/** Fields whose headers may end in a language. */
const translated: ReadonlySet<string> = new Set(['name', 'description', 'category']);
/** `name-en_US`, `description-de_DE-ecommerce`, `NL_Title_Short`. */
const locale = /[-_. ][a-z]{2}[-_][A-Z]{2}(?![A-Za-z]).*$|^[A-Z]{2}_(?=[A-Z][a-z])/u;

/**
 * The rank of a name: by all of it, else without its language, else by its last part (`node.title`, `g:price`,
 * `price@currency`), after all others.
 */
function placeOf(name: string, field: string, place: (word: string) => number): number {
  if (formAttributes.test(name)) return -1;
  const whole = place(plainWord(name));
  if (whole !== -1) return whole;
  const inLanguage = translated.has(field) && locale.test(name) ? place(plainWord(name.replace(locale, ''))) : -1;
  if (inLanguage !== -1) return inLanguage + 500;
  const parts = name.split(/[.:@](?=\S)/);
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return -1;
  const outer = emptyPart.test(last) ? place(plainWord(parts.at(-2) ?? '')) : -1;
  if (outer !== -1) return outer + 1000;
  const at = isOtherThing(name) ? -1 : place(plainWord(last));
  return at === -1 ? -1 : at + 2000;
}

/** The column of numbers whose header begins with a word for a price: `Cena s DPH`, `Preis je Stück`. */
function pricedColumn(columns: readonly ColumnProfile[], taken: ReadonlySet<string>): ColumnProfile | undefined {
  return columns.find((facts) => {
    const [first = ''] = facts.name.toLowerCase().match(/[\p{L}\p{M}]+/u) ?? [];
    const isNamed = headerWords['price']?.includes(first) === true && !notThePrice.test(facts.name);
    return isNamed && !taken.has(facts.name) && numbersIn(facts) >= facts.filled * 0.9;
  });
}

/** The column of amounts, whatever its name: nearly all of its cells are numbers, most of them with decimals. */
function amountColumn(columns: readonly ColumnProfile[], taken: ReadonlySet<string>): ColumnProfile | undefined {
  const amounts = columns.filter(
    (facts) => !taken.has(facts.name) && !notThePrice.test(facts.name) && numbersIn(facts) >= facts.filled * 0.9,
  );
  const isPrice = ({ name }: ColumnProfile) => /preis|price|vk/iu.test(name);
  const withDecimals = ({ numbers: { point, comma, either }, filled }: ColumnProfile) =>
    point + comma + either >= filled * 0.5;
  const withCurrency = ({ priced, filled }: ColumnProfile) => priced >= filled * 0.5;
  return amounts.find(isPrice) ?? amounts.find(withCurrency) ?? amounts.find(withDecimals);
}

/** The column whose values are all different and without spaces; one named as a code or a number is preferred. */
function keyColumn(columns: readonly ColumnProfile[], taken: ReadonlySet<string>): ColumnProfile | undefined {
  const most = Math.max(0, ...columns.map(({ filled }) => filled));
  const keys = columns.filter(
    ({ name, filled, repeats, spaced, longest }) =>
      !taken.has(name) && filled === most && filled > 1 && repeats === 0 && spaced === 0 && longest <= 60,
  );
  return keys.find(({ name }) => /^(?:code|id|nr|no|number|key)$/.test(plainWord(name))) ?? keys[0];
}
