// Finds the column for each field: by the field's own name, by words and beginnings of words in the languages of
// suppliers, or else by its values. What several columns could fill is a question.
import type { Field, Fields, ListField } from '../../../core/fields/fields.js';
import { isMass } from '../../../core/text/units.js';
import { columnTarget } from '../../column-targets.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { fewNumbers } from './amount-columns.js';
import {
  areAll,
  entriesOf,
  hasFractions,
  holdsBarcodes,
  holdsCodes,
  holdsObjects,
  isAddress,
  isImage,
  isListed,
  isNested,
  isVaried,
  isWhole,
  mayCount,
  numbersIn,
} from './column-kinds.js';
import { isCovered } from './compare-columns.js';
import { areCurrencies } from './currency-values.js';
import { askDoubted, isOneWord, isUnique } from './doubted-matches.js';
import { matchMoney } from './money-columns.js';
import { askAmong, columnsOf, type Match, matchOf } from './questions.js';
import { rankOf } from './rank-name.js';
import {
  headerWords,
  isOfParty,
  plainWord,
  saysAmount,
  saysMore,
  tieredFields,
  tierOf,
  unitsIn,
} from './read-header.js';
import { isStatus, statusOf, statusRemark } from './status-steps.js';
import { stockColumns } from './stock-columns.js';
import { couldBeName, isCodedName, isName, tieredColumns } from './tiered-columns.js';
import { saysWeight, weightByUnit, weightMatch } from './weight-columns.js';
import { unknownIn } from './whole-header.js';
import { askOddPaths, categoryMatch, describingColumns } from './worded-columns.js';

/** Columns named as this program names fields, by the path of their target. */
export function ownColumns(columns: readonly ColumnProfile[], fields: Fields): ReadonlyMap<string, string> {
  const own = new Map<string, string>();
  for (const facts of columns) {
    const target = columnTarget(facts.name, fields);
    if (target === undefined || own.has(target.path)) continue;
    if (keys.has(target.path) && isListed(facts)) continue;
    if (target.path === 'condition' && !isLabel(facts)) continue;
    if (target.path === 'category' && facts.filled > 0 && !namesCategories(facts, target.field)) continue;
    if (target.path === 'name' && isCodedName(facts) && columns.some(isNamed)) continue;
    if (facts.filled > 0 ? !canBeOwn(facts, target.field) : isParted(facts, columns)) continue;
    own.set(target.path, facts.name);
  }
  return own;
}

/** Whether values are words: `0` for new is a code. */
const isLabel = (facts: ColumnProfile): boolean => numbersIn(facts) === 0;

/** Whether an empty value is elsewhere: in attributes, `<price gross="1.00"/>`, or in members of other records. */
function isParted({ name }: ColumnProfile, columns: readonly ColumnProfile[]): boolean {
  return columns.some((other) => other.name.startsWith(`${name}@`) || other.name.startsWith(`${name}.`));
}

const keys: ReadonlySet<string> = new Set(['sku', 'external_id']);
/** Fields whose values distinguish records: a column with one value, or few, does not match. */
const telling: ReadonlySet<string> = new Set(['external_id', 'slug']);

/** As `canBe`; a column of the field's own name may have words in most of its cells, whose rows are refused. */
function canBeOwn(facts: ColumnProfile, field: Field): boolean {
  const isNumber = field.kind === 'decimal' || field.kind === 'integer';
  return isNumber ? numbersIn(facts) + facts.measured >= facts.filled * fewNumbers : canBe(facts, field);
}

/** Whether a list is one of the field's entries, and not what another shop calls so: `attributes` of `{name, value}`. */
function holdsEntries({ values }: ColumnProfile, { entry, entryKey, entryValue = '' }: ListField): boolean {
  const ofPair = entry[entryValue]?.required === true ? '=' : '';
  return values.some((value) => value.includes(value.startsWith('[{') ? `"${entryKey}"` : ofPair));
}

function canBe(facts: ColumnProfile, field: Field): boolean {
  if (field.kind === 'list') return holdsEntries(facts, field);
  if (holdsObjects(facts)) return false;
  // One sign in all records is rather one value.
  if (field.kind === 'text' && field.format === 'currency')
    return facts.values.some((one) => codeIn.test(one)) || (facts.distinct > 1 && areCurrencies(facts));
  if (field.kind === 'text' && areAll(facts, (one) => /^(?:true|false)$/i.test(one))) return false;
  if (field.kind === 'decimal' || field.kind === 'integer')
    return (numbersIn(facts) + facts.measured) * 2 >= facts.filled;
  if (field.kind === 'choice') return areAll(facts, (one) => statusOf(one, field) !== undefined);
  if (field.kind !== 'reference' || field.byName) return true;
  // Numbers are those of another shop; as a warranty they may be years.
  if (isWhole(facts)) return false;
  if (nameable.has(field.to)) return true;
  // An identifier has no spaces, and its prefix or at least a sign of having been generated.
  if (facts.spaced > 0) return false;
  const { prefixes } = field;
  return facts.samples.every((sample) =>
    prefixes.length > 0 ? prefixes.some((prefix) => sample.startsWith(prefix)) : /[\d_]/.test(sample),
  );
}

