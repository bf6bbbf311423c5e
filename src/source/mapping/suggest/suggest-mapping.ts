// Suggests a mapping: guesses the resource of a file, and which of its columns fills which field. What cannot be known is
// a question. The suggestion is written as a mapping for a person to correct.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { Inspection } from '../../inspection/inspect-file.js';
import type { ExampleRow } from '../mapping.js';
import { withoutOtherCurrency } from './currency-line.js';
import { askedOfOtherSign, decimalOf } from './decimal-sign.js';
import { askedOfHundredths, askedOfZeros } from './doubted-prices.js';
import { askedOfTax } from './doubted-tax.js';
import { askedOfWords } from './doubted-words.js';
import { remarksOf } from './given.js';
import { guessResource, type KnownResources, type ResourceSigns } from './guess-resource.js';
import { isListPath, withListPaths, withNamesOfCategories } from './list-paths.js';
import { namedColumns } from './named-columns.js';
import { parentsByNumber } from './parents-by-number.js';
import { askedOfParts } from './parts-of-records.js';
import {
  askAmong,
  type Choice,
  choicesIn,
  columnsOf,
  type Match,
  namesOf,
  type Question,
  questionOf,
  sureOf,
  telling,
} from './questions.js';
import { codeTier, tierOf } from './read-header.js';
import { partsOfRecords } from './record-parts.js';
import { categoryRemark } from './referred-sections.js';
import { askedOfPlaces } from './rows-of-places.js';
import { askedOfStock } from './stock-columns.js';
import { withTypedEntries } from './typed-entries.js';
import { withoutTypes } from './typed-members.js';
import { haveProducts, variantRecords } from './variant-records.js';
import { filledColumns, type ResourceGuess, writeSuggestion } from './write-suggestion.js';

/** The guess about a file. */
export interface Suggestion {
  readonly resource: string;
  /** The list within the records whose entries the mapping makes products. */
  readonly list: string | undefined;
  /** Field → column, of what is certain. */
  readonly fields: ReadonlyMap<string, string>;
  /** The fields that a person has to fill, and what is to be known to read the file: `encoding`, `decimal`. */
  readonly questions: readonly Question[];
  /** The decimal sign that the numbers of the file indicate, with the evidence. */
  readonly decimal: '.' | ',' | undefined;
  readonly decimalWhy: string;
  /** The mapping, as a YAML text. */
  readonly yaml: string;
  /** Whether it has sections that make what products refer to, so that it is for `run`. */
  readonly hasSections: boolean;
}

/**
 * Guesses the resource and columns of a file.
 * @param file the file's name, which may indicate its content
 * @param answers field → column, the code of the currency, or the decimal sign, of questions that were answered
 */
