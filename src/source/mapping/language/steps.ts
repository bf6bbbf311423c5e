// The steps of an expression, one function each: a value in, a value out. Lists are processed part by part.
import { numberProblem } from '../../../core/diagnostics/number-problems.js';
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { fold, nearestOfMany, quote } from '../../../core/text/text.js';
import { WrittenNumber } from '../../json/written-number.js';
import type { Expression as ColumnExpression, Condition, PathNames } from '../mapping.js';
import { rowsDisagree } from '../rows/aggregate.js';
import { besideBoth, besideOf, constantValue, madeOf, moneyOf, type OneValue } from '../values/known-number.js';
import { dateParser } from '../values/parse-date.js';
import { addNumbers, isPlainNumber, multiplyNumbers, roundNumber, shiftNumber } from '../values/plain-numbers.js';
import { type Limit, truncate } from '../values/truncate.js';
import { categoryNamer, categoryPath } from './category-namer.js';
import { compileCondition } from './condition.js';
import { dateForm } from './date-form.js';
import { cellOfKey, missedProblem } from './lookup-table.js';
import { numberStep } from './number-step.js';
import { longestText, perText, perValue, type Step, tooLong } from './per-text.js';
import { expressionOf, replaceStep } from './replace-step.js';
import { type MappedValue, type StepScope, toText } from './scope.js';
import { textSteps } from './text-steps.js';

type Words = Readonly<Record<string, unknown>>;

/** Makes a step from the value of its key. */
type Make = (given: unknown, about: StepScope, words: Words) => Step;

/** All steps by name. A new one of texts is a line of `text-steps.ts`; another one also has its word in `schema/expression-schema.ts`. */
const steps: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(
    Object.entries(textSteps).map(([word, [, change]]) => [word, (given: unknown) => perText(change(String(given)))]),
  ),
  replace: replaceStep,
  match: (given, about) => {
    const expression = expressionOf(String(given), about);
    return perText((text) => expression.match(text));
  },
  truncate: truncateStep,
  split: splitStep,
  starting: (given) => (value) => startingWith([value].flat(), String(given)),
  take: takeStep,
  join: (given) => (value, context) => {
    if (typeof value === 'string' || value instanceof WrittenNumber) return value;
    const filled = value.filter((part) => part !== '');
    if (filled.length === 1 && filled[0] instanceof WrittenNumber) return filled[0];
    const parts = filled.map(String);
    const length = parts.reduce((sum, part) => sum + part.length + String(given).length, 0);
    return length > longestText ? tooLong(context) : parts.join(String(given));
  },
  path: pathStep,
  default: (given, { member }) => {
    const constant = constantValue(given);
    if (member !== undefined)
      return (value) => {
        const places = [value].flat().map((part) => (part === '' ? constant : part));
        return Array.isArray(value) ? places : (places[0] as OneValue);
      };
    return (value) => ([value].flat().every((part) => part === '') ? constant : value);
  },
  map: mapStep,
  lookup: lookupStep,
  number: numberStep,
  date: dateStep,
  boolean: booleanStep,
  round: (given, about) => perNumber(about, (number) => roundNumber(number, Number(given))),
  shift: (given, about) => perNumber(about, (number) => shiftNumber(number, Number(given))),
  plus: withOther('plus', addNumbers),
  times: withOther('times', multiplyNumbers),
  when: whenStep,
};

export const stepNames: readonly string[] = Object.keys(steps);

/** `truncate: {bytes: 190}` or `{characters: 50}`; the number of truncated values is reported once. */
function truncateStep(given: unknown, about: StepScope): Step {
  const limit = given as Limit;
  const words = 'bytes' in limit ? `${limit.bytes} bytes` : `${limit.characters} characters`;
  return perText((text) => {
    const cut = truncate(text, limit);
    if (cut !== text) about.cut(about.source, words);
    return cut;
  });
}

export function compileStep(word: string, words: Words, about: StepScope): Step {
  const make = Object.hasOwn(steps, word) ? steps[word] : undefined;
  return make === undefined ? about.fail(about.place, `step "${word}" not found`) : make(words[word], about, words);
}