/** Three letters, as the code of a currency has. */
const codeIn = /(?<![a-z])[a-z]{3}(?![a-z])/i;

/** Kinds of records that a file may refer to by name. */
const nameable: ReadonlySet<string> = new Set(['category', 'category or product', 'product group', 'characteristic']);

/** Whether values are names of categories: no numbers or codes of another shop, and no types of products, unless they are paths. */
function namesCategories(facts: ColumnProfile, field: Field): boolean {
  const { name, samples, spaced } = facts;
  const values = entriesOf(facts);
  const prefixes = field.kind === 'reference' ? field.prefixes : [];
  const isCode = (value: string) =>
    /^\p{L}{0,4}[-_.]?\d[\p{L}\d._-]*$/u.test(value) && !prefixes.some((one) => value.startsWith(one));
  if (spaced === 0 && values.every(isCode)) return false;
  // Classes by turnover.
  if (values.every((value) => /^[A-Za-z]$/.test(value))) return false;
  if (/type$/.test(plainWord(name))) return samples.every((sample) => / > /.test(sample));
  return !samples.every((sample) => /^\[?[\d\s|,;/]*\]?$/.test(sample));
}

/** Whether values can describe: `en` in all records, below `contentLanguage`, does not. */
function describes({ spaced, longest, distinct, filled }: ColumnProfile): boolean {
  return spaced > 0 || longest > longestCode || distinct * 2 > filled;
}
const longestCode = 20;

/** Each field with its column, or the columns that it could be; a column fills one field. */
export function matchColumns(
  columns: readonly ColumnProfile[],
  fields: Fields,
  own: ReadonlyMap<string, string>,
): ReadonlyMap<string, Match> {
  const found = new Map<string, Match>();
  const filled = columns.filter((column) => column.filled > 0);
  /** As many as a complete column has values. */
  const records = Math.max(0, ...filled.filter(({ isSeveral }) => !isSeveral).map((column) => column.filled));
  const free = (): ColumnProfile[] => {
    const taken = new Set([...own.values(), ...[...found.values()].flatMap(columnsOf).map(({ name }) => name)]);
    return filled.filter(({ name }) => !taken.has(name));
  };
  const give = (field: string, match: Match | undefined): void => {
    if (match !== undefined && columnsOf(match).length > 0 && fields[field] !== undefined && !found.has(field))
      found.set(field, match);
  };
  for (const [path, name] of own) {
    const column = columns.find((one) => one.name === name);
    if (column !== undefined)
      give(path, path === 'weight' ? weightMatch([column, ...free()]) : matchOf(ownMatch(path, column, free())));
  }
  give('weight', weightMatch(free()));
  takeWords(fields, free, give, (column, field) => (column === plainWord(field) ? 0 : -1));
  if (fields['price'] !== undefined) matchPrices(found, free());
  takeWords(fields, free, give, (column, field) => headerWords[field]?.indexOf(column) ?? -1);
  // What else is called a title or name in a review is not its author.
  for (const field of fields['rating'] === undefined ? tieredFields : [])
    give(field, matchOf(tieredMatch(field, free())));
  // `Händler` and `Handle type` are no handles.
  takeWords(fields, free, give, (column, field) =>
    (headerWords[field] ?? []).findIndex((word) => field !== 'slug' && word.length > 4 && column.startsWith(word)),
  );
  if (fields['sku'] !== undefined) {
    matchByValues(free, found, give);
    if (columnsOf(found.get('sku'))[0] === columnsOf(found.get('ean'))[0]) found.delete('ean');
    askDoubted(found, filled, free);
    const { category } = fields;
    const named =
      category === undefined ? [] : free().filter((one) => canBe(one, category) && namesCategories(one, category));
    const match = categoryMatch(found.get('category'), named, records);
    if (match !== undefined) found.set('category', match);
    askOddPaths(found);
    give('description', askAmong(describingColumns(free())));
    const { status } = fields;
    if (status?.kind === 'choice') {
      // Where the status is empty, another column may say that the product is not sold.
      const sure = columnsOf(found.get('status')).filter((one) => one.filled < records);
      const flags = found.has('status') && sure.length !== 1 ? [] : free().filter(isStatus);
      const open = [...sure, ...flags].map((column) => ({ column, remark: statusRemark(column, status) }));
      if (flags.length > 0) found.set('status', { open });
    }
    const masses = free().filter((column) => isMassOfHeader(column) || saysWeight(column));
    if (masses.length <= mostMasses) give('weight', askAmong(masses));
    give('weight', weightByUnit(free()));
    give('name', askAmong(free().filter(couldBeName)));
  }
  return new Map([...found].filter(([field]) => !isKnownAs(fields[field], found)));
}

