// Suggests a mapping: guesses the resource of a file, and which of its columns fills which field, by words in the
// languages of suppliers. The guess is written as a mapping for a person to correct.
import type { Fields } from '../../../core/fields/fields.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { refusalColumns } from '../../column-targets.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { Inspection } from '../../inspection/inspect-file.js';
import { currencyIn } from '../values/parse-number.js';
import { matchColumns, ownColumns, plainWord } from './match-columns.js';
import { parentsByNumber } from './parents-by-number.js';
import { resourceFileWords, resourceHeaderWords } from './resource-words.js';
import { statusSteps } from './status-steps.js';
import { valueSteps, weightUnitStep } from './value-steps.js';

/** The guess about a file. */
export interface Suggestion {
  /** The name of the resource. */
  readonly resource: string;
  /** Field → column. */
  readonly fields: ReadonlyMap<string, string>;
  /** The decimal sign that the numbers of the file indicate, with the evidence. */
  readonly decimal: '.' | ',' | undefined;
  readonly decimalWhy: string;
  /** The mapping, as a YAML text. */
  readonly yaml: string;
  /** Whether nothing in a file of products names their currency. */
  readonly lacksCurrency: boolean;
}

/** A file with more records than this is not a list of categories or characteristics, unless other evidence says so. */
const manyRecords = 2_000;

/** Fields that tell that records are products, where there are at least two of them. */
const productTraits = ['price', 'stock', 'ean'];

interface ResourceGuess {
  readonly resource: string;
  readonly key: string;
  /** Field → column. */
  readonly matched: ReadonlyMap<string, string>;
  /** Columns named as this program names fields, including entries of lists: they are used as they are. */
  readonly own: ReadonlyMap<string, string>;
  readonly score: number;
}

/**
 * Guesses the resource and columns of a file.
 * @param resources the resources by their names for `to:`
 * @param file the file's name, which may indicate its content
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
    const own = new Map(ownColumns(columns, fields));
    // A column of keys without a key would refuse every record.
    if (columns.some(({ name, filled }) => name === own.get(key) && filled === 0)) own.delete(key);
    const matched = matchColumns(columns, fields, own, resource === 'products' ? key : undefined);
    const words = (resourceHeaderWords[resource] ?? []).filter((word) =>
      headers.some((header) => header.includes(word)),
    ).length;
    // What only products have, in whatever language its headers are.
    const traits = resource === 'products' ? productTraits.filter((field) => matched.has(field)).length : 0;
    const hits = traits > 1 ? Math.max(words, traits) : words;
    const byName = (resourceFileWords[resource] ?? []).some((word) => name.includes(word)) ? 1.5 : 0;
    const byCount = resource === 'products' && records > manyRecords ? 0.8 : 0;
    const byKey = matched.has(key) ? 1 : 0;
    const byRating =
      resource === 'reviews' &&
      hasRating(columns) &&
      !matchColumns(columns, resources['products']?.fields ?? {}, new Map(), undefined).has('price')
        ? 2
        : 0;
    const byOwn = [...own.keys()].reduce((sum, path) => sum + (path.includes('[') ? 2 : 0.2), 0);
    return {
      resource,
      key,
      matched,
      own,
      score: hits + byName + byCount + byKey + byRating + byOwn + matched.size / 100,
    };
  });
  const likeliest = guesses.reduce((one, other) => (other.score > one.score ? other : one));
  const isBlank = likeliest.matched.size === 0 && likeliest.own.size === 0;
  const best = (isBlank && guesses.find((guess) => guess.resource === 'products')) || likeliest;
  const { decimal, why } = decimalOf(columns, best.matched);
  const yaml = yamlOf(inspection, best, decimal);
  const lacksCurrency = yaml.includes(unknownCurrency);
  return { resource: best.resource, fields: best.matched, decimal, decimalWhy: why, yaml, lacksCurrency };
}

/** Whether a column contains ratings from 1 to 5: those of a review, if there is no price beside them. */
function hasRating(columns: readonly ColumnProfile[]): boolean {
  return columns.some(
    ({ name, filled, samples }) =>
      filled > 0 &&
      /^(?:rating|stars|score|bewertung|note)/.test(plainWord(name)) &&
      samples.every((one) => /^[1-5]$/.test(one)),
  );
}

