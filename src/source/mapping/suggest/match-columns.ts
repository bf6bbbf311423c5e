// Finds the column for each field: by the field's own name, by words and beginnings of words in the languages of
// suppliers, or else by its values.
import type { Field, Fields } from '../../../core/fields/fields.js';
import { columnTarget } from '../../column-targets.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { emptyPart, formAttributes, isOtherThing, otherHeaders, rowKinds } from './header-exceptions.js';
import { isNet, isOtherPrice, isQuestion, stemRank } from './header-stems.js';
import { headerWords } from './header-words.js';

/** Columns named as this program names fields, by the path of their target. */
export function ownColumns(columns: readonly ColumnProfile[], fields: Fields): ReadonlyMap<string, string> {
  const own = new Map<string, string>();
  for (const facts of columns) {
    const target = columnTarget(facts.name, fields);
    if (target === undefined || own.has(target.path)) continue;
    if (keys.has(target.path) && isListed(facts.samples)) continue;
    if (facts.filled > 0 ? !canBeOwn(facts, target.field) : isAttributed(facts, columns)) continue;
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
const keys: ReadonlySet<string> = new Set(['sku', 'external_id']);

/** Whether a column has as many different values as a field needs. */
function tellsApart({ filled, distinct, many, samples }: ColumnProfile, field: string): boolean {
  // A list is no key: of `{"sku": ["A", "B"]}` all records but the first would be lost.
  if (keys.has(field) && isListed(samples)) return false;
  if (filled < fewestToJudge || many) return true;
  return telling.has(field) ? distinct * 2 > filled : field !== 'name' || distinct > 1;
}

const fewestToJudge = 5;

/** Whether the values are numbers, or lists of them: those of categories in another shop, which name none here. */
function holdsNumbers({ samples }: ColumnProfile): boolean {
  return samples.every((sample) => /^\d+(?:\s*[|,;/]\s*\d+)*$/.test(sample));
}

function isListed(samples: readonly string[]): boolean {
  return samples.some((sample) => /^\[["\d]/.test(sample));
}

/** The share of numbers from which a column named as a field of numbers is that field. */
const fewNumbers = 0.2;

/** As `canBe`; a column of the field's own name may have words in most of its cells, whose rows are refused. */
function canBeOwn(facts: ColumnProfile, field: Field): boolean {
  const isNumber = field.kind === 'decimal' || field.kind === 'integer';
  return isNumber ? numbersIn(facts) + facts.measured >= facts.filled * fewNumbers : canBe(facts, field);
}

/** Whether the values of a column can be those of a field. */
function canBe(facts: ColumnProfile, field: Field): boolean {
  if (field.kind === 'decimal' || field.kind === 'integer')
    return (numbersIn(facts) + facts.measured) * 2 >= facts.filled;
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
        .filter((facts) => field !== 'category' || !holdsNumbers(facts))
        .filter(({ name }) => (field !== 'price' || !isOtherPrice(name)) && (field !== 'stock' || !isQuestion(name)))
        .map(({ name }) => ({ name, at: placeOf(name, descriptor, (word) => place(word, field), field) }))
        .filter(({ at }) => at !== -1)
        .sort((one, other) => one.at - other.at || Number(isNet(one.name)) - Number(isNet(other.name)));
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
  if (fields['sku'] !== undefined) {
    for (const field of stemmed) {
      const descriptor = fields[field];
      if (found.has(field) || descriptor === undefined) continue;
      give(field, stemColumn(free, taken, { field, descriptor })?.name);
    }
    if (!found.has('ean')) give('ean', free.find((facts) => !taken.has(facts.name) && holdsBarcodes(facts))?.name);
  }
  if (fields['price'] !== undefined && !found.has('price'))
    give('price', (pricedColumn(free, taken) ?? amountColumn(free, taken))?.name);
  if (key !== undefined && !found.has(key)) give(key, (keyColumn(free, taken) ?? barcodeKey(free, found))?.name);
  if (key === 'sku' && found.get('ean') === found.get('sku')) found.delete('ean');
  if (fields['sku'] !== undefined && !found.has('name') && !found.has('description'))
    give('name', textColumn(free, taken)?.name);
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
function placeOf(name: string, descriptor: Field, place: (word: string) => number, field: string): number {
  if (formAttributes.test(name)) return -1;
  const whole = place(plainWord(name));
  // `attributes.title` is no list of attributes.
  if (whole !== -1 || descriptor.kind === 'list') return whole;
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

/** Fields that are found by the beginnings of words, in the order in which they take columns. */
const stemmed = ['ean', 'price', 'stock', 'sku', 'name'];

/** The column with the first of the words of a field. */
function stemColumn(
  columns: readonly ColumnProfile[],
  taken: ReadonlySet<string>,
  { field, descriptor }: { readonly field: string; readonly descriptor: Field },
): ColumnProfile | undefined {
  const isText = field === 'sku' || field === 'name';
  const [best] = columns
    .filter((facts) => !taken.has(facts.name) && canBe(facts, descriptor) && tellsApart(facts, field))
    .filter((facts) => field !== 'price' || !notThePrice.test(facts.name))
    .filter((facts) => !isText || (!holdsBarcodes(facts) && facts.longest <= longestName))
    .filter((facts) => field !== 'sku' || facts.spaced * 2 < facts.filled)
    .filter((facts) => field !== 'name' || numbersIn(facts) * 2 < facts.filled)
    .filter((facts) => field !== 'ean' || facts.spaced === 0)
    .filter((facts) => otherHeaders[field]?.test(plainWord(facts.name)) !== true)
    .map((facts) => ({ facts, at: stemRank(facts.name, field) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => Number(isNet(one.facts.name)) - Number(isNet(other.facts.name)) || one.at - other.at);
  return best?.facts;
}

/** Whether nearly all values are barcodes, by their check digits. */
function holdsBarcodes({ barcodes, filled }: ColumnProfile): boolean {
  return filled > 1 && barcodes >= filled * 0.8;
}

/** The column of barcodes, where every record has one of its own, and nothing else tells records apart. */
function barcodeKey(columns: readonly ColumnProfile[], found: ReadonlyMap<string, string>): ColumnProfile | undefined {
  const most = Math.max(0, ...columns.map(({ filled }) => filled));
  return columns.find(({ name, filled, repeats }) => name === found.get('ean') && filled === most && repeats === 0);
}

/**
 * The first column of texts that can be names: nearly all different, short, in words and not in numbers or addresses. Only where
 * the header says nothing to us: `Comment` or `Value` is no name, however different its texts are.
 */
function textColumn(columns: readonly ColumnProfile[], taken: ReadonlySet<string>): ColumnProfile | undefined {
  return columns.find(
    (facts) =>
      !taken.has(facts.name) &&
      !/[a-z]{3}/iu.test(facts.name) &&
      facts.longest <= longestName &&
      facts.distinct * 3 > facts.filled * 2 &&
      facts.spaced * 2 >= facts.filled &&
      numbersIn(facts) + facts.measured === 0 &&
      facts.samples.every((sample) => /\p{L}{2}/u.test(sample) && !/^(?:https?:|[[{<]|\d+[.:-]\d)/u.test(sample)) &&
      !isOtherThing(`${facts.name}.name`),
  );
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
  const amounts = columns
    .filter((facts) => !taken.has(facts.name) && !notThePrice.test(facts.name) && !isOtherPrice(facts.name))
    .filter((facts) => numbersIn(facts) >= facts.filled * 0.9)
    .sort((one, other) => Number(isNet(one.name)) - Number(isNet(other.name)));
  const isPrice = ({ name }: ColumnProfile) => /preis|price|vk|brutto|gross|ttc/iu.test(name);
  const withDecimals = ({ numbers: { point, comma, either }, filled }: ColumnProfile) =>
    point + comma + either >= filled * 0.5;
  const withCurrency = ({ priced, filled }: ColumnProfile) => priced >= filled * 0.5;
  return amounts.find(isPrice) ?? amounts.find(withCurrency) ?? amounts.find(withDecimals);
}

/** The column whose values are all different and without spaces; one named as a code or a number is preferred. */
function keyColumn(columns: readonly ColumnProfile[], taken: ReadonlySet<string>): ColumnProfile | undefined {
  const most = Math.max(0, ...columns.map(({ filled }) => filled));
  const keys = columns
    .filter(
      ({ name, filled, repeats, spaced, longest }) =>
        !taken.has(name) && filled === most && filled > 1 && repeats === 0 && spaced === 0 && longest <= 60,
    )
    .filter((facts) => !holdsBarcodes(facts) && !facts.samples.some((sample) => /^[[{]/.test(sample)));
  return keys.find(({ name }) => /^(?:code|id|nr|no|number|key)$/.test(plainWord(name))) ?? keys[0];
}
