// A guess: which resource a file holds, and which of its columns fills which field. Words of the languages that
// suppliers write in; what is guessed is written down as a mapping for a person to correct.
import type { Field, Fields } from '../../../core/fields/fields.js';
import { columnTarget, refusalColumns } from '../../column-targets.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { Inspection } from '../../inspection/inspect-file.js';
import { currencyIn } from '../values/parse-number.js';
import { otherHeaders, rowKinds } from './header-exceptions.js';
import { headerWords } from './header-words.js';
import { resourceFileWords, resourceHeaderWords } from './resource-words.js';

/** What a file seems to be. */
export interface Suggestion {
  /** The word of the resource. */
  readonly resource: string;
  /** Field → column. */
  readonly fields: ReadonlyMap<string, string>;
  /** The decimal sign that the numbers of the file speak for, with the reason. */
  readonly decimal: '.' | ',' | undefined;
  readonly decimalWhy: string;
  /** The mapping, as a YAML text. */
  readonly yaml: string;
}

/** A file with more records than this is not a list of categories or characteristics, where nothing else speaks for one. */
const manyRecords = 2_000;

interface ResourceGuess {
  readonly resource: string;
  readonly key: string;
  /** Field → column. */
  readonly matched: ReadonlyMap<string, string>;
  /** Columns that are called as the tool itself calls them, entries of lists among them: they are taken as they are. */
  readonly own: ReadonlyMap<string, string>;
  readonly score: number;
}

/**
 * Guesses what a file is.
 * @param resources the resources by the word that `to:` names them with
 * @param file the file's name, which may say what it holds
 */
export function suggestMapping(
  inspection: Inspection,
  resources: Readonly<Record<string, { readonly key: string; readonly fields: Fields }>>,
  file = '',
): Suggestion {
  const { columns, records } = inspection;
  const name = (file.split(/[\\/]/).at(-1) ?? '').toLowerCase();
  const headers = columns.filter(({ filled }) => filled > 0).map((column) => plainWord(column.name));
  const guesses = Object.entries(resources).map(([resource, { fields, key }]): ResourceGuess => {
    const own = ownColumns(columns, fields);
    const matched = matches(columns, fields, own, resource === 'products' ? key : undefined);
    const hits = (resourceHeaderWords[resource] ?? []).filter((word) =>
      headers.some((header) => header.includes(word)),
    ).length;
    const byName = (resourceFileWords[resource] ?? []).some((word) => name.includes(word)) ? 1.5 : 0;
    const byCount = resource === 'products' && records > manyRecords ? 0.8 : 0;
    const byKey = matched.has(key) ? 1 : 0;
    const byOwn = [...own.keys()].reduce((sum, path) => sum + (path.includes('[') ? 2 : 0.2), 0);
    return { resource, key, matched, own, score: hits + byName + byCount + byKey + byOwn + matched.size / 100 };
  });
  const best = guesses.reduce((one, other) => (other.score > one.score ? other : one));
  const { decimal, why } = decimalOf(columns, best.matched);
  const yaml = yamlOf(inspection, best, decimal);
  return { resource: best.resource, fields: best.matched, decimal, decimalWhy: why, yaml };
}

/** Columns by the path of what they fill, where they are called as the tool calls them. */
function ownColumns(columns: readonly ColumnProfile[], fields: Fields): ReadonlyMap<string, string> {
  const own = new Map<string, string>();
  for (const facts of columns) {
    const target = columnTarget(facts.name, fields);
    if (target === undefined || own.has(target.path)) continue;
    if (facts.filled > 0 && !canBe(facts, target.field)) continue;
    own.set(target.path, facts.name);
  }
  return own;
}

/** Whether the values of a column can be those of a field, judged by what they are. */
function canBe(facts: ColumnProfile, field: Field): boolean {
  if (field.kind === 'decimal' || field.kind === 'integer') return numbersIn(facts) * 2 >= facts.filled;
  if (field.kind === 'reference' && field.to === 'category' && tellsRowKind(facts)) return false;
  if (field.kind !== 'reference' || field.byName || nameable.has(field.to)) return true;
  // An identifier has no blanks, and its prefix or at least a sign of having been made up.
  if (facts.spaced > 0) return false;
  const { prefixes } = field;
  return facts.samples.every((sample) =>
    prefixes.length > 0 ? prefixes.some((prefix) => sample.startsWith(prefix)) : /[\d_]/.test(sample),
  );
}

