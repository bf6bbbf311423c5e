// Compiles an expression of a mapping into a function from record to value. Names are bound once per file; per record, only
// compiled steps run.

import type { NumberFault } from '../../../core/diagnostics/number-problems.js';
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import type { Field } from '../../../core/fields/fields.js';
import { numberFault } from '../../cells/number-fault.js';
import type { NameUse } from '../../named-members.js';
import type { Expression, PathNames, ReadRule } from '../mapping.js';
import type { MappingTrace, TraceStep } from '../mapping-trace.js';
import { ofNumbers, type RowPlace } from '../rows/aggregate.js';
import type { CurrencyRead } from '../values/parse-number.js';
import { isBranches } from './branches.js';
import type { LookupTable } from './lookup-table.js';
import type { Step } from './per-text.js';
import { sourceWords, startOf } from './source-value.js';
import { compileStep } from './steps.js';

/** The input of an expression. */
export interface Context {
  /** The record as it was read: the cells of a row, or an object. */
  readonly record: unknown;
  /** Variables such as `$name`, defined by an expansion. */
  readonly own: Readonly<Record<string, string>>;
  /** Where the record is, if it is one of several. */
  readonly place?: RowPlace;
  /** Reports a value that cannot be mapped: the item will be refused. */
  readonly refuse: (problem: Problem) => void;
  /** Collects the currencies next to amounts, to compare them with that of the item. */
  readonly currencies?: SeenCurrency[];
}

/** A currency sign or code next to an amount. */
export interface SeenCurrency {
  readonly about: Pick<StepScope, 'source' | 'target'>;
  readonly text: string;
  readonly currencies: readonly CurrencyRead[];
}

/** Text, a list of texts, or a list of a JSON record; '' for nothing. */
export type MappedValue = string | readonly unknown[];

/** Evaluates to a value for a record. */
export type Evaluate = (context: Context) => MappedValue;

/** How the names in expressions are resolved. */
export interface Scope {
  /** Reads a column from a record; undefined for an unknown column. */
  readonly column: (name: string) => ((record: unknown) => unknown) | undefined;
  /** Whether a table has a column of exactly this name; of other records, that is not known. */
  readonly isColumn: (name: string) => boolean;
  /** Notes that a column is named, or several of which one suffices; undefined where that is known already. */
  readonly named?: ((names: readonly string[], use: NameUse) => void) | undefined;
  /** Whether an `aggregate` means something: several rows give one value. */
  readonly aggregates?: ((how: unknown) => boolean) | undefined;
  /** Whether expressions are read of every record, and not only of those that are kept. */
  readonly ofAll?: boolean;
  /** Sets the field that the following columns are for; '' for none. */
  readonly filling: (path: string) => void;
  /** Fails for an unknown column, with the most similar one. */
  readonly noColumn: (name: string, place: string) => never;
  /** The variables of the expansion. */
  readonly own: readonly string[];
  /** Whether the value is a number, whatever it fills: one that is compared, or a branch of a number. */
  readonly isAmount?: boolean | undefined;
  /** The decimal sign, if the value is read as a number. */
  readonly numberSign?: '.' | ',' | undefined;
  /** Whether a value may be an object or a list of objects: for filling a list, and for comparing. */
  readonly takesObjects?: boolean | undefined;
  /** Whether the empty ones of several columns keep their places in the list. */
  readonly keepsPlaces?: boolean | undefined;
  /** Whether a value may be a list of several: otherwise the record is refused, since one of them would be a guess. */
  readonly takesLists?: boolean | undefined;
  /**
   * The rows of a table.
   * @throws CatalogError `usage` for an unknown table
   */
  readonly table: (name: string, place: string) => LookupTable;
  readonly read: ReadRule;
  /** When the import runs, in Unix seconds. */
  readonly now: number | undefined;
  /** Keeps each step with what it gives; undefined where nobody looks at them. */
  readonly trace?: MappingTrace | undefined;
  /** How categories are named from their paths in this mapping. */
  readonly paths: PathNames | undefined;
  /** Last parts of paths, folded, that occur under several parents. */
  readonly repeated: ReadonlySet<string>;
  /** Fails with a position in the mapping file. */
  readonly fail: (place: string, what: string) => never;
  /** Counts a number such as 8,72E+12, which a spreadsheet has rounded. */
  readonly digitsLost: (column: string, value: string) => void;
  /** Counts a value that was cut to a limit. */
  readonly cut: (source: string, limit: string) => void;
  /** Counts a detected decimal sign. */
  readonly decided: (column: string, sign: '.' | ',') => void;
}

