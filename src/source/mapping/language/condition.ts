// Compiles a condition of a mapping into a test of a record: those of `keep` and `skip`, and those of `when`.
import { numberProblem } from '../../../core/diagnostics/number-problems.js';
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { fold } from '../../../core/text/text.js';
import type { Choosing, Comparison, Condition, Expression } from '../mapping.js';
import { type DateSpan, isDuring, spanParser } from '../values/date-span.js';
import { compareNumbers, isPlainNumber } from '../values/plain-numbers.js';
import { dateForm } from './date-form.js';
import { expressionOf } from './replace-step.js';
import { type Context, type Scope, toText } from './scope.js';

/** Whether something holds for a record. */
export type Test = (context: Context) => boolean;

interface At {
  readonly scope: Scope;
  readonly place: string;
}

/** What a word such as `is` says of a value, which is given as it is written, and case-folded. */
type TextTest = (written: string, folded: string, context: Context) => boolean;

const foldedWords = (given: unknown) => new Set([given].flat().map((word) => fold(String(word).trim())));

const textWords: Readonly<Record<string, (given: unknown, at: At) => TextTest>> = {
  is: (given) => {
    const words = foldedWords(given);
    return (_, folded) => words.has(folded);
  },
  not: (given) => {
    const words = foldedWords(given);
    return (_, folded) => !words.has(folded);
  },
  contains: (given) => {
    const part = fold(String(given));
    return (_, folded) => folded.includes(part);
  },
  begins: (given) => {
    const start = fold(String(given));
    return (_, folded) => folded.startsWith(start);
  },
  empty: (given) => (written) => given === (written === ''),
  matches: (given, { scope, place }) => {
    const pattern = expressionOf(String(given), { fail: scope.fail, place });
    return (written) => pattern.test(written);
  },
  current: (given, at) => {
    const now = timeOf(at);
    return (period, _, context) => given === isCurrent(period, now, at, context);
  },
};

/** Words that can be told of a list as a whole: whether it has entries, or one that contains a text. */
const listWords = ['empty', 'contains'];

/** What the comparison of a value with a bound has to give. */
const numberWords: Readonly<Record<string, (order: number) => boolean>> = {
  over: (order) => order > 0,
  at_least: (order) => order >= 0,
  under: (order) => order < 0,
  at_most: (order) => order <= 0,
};

const dateWords: Readonly<Record<string, (date: DateSpan, bound: DateSpan) => boolean>> = {
  before: (date, bound) => date.from < bound.from,
  after: (date, bound) => date.until > bound.until,
};

/** Compiles a condition: every word of it has to hold. */
export function compileCondition(condition: Condition, scope: Scope, place: string): Test {
  // What a condition compares makes no value: only the branch that it chooses is shown.
  const inside = { ...scope, trace: undefined, isOfNumber: false };
  const tests =
    'of' in condition ? comparisons(condition, { scope: inside, place }) : combinations(condition, inside, place);
  return (context) => tests.every((test) => test(context));
}

/** `all`, `any` and `not`. */
function combinations(condition: Exclude<Condition, Comparison>, scope: Scope, place: string): Test[] {
  const of = (word: 'all' | 'any' | 'not'): Test[] =>
    [condition[word] ?? []].flat().map((one, i) => compileCondition(one, scope, `${place}.${word}[${i}]`));
  const [all, any, not] = [of('all'), of('any'), of('not')];
  return [
    (context) => all.every((test) => test(context)),
    ...(any.length > 0 ? [(context: Context) => any.some((test) => test(context))] : []),
    (context) => !not.some((test) => test(context)),
  ];
}

function comparisons(condition: Comparison, at: At): Test[] {
  const { of, ...words } = condition;
  const given = Object.entries(words);
  const texts = given.filter(([word]) => Object.hasOwn(textWords, word));
  return [
    ...(texts.length > 0 ? [textTest(of, texts, at)] : []),
    ...given.flatMap(([word, bound]) => {
      const about = { scope: at.scope, place: `${at.place}.${word}` };
      const [ofNumbers, ofDates] = [numberWords[word], dateWords[word]];
      if (ofNumbers !== undefined)
        return [
          orderTest(numberReader(of, at), boundOf(bound, about, numberReader), (a, b) =>
            ofNumbers(compareNumbers(a, b)),
          ),
        ];
      if (ofDates !== undefined)
        return [
          orderTest(dateReader(of, at), bound === 'now' ? momentOf(about) : boundOf(bound, about, dateReader), ofDates),
        ];
      return [];
    }),
  ];
}