export function suggestMapping(
  inspected: Inspection,
  resources: KnownResources,
  file = '',
  answers: ReadonlyMap<string, string> = new Map(),
): Suggestion {
  // A file of records of several kinds has no header.
  const isOfKinds = inspected.ready?.isTable === false;
  const variants = isOfKinds ? undefined : variantRecords(inspected);
  const { records, first, columns: found } = variants?.inspection ?? inspected;
  const all = isOfKinds ? [] : found;
  const own = new Set(
    Object.values(resources).flatMap(({ fields }) =>
      Object.keys(fields).filter((name) => fields[name]?.kind === 'list'),
    ),
  );
  const plain = withTypedEntries(withNamesOfCategories(withListPaths(all), first), { first, records, own });
  const below = isOfKinds
    ? new Map<ColumnProfile, ColumnProfile>()
    : namedColumns(variants?.inspection ?? inspected, plain);
  const read = { ...(variants?.inspection ?? inspected), columns: plain };
  const parts = partsOfRecords(first);
  const signs = { file, hasVariants: haveProducts(parts) };
  const guess = withoutOtherCurrency(guessWithNames(read, below, resources, signs));
  const used = new Set([...guess.matched.values()].flatMap(columnsOf));
  const columns = [...plain, ...[...below.values()].filter((column) => used.has(column))];
  const inspection = { ...read, columns };
  const matched = [...guess.matched].flatMap(([field, match]) => {
    const single = ofSingleColumns(field, match, records);
    return single === undefined ? [] : [[field, single] as const];
  });
  const answered = columns.flatMap((sure) =>
    [...answers].flatMap(([field, column]) => (column === sure.name ? [[field, { sure }] as const] : [])),
  );
  // A column fills one field: the recommended price that was chosen as the price is no reference price next to it.
  const chosen = new Set(answered.map(([, { sure }]) => sure));
  const others = matched.flatMap(([field, match]) => {
    const open = choicesIn(match).filter(({ column }) => !chosen.has(column));
    return open.length === 0 ? [] : [[field, 'sure' in match ? match : { open }] as const];
  });
  const named = askedOfNames({ ...guess, matched: new Map<string, Match>(others) }, columns);
  const told = variants?.isDoubted ? askedOfEntries(named, variants.list) : named;
  const isOfProducts = guess.resource === 'products' && told.size > 0;
  const asked = isOfProducts ? askedOfCounts(guess, askedOfParts(told, columns, parts), columns, first) : told;
  const whole = /json/.test(inspected.found.format) ? askedOfHundredths(asked, columns) : asked;
  const priced = askedOfTax(askedOfWords(askedOfZeros(whole, columns, first)), columns, inspected.around);
  const sign = decimalOf(columns, new Map([...priced, ...answered]));
  const decimal = (['.', ','] as const).find((one) => one === answers.get('decimal')) ?? sign.decimal;
  const openSign = decimal === undefined ? sign.open : undefined;
  const best = { ...guess, matched: new Map([...askedOfOtherSign(priced, decimal), ...answered]) };
  const certain = [...best.matched].flatMap(([field, match]) =>
    'sure' in match ? [[field, variants?.paths.get(match.sure.name) ?? match.sure.name] as const] : [],
  );
  const { category } = best.descriptors;
  const isTable = inspected.found.delimiter !== undefined;
  const withSection = ({ column, remark }: Choice): Choice => ({
    column,
    remark: remarksOf(remark, category?.kind === 'reference' && categoryRemark(column, category, isTable)),
  });
  const questions = [...best.matched].flatMap(([field, match]) =>
    'open' in match
      ? [questionOf(field, field === 'category' ? match.open.map(withSection) : match.open, records)]
      : [],
  );
  const code = best.matched.has('currency') ? undefined : answers.get('currency');
  return {
    ...writeSuggestion(inspection, best, { questions, decimal, openSign, currency: code, parts, variants }),
    resource: best.resource,
    list: variants?.list,
    fields: new Map(certain),
    decimal,
    decimalWhy: sign.why,
  };
}

/** The matches, with questions about the stock: what no field surely has may be it. */
function askedOfCounts(
  { own }: ResourceGuess,
  matched: ReadonlyMap<string, Match>,
  columns: readonly ColumnProfile[],
  first: readonly ExampleRow[],
): ReadonlyMap<string, Match> {
  const taken = new Set([
    // A column `Stock` with more words than counts is a question, like a column with another header.
    ...[...own].flatMap(([path, name]) => (path === 'stock' ? [] : [name])),
    ...[...matched].flatMap(([field, match]) => (field === 'sku' && 'open' in match ? [] : namesOf(match))),
  ]);
  const free = columns.filter(({ name }) => !taken.has(name));
  return askedOfPlaces(askedOfStock(matched, { columns, free }), columns, first);
}

/** What products have as columns; then what they have below names are characteristics, but for a barcode. */
const wholeProduct = ['sku', 'name', 'price'];

/** The guess by the columns of records themselves, or by those below names as well. */
function guessWithNames(
  inspection: Inspection,
  below: ReadonlyMap<ColumnProfile, ColumnProfile>,
  resources: KnownResources,
  signs: ResourceSigns,
): ResourceGuess {
  const named = withoutTypes(inspection.columns);
  const guessOf = (columns: ReadonlyMap<ColumnProfile, ColumnProfile>) =>
    asInFile(guessResource({ ...inspection, columns: [...columns.keys()] }, resources, signs), columns);
  const own = guessOf(named);
  if (below.size === 0 || !['products', 'characteristics'].includes(own.resource)) return own;
  const all = guessOf(new Map([...named, ...below]));
  if (!wholeProduct.every((field) => own.matched.has(field)))
    return all.resource === 'products' ? { ...all, matched: withOwnKey(all.matched, own.matched, below) } : own;
  const ean = own.matched.has('ean') ? undefined : all.matched.get('ean');
  return ean === undefined ? own : { ...own, matched: new Map([...own.matched, ['ean', ean]]) };
}

