// Expands one record into several parts: entries of a list, or several items. Each part is a set of variables that
// expressions refer to as `$name`, `$value` and so on.

import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { WrittenNumber } from '../../json/written-number.js';
import type { ExpandRule, Expression, PathRule } from '../mapping.js';
import { sideBySide } from '../member-path.js';
import type { OneValue } from '../values/known-number.js';
import { type CategoryNamer, categoryNamer } from './category-namer.js';
import { recordFilter } from './condition.js';
import { compileExpression, originOf } from './expression.js';
import { missedProblem } from './lookup-table.js';
import { type Context, type Evaluate, type MappedValue, type Scope, toOne, toText } from './scope.js';
import { tableWords } from './source-value.js';
import { splitEach, splitParts } from './steps.js';

type Own = Readonly<Record<string, OneValue>>;
type PathSpread = PathRule['each'];

/** The variables that an expansion defines, and its parts for a record. */
export interface Expander {
  readonly names: readonly string[];
  /** Where their values come from, in messages; not for those that are made of several texts. */
  readonly origins?: Readonly<Record<string, string>>;
  readonly of: (context: Context) => readonly Own[];
  readonly unpaired?: Scope['unpaired'];
}

/** Maximum parts of one record: a cell with more is damaged or hostile. */
const mostParts = 10_000;

/** Compiles one expansion, or several as nested loops. */
export function expander(each: ExpandRule | readonly ExpandRule[], scope: Scope, place: string): Expander {
  const list: readonly ExpandRule[] = Array.isArray(each) ? each : [each as ExpandRule];
  let inner = scope;
  const parts = list.map((spread, i) => {
    const one = oneSpread(spread, inner, Array.isArray(each) ? `${place}[${i}]` : place);
    inner = { ...inner, ...variables(inner, one) };
    return one;
  });
  return {
    names: parts.flatMap(({ names }) => names),
    origins: Object.assign({}, ...parts.map(({ origins }) => origins)),
    unpaired: parts.findLast(({ names }) => names.includes('value'))?.unpaired,
    of(context) {
      let found: readonly Own[] = [context.own];
      for (const part of parts) {
        found = found.flatMap((own) => part.of({ ...context, own }).map((more) => ({ ...own, ...more })));
        if (found.length > mostParts) {
          context.refuse(sourceProblem('too_many_parts', { most: mostParts }));
          return [];
        }
      }
      return found;
    },
  };
}

/** The variables that expressions have below an expansion, next to those around it. */
export function variables(
  { own, origins, unpaired }: Pick<Scope, 'own' | 'origins' | 'unpaired'>,
  spread: Expander | undefined,
): Pick<Scope, 'own' | 'origins' | 'unpaired'> {
  if (spread === undefined) return { own };
  const others = Object.entries(origins ?? {}).filter(([name]) => !spread.names.includes(name));
  return {
    own: [...own, ...spread.names],
    origins: { ...Object.fromEntries(others), ...spread.origins },
    unpaired: spread.names.includes('value') ? spread.unpaired : unpaired,
  };
}

/** An expansion with the filter of its parts. */
function oneSpread(spread: ExpandRule, scope: Scope, place: string): Expander {
  const all = allParts(spread, scope, place);
  const { of } = all;
  const keep = recordFilter(spread, { ...scope, ...variables(scope, all) }, place);
  if (keep === undefined) return all;
  return {
    ...all,
    of: (context) => of(context).filter((own) => keep({ ...context, own: { ...context.own, ...own } })),
  };
}

function allParts(spread: ExpandRule, scope: Scope, place: string): Expander {
  const value = (expression: Expression, word: string, takesLists = false): Evaluate =>
    compileExpression(expression, { ...scope, takesObjects: false, takesLists }, `${place}.${word}`, '');
  if ('split' in spread) {
    const list = value(spread.split, 'split', true);
    return {
      names: ['value'],
      origins: { value: originOf(spread.split, scope) },
      of: (context) => splitEach(list(context), spread.by).map((part) => ({ value: part })),
    };
  }
  if ('pairs' in spread) {
    const list = value(spread.pairs, 'pairs');
    const { by, equals } = spread;
    const source = originOf(spread.pairs, scope);
    return {
      names: ['name', 'value'],
      origins: { value: source },
      of: (context) => splitParts(toText(list(context)), by).map((part) => pairOf(part, equals)),
      unpaired(context, field) {
        const cell = toText(list(context));
        return cell.includes(equals) ? undefined : sourceProblem('pairs_without_sign', { source, cell, equals }, field);
      },
    };
  }
  if ('repeated' in spread) return repeatedColumns(spread, scope, place);
  if ('parallel' in spread) return parallelLists(spread, scope, place);
  if ('columns' in spread) return namedColumns(spread.columns, scope, place);
  if ('rows_of' in spread) return tableRows(spread.rows_of, value(spread.key, 'key'), scope, place);
  const path = value(spread.path, 'path');
  const namer = categoryNamer(spread, scope.repeated);
  return {
    names: ['name', 'parent'],
    of: (context) => {
      return splitPaths(toText(path(context)), spread).flatMap((parts) => levels(parts, namer));
    },
  };
}

/** The paths in a cell, each as its segments without the first `drop`. */
export function splitPaths(text: string, { list, separator, drop = 0 }: PathSpread): string[][] {
  const paths = list === undefined ? [text] : splitParts(text, list);
  return paths.map((path) => splitParts(path, separator).slice(drop));
}

function pairOf(part: string, equals: string): Own {
  const at = part.indexOf(equals);
  if (at === -1) return { name: part, value: '' };
  return { name: part.slice(0, at).trim(), value: part.slice(at + equals.length).trim() };
}

