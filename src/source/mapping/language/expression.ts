// Compiles an expression of a mapping into a function from record to value. Names are bound once per file; per record, only
// compiled steps run.

import { numberProblem } from '../../../core/diagnostics/number-problems.js';
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import type { Field } from '../../../core/fields/fields.js';
import { numberFault } from '../../cells/number-fault.js';
import type { Expression } from '../mapping.js';
import type { MappingTrace, TraceStep } from '../mapping-trace.js';
import { ofNumbers } from '../rows/aggregate.js';
import { isPlainNumber } from '../values/plain-numbers.js';
import { isBranches } from './branches.js';
import type { Step } from './per-text.js';
import { computing, isModifier, refuseMisplaced, withNumbers } from './planned-steps.js';
import { type Evaluate, type Scope, type StepScope, shownValue, toText } from './scope.js';
import { sourceWords, startOf, tableWords } from './source-value.js';
import { compileStep } from './steps.js';

const sources = ['column', 'columns', 'first', 'value', 'template', 'from', 'json'] as const;

/** The words that give the value: one of `sources`, or `when` with branches. */
function sourcesOf(words: Readonly<Record<string, unknown>>): string[] {
  const named = sources.filter((source) => Object.hasOwn(words, source));
  return isBranches(words['when']) ? [...named, 'when'] : named;
}

/**
 * Compiles an expression.
 * @param place its position in the mapping file
 * @param target the path of its target, for messages
 * @param field the target field: a number without a step of its own gets one
 */
export function compileExpression(
  expression: Expression,
  scope: Scope,
  place: string,
  target: string,
  field?: Field,
): Evaluate {
  const words: Readonly<Record<string, unknown>> = typeof expression === 'string' ? { column: expression } : expression;
  const named = sourcesOf(words);
  if (named.length !== 1)
    scope.fail(place, `expected one of ${[...sources, 'when'].join(', ')}, found ${named.length}`);
  const source = named[0] ?? 'column';
  refuseMisplaced(words, source, (word, what) => scope.fail(`${place}.${word}`, what));
  const written = Object.keys(words).filter((word) => word !== source && !isModifier(word));
  const isAmount = scope.isAmount === true || isNumber(field) || ofNumbers.has(words['aggregate']);
  const {
    steps: given,
    isRead,
    isComputed,
  } = withNumbers(written, {
    number: words['number'],
    isAmount,
    isKnown: source === 'value' || source === 'when',
    fail: (what) => scope.fail(`${place}.number`, what),
  });
  const isNumeric = isComputed || (isAmount && !isRead);
  const givesNumber = isAmount || isComputed || scope.isOfNumber === true || Object.hasOwn(words, 'number');
  const isOfNumber = givesNumber && !makesOther(words);
  if (source === 'from' && (isOfNumber || !mayBeCurrency(target, field)))
    scope.fail(`${place}.from`, `"from" gives the currency next to an amount; ${columnWords(words['from'])}`);
  const takesObjects = scope.takesObjects ?? field?.kind === 'list';
  const takesLists =
    scope.takesLists === true || field?.kind === 'list' || listSteps.some((step) => Object.hasOwn(words, step));
  // A step that makes one value of a list does not need the places of its entries.
  const member = oneOfList.some((step) => Object.hasOwn(words, step)) ? undefined : scope.member;
  const inside = { ...scope, member, takesObjects, takesLists, aggregates: undefined, isAmount: false, isOfNumber };
  const again = (inner: Expression, at: string, lists = takesLists): Evaluate =>
    compileExpression(inner, { ...inside, takesLists: lists }, at, target);
  const operand = (inner: Expression, at: string): Evaluate =>
    compileExpression(inner, { ...inside, takesLists: false, isAmount: true }, at, target);
  const branch = (inner: Expression, at: string): Evaluate =>
    compileExpression(inner, { ...inside, isAmount: isNumeric }, at, target);
  const start = startOf(source, words, {
    scope: { ...inside, numberSign: numberSignOf(words, scope, isAmount || isComputed) },
    target,
    field,
    at: typeof expression === 'string' ? place : `${place}.${source}`,
    again: source === 'when' ? branch : again,
  });
  const about: StepScope = {
    ...scope,
    member,
    isAmount: false,
    isReadAgain: field === undefined || words['take'] === 'sum',
    place,
    source: beginOf(source, words, scope),
    target,
    operand,
  };
  let { source: from } = about;
  const { aggregate } = words;
  if (aggregate !== undefined && scope.aggregates?.(aggregate) !== true)
    scope.fail(
      `${place}.aggregate`,
      aggregate === 'first' ? aggregatesWhere : `${aggregatesWhere}; once: first takes no other than aggregate: first`,
    );
  // `take: sum` reads numbers, too: the later one of it and `number` gets numbers that were read.
  const [, readAgain] = given.filter(({ word }) => word === 'number' || (word === 'take' && words['take'] === 'sum'));
  const steps = given.map((one, i) => {
    const { word, number } = one;
    const isLast = i === given.length - 1 && field !== undefined;
    const more = isLast ? { field, fault: (number: string) => numberFault(number, field, 'yes') } : {};
    const all = { ...words, number: one === readAgain ? readBefore(number) : (number ?? true) };
    const step = compileStep(word, all, { ...about, ...more, source: from, place: `${place}.${word}` });
    if (word === 'lookup') {
      from = lookedUp(words) ?? from;
      if (givesNumber && !Object.hasOwn(words, 'map')) refuseCurrency(words, { scope, place });
    }
    return step;
  });
  const last = [
    ...(target === 'ean' || target === 'sku' ? [lostDigits(about)] : []),
    ...(field !== undefined && aggregate === undefined && computing.has(written.at(-1) ?? '')
      ? [tooPrecise(field, about)]
      : []),
  ];
  const run = written.some((word) => combining.has(word)) ? noting : inOrder;
  if (scope.trace === undefined) return run(start, [...steps, ...last]);
  const names = [
    { place, word: sourceWords(source, words) },
    ...given.map(({ word }) => ({ place: `${place}.${word}`, word })),
  ];
  const [begin, ...others] = traced([(_, context) => start(context), ...steps, ...last], names, scope.trace);
  return run((context) => begin?.('', context) ?? '', others);
}

