// Writes a suggestion as a mapping: what is certain, what is asked, and what fills nothing yet.
import type { Fields } from '../../../core/fields/fields.js';
import { refusalColumns } from '../../column-targets.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { Inspection } from '../../inspection/inspect-file.js';
import { isListed, takeStep } from './column-kinds.js';
import { currencyLine } from './currency-line.js';
import { currencySteps } from './currency-values.js';
import { columnWith, given } from './given.js';
import { isListPath } from './list-paths.js';
import { listSections } from './list-sections.js';
import { namedValues } from './named-values.js';
import { parentsByNumber } from './parents-by-number.js';
import { quantitySteps } from './price-quantities.js';
import { askedLines, columnsOf, type Match, type Question } from './questions.js';
import { readLines, readQuestions, sectionColumn } from './read-lines.js';
import { categorySteps, customersAndOrders, parentsElsewhere, referredSections } from './referred-sections.js';
import { requiredQuestions } from './required-fields.js';
import { rowLines } from './row-lines.js';
import { statusSteps } from './status-steps.js';
import { valueSteps } from './value-steps.js';
import type { VariantRecords } from './variant-records.js';
import { unitNote, weightUnitStep } from './weight-columns.js';

/** A resource with the columns of its fields. */
export interface ResourceGuess {
  readonly resource: string;
  readonly key: string;
  readonly descriptors: Fields;
  /** Field → its column, or those between which a person has to choose. */
  readonly matched: ReadonlyMap<string, Match>;
  /** Columns named as this program names fields, including entries of lists: they are used as they are. */
  readonly own: ReadonlyMap<string, string>;
  readonly score: number;
}

interface WrittenSuggestion {
  readonly yaml: string;
  readonly hasSections: boolean;
  readonly questions: readonly Question[];
}