/** Every level of a path, the top first, so that parents come before their children. */
function levels(parts: readonly string[], namer: CategoryNamer): Own[] {
  return parts.map((_, i) => ({
    name: namer(parts.slice(0, i + 1)),
    parent: i === 0 ? '' : namer(parts.slice(0, i)),
  }));
}

/**
 * `Attribute {n} name`, `Attribute {n} value(s)`: each n for which there are columns. One that lacks some of them would
 * lose the values of the others, unless they are optional.
 */
function repeatedColumns(
  {
    repeated: patterns,
    optional,
  }: { readonly repeated: Readonly<Record<string, string>>; readonly optional?: boolean },
  scope: Scope,
  place: string,
): Expander {
  const names = Object.keys(patterns);
  // Counting starts at 0 or at 1, and how far it goes depends on the file.
  const firstOf = (pattern: string) => [1, 0].map((n) => pattern.replace('{n}', String(n)));
  for (const [name, pattern] of Object.entries(patterns))
    scope.named?.(firstOf(pattern), { place: `${place}.repeated.${name}`, optional: optional === true });
  const quiet = { ...scope, named: undefined };
  const sets: Evaluate[][] = [];
  for (let n = 0; n < 200; n++) {
    const columns = names.map((name) => (patterns[name] ?? '').replace('{n}', String(n)));
    if (columns.every((column) => scope.column(column) === undefined)) continue;
    const beside = optional === true ? [] : columns;
    beside.forEach((column, i) => {
      scope.named?.([column], { place: `${place}.repeated.${names[i]}`, beside });
    });
    sets.push(
      columns.map((column, i) => {
        const rule = optional === true ? { column, optional } : column;
        return compileExpression(rule, quiet, `${place}.repeated.${names[i]}`, '');
      }),
    );
  }
  if (sets.length === 0 && optional !== true)
    scope.noColumn((patterns[names[0] ?? ''] ?? '').replace('{n}', '1'), `${place}.repeated`);
  return {
    names,
    origins: originsOf(patterns, scope),
    of: (context) =>
      sets
        .map((set) => Object.fromEntries(set.map((read, i) => [names[i] ?? '', toOne(read(context))])))
        .filter((own) => Object.values(own).some((value) => value !== '')),
  };
}

/** `screen size|RAM` next to `13 inch|8GB`: the first with the first, the second with the second. */
function parallelLists(
  { parallel: lists, by }: Extract<ExpandRule, { readonly parallel: unknown }>,
  scope: Scope,
  place: string,
): Expander {
  const names = Object.keys(lists);
  const member = names.length > 1 ? sideBySide() : undefined;
  const readers = names.map((name) => {
    const list = lists[name] ?? '';
    // Each of several columns is one place in the list; otherwise a column is the list.
    const keepsPlaces = typeof list === 'object' && Object.hasOwn(list, 'columns');
    const within = { ...scope, member, takesObjects: false, keepsPlaces, takesLists: !keepsPlaces };
    return compileExpression(list, within, `${place}.parallel.${name}`, '');
  });
  return {
    names,
    origins: originsOf(lists, scope),
    of(context) {
      const columns = readers.map((read) => partsInOrder(read(context), by));
      const filled = columns.map((column) => (column.length === 1 && column[0] === '' ? 0 : column.length));
      const longest = Math.max(...filled);
      if (filled.some((length) => length !== longest && length > 0)) {
        context.refuse(sourceProblem('part_counts', { names, counts: filled.map(String) }));
        return [];
      }
      const parts = Array.from({ length: longest }, (_, i) =>
        Object.fromEntries(columns.map((column, at) => [names[at] ?? '', column[i] ?? ''])),
      );
      return parts.filter((own) => Object.values(own).some((text) => text !== ''));
    },
  };
}

function originsOf(values: Readonly<Record<string, Expression>>, scope: Scope): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, originOf(value, scope)]));
}

/** The parts of a list or a text; empty ones keep their position. */
function partsInOrder(value: MappedValue, by: string | undefined): OneValue[] {
  if (value instanceof WrittenNumber) return [value];
  if (typeof value !== 'string')
    return value.map((part) => (part instanceof WrittenNumber ? part : String(part ?? '').trim()));
  return by === undefined ? [value] : value.split(by).map((part) => part.trim());
}

/** Columns as entries: `{Farbe: Colour}` gives $name Colour and the column's cell as $value, if it is not empty. */
function namedColumns(columns: Readonly<Record<string, string>>, scope: Scope, place: string): Expander {
  const readers = Object.entries(columns).map(([column, name]) => {
    const read = compileExpression(column, scope, `${place}.columns.${column}`, '');
    return { name, read };
  });
  return {
    names: ['name', 'value'],
    origins: { value: originOf({ columns: Object.keys(columns) }, scope) },
    of: (context) =>
      readers.flatMap(({ name, read }) => {
        const value = toOne(read(context));
        return value === '' ? [] : [{ name, value }];
      }),
  };
}

function tableRows(table: string, key: Evaluate, scope: Scope, place: string): Expander {
  const { columns, rows, missed } = scope.table(table, `${place}.rows_of`);
  return {
    names: columns,
    origins: Object.fromEntries(columns.map((column) => [column, tableWords(table, column)])),
    of(context) {
      const id = toText(key(context));
      const damaged = missed?.(id);
      if (damaged === undefined) return (rows.get(id) ?? []).map(({ cells }) => cells);
      context.refuse(missedProblem(damaged, { source: '', key: id, table }));
      return [];
    },
  };
}