/** The options of a `number` step after another one, which has applied the factor for numbers without a unit. */
function readBefore(number: unknown): unknown {
  const { units } = (number ?? {}) as { readonly units?: object };
  return units === undefined ? (number ?? true) : { ...(number as object), units: { ...units, '': 1 } };
}

/** Where the value of an expression comes from, in messages. */
export function originOf(expression: Expression, scope: Pick<Scope, 'origins'>): string {
  const words: Readonly<Record<string, unknown>> = typeof expression === 'string' ? { column: expression } : expression;
  return lookedUp(words) ?? beginOf(sourcesOf(words)[0] ?? 'column', words, scope);
}

/** The source with which an expression begins; of a variable, where that comes from. */
function beginOf(
  source: string,
  words: Readonly<Record<string, unknown>>,
  { origins = {} }: Pick<Scope, 'origins'>,
): string {
  const variable = source === 'column' ? /^\$(.+)/.exec(String(words['column']))?.[1] : undefined;
  const origin = variable !== undefined && Object.hasOwn(origins, variable) ? origins[variable] : undefined;
  return origin ?? sourceWords(source, words);
}

/** The column of a table that is looked up; undefined where the key may be kept instead. */
function lookedUp({ lookup, else: otherwise }: Readonly<Record<string, unknown>>): string | undefined {
  if (lookup === undefined || otherwise === 'keep') return undefined;
  const { table, column } = lookup as { readonly table: string; readonly column: string };
  return tableWords(table, column);
}

const aggregatesWhere =
  'aggregate is for rows that give one value: a field of a section with rows: or once:, or a column of a table';