/** Whether the values of a column say what kind of row each is: `product`, `variation`. */
function tellsRowKind({ distinct, samples }: ColumnProfile): boolean {
  return (
    distinct <= samples.length && samples.every((sample) => rowKinds.has(sample.toLowerCase().split('_', 1)[0] ?? ''))
  );
}

/** What a file may name instead of identifying it. */
const nameable: ReadonlySet<string> = new Set(['category', 'product group', 'characteristic']);

function numbersIn({ numbers: { plain, point, comma, either } }: ColumnProfile): number {
  return plain + point + comma + either;
}

/** A header normalized for comparison: no case, white space or punctuation. */
function plainWord(header: string): string {
  return header
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Words of a header by which it is not a price, whatever its other words are. */
const notThePrice =
  /cost|purchase|einkauf|\bek\b|weight|gewicht|width|height|length|depth|size|lat|lon|tax|rate|rating|percent|year|compare|impact/iu;

/** Each field with the column that fits it best; a column fills one field. */
function matches(
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
        .filter((facts) => !taken.has(facts.name) && canBe(facts, descriptor))
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
  if (fields['price'] !== undefined && !found.has('price')) give('price', amountColumn(free, taken)?.name);
  if (key !== undefined && !found.has(key)) give(key, keyColumn(free, taken)?.name);
  const named = Object.entries(fields).filter(([field, one]) => found.has(field) && !isKnownAs(one, found));
  return new Map(named.map(([field]) => [field, found.get(field) ?? '']));
}

/** Whether a field is filled already by the one of which it is an alias. */
function isKnownAs(field: Field, found: ReadonlyMap<string, string>): boolean {
  return field.kind === 'text' && field.aliasOf !== undefined && found.has(field.aliasOf);
}

/** Fields whose headers may end in a language. */
const translated: ReadonlySet<string> = new Set(['name', 'description', 'category']);
/** `name-en_US`, `description-de_DE-ecommerce`. */
const locale = /[-_. ][a-z]{2}[-_][A-Z]{2}(?![A-Za-z]).*$/u;

/**
 * The place of a name: by all of it, else without its language, else by its last part (`node.title`, `g:price`,
 * `price@currency`), behind all others.
 */
function placeOf(name: string, field: string, place: (word: string) => number): number {
  const whole = place(plainWord(name));
  if (whole !== -1) return whole;
  const inLanguage = translated.has(field) && locale.test(name) ? place(plainWord(name.replace(locale, ''))) : -1;
  if (inLanguage !== -1) return inLanguage + 500;
  const parts = name.split(/[.:@](?=\S)/);
  const at = parts.length > 1 ? place(plainWord(parts.at(-1) ?? '')) : -1;
  return at === -1 ? -1 : at + 1000;
}

/** The column of amounts, whatever it is called: nearly all of its cells are numbers, most of them with decimals. */
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

/** The column whose values are all different and have no blanks: one that is called a code or a number before others. */
function keyColumn(columns: readonly ColumnProfile[], taken: ReadonlySet<string>): ColumnProfile | undefined {
  const most = Math.max(0, ...columns.map(({ filled }) => filled));
  const keys = columns.filter(
    ({ name, filled, repeats, spaced, longest }) =>
      !taken.has(name) && filled === most && filled > 1 && repeats === 0 && spaced === 0 && longest <= 60,
  );
  return keys.find(({ name }) => /^(?:code|id|nr|no|number|key)$/.test(plainWord(name))) ?? keys[0];
}

const amountsHave = (count: number): string => (count === 1 ? '1 amount has' : `${count} amounts have`);

function decimalOf(columns: readonly ColumnProfile[], matched: ReadonlyMap<string, string>) {
  const amounts = new Set(['price', 'price_compare', 'weight'].map((field) => matched.get(field)));
  const watched = columns.filter(({ name }) => amounts.has(name));
  const sum = (of: 'point' | 'comma' | 'either') => watched.reduce((total, { numbers }) => total + numbers[of], 0);
  const [point, comma, either] = [sum('point'), sum('comma'), sum('either')];
  if (point > 0 && comma === 0)
    return { decimal: '.' as const, why: `${amountsHave(point)} a decimal point, none a comma` };
  if (comma > 0 && point === 0)
    return { decimal: ',' as const, why: `${amountsHave(comma)} a decimal comma, none a point` };
  if (point + comma > 0)
    return {
      decimal: undefined,
      why: `${amountsHave(point)} a decimal point, ${comma} a comma: each is read by itself`,
    };
  const why = either > 0 ? `${either} amounts such as 1.234 could have either: set decimal:` : 'no amount has decimals';
  return { decimal: undefined, why };
}

function yamlOf(
  { found, columns, records, pageWords }: Inspection,
  { resource, key, matched, own }: ResourceGuess,
  decimal: string | undefined,
): string {
  const read = [
    `  format: ${found.format}`,
    ...(found.encoding === 'utf-8' ? [] : [`  encoding: ${found.encoding}`]),
    ...(found.skip === undefined ? [] : [`  skip: ${found.skip}`]),
    ...(found.place === undefined
      ? []
      : [`  ${found.format === 'xml' ? 'record' : 'items'}: ${JSON.stringify(found.place)}`]),
    ...(found.delimiter === undefined ? [] : [`  delimiter: ${JSON.stringify(found.delimiter)}`]),
    ...(pageWords.length === 0 ? [] : [`  leave_out: ${JSON.stringify(pageWords)}   # page headers and totals`]),
    ...(decimal === undefined
      ? ['  # decimal: ","    # what could be either is refused until this says it']
      : [`  decimal: ${JSON.stringify(decimal)}`]),
  ];
  const all = new Map([...matched, ...[...own].filter(([path]) => !matched.has(path))]);
  const used = new Set(all.values());
  const fields = [...all].map(([field, column]) => {
    const facts = columns.find(({ name }) => name === column);
    const name = matched.has(field) ? field : JSON.stringify(column.trim());
    const seldom = facts !== undefined && facts.filled < records / 2 && field !== key && own.get(field) === undefined;
    const steps = [
      ...(field === 'ean' && (facts?.apostrophes ?? 0) > 0 ? ['apostrophe: strip'] : []),
      // Several values in one field would be joined.
      ...(isListed(facts) && found.delimiter === undefined ? ['take: first'] : []),
      ...(seldom ? ['optional: true'] : []),
    ];
    const text = JSON.stringify(column);
    return `  ${name}: ${steps.length === 0 ? text : `{ column: ${text}, ${steps.join(', ')} }`}${note(facts)}`;
  });
  if (!matched.has(key)) fields.unshift(`  # ${key}: which column is it?`);
  if (resource === 'products' && !matched.has('currency')) fields.push(currencyLine(matched.get('price'), columns));
  const rest = columns.filter(({ name, filled }) => filled > 0 && !used.has(name) && !refusalColumns.includes(name));
  return [
    '# A suggestion by catalog-import inspect: read it, correct it.',
    '# optional: true stands where a column is seldom filled, and may be missing in another delivery.',
    `to: ${resource}`,
    'read:',
    ...read,
    'fields:',
    ...fields,
    ...(rest.length === 0 ? [] : ['# Columns that fill nothing yet:']),
    ...rest.map((facts) => `#   ${JSON.stringify(facts.name)}${note(facts)}`),
    '',
  ].join('\n');
}

/** Whether a column holds lists of plain values. */
function isListed(facts: ColumnProfile | undefined): boolean {
  return facts?.samples.some((sample) => /^\[["\d]/.test(sample)) === true;
}

/** The currency, off the amounts where they name one. */
function currencyLine(price: string | undefined, columns: readonly ColumnProfile[]): string {
  const samples = columns.find(({ name }) => name === price)?.samples ?? [];
  const isNamed = samples.length > 0 && samples.every((sample) => currencyIn(sample)?.codes.length === 1);
  return isNamed ? `  currency: { from: ${JSON.stringify(price)} }` : '  currency: { value: EUR }   # which one is it?';
}

/** A sample behind a line, so that one need not look back at the file. */
function note(facts: ColumnProfile | undefined): string {
  const sample = facts?.samples[0];
  return sample === undefined ? '' : `   # ${sample.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 40)}`;
}
