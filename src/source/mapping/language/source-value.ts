// The sources with which an expression begins: a column, several of them, a constant, a template, branches.

import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { shownText } from '../../csv/number-cells.js';
import { mayLoseForm, parseWritten, WrittenNumber } from '../../json/written-number.js';
import type { Expression, ValueBranch } from '../mapping.js';
import { memberReader } from '../member-path.js';
import { besideOf, constantValue } from '../values/known-number.js';
import { currencyIn } from '../values/parse-number.js';
import { branchesOf } from './branches.js';
import { type ColumnUse, columnOf } from './column-value.js';
import { refuseGuessed } from './guessed-words.js';
import { hasNoText, joinedOf, templateOf } from './joined-value.js';
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

/** The source of a value that is looked up, in messages. */
export function tableWords(table: string, column: string): string {
  return `column ${JSON.stringify(column)} of the table ${table}`;
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
  refuseGuessed(source, words, use.scope, at);
  if (source === 'when') return branchesOf(words['when'] as readonly ValueBranch[], use.scope, { at, compile: again });
  const column: ColumnUse = { ...use, optional: words['optional'] === true };
  const named = words[source];
  if (source === 'value') {
    const constant = constantValue(named);
    return () => constant;
  }
  if (source === 'template') return templateOf(String(named), withoutLists(column));
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
    return (context) => readers.map((read) => toOne(read(context)));
  if (source === 'columns') return joinedOf(readers, parts, words, column);
  if (use.scope.member !== undefined) return firstInPlaces(readers);
  return (context) => {
    for (const read of readers) {
      const value = read(context);
      if (!hasNoText(value)) return value;
    }
    return '';
  };
}

/** `first` of lists that are read side by side: what is empty in a place is taken from the next list. */
function firstInPlaces(readers: readonly Evaluate[]): Evaluate {
  return (context) => {
    let made: MappedValue = '';
    for (const read of readers) {
      if (made !== '' && [made].flat().every((part) => part !== '')) break;
      made = filledFrom(made, read(context));
    }
    return made;
  };
}

function filledFrom(value: MappedValue, other: MappedValue): MappedValue {
  if (!Array.isArray(value) || (hasNoText(value) && Array.isArray(other))) return hasNoText(value) ? other : value;
  return value.map((part, i) => (part === '' ? (Array.isArray(other) ? (other[i] ?? '') : other) : part));
}

/** `from: price`: the code of the currency next to an amount; an ambiguous sign as it is. */
function currencyOf(amount: Evaluate): Evaluate {
  return (context) => {
    const value = amount(context);
    const [found = currencyIn(value instanceof WrittenNumber ? shownText(value) : toText(value))] = besideOf(value);
    if (found === undefined) return '';
    const [code, ...others] = found.codes;
    return code === undefined || others.length > 0 ? found.written : code;
  };
}

function withoutLists(use: ColumnUse): ColumnUse {
  return { ...use, scope: { ...use.scope, takesLists: false } };
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
  const member = (scope.member ?? memberReader)(name + path.slice(column.length));
  const inside = columnOf(path, { ...use, word: 'json', scope: { ...unwatched, column: () => member } });
  return {
    column,
    holdsText: (record) => typeof read?.(record) === 'string',
    cell: columnOf(column, { ...use, scope: { ...unwatched, member: undefined, takesObjects: true } }),
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