/** Steps that make one text of a list. */
const oneOfList = ['take', 'join'] as const;

/** Steps that take a list. */
const listSteps = ['split', 'starting', ...oneOfList] as const;

/** Steps that combine the value with another one. */
const combining = new Set(['plus', 'times']);

/** Of the fields only some can hold a currency; `from` in another one was meant to give the value of a column. */
function mayBeCurrency(target: string, field: Field | undefined): boolean {
  return field === undefined || target === 'currency' || /^attributes\b/.test(target);
}

/** What is looked up or mapped is another value, such as the rate of a currency. */
function makesOther(words: object): boolean {
  return Object.hasOwn(words, 'lookup') || Object.hasOwn(words, 'map');
}

/** Whether an expression gives the currency next to an amount. */
export function givesCurrency(expression: Expression): boolean {
  return typeof expression === 'object' && Object.hasOwn(expression, 'from') && !makesOther(expression);
}

/** Refuses a currency that is looked up for a number. */
function refuseCurrency(
  { lookup }: Readonly<Record<string, unknown>>,
  { scope, place }: { readonly scope: Scope; readonly place: string },
): void {
  const { table, column } = lookup as { readonly table: string; readonly column: string };
  if (scope.table(table, place).currencies?.includes(column) === true)
    scope.fail(
      `${place}.lookup`,
      `${tableWords(table, column)} gives the currency next to an amount, by "from"; for an amount write column: there`,
    );
}

function columnWords(from: unknown): string {
  const written = typeof from === 'string' ? `{ column: ${JSON.stringify(from)} }` : 'column: in its place';
  return `for the value of the column write ${written}`;
}

function isNumber(field: Field | undefined): boolean {
  return field?.kind === 'decimal' || field?.kind === 'integer';
}

/** Refuses a computed number with more decimals than its field has, as only the mapping can round it. */
function tooPrecise(field: Field, about: StepScope): Step {
  return (value, context) => {
    const number = toText(value);
    const fault = isPlainNumber(number) ? numberFault(number, field, 'yes') : undefined;
    if (fault?.kind !== 'decimals') return value;
    context.refuse(numberProblem(fault, number, about.target));
    return '';
  };
}

/** Records numbers that a spreadsheet has rounded. */
function lostDigits(about: StepScope): Step {
  return (value) => {
    if (typeof value === 'string' && /^\d(?:[.,]\d+)?E\+\d+$/i.test(value)) about.digitsLost(about.source, value);
    return value;
  };
}

function inOrder(start: Evaluate, steps: readonly Step[]): Evaluate {
  if (steps.length === 0) return start;
  return (context) => {
    let value = start(context);
    for (const step of steps) value = step(value, context);
    return value;
  };
}

/** The same, where a step asks whether the value was refused. */
function noting(start: Evaluate, steps: readonly Step[]): Evaluate {
  const evaluate = inOrder(start, steps);
  return (context) => {
    let isRefused = false;
    const refuse = (problem: Problem) => {
      isRefused = true;
      context.refuse(problem);
    };
    return evaluate({ ...context, refuse, isRefused: () => isRefused });
  };
}

/** Steps that tell what they give. */
function traced(steps: readonly Step[], names: readonly Omit<TraceStep, 'value'>[], trace: MappingTrace): Step[] {
  return steps.map((step, i) => (value, context) => {
    const given = step(value, context);
    const name = names[i];
    if (name !== undefined) trace.step({ ...name, value: shownValue(given) });
    return given;
  });
}

/** The decimal sign by which the value is read as a number; undefined where it is none. */
function numberSignOf(words: Readonly<Record<string, unknown>>, scope: Scope, isAmount: boolean) {
  const { number } = words;
  if (number === undefined && !isAmount) return undefined;
  const own = typeof number === 'object' && number !== null ? (number as { decimal?: '.' | ',' }).decimal : undefined;
  return own ?? scope.read.decimal;
}