const amountsHave = (count: number): string => (count === 1 ? '1 amount has' : `${groupDigits(count)} amounts have`);

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
      why: `${amountsHave(point)} a decimal point, ${groupDigits(comma)} a comma: each is read by itself`,
    };
  const grouped = (sign: 'point' | 'comma') => watched.reduce((total, facts) => total + facts.grouped[sign], 0);
  if (either > 0 && grouped('point') > 0 !== grouped('comma') > 0) {
    const [decimal, groups] = grouped('point') > 0 ? ([',', 'points'] as const) : (['.', 'commas'] as const);
    return {
      decimal,
      why: `in amounts such as ${decimal === ',' ? '1.234.567' : '1,234,567'} ${groups} group thousands`,
    };
  }
  const why =
    either > 0
      ? `${groupDigits(either)} amounts such as 1.234 could have either: set decimal:`
      : 'no amount has decimals';
  return { decimal: undefined, why };
}

/** What is below the line of a product's category. */
const aboutCategories =
  '  # Categories have to be there already: import them first (help mapping: Categories from paths), or leave the line out.';

/** The column that titles of sections fill. */
const sectionColumn = 'Section';

function yamlOf(
  { found, columns, records, pageWords, sectionRows, unitRow }: Inspection,
  { resource, key, matched, own }: ResourceGuess,
  decimal: string | undefined,
): string {
  const isBook = found.compression === 'xlsx';
  const read = [
    ...(isBook ? [] : [`  format: ${found.format}`]),
    ...(isBook || found.encoding === 'utf-8' ? [] : [`  encoding: ${found.encoding}`]),
    ...(found.sheet === undefined ? [] : [`  sheet: ${JSON.stringify(found.sheet)}`]),
    ...(found.skip === undefined ? [] : [`  skip: ${found.skip}`]),
    ...(found.place === undefined
      ? []
      : [`  ${found.format === 'xml' ? 'record' : 'items'}: ${JSON.stringify(found.place)}`]),
    ...(found.delimiter === undefined || isBook ? [] : [`  delimiter: ${JSON.stringify(found.delimiter)}`]),
    ...(pageWords.length === 0 ? [] : [`  leave_out: ${JSON.stringify(pageWords)}   # page headers and totals`]),
    ...(sectionRows === undefined
      ? []
      : [`  sections: ${sectionColumn}   # the title above rows: ${sectionRows.first}`]),
    ...(decimal === undefined
      ? ['  # decimal: ","    # what could be either is refused until this says it']
      : [`  decimal: ${JSON.stringify(decimal)}`]),
  ];
  const tree = resource === 'categories' ? parentsByNumber(columns, matched) : undefined;
  const all = new Map([...matched, ...[...own].filter(([path]) => !matched.has(path))]);
  if (tree !== undefined && !all.has('reference')) all.set('reference', tree.id);
  const used = new Set(all.values());
  const fields = [...all].map(([field, column]) => {
    const given = tree?.fields.get(field);
    if (given !== undefined) return `  ${field}: ${given}`;
    const facts = columns.find(({ name }) => name === column);
    const name = matched.has(field) ? field : JSON.stringify(column.trim());
    const seldom = facts !== undefined && facts.filled < records / 2 && field !== key && own.get(field) === undefined;
    const ofValues = valueSteps(field, facts);
    const unit = field === 'weight' && ofValues.length === 0 ? weightUnitStep(columns) : undefined;
    const steps = [
      ...ofValues,
      ...(unit === undefined ? [] : [unit]),
      // Several values for one field would be joined.
      ...(isListed(facts) && found.delimiter === undefined ? ['take: first'] : []),
      ...(field === 'status' ? statusSteps(facts) : []),
      ...(seldom ? ['optional: true'] : []),
    ];
    const text = JSON.stringify(column);
    const line = `  ${name}: ${steps.length === 0 ? text : `{ column: ${text}, ${steps.join(', ')} }`}${note(facts)}`;
    return field === 'category' && resource === 'products' ? `${line}\n${aboutCategories}` : line;
  });
  if (sectionRows !== undefined && resource === 'products' && !matched.has('category'))
    fields.push(`  category: ${sectionColumn}   # ${sectionRows.first}`);
  if (!matched.has(key)) fields.unshift(`  # ${key}: which column is it?`);
  if (resource === 'products' && !matched.has('currency')) fields.push(currencyLine(matched.get('price'), columns));
  const rest = columns.filter(({ name, filled }) => filled > 0 && !used.has(name) && !refusalColumns.includes(name));
  return [
    '# A suggestion by catalog-import inspect: read it, correct it.',
    '# optional: true stands where a column is seldom filled, and may be missing in another delivery.',
    ...(tree?.table ?? []),
    `to: ${resource}`,
    // Without any word it would be empty.
    read.every((line) => line.trimStart().startsWith('#')) ? 'read: {}' : 'read:',
    ...read,
    ...keylessLine(
      columns.find(({ name }) => name === all.get(key)),
      records,
    ),
    ...(unitRow === undefined
      ? []
      : [
          `skip: { of: ${JSON.stringify(unitRow.column)}, is: ${JSON.stringify(unitRow.unit)} }   # units below the header`,
        ]),
    'fields:',
    ...fields,
    ...(rest.length === 0 ? [] : ['# Columns that fill nothing yet:']),
    ...rest.map((facts) => `#   ${JSON.stringify(facts.name)}${note(facts)}`),
    '',
  ].join('\n');
}