/** The scope for compiling steps. */
export interface StepScope extends Scope {
  /** The position of the step in the mapping file. */
  readonly place: string;
  /** The column, or another source of the value, in messages. */
  readonly source: string;
  /** The field that is filled. */
  readonly target: string;
  /** Checks a plain number against the field it fills; only for the last step. */
  readonly fault?: (number: string) => NumberFault | undefined;
  /** That field. */
  readonly field?: Field;
  /** Compiles an operand: an expression that gives a number. */
  compile(expression: Expression, place: string): Evaluate;
}

const sources = ['column', 'columns', 'first', 'value', 'template', 'from', 'json'] as const;

/** The words that give the value: one of `sources`, or `when` with branches. */
function sourcesOf(words: Readonly<Record<string, unknown>>): string[] {
  const named = sources.filter((source) => Object.hasOwn(words, source));
  return isBranches(words['when']) ? [...named, 'when'] : named;
}

/** Keys that belong to a step next to them. */
const modifiers = new Set(['aggregate', 'else', 'zone', 'optional', 'name', 'names', 'drop']);

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
  const takesObjects = scope.takesObjects ?? field?.kind === 'list';
  const takesLists =
    scope.takesLists === true || field?.kind === 'list' || listSteps.some((step) => Object.hasOwn(words, step));
  const isAmount = scope.isAmount === true || isNumber(field) || ofNumbers.has(words['aggregate']);
  const inside = { ...scope, takesObjects, takesLists, aggregates: undefined, isAmount: false };
  const again = (inner: Expression, at: string): Evaluate => compileExpression(inner, inside, at, target);
  const operand = (inner: Expression, at: string): Evaluate =>
    compileExpression(inner, { ...inside, takesLists: false, isAmount: true }, at, target);
  const isRead = Object.hasOwn(words, 'number') || Object.hasOwn(words, 'date');
  const branch = (inner: Expression, at: string): Evaluate =>
    compileExpression(inner, { ...inside, isAmount: isAmount && !isRead }, at, target);
  const start = startOf(source, words, {
    scope: { ...inside, numberSign: numberSignOf(words, scope, isAmount) },
    target,
    field,
    at: typeof expression === 'string' ? place : `${place}.${source}`,
    again: source === 'when' ? branch : again,
  });
  const about: StepScope = {
    ...scope,
    isAmount: false,
    place,
    source: sourceWords(source, words),
    target,
    compile: operand,
  };
  const given = Object.keys(words).filter((word) => word !== source && !modifiers.has(word));
  const { aggregate } = words;
  if (aggregate !== undefined && scope.aggregates?.(aggregate) !== true)
    scope.fail(
      `${place}.aggregate`,
      aggregate === 'first' ? aggregatesWhere : `${aggregatesWhere}; once: first takes no other than aggregate: first`,
    );
  // A number without a step of its own is parsed before steps that calculate, and after those that change its text.
  if (isAmount && !isRead && source !== 'value' && source !== 'when') {
    const computes = given.findIndex((word) => computing.has(word));
    given.splice(computes === -1 ? given.length : computes, 0, 'number');
  }
  const steps = given.map((word, i) => {
    const isLast = i === given.length - 1 && field !== undefined;
    const more = isLast ? { field, fault: (number: string) => numberFault(number, field, 'yes') } : {};
    const all = Object.hasOwn(words, word) ? words : { ...words, number: true };
    return compileStep(word, all, { ...about, ...more, place: `${place}.${word}` });
  });
  const last = target === 'ean' || target === 'sku' ? [lostDigits(about)] : [];
  if (scope.trace === undefined) return inOrder(start, [...steps, ...last]);
  const names = [{ place, word: about.source }, ...given.map((word) => ({ place: `${place}.${word}`, word }))];
  const [begin, ...others] = traced([(_, context) => start(context), ...steps, ...last], names, scope.trace);
  return inOrder((context) => begin?.('', context) ?? '', others);
}

const aggregatesWhere =
  'aggregate is for rows that give one value: a field of a section with rows: or once:, or a column of a table';

/** Steps that make one text of a list. */
const listSteps = ['split', 'starting', 'take', 'join'] as const;

/** Steps that calculate. */
const computing = new Set(['round', 'shift', 'plus', 'times']);

function isNumber(field: Field | undefined): boolean {
  return field?.kind === 'decimal' || field?.kind === 'integer';
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

/** Steps that tell what they give. */
function traced(steps: readonly Step[], names: readonly Omit<TraceStep, 'value'>[], trace: MappingTrace): Step[] {
  return steps.map((step, i) => (value, context) => {
    const given = step(value, context);
    const name = names[i];
    if (name !== undefined) trace.step({ ...name, value: given });
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

/** A value as one text. */
export function toText(value: MappedValue): string {
  return typeof value === 'string'
    ? value
    : value
        .filter((part) => part !== '' && part !== undefined && part !== null)
        .map((part) => String(part))
        .join(', ');
}