/** The columns that could fill a field, of which one has its name. Another one that is called a name as plainly may be it. */
function ownMatch(field: string, column: ColumnProfile, free: readonly ColumnProfile[]): readonly ColumnProfile[] {
  if (field === 'sku') return tieredColumns([column, ...free], field);
  if (field === 'stock') return stockColumns([column, ...free]);
  if (field === 'ean') return [column, ...free.filter((one) => isOtherBarcode(one, column))];
  if (field !== 'name') return [column];
  const plain = free.filter((one) => tierOf(one.name, field) === 0 && !saysMore(one.name, field));
  const named = tieredColumns([column, ...plain], field);
  return named.includes(column) ? named : [column];
}

/** The columns that could fill a field by their headers. A barcode may be in a column that is called so less plainly. */
function tieredMatch(field: string, free: readonly ColumnProfile[]): readonly ColumnProfile[] {
  if (field === 'stock') return stockColumns(free);
  const named = tieredColumns(free, field);
  const [only, ...more] = named;
  return field !== 'ean' || only === undefined || more.length > 0
    ? named
    : [only, ...free.filter((one) => one !== only && isOtherBarcode(one, only))];
}

/** Whether a column is called a barcode, too, and has one in some record that the other lacks: a `gtin` next to an `ean`. */
const isOtherBarcode = (one: ColumnProfile, other: ColumnProfile): boolean =>
  one.barcodes > 0 &&
  tierOf(one.name, 'ean') !== -1 &&
  unknownIn(one.name, 'ean') === undefined &&
  !isCovered(one, other);

/** Whether a column is a name by its header and its values. */
const isNamed = (column: ColumnProfile): boolean =>
  tierOf(column.name, 'name') === 0 && tieredColumns([column], 'name').length > 0;

/** Prices are compared with each other, whatever their names are. */
function matchPrices(found: Map<string, Match>, free: readonly ColumnProfile[]): void {
  const named = ['price', 'price_compare'].flatMap((field) => columnsOf(found.get(field)));
  const money = matchMoney([...named, ...free]);
  const compared = found.get('price_compare');
  for (const [field, match] of money) found.set(field, match);
  if (compared !== undefined) found.set('price_compare', compared);
}

type Give = (field: string, match: Match | undefined) => void;

/** Fields whose headers are whole words. Of several columns, that whose word comes first is taken: Categories before Type. */
function takeWords(
  fields: Fields,
  free: () => readonly ColumnProfile[],
  give: Give,
  place: (column: string, field: string) => number,
): void {
  const isProduct = fields['sku'] !== undefined;
  for (const [field, descriptor] of Object.entries(fields)) {
    if (isProduct && (tieredFields.includes(field) || /^price/.test(field))) continue;
    const placed = free()
      .filter((facts) => canBe(facts, descriptor) && (!telling.has(field) || isVaried(facts)))
      .filter((facts) => field !== 'category' || namesCategories(facts, descriptor))
      .filter((facts) => field !== 'condition' || isLabel(facts))
      .filter((facts) => field !== 'description' || describes(facts))
      .map((facts) => ({ facts, at: rankOf(facts.name, descriptor, (word) => place(word, field), field) }))
      .filter(({ at }) => at !== -1)
      .sort((one, other) => one.at - other.at);
    // Two that begin alike are none: net and gross weight. A least stock is not when to order again.
    const isEqual = field === 'stock_threshold';
    const first = placed.filter(({ at }) => isEqual || at === placed[0]?.at).map(({ facts }) => facts);
    if (first.length === 1 || isEqual) give(field, matchOf(first));
  }
}

/** What no header says: barcodes, the key, names. An address is the key only where nothing else tells records apart. */
function matchByValues(free: () => ColumnProfile[], found: ReadonlyMap<string, Match>, give: Give): void {
  give('ean', matchOf(free().filter(holdsBarcodes).slice(0, 1)));
  const unique = free().filter((facts) => isUnique(facts, free()) && isOneWord(facts));
  const codes = unique.filter((facts) => !isAddress(facts) && !isNested(facts) && !hasFractions(facts));
  const surely = codes.filter((facts) => !mayCount(facts));
  const barcodes = columnsOf(found.get('ean')).filter((facts) => isUnique(facts, [...free(), facts]));
  const keys = surely.length > 0 ? surely : [...codes, ...barcodes];
  // Words that are all different, and are no codes, may be so by chance.
  // The number of a maker is that of the shop for some only.
  const isSure = keys.every((one) => holdsCodes(one) && (holdsBarcodes(one) || !isOfParty(one.name)));
  give('sku', isSure ? matchOf(keys) : askAmong(keys));
  give('sku', matchOf(unique.filter((facts) => isAddress(facts) && !isImage(facts))));
  if (!found.has('description')) give('name', matchOf(free().filter(isName)));
}

/** More columns of masses are ingredients. */
const mostMasses = 2;

/** Whether a header has a unit of weight, whatever it calls it: `Masa (g)`. */
const isMassOfHeader = (column: ColumnProfile): boolean =>
  unitsIn(column.name).some(isMass) && !saysAmount(column.name);

/** Whether a field is filled already by the one of which it is an alias. */
function isKnownAs(field: Field | undefined, found: ReadonlyMap<string, Match>): boolean {
  return field?.kind === 'text' && field.aliasOf !== undefined && found.has(field.aliasOf);
}