export function writeSuggestion(
  inspection: Inspection,
  guess: ResourceGuess,
  found: {
    readonly questions: readonly Question[];
    readonly decimal: string | undefined;
    /** An amount that could have either sign, where nothing tells it. */
    readonly openSign: string | undefined;
    /** The code of the currency that a person gave. */
    readonly currency: string | undefined;
    /** What is inside the records, at any depth. */
    readonly parts: readonly ColumnProfile[];
    /** Where the records are in lists of others. */
    readonly variants: VariantRecords | undefined;
  },
): WrittenSuggestion {
  const { columns, sectionRows } = inspection;
  const { resource, matched } = guess;
  const filled = filledColumns(guess);
  const tree = resource === 'categories' ? parentsByNumber(columns, filled, matched.get('name')) : undefined;
  // Also where a question says which column has the names.
  if (tree !== undefined && !filled.has('name')) filled.set('name', '');
  if (tree !== undefined && !filled.has('reference')) filled.set('reference', tree.id);
  const sections = tree === undefined ? sectionsBefore(guess, filled, inspection) : [];
  const hasTitles = sectionRows !== undefined && resource === 'products' && !matched.has('category');
  if (hasTitles) sections.push(['- to: categories', ...titleSection]);
  const isNamed = matched.size > 0;
  const isOfProducts = resource === 'products' && isNamed;
  // The parts of records have their plain members among them.
  const inside = found.parts.filter(({ name }) => !columns.some((one) => one.name === name));
  const whole = { columns: [...columns, ...inside], records: inspection.records, around: inspection.around };
  const currency =
    isOfProducts && !matched.has('currency')
      ? currencyLine(columnsOf(matched.get('price')), whole, found.currency)
      : undefined;
  const used = new Set([...filled.values(), ...[...matched.values()].flatMap(columnsOf).map(({ name }) => name)]);
  const unused = columns.filter(({ name, filled: count }) => count > 0 && !used.has(name));
  const hasValues = [...filled.keys()].some((path) => path.startsWith('attributes'));
  const named =
    isOfProducts && !hasValues ? namedValues(inspection.first, unused, (name) => used.has(name)) : undefined;
  const { amounts = [] } = named ?? {};
  const without = amounts.length === 0 ? '' : `   # without amounts of money: ${amounts.join(', ')}`;
  if (named !== undefined)
    sections.push([
      '- to: characteristics',
      `  each: ${named.each}${without}`,
      '  once: first',
      '  fields: { name: $name }',
    ]);
  const free = unused.filter(({ name }) => named?.reads(name) !== true);
  const questions = [
    ...found.questions,
    ...(isNamed
      ? requiredQuestions(guess, new Set([...filled.keys(), ...matched.keys()]), free, inspection.records)
      : []),
    ...(currency && 'question' in currency ? [currency.question] : []),
  ];
  const reading = readQuestions(inspection, found.openSign);
  const ofTree = tree === undefined ? undefined : questions.find(({ field }) => field === 'name');
  const fields = [
    ...(isNamed ? [] : [`  # ${guess.key}: which column is it?`]),
    ...[...filled].map(([field, column]) => {
      const looked = tree?.fields.get(field);
      if (looked !== undefined) return `  ${field}: ${looked}`;
      const line = fieldLine(field, column, { inspection, guess });
      return field === 'order_item_external_id' ? `  # ${line.trim()}; ${linesOfOrders}` : line;
    }),
    ...(named === undefined
      ? []
      : ['  attributes:', `    each: ${named.each}`, '    entry: { type: $name, value: $value }']),
    ...questions.filter((one) => one !== ofTree).flatMap(askedLines),
    ...(hasTitles ? [`  category: ${sectionColumn}   # ${sectionRows.first}`] : []),
  ];
  const body = [
    ...(found.variants === undefined ? rowLines(inspection, guess.key, filled) : []),
    'fields:',
    ...fields,
    ...(currency && 'line' in currency ? [currency.line] : []),
  ];
  body.unshift(...variantLines(body, found.variants?.paths));
  const isSeveral = sections.length > 0;
  const lines = [
    '# yaml-language-server: $schema=mapping.schema.json',
    '# Editors complete and check it by that file: catalog-import schema mapping > mapping.schema.json',
    '# A suggestion by catalog-import inspect: read it, correct it.',
    ...readyLines(inspection),
    ...(questions.length + reading.length === 0
      ? []
      : ['# Write the right one in place of each ?: until then nothing is imported.']),
    '# optional: true marks columns that are seldom filled, and may be missing in another delivery.',
    ...(tree?.table(ofTree === undefined ? [] : askedLines(ofTree)) ?? []),
    ...(isSeveral ? [] : [`to: ${resource}`]),
    ...readLines(inspection, found.decimal, reading),
    ...(isSeveral
      ? ['import:', ...[...sections, [`- to: ${resource}`, ...body.map(indented)]].flat().map(indented)]
      : body),
    ...unusedLines([
      ...free.map((one) => ({ ...one, name: found.variants?.paths.get(one.name) ?? one.name })),
      ...(found.variants?.hidden ?? []),
    ]),
    '',
  ];
  return { yaml: lines.join('\n'), hasSections: isSeveral, questions: [...questions, ...reading] };
}

function readyLines({ ready }: Inspection): string[] {
  return ready === undefined
    ? []
    : [`# For ${ready.name} the project has a ready mapping: fixtures/maps/${ready.map}.`];
}

/** The lines of an order are one list, of which reviews name some. */
const linesOfOrders = 'for orders that are in the catalog with their lines (catalog-import shop load orders)';

const indented = (line: string): string => `  ${line}`;
const titleSection = [
  `  skip: { of: ${sectionColumn}, empty: true }`,
  '  once: first',
  `  fields: { name: ${sectionColumn} }`,
];

