// Questions of a suggestion: fields that several columns could fill, with what the values of each say.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { haveSameValues, relate } from './compare-columns.js';
import { columnWith, given, remarksOf } from './given.js';
import { isListPath } from './list-paths.js';
import { tierOf } from './read-header.js';
import { falseIsEmpty, valueSteps, wordSteps } from './value-steps.js';

/** A field that a person has to fill, or how the file is read. */
export interface Question {
  readonly field: string;
  readonly candidates: readonly QuestionCandidate[];
  /** What else can be the answer, in words. */
  readonly form?: string | undefined;
}

/** What could fill the field: a column, or one value for all records. */
export type QuestionCandidate = ColumnCandidate | ValueCandidate;

interface ValueCandidate {
  readonly value: string;
  /** What speaks for it. */
  readonly relation: string;
}

interface ColumnCandidate {
  readonly column: string;
  /** The share of records with a value, from 0 to 1. */
  readonly filled: number;
  readonly min: number | null;
  readonly max: number | null;
  /** How its amounts relate to those of the other candidates, or what else is to be known. */
  readonly relation: string | null;
}

/** A column that could fill a field, with what its header says, where that matters. */
export interface Choice {
  readonly column: ColumnProfile;
  readonly remark?: string | undefined;
}

/** What is known of a field: its column, or the columns between which a person has to choose. */
export type Match = { readonly sure: ColumnProfile } | { readonly open: readonly Choice[] };

/** The match of a field that one of several columns fills, the first of those with the same values; undefined without any. */
export function matchOf(columns: readonly ColumnProfile[]): Match | undefined {
  const [sure, ...more] = columns;
  if (sure === undefined) return undefined;
  const others = more.filter((one) => !haveSameValues(one, sure));
  return others.length === 0 ? { sure } : askAmong([sure, ...others]);
}

/** The match of a field between whose columns a person has to choose. */
export const askAmong = (columns: readonly ColumnProfile[], remark?: string): Match => ({
  open: columns.map((column) => ({ column, remark })),
});

/** The column that surely is that of a field. */
export const sureOf = (match: Match | undefined): ColumnProfile | undefined =>
  match !== undefined && 'sure' in match ? match.sure : undefined;

export function choicesIn(match: Match): readonly Choice[] {
  return 'sure' in match ? [{ column: match.sure }] : match.open;
}

export function columnsOf(match: Match | undefined): readonly ColumnProfile[] {
  return match === undefined ? [] : choicesIn(match).map(({ column }) => column);
}

export const namesOf = (match: Match): string[] => columnsOf(match).map(({ name }) => name);

/** The question which of several columns fills a field. */
export function questionOf(field: string, choices: readonly Choice[], records: number): Question {
  const columns = choices.map(({ column }) => column);
  const candidates = choices.map(({ column, remark }) => {
    const isNumber = numberFields.has(field);
    const others = isNumber ? columns.filter((other) => other !== column).slice(0, mostRelations) : [];
    const relations = others.flatMap((other) => relate(column, other).words ?? []);
    const ofFalses = column.falses > 0 ? [falseIsEmpty] : [];
    const isStepped = field === 'weight' || column.indian > 0 || wordSteps(column, field).length > 0;
    const steps = isStepped ? valueSteps(field, column) : ofFalses;
    const relation = remarksOf(
      remark,
      steps.length > 0 && `write ${columnWith(column.name, ...steps)}`,
      ...relations,
      ...(field === 'sku' || column.range === undefined ? distinctness(column) : []),
    );
    // `F-8` is a code, and not minus eight francs.
    const range = isNumber || column.priced === 0 ? column.range : undefined;
    return {
      column: column.name,
      filled: records === 0 ? 0 : Math.min(1, column.filled / records),
      min: range?.[0] ?? null,
      max: range?.[1] ?? null,
      relation: relation ?? null,
    };
  });
  const isShared = field === 'sku' && columns.some(({ repeats }) => repeats > 0);
  const without = `without the line no ${field} is imported`;
  const forms: Readonly<Record<string, string | undefined>> = {
    stock: `${sumOf(columns)}${candidates.length > 1 ? together : ''}${without}`,
    status: without,
    description: without,
    category: without,
    ean: without,
    price_compare: without,
    sku: isShared ? shared : undefined,
  };
  const form = forms[field];
  return { field, candidates, form };
}

/** What adds up the counts of elements or entries by place: `stock[@place=N]`, `stocks[place=N].qty`. */
function sumOf(columns: readonly ColumnProfile[]): string {
  const [whole = '', ...more] = new Set(
    columns.map(({ name }) => name.replace(/\[@[^\]=]+=[^\]]*\]$/, '').replace(/\[[^@\]=]+=[^\]]*\]/, '[]')),
  );
  const isOfAll = more.length === 0 && columns.length > 1 && tierOf(whole, 'stock') !== -1;
  return isOfAll ? `or all: { column: ${JSON.stringify(whole)}, take: sum }; ` : '';
}

const together =
  'or both together: { column: "A", plus: { column: "B" } }; or one less another: plus: { column: "B", times: { value: "-1" } }; ';
const shared =
  'records that share it become one, with the values of the last; or several columns: { template: "{A}-{B}" }';
const mostRelations = 2;
const numberFields: ReadonlySet<string> = new Set(['price', 'price_compare', 'stock']);

/** What tells about keys and texts. */
function distinctness({ repeats, samples }: ColumnProfile): string[] {
  return [repeats === 0 ? 'all different' : `${repeats} repeated`, `such as ${samples.slice(0, 2).join(', ')}`];
}

/** A question as lines of a mapping. */
export function askedLines(question: Question): string[] {
  return [`  ${question.field}: ?   # which one is it?`, ...questionLines(question).map((line) => `  #   ${line}`)];
}

/** The lines below a question: its candidates, and what else can be the answer. */
export const questionLines = ({ field, candidates, form }: Question): string[] =>
  given(...candidates.map((candidate) => candidateLine(candidate, field)), form);

function candidateLine(candidate: QuestionCandidate, field: string): string {
  if ('value' in candidate) {
    const { value, relation } = candidate;
    return `${field === 'currency' ? `{ value: ${value} }` : JSON.stringify(value)}: ${relation}`;
  }
  const { column, filled, min, max, relation } = candidate;
  const range = min !== null && `${min} to ${max}`;
  const facts = given(`${Math.floor(filled * 100)} % filled`, range, relation ?? undefined);
  const take = field === 'stock' ? 'sum' : 'first';
  const expression = columnWith(column, isListPath(column) && `take: ${take}`);
  return `${expression}: ${facts.join(', ')}`.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** `offers[condition=new].quantity` */
export const typedEntry = /^(.*)\[[^\]=]+=[^\]]*\]\.(.+)$/;

/** Fields of which the first of several values would be a guess. */
export const telling: ReadonlySet<string> = new Set(['sku', 'name', 'price', 'price_compare', 'stock']);

/** The match of a field; one of several entries of a record is asked about. */
export function askedOfLists(field: string, match: Match): Match {
  const sure = sureOf(match);
  if (sure === undefined || !telling.has(field) || !isListPath(sure.name)) return match;
  const outer = sure.name.split('[].', 1)[0] ?? '';
  const remark = `${outer} is a list in some records: take: first, or a section with each`;
  return askAmong([sure], remark);
}