/** The matches, with the key of the records themselves where what is below a name is not plainly one, but a `Model`. */
function withOwnKey(
  all: ReadonlyMap<string, Match>,
  own: ReadonlyMap<string, Match>,
  below: ReadonlyMap<ColumnProfile, ColumnProfile>,
): ReadonlyMap<string, Match> {
  const [key, ofRecords] = [all.get('sku'), own.get('sku')];
  const isModel = ([as, read]: readonly [ColumnProfile, ColumnProfile]) =>
    key !== undefined && columnsOf(key).includes(read) && tierOf(as.name, 'sku') >= codeTier;
  return ofRecords !== undefined && [...below].some(isModel) ? new Map([...all, ['sku', ofRecords]]) : all;
}

/** A guess about columns without types, with the columns as they are in the file. */
function asInFile(guess: ResourceGuess, named: ReadonlyMap<ColumnProfile, ColumnProfile>): ResourceGuess {
  const original = (column: ColumnProfile): ColumnProfile => named.get(column) ?? column;
  const names = new Map([...named].map(([one, { name }]) => [one.name, name]));
  const matched = [...guess.matched].map(([field, match]): [string, Match] => [
    field,
    'sure' in match
      ? { sure: original(match.sure) }
      : { open: match.open.map((choice) => inOriginal(choice, original(choice.column))) },
  ]);
  const own = new Map([...guess.own].map(([path, name]) => [path, names.get(name) ?? name]));
  return { ...guess, matched: new Map(matched), own };
}

/** A choice with the column as it is in the file, also where its remark says what to write. */
function inOriginal({ column, remark }: Choice, original: ColumnProfile): Choice {
  return { column: original, remark: remark?.replaceAll(JSON.stringify(column.name), JSON.stringify(original.name)) };
}

/** The matches; names that occur again are a question, as all records of a name would become one. A tree tells them apart. */
function askedOfNames(guess: ResourceGuess, columns: readonly ColumnProfile[]): ReadonlyMap<string, Match> {
  const { matched } = guess;
  const sure = guess.key === 'name' ? sureOf(matched.get('name')) : undefined;
  if (sure === undefined || sure.repeats === 0) return matched;
  const isTree =
    guess.resource === 'categories' && parentsByNumber(columns, filledColumns(guess), { sure }) !== undefined;
  if (isTree) return matched;
  const remark = 'records of one name become one; or several columns: { template: "{A} ({B})" }';
  return new Map([...matched, ['name', askAmong([sure], remark)]]);
}

/** The matches, with questions about the entries of a list that may be no products. */
function askedOfEntries(matched: ReadonlyMap<string, Match>, list: string): ReadonlyMap<string, Match> {
  const remark = `if each entry of ${JSON.stringify(list)} is a product of its own, else remove each`;
  const asked = ['sku', 'stock'].flatMap((field) => {
    const match = matched.get(field);
    return match === undefined ? [] : [[field, askAmong(columnsOf(match), remark)] as const];
  });
  return new Map([...matched, ...asked]);
}

/** Of several columns with one header none is certain: those of fields that matter are asked, others fill nothing. */
function ofSingleColumns(field: string, match: Match, records: number): Match | undefined {
  const isSeveral = (one: ColumnProfile): boolean => one.filled > records || (one.isSeveral && !isListPath(one.name));
  if (!columnsOf(match).some(isSeveral)) return match;
  const choices = choicesIn(match);
  const open = choices.map((choice) => ({ ...choice, ...(isSeveral(choice.column) && { remark: severalColumns }) }));
  return telling.has(field) ? { open } : undefined;
}

const severalColumns = 'several columns have this header: add take: first, or take: last';
