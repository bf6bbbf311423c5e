// The sources with which an expression begins: a column, several of them, a constant, a template, branches.

import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { mayLoseForm, parseWritten, WrittenNumber } from '../../json/written-number.js';
import type { Expression, ValueBranch } from '../mapping.js';
import { memberReader } from '../member-path.js';
import { constantValue } from '../values/known-number.js';
import { currencyIn } from '../values/parse-number.js';
import { branchesOf } from './branches.js';
import { type ColumnUse, columnOf } from './column-value.js';
import { longestText, tooLong } from './per-text.js';
import { type Context, type Evaluate, type MappedValue, toOne, toText } from './scope.js';

/** The source of a value, in messages. */
export function sourceWords(source: string, words: Readonly<Record<string, unknown>>): string {
  const named = words[source];
  if (source === 'template') return `template ${JSON.stringify(named)}`;
  if (source === 'when') return 'when';
  if (source === 'value') return `value ${JSON.stringify(named)}`;
  if (source === 'from' && typeof named !== 'string') return 'currency';
  return Array.isArray(named)
    ? `columns ${named.map((name) => JSON.stringify(typeof name === 'string' ? name : (name as { column?: unknown }).column)).join(', ')}`
    : `column ${JSON.stringify(named)}`;
}

/** Compiles the source of an expression. */
export function startOf(
  source: string,
  words: Readonly<Record<string, unknown>>,
  {
    again,
    ...use
  }: Omit<ColumnUse, 'optional'> & { again: (inner: Expression, at: string, takesLists?: boolean) => Evaluate },
): Evaluate {
  const { at } = use;
  if (source === 'when') return branchesOf(words['when'] as readonly ValueBranch[], use.scope, { at, compile: again });
  const column: ColumnUse = { ...use, optional: words['optional'] === true };
  const named = words[source];
  if (source === 'value') {
    const constant = constantValue(named);
    return () => constant;
  }
  if (source === 'template') return templateOf(String(named), column);
  if (source === 'from') return currencyOf(again(named as Expression, at));
  if (source === 'column') return columnOf(String(named), column);
  if (source === 'json') return jsonOf(String(named), column);
  const parts = named as readonly Expression[];
  // A list in one column of a joined key would produce a different key.
  const each = source === 'columns' && use.scope.keyOf !== undefined ? withoutLists(column) : column;
  const readers = parts.map((one, i) =>
    typeof one === 'string' ? columnOf(one, each) : again(one, `${at}[${i}]`, each.scope.takesLists),
  );
  if (source === 'columns' && use.scope.keepsPlaces === true)
    return (context) => readers.map((read) => toText(read(context)));
  if (source === 'columns') {
    // Of the rows of an item, `aggregate` may choose one that has all parts of the key.
    const isKey = use.scope.keyOf === 'item' && words['aggregate'] === undefined;
    const [first] = parts;
    const begin = typeof first === 'string' ? `column ${JSON.stringify(first)}` : 'the first of its columns';
    const isWhole = isKey && !String(first).startsWith('$');
    return ofWholeParts(isWhole ? joinedKey(readers, begin, use.target) : joinedOf(readers), parts, column);
  }
  return (context) => {
    for (const read of readers) {
      const value = read(context);
      if (!isEmpty(value)) return value;
    }
    return '';
  };
}

/** Whether a value is an empty text, or a list without any text. */
function isEmpty(value: MappedValue): boolean {
  if (typeof value === 'string' || value instanceof WrittenNumber) return value === '';
  return value.every((part) => part === '');
}

/** `from: price`: the code of the currency next to an amount; an ambiguous sign as it is. */
function currencyOf(amount: Evaluate): Evaluate {
  return (context) => {
    const found = currencyIn(toText(amount(context)));
    if (found === undefined) return '';
    const [code, ...others] = found.codes;
    return code === undefined || others.length > 0 ? found.written : code;
  };
}

function withoutLists(use: ColumnUse): ColumnUse {
  return { ...use, scope: { ...use.scope, takesLists: false } };
}

function templateOf(template: string, use: ColumnUse): Evaluate {
  const parts = template.split(/\{([^{}]+)\}/);
  const single = withoutLists(use);
  const readers = parts.map((part, i) => (i % 2 === 1 ? columnOf(part, single) : () => part));
  const made: Evaluate = (context) => {
    let filled = false;
    let length = 0;
    const text = readers.map((read, i) => {
      const value = length > longestText ? '' : writtenIn(read(context), use.scope.numberSign);
      length += value.length;
      if (i % 2 === 1 && value !== '') filled = true;
      return value;
    });
    if (length > longestText) return tooLong(context, use.target);
    // A text made only of empty cells is empty, whatever is between them.
    return filled || parts.length === 1 ? text.join('').replace(/ {2,}/g, ' ').trim() : '';
  };
  const variables = parts.filter((_, i) => i % 2 === 1);
  return ofWholeParts(made, variables, use);
}

