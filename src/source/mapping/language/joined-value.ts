// Values made of several: columns that are joined, and templates. The key of an item is not made where a part of it is lacking,
// since the rest could be the key of another record.
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { besideOf, moneyOf, SignedText } from '../values/known-number.js';
import { isPlainNumber } from '../values/plain-numbers.js';
import { type ColumnUse, columnOf } from './column-value.js';
import { longestText, tooLong } from './per-text.js';
import { type Context, type Evaluate, type MappedValue, toOne } from './scope.js';

/** What an empty part of a key is refused with; undefined where it may be empty. */
type Lack = (context: Context) => Problem | undefined;

/** Whether a value is an empty text, or a list without any text. */
export function hasNoText(value: MappedValue): boolean {
  return [value].flat().every((part) => part === '');
}

/** `columns: [A, B]`: the filled values as one list. @param words those of the expression, with its columns in `parts` */
export function joinedOf(
  readers: readonly Evaluate[],
  parts: readonly unknown[],
  words: Readonly<Record<string, unknown>>,
  { scope, target }: ColumnUse,
): Evaluate {
  const filled = (values: readonly MappedValue[]) => values.flat().filter((value) => value !== '');
  if (scope.keyOf !== 'item') return (context) => filled(readers.map((read) => read(context)));
  const lacks = parts.map((part) => lackOf(part, target));
  const [first] = parts;
  const source = typeof first === 'string' ? `column ${JSON.stringify(first)}` : 'the first of its columns';
  // Of the rows of an item, `aggregate` may choose one that has all parts of the key.
  if (words['aggregate'] === undefined) lacks[0] ??= () => sourceProblem('empty_key_begin', { source }, target);
  return wholeKey(readers, lacks, filled);
}

/** `template: "{A} {B}"`. */
export function templateOf(template: string, use: ColumnUse): Evaluate {
  const pieces = template.split(/\{([^{}]+)\}/);
  const isColumn = (i: number) => i % 2 === 1;
  const readers = pieces.map((piece, i) => (isColumn(i) ? columnOf(piece, use) : () => piece));
  const made = (values: readonly MappedValue[], context: Context): MappedValue => {
    const texts = values.map((value) => writtenIn(value, use.scope.numberSign));
    if (texts.reduce((sum, { length }) => sum + length, 0) > longestText) return tooLong(context, use.target);
    // A text made only of empty cells is empty, whatever is between them.
    const isFilled = texts.length === 1 || texts.some((text, i) => isColumn(i) && text !== '');
    const text = isFilled ? withoutGaps(texts) : '';
    const beside = besideOf(values);
    return beside.length > 0 && isPlainNumber(text) ? moneyOf(text, beside) : text;
  };
  if (use.scope.keyOf !== 'item')
    return (context) =>
      made(
        readers.map((read) => read(context)),
        context,
      );
  const lacks = pieces.map((piece, i) => (isColumn(i) ? lackOf(piece, use.target) : undefined));
  return wholeKey(readers, lacks, made);
}

/** A value in a text; a number that is known by the sign by which the text is read as a number. */
function writtenIn(value: MappedValue, sign: '.' | ',' | undefined): string {
  const one = toOne(value);
  if (typeof one === 'string') return one;
  if (one instanceof SignedText) {
    if (sign === undefined || sign === one.decimal) return one.text;
    return one.text.replace(/[.,]/g, (found) => (found === '.' ? ',' : '.'));
  }
  return sign === ',' ? one.text.replace('.', ',') : one.text;
}

/**
 * Joins the pieces of a template, of which those at odd places are values and stay as they are. Blanks before and after an
 * empty value do not add up, and the text begins and ends with none that the template has.
 */
function withoutGaps(texts: readonly string[]): string {
  let made = '';
  let valueEnd = 0;
  for (const [i, text] of texts.entries()) {
    if (i % 2 === 1) {
      made += text;
      if (text !== '') valueEnd = made.length;
    } else if (made === '') made = text.trimStart();
    else made += texts[i - 1] === '' && made.endsWith(' ') ? text.replace(/^ +/, '') : text;
  }
  return made.slice(0, valueEnd) + made.slice(valueEnd).trimEnd();
}

/** Makes a key, and refuses the record if a part of the key is empty. */
function wholeKey(
  readers: readonly Evaluate[],
  lacks: readonly (Lack | undefined)[],
  make: (values: readonly MappedValue[], context: Context) => MappedValue,
): Evaluate {
  return (context) => {
    let isRead = true;
    const refuse = (problem: Problem) => {
      isRead = false;
      context.refuse(problem);
    };
    const values = readers.map((read) => read({ ...context, refuse }));
    const made = make(values, context);
    // What is empty because it was refused, or without any part, is reported as such.
    if (!isRead || hasNoText(made)) return made;
    for (const [i, lack] of lacks.entries()) {
      const problem = lack !== undefined && hasNoText(values[i] ?? '') ? lack(context) : undefined;
      if (problem !== undefined) context.refuse(problem);
    }
    return made;
  };
}

/** What a key lacks without a part that is made of variables such as `$size`, unless a condition leaves it out. */
function lackOf(part: unknown, target: string): Lack | undefined {
  const variables = variablesOf(part);
  const [first] = variables;
  if (first === undefined) return undefined;
  const isByCondition = typeof part === 'object' && JSON.stringify(part).includes('"when":');
  return ({ own }) => {
    const empty = variables.find((name) => (own[name.slice(1)] ?? '') === '');
    const named = empty ?? (isByCondition ? undefined : first);
    return named === undefined ? undefined : sourceProblem('empty_key_part', { part: named }, target);
  };
}

/** The variables that give the value of an expression; those that a condition compares do not. */
function variablesOf(part: unknown): string[] {
  if (typeof part === 'string') return part.match(/^\$[^.[]+/) ?? [];
  const { column, json, from, template, columns, first, when } = Object(part) as Readonly<Record<string, unknown>>;
  const inTemplate =
    typeof template === 'string' ? [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name) : [];
  const inBranches = [when ?? []].flat().flatMap((branch) => [Object(branch).then, Object(branch).else]);
  return [column, json, from, inTemplate, columns, first, inBranches]
    .flat()
    .filter((one) => one !== undefined)
    .flatMap(variablesOf);
}