function textTest(of: Expression, words: readonly (readonly [string, unknown])[], { scope, place }: At): Test {
  const takesLists = words.every(([word]) => listWords.includes(word));
  const value = scope.compile(of, { ...scope, takesLists, takesObjects: takesLists }, `${place}.of`, '');
  const tests = words.flatMap(([word, given]) => textWords[word]?.(given, { scope, place: `${place}.${word}` }) ?? []);
  return (context) => {
    const written = toText(value(context)).trim();
    const folded = fold(written);
    return tests.every((test) => test(written, folded, context));
  };
}

/** Reads a value to compare; undefined where it is empty, or was refused. */
type Operand<T> = (context: Context) => T | undefined;

/** A comparison holds for nothing that is empty. */
function orderTest<T>(value: Operand<T>, bound: Operand<T>, holds: (value: T, bound: T) => boolean): Test {
  return (context) => {
    const one = value(context);
    const other = one === undefined ? undefined : bound(context);
    return one !== undefined && other !== undefined && holds(one, other);
  };
}

/** The bound of a comparison: words are an expression, anything else is the value itself. */
function boundOf<T>(given: unknown, at: At, reader: (of: Expression, at: At) => Operand<T>): Operand<T> {
  return reader(typeof given === 'object' && given !== null ? (given as Expression) : { value: String(given) }, at);
}

/** Numbers, as the mapping reads those of fields: what is none refuses the record. */
function numberReader(of: Expression, { scope, place }: At): Operand<string> {
  const value = scope.compile(of, { ...scope, isAmount: true }, place, '');
  return (context) => {
    const told = incomparable(context);
    const number = toText(value(told));
    if (number === '' || isPlainNumber(number)) return number === '' ? undefined : number;
    told.refuse(numberProblem({ kind: 'not_a_number' }, number, '', place));
    return undefined;
  };
}

/** Dates by the format that `date` names, else of ISO 8601: what is none refuses the record. */
function dateReader(of: Expression, { scope, place }: At): Operand<DateSpan> {
  const words: Readonly<Record<string, unknown>> = typeof of === 'string' ? { column: of } : of;
  const { date = 'iso', zone: _, ...rest } = words;
  const { formats, zone } = dateForm(date, words, { scope, place });
  const parsers = formats.map((format) => spanParser(format, zone));
  const value = scope.compile(rest, scope, place, '');
  const { column } = rest;
  const source = column === undefined ? place : `column ${JSON.stringify(column)}`;
  return (context) => {
    const text = toText(value(context)).trim();
    if (text === '') return undefined;
    for (const read of parsers) {
      const span = read(text);
      if (span !== undefined) return span;
    }
    incomparable(context).refuse(sourceProblem('date_format', { source, value: text, formats }));
    return undefined;
  };
}

function momentOf(at: At): Operand<DateSpan> {
  const now = timeOf(at);
  return () => ({ from: now, until: now });
}

function timeOf({ scope, place }: At): number {
  return (
    scope.now ??
    scope.fail(place, 'the time of the run is not known; an example gives it with now: 2026-11-30T12:00:00Z')
  );
}

/** The context of a value that is compared: a text that is no number or date has a code of its own here. */
function incomparable(context: Context): Context {
  const refuse = (problem: Problem) =>
    context.refuse(problem.code === 'field_format' ? { ...problem, code: 'mapping_not_comparable' } : problem);
  return { record: context.record, own: context.own, refuse };
}

/** Whether the import runs within a period; a text that is none refuses the item. */
function isCurrent(period: string, now: number, { scope, place }: At, { refuse }: Context): boolean {
  if (period === '') return true;
  const isNow = isDuring(period, now, scope.read.zone ?? 'UTC');
  if (isNow === undefined) refuse(sourceProblem('date_format', { source: place, value: period, formats: ['iso/iso'] }));
  return isNow === true;
}

/**
 * Compiles `keep`, whose conditions must all be true, and `skip`, of which none may be. Undefined if neither is given.
 */
export function recordFilter({ keep, skip }: Choosing, scope: Scope, place: string): Test | undefined {
  const kept = [keep ?? []].flat().map((condition, i) => compileCondition(condition, scope, `${place}.keep[${i}]`));
  const skipped = [skip ?? []].flat().map((condition, i) => compileCondition(condition, scope, `${place}.skip[${i}]`));
  if (kept.length + skipped.length === 0) return undefined;
  return (context) => kept.every((test) => test(context)) && !skipped.some((test) => test(context));
}