/** Records without a key would be refused, so they are skipped: rows of photos, of totals. */
function keylessLine(facts: ColumnProfile | undefined, records: number): string[] {
  if (facts === undefined || facts.filled >= records || facts.filled === 0) return [];
  const missing = records - facts.filled;
  const said = missing === 1 ? '1 record has' : `${missing} records have`;
  return [`# skip: { of: ${JSON.stringify(facts.name)}, empty: true }   # ${said} none and would be refused`];
}

/** Whether a column holds lists of plain values. */
function isListed(facts: ColumnProfile | undefined): boolean {
  return facts?.samples.some((sample) => /^\[["\d]/.test(sample)) === true;
}

const unknownCurrency = '  # currency: { value: … }   # which one is it? A new product needs it';

/**
 * The currency: beside the amounts, in a header, or beside other amounts of the file. If nothing names it, none is
 * suggested.
 */
function currencyLine(price: string | undefined, columns: readonly ColumnProfile[]): string {
  const own = columns.find(({ name }) => name === price);
  const codesOf = (samples: readonly string[]) => new Set(samples.map((sample) => onlyCode(sample)));
  const inCells = codesOf(own?.samples ?? []);
  if (inCells.size > 0 && !inCells.has(undefined)) return `  currency: { from: ${JSON.stringify(price)} }`;
  const named = [own, ...columns].flatMap((column) => (column === undefined ? [] : [...namedBy(column)]));
  const [code] = named;
  if (code !== undefined && new Set(named).size === 1) return `  currency: { value: ${code} }   # is it this one?`;
  return unknownCurrency;
}

/** The only currency that a column of amounts names in its header or beside its samples. */
function namedBy({ name, samples, priced, numbers }: ColumnProfile): string[] {
  if (numbers.plain + numbers.point + numbers.comma + numbers.either === 0) return [];
  const codes = priced > 0 ? samples.map(onlyCode) : /[\s,(_-]/.test(name) ? [onlyCode(name)] : [];
  return codes.flatMap((code) => code ?? []);
}

function onlyCode(text: string): string | undefined {
  const codes = currencyIn(text)?.codes ?? [];
  return codes.length === 1 ? codes[0] : undefined;
}

/** A sample as a comment after a line, so that one need not look at the file again. */
function note(facts: ColumnProfile | undefined): string {
  const sample = facts?.samples[0];
  return sample === undefined ? '' : `   # ${sample.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 40)}`;
}