/** The sections that make what the records refer to. */
function sectionsBefore(
  { resource, descriptors, matched }: ResourceGuess,
  filled: ReadonlyMap<string, string>,
  { columns, listed, found }: Inspection,
): string[][] {
  if (resource === 'reviews') return customersAndOrders(filled);
  const isTable = found.delimiter !== undefined;
  return [
    ...(resource === 'categories' ? parentsElsewhere(filled.get('parent'), matched.get('name'), columns) : []),
    ...referredSections(descriptors, filled, columns, isTable),
    ...listSections(descriptors, filled, { columns, listed, isTable }),
  ];
}

/** Field → column, of what is certain; columns named as this program names fields are used as they are. */
export function filledColumns({ matched, own }: ResourceGuess): Map<string, string> {
  const sure = [...matched].flatMap(([field, match]) => ('sure' in match ? [[field, match.sure.name] as const] : []));
  const taken = new Set(sure.map(([, column]) => column));
  return new Map([...sure, ...[...own].filter(([path, column]) => !matched.has(path) && !taken.has(column))]);
}

/** The lists whose entries are the records, as far as the lines of fields name them. */
function variantLines(body: readonly string[], paths: VariantRecords['paths'] = new Map()): string[] {
  const read = [...paths].filter(([name]) => body.some((line) => line.includes(JSON.stringify(name))));
  const lists = read.map(([name, path]) => `    ${name.slice(1)}: ${JSON.stringify(path)}`);
  return lists.length === 0 ? [] : ['each:   # one product each', '  parallel:', ...lists];
}

interface SuggestionContext {
  readonly inspection: Inspection;
  readonly guess: ResourceGuess;
}

/** The line of a field, with the steps that its values and those of other columns ask for. */
function fieldLine(field: string, column: string, { inspection, guess }: SuggestionContext): string {
  const { columns, records, found } = inspection;
  const facts = columns.find(({ name }) => name === column);
  const descriptor = guess.descriptors[field];
  const name = guess.matched.has(field) ? field : JSON.stringify(column.trim());
  const seldom =
    facts !== undefined && facts.filled < records / 2 && field !== guess.key && guess.own.get(field) === undefined;
  const ofValues = valueSteps(field, facts);
  const unit = field === 'weight' && ofValues.length === 0 ? weightUnitStep(facts, columns) : undefined;
  const isSeveral =
    facts !== undefined &&
    (isListPath(column) || facts.isSeveral || (isListed(facts) && found.delimiter === undefined));
  const steps = [
    ...ofValues,
    // A weight has three decimals at most.
    ...given(unit, field === 'weight' && ofValues.length === 0 && (facts?.longestFraction ?? 0) > 3 && 'round: 3'),
    // Several values for one field would be joined. The section of the categories reads those of a list so, too.
    ...(facts !== undefined && field === 'category' && guess.resource === 'products'
      ? categorySteps(facts, isSeveral)
      : isSeveral
        ? [field === 'stock' ? 'take: sum' : takeStep(facts)]
        : []),
    ...(facts !== undefined && descriptor?.kind === 'choice' ? statusSteps(facts, descriptor) : []),
    ...(facts !== undefined && field === 'currency' ? currencySteps(facts) : []),
    ...(facts !== undefined && /^price/.test(field) && ofValues.length === 0 ? quantitySteps(facts, columns) : []),
    ...(seldom ? ['optional: true'] : []),
  ];
  return `  ${name}: ${columnWith(column, ...steps)}${note(facts)}${field === 'weight' ? unitNote(facts, columns) : ''}`;
}

function unusedLines(free: readonly ColumnProfile[]): string[] {
  const rest = free.filter(({ name }) => !refusalColumns.includes(name));
  if (rest.length === 0) return [];
  return [
    '# Columns that fill nothing yet:',
    ...rest.map((facts) => `#   ${JSON.stringify(facts.name)}${note(facts)}`),
  ];
}

/** A sample as a comment after a line, so that one need not look at the file again. */
function note(facts: ColumnProfile | undefined): string {
  const sample = facts?.samples[0];
  return sample === undefined ? '' : `   # ${sample.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 40)}`;
}