/** A value in a text; a number that is known by the sign by which the text is read as a number. */
function writtenIn(value: MappedValue, sign: '.' | ',' | undefined): string {
  const one = toOne(value);
  if (typeof one === 'string') return one;
  return sign === ',' ? one.text.replace('.', ',') : one.text;
}

function joinedOf(readers: readonly Evaluate[]): Evaluate {
  return (context) => filledOf(readers.map((read) => read(context)));
}

function filledOf(values: readonly MappedValue[]): readonly unknown[] {
  return values.flat().filter((value) => value !== '');
}

/** A key that is joined of several columns. Without the first of them, the others could be the key of another record. */
function joinedKey(readers: readonly Evaluate[], source: string, target: string): Evaluate {
  return (context) => {
    let isValid = true;
    const refuse = (problem: Problem) => {
      isValid = false;
      context.refuse(problem);
    };
    const values = readers.map((read) => read({ ...context, refuse }));
    const made = filledOf(values);
    if (isValid && isEmpty(values[0] ?? '') && !isEmpty(made))
      context.refuse(sourceProblem('empty_key_begin', { source }, target));
    return made;
  };
}

/** A key that is made of several values, of which those of a part (`$size`) must not be empty. */
function ofWholeParts(value: Evaluate, sources: readonly unknown[], { scope, target }: ColumnUse): Evaluate {
  const own = sources.filter((one): one is string => typeof one === 'string' && one.startsWith('$'));
  if (scope.keyOf !== 'item' || own.length === 0) return value;
  return (context) => {
    const made = value(context);
    const part = isEmpty(made) ? undefined : own.find((one) => (context.own[one.slice(1)] ?? '') === '');
    if (part !== undefined) context.refuse(sourceProblem('empty_key_part', { part }, target));
    return made;
  };
}

/** A column that holds JSON, and the rest of the path in it. */
interface JsonColumn {
  readonly column: string;
  readonly holdsText: (record: unknown) => boolean;
  readonly cell: Evaluate;
  /** @throws SyntaxError for a text that is no JSON */
  readonly inside: (context: Context, text: string) => MappedValue;
}

/** Reads a path in the JSON of a cell; the column is the longest beginning of the path that holds a text. */
function jsonOf(path: string, use: ColumnUse): Evaluate {
  const { scope, target, at, optional } = use;
  const beginnings = [...path.matchAll(/[.[]|$/g)].map(({ index }) => path.slice(0, index));
  const isOwn = path.startsWith('$');
  const readable = isOwn ? [] : beginnings.filter((one) => scope.column(one) !== undefined);
  const columns = (readable.length > 0 ? readable : beginnings.slice(0, 1)).map((one) => jsonColumn(one, path, use));
  const columnIn = (record: unknown) => columns.findLast(({ holdsText }) => holdsText(record)) ?? columns[0];
  if (!isOwn) {
    const ofAll = scope.ofAll === true;
    const names = columns.map(({ column }) => column);
    scope.named?.(names, { place: at, optional, ofAll });
    scope.named?.([path], { place: at, optional, ofAll, within: (record) => membersIn(columnIn(record), record) });
  }
  return (context) => {
    const found = columnIn(context.record);
    const text = found?.cell(context) ?? '';
    if (found === undefined || text === '') return '';
    try {
      return found.inside(context, String(text));
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      context.refuse(sourceProblem('json_in_cell', { column: found.column, value: String(text) }, target));
      return '';
    }
  };
}

function jsonColumn(column: string, path: string, use: ColumnUse): JsonColumn {
  const { scope } = use;
  const unwatched = { ...scope, named: undefined };
  const read = scope.column(column);
  // Signs of paths in the name of a column are none.
  const name = column.replace(/[.[\]]/g, '_');
  const member = memberReader(name + path.slice(column.length));
  const inside = columnOf(path, { ...use, word: 'json', scope: { ...unwatched, column: () => member } });
  return {
    column,
    holdsText: (record) => typeof read?.(record) === 'string',
    cell: columnOf(column, { ...use, scope: { ...unwatched, takesObjects: true } }),
    inside: (context, text) => inside({ ...context, record: { [name]: parsed(text) } }),
  };
}

/** @throws SyntaxError for a text that is no JSON */
function parsed(text: string): unknown {
  return mayLoseForm(text) ? parseWritten(text) : JSON.parse(text);
}

/** The members of a record's JSON by the path of its column; undefined where the cell is empty or no JSON. */
function membersIn(found: JsonColumn | undefined, record: unknown): unknown {
  const text = found?.cell({ record, own: {}, refuse: () => undefined }) ?? '';
  if (found === undefined || text === '') return undefined;
  try {
    return { [found.column]: parsed(String(text)) };
  } catch {
    return undefined;
  }
}