/** `split: ","`; where lists are read side by side, empty parts keep their places. */
function splitStep(given: unknown, { member, source, target }: StepScope): Step {
  const by = String(given);
  if (member === undefined) return (value) => splitEach(value, by);
  return (value, { refuse }) => {
    if (typeof value === 'string') return value.split(by).map((part) => part.trim());
    return [value].flat().map((entry) => {
      const parts = splitEach([entry], by);
      if (parts.length > 1)
        refuse(sourceProblem('list_in_part', { source, list: toText([entry]), count: parts.length }, target));
      return parts[0] ?? '';
    });
  };
}

/** The trimmed parts of a text, without empty ones. */
export function splitParts(text: string, by: string): string[] {
  return text
    .split(by)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The parts of a text, or of each text of a list. */
export function splitEach(value: MappedValue, by: string): OneValue[] {
  return [value].flat().flatMap((part) => {
    const parts = splitParts(toText([part]), by);
    return part instanceof WrittenNumber ? parts.map((text) => madeOf(part, text)) : parts;
  });
}

/** The parts that begin with a word, without it: the categories in `brand:Acme`, `category:Phones`. */
function startingWith(parts: readonly unknown[], word: string): string[] {
  return parts.map(String).flatMap((part) => (part.startsWith(word) ? [part.slice(word.length).trim()] : []));
}

type WhichPart = 'first' | 'last' | 'longest' | 'sum' | number;

/** One of the parts of a list, or the sum of all. */
function takeStep(given: unknown, about: StepScope, words: Words): Step {
  const which = given as WhichPart;
  if (which === 'sum') return sumStep(about, words);
  return (value) => {
    const parts = [value].flat().map((part) => (part instanceof WrittenNumber ? part : String(part)));
    if (which === 'longest')
      return parts.reduce((best, part) => (String(part).length > String(best).length ? part : best), '');
    return parts.at(which === 'first' ? 0 : which === 'last' ? -1 : which - 1) ?? '';
  };
}

/** The sum of the numbers of a list, which are read first. Empty parts add nothing. */
function sumStep({ fault: _, field: __, ...about }: StepScope, words: Words): Step {
  const read = numberStep(words['number'], about);
  return (value, context) => {
    const numbers = read(value, context);
    const [first, ...more] = [numbers]
      .flat()
      .map(String)
      .filter((number) => number !== '');
    return first === undefined ? '' : moneyOf(more.reduce(addNumbers, first), besideOf(numbers));
  };
}

/**
 * `path: ">"`: the name for a path, by the rule that names the mapping's categories, unless another one is given here.
 * A product's category keeps its ancestors, which are compared with the stored ones.
 */
function pathStep(given: unknown, about: StepScope, words: Words): Step {
  const own = words as PathNames;
  const rule: PathNames = own.name === undefined && own.names === undefined ? { ...about.paths, ...own } : own;
  const namer = categoryNamer(rule, about.repeated);
  return perText((text) => {
    const parts = splitParts(text, String(given)).slice(rule.drop ?? 0);
    return about.target === 'category' ? categoryPath(parts, namer) : namer(parts);
  });
}

/** `map: {"1": activated}`; other values are refused, unless `else` says keep, empty, or gives a value. */
function mapStep(given: unknown, about: StepScope, words: Words): Step {
  const named = Object.entries(given as Readonly<Record<string, unknown>>);
  const map = new Map(named.map(([from, to]) => [fold(from.trim()), constantValue(to)]));
  const otherwise = words['else'] === undefined ? 'refuse' : words['else'];
  const other = constantValue(otherwise);
  const nearest = nearestOfMany([...map.keys()]);
  return perValue((value, context) => {
    const text = String(value);
    const found = map.get(fold(text.trim()));
    if (found !== undefined) return found;
    if (otherwise === 'keep') return value;
    if (otherwise === 'empty') return '';
    if (otherwise !== 'refuse') return other;
    const near = nearest(text) ?? '';
    const params = { source: about.source, value: text, place: about.place, nearest: near };
    context.refuse(sourceProblem('value_not_mapped', params, about.target));
    return '';
  });
}

/** `lookup: {table: categories, column: name}`, by the value as key; `else` as of `map`. */
function lookupStep(given: unknown, about: StepScope, words: Words): Step {
  const { table, column } = given as { table: string; column: string };
  const looked = about.table(table, about.place);
  const { columns, missed } = looked;
  if (!columns.includes(column))
    about.fail(about.place, `the table ${table} has ${columns.join(', ')}, and no ${column}`);
  const otherwise = words['else'] === undefined ? 'refuse' : words['else'];
  const other = otherwise === 'empty' ? '' : constantValue(otherwise);
  return perValue((value, context) => {
    const text = String(value);
    const found = cellOfKey(looked, text, column, (first, second) => {
      const source = `${column} of ${quote(text)} in the table ${table}`;
      context.refuse(rowsDisagree(first, second, { source, field: about.target }));
    });
    const damaged = missed?.(text);
    if (damaged !== undefined) {
      context.refuse(missedProblem(damaged, { source: about.source, key: text, table }, about.target));
      return '';
    }
    if (found !== undefined) return found;
    if (otherwise === 'keep') return value;
    if (otherwise !== 'refuse') return other;
    context.refuse(sourceProblem('key_not_in_table', { source: about.source, value: text, table }, about.target));
    return '';
  });
}

/** A step for numbers that were read; anything else refuses the record. @param beside the currencies of what it adds */
function perNumber(
  { target, source }: StepScope,
  change: (number: string) => string,
  beside: ReturnType<typeof besideOf> = [],
): Step {
  return perValue((value, { refuse }) => {
    const text = String(value);
    if (!isPlainNumber(text)) {
      refuse(numberProblem({ kind: 'not_a_number' }, text, target, source));
      return '';
    }
    const all = besideBoth(besideOf(value), beside);
    return all.length === 0 ? madeOf(value, change(text)) : moneyOf(change(text), all);
  });
}

/**
 * `plus: column`, `times: column`: combines two numbers. Where one of them is empty, the other alone would be a wrong amount:
 * the record is refused. An empty amount has no product and takes no constant, so that it stays empty.
 */
function withOther(word: 'plus' | 'times', combine: (one: string, other: string) => string): Make {
  return (given, about) => {
    const other = about.operand(given as ColumnExpression, about.place);
    const isConstant = typeof given === 'object' && given !== null && 'value' in given;
    if (isConstant && !isPlainNumber(String(given.value)))
      about.fail(about.place, `${quote(String(given.value))} is not a number such as 12.50`);
    return (value, context) => {
      const operand = other(context);
      const second = toText(operand);
      if (second !== '' && !isPlainNumber(second))
        context.refuse(numberProblem({ kind: 'not_a_number' }, second, about.target, word));
      // A value that could not be read is refused for that reason alone, not as an empty one, too.
      if (context.isRefused?.() === true) return '';
      const isEmpty = toText(value) === '';
      if (isEmpty && (isConstant || word === 'times')) return '';
      if (isEmpty !== (second === '')) {
        const params = { source: about.source, word, side: isEmpty ? 'first' : 'second' } as const;
        context.refuse(sourceProblem('empty_operand', params, about.target));
        return '';
      }
      return perNumber(about, (one) => combine(one, second), besideOf(operand))(value, context);
    };
  };
}

/** `when: {of: Type, is: simple}`: the value counts only where the conditions hold. */
function whenStep(given: unknown, about: StepScope): Step {
  const tests = ([given].flat() as readonly Condition[]).map((one, i) =>
    compileCondition(one, about, `${about.place}[${i}]`),
  );
  return (value, context) => (tests.every((test) => test(context)) ? value : '');
}

/** `date: DD.MM.YYYY`, or several formats; with `zone` next to it. */
function dateStep(given: unknown, about: StepScope, words: Words): Step {
  const { formats, zone } = dateForm(given, words, { scope: about, place: about.place });
  const readers = formats.map((format) => dateParser(format, zone));
  return perText((text, context) => {
    for (const read of readers) {
      const seconds = read(text.trim());
      if (seconds !== undefined) return String(seconds);
    }
    context.refuse(sourceProblem('date_format', { source: about.source, value: text, formats }, about.target));
    return '';
  });
}

/** `boolean: {true: [ja], false: [nein]}`. */
function booleanStep(given: unknown, about: StepScope): Step {
  const words = given as { true?: readonly unknown[]; false?: readonly unknown[] };
  const fold1 = (list: readonly unknown[] = []) => new Set(list.map((word) => fold(String(word))));
  const yes = fold1(words.true);
  const no = fold1(words.false);
  return perText((text, context) => {
    const word = fold(text.trim());
    if (yes.has(word)) return 'true';
    if (no.has(word)) return 'false';
    const params = { source: about.source, value: text, place: about.place };
    context.refuse(sourceProblem('boolean_word', params, about.target));
    return '';
  });
}
