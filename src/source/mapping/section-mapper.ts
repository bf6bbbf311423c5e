// Compiles a section of a mapping for one file: records in, items out. Filters, groups and expands records; expressions
// compute the values of fields, and the row mapper coerces them, as it does without a mapping.

import { joinProblems } from '../../core/diagnostics/join-sentences.js';
import type { Problem } from '../../core/diagnostics/refusal-codes.js';
import { problemOfRow } from '../../core/diagnostics/row-phrase.js';
import { sourceProblem } from '../../core/diagnostics/source-problems.js';
import { type Entry, unreadableEntry } from '../../core/entry.js';
import type { WrittenAmount } from '../../core/fields/currencies.js';
import type { RecordKey } from '../../core/fields/record-key.js';
import { amountInOtherCurrency } from '../../core/planning/amount-currency.js';
import { nearest } from '../../core/text/text.js';
import type { ValueSyntax } from '../cells/coerce-value.js';
import { appendableLists, columnTarget, writtenMembers } from '../column-targets.js';
import type { RowPlace } from '../file-place.js';
import { rowMapper } from '../row-mapper.js';
import { columnsRead } from './keyless-entry.js';
import { recordFilter } from './language/condition.js';
import { expander, variables } from './language/expander.js';
import { compileExpression } from './language/expression.js';
import {
  type Context,
  type Evaluate,
  type MappedValue,
  type Scope,
  textOfField,
  toOne,
  toText,
} from './language/scope.js';
import { listEntries, type SectionFields } from './list-entries.js';
import { type FieldRule, isAdding, isEntries, type Section } from './mapping.js';
import { aggregateOf, combinedAll, rowsDisagree } from './rows/aggregate.js';
import { withOpenAmounts } from './rows/row-amounts.js';

const noPlace: RowPlace = { line: 0, number: 0 };

/** Computes the cell of a field: text, a list, or undefined for a field that is not sent. */
type Cell = (contexts: readonly Context[]) => unknown;

/** Makes the items of a record, or of all records of a group. */
export interface SectionMapper {
  /** The entries made of `records`. `$line` and `$record` are of the first one. */
  entries(records: readonly unknown[], places: readonly RowPlace[]): Entry[];
  /** Whether a record passes the section's filters; `refuse` is given what keeps that from being known. */
  keeps(record: unknown, refuse: Context['refuse']): boolean;
  /** The group key of a record (`rows:`); undefined if each record makes items of its own. */
  readonly groupOf: ((record: unknown, refuse: Context['refuse']) => string) | undefined;
}

/**
 * Compiles a section.
 * @param columns the file's columns, for those that fill the field of the same name
 * @param constants the values of `--set`
 * @throws CatalogError `usage` for names that are not columns or fields, with their position in the mapping file
 */
export function sectionMapper(
  { section, place }: { readonly section: Section; readonly place: string },
  scope: Scope,
  key: RecordKey,
  file: {
    readonly columns: readonly string[] | undefined;
    readonly set: ReadonlyMap<string, string>;
    readonly writing: ValueSyntax;
  },
): SectionMapper {
  const keep = recordFilter(section, { ...scope, ofAll: true }, place);
  const group = section.rows === undefined ? undefined : compileExpression(section.rows, scope, `${place}.rows`, '');
  const spread = section.each === undefined ? undefined : expander(section.each, scope, `${place}.each`);
  const inner = {
    ...scope,
    ...variables({ own: ['line', 'record'] }, spread),
    aggregates: takesAggregate(section),
  };
  const others = othersOf(section, key, file.columns);
  const fields = Object.entries({ ...others, ...section.fields });
  const quiet = { ...inner, named: undefined };
  // The top of a path has no parent.
  const ofKey = [section.each ?? []].flat().some((one) => 'path' in one)
    ? inner
    : ({ ...inner, keyOf: 'item' } as const);
  const filled: SectionFields = { fields: key.fields, section, read: columnsRead({ ...others, ...section.fields }) };
  const cells = fields.map(([name, value]) => {
    const from = name in others ? quiet : key.names.includes(name) ? ofKey : inner;
    return cellOf(name, value, from, filled, `${place}.fields.${name}`);
  });
  const names = fields.map(([name]) => name);
  const typed = rowMapper(names, key, { rename: new Map(), set: file.set }, { ...file.writing, decimal: '.' });
  const keyAt = names.findIndex((name) => key.names.includes(name));

  // Of the record in work: one array for all.
  const found: Problem[] = [];
  const written: WrittenAmount[] = [];
  const refuse = (problem: Problem): void => void found.push(problem);

  function entryOf(contexts: readonly Context[], problems: readonly Problem[]): Entry {
    const entry = makeEntry(contexts, problems);
    scope.trace?.made(entry, contexts, file.columns);
    return entry;
  }

  function makeEntry(contexts: readonly Context[], problems: readonly Problem[]): Entry {
    const row = new Array<unknown>(cells.length);
    for (let i = 0; i < cells.length; i++) row[i] = cells[i]?.(contexts);
    const made = problems.length === 0 ? typed.item(row) : undefined;
    const read = written.length > 0 ? written.splice(0) : undefined;
    const amounts = key.fields['currency'] === undefined ? undefined : read;
    const currency = amounts && made?.kind === 'raw' ? currencyOf(made.item) : undefined;
    const mismatch = amounts && currency ? mismatchOf(amounts, currency) : undefined;
    const [first, ...others] = mismatch === undefined ? problems : [mismatch];
    if (first === undefined) {
      const entry = made ?? typed.item(row);
      // Without a currency of its own, that of another row applies, or the stored one, which only the catalog knows.
      const isOpen = currency === undefined || section.once === 'merge';
      if (entry.kind === 'unreadable') return withOpenAmounts(entry, amounts);
      return amounts && isOpen && entry.kind === 'raw' ? { ...entry, amounts } : entry;
    }
    // The rest of an invalid key may be the key of another record. The key need not be the field with the first problem.
    const isKnown = !problems.some(({ field }) => key.names.includes(field));
    const id = isKnown && keyAt !== -1 ? row[keyAt] : undefined;
    const unread = [first, ...others].map(({ field, code }) => field || code).join(', ');
    const { item } = made ?? typed.item(row);
    const refused = unreadableEntry(joinProblems(first, others), typeof id === 'string' ? id.trim() : '');
    return withOpenAmounts({ ...refused, item: { ...(item as object), [writtenMembers.unread]: unread } }, amounts);
  }

  return {
    groupOf: group && ((record, refuse) => toText(group({ record, own: {}, refuse }))),
    keeps: (record, refuse) => keep === undefined || keep({ record, own: {}, refuse }),
    entries(records, places) {
      found.length = 0;
      const own = { line: String(places[0]?.line), record: String(places[0]?.number) };
      const [first = noPlace] = places;
      const contexts = records.map((record, i) => {
        const place = places[i] ?? noPlace;
        const refuseRow = i === 0 ? refuse : (problem: Problem): void => refuse(problemOfRow(problem, place, first));
        return { record, own, refuse: refuseRow, amounts: written, place };
      });
      if (spread === undefined) return [entryOf(contexts, found)];
      return contexts.flatMap((context) => {
        const parts = spread.of(context);
        // A problem with the parts concerns the whole record, so that it is reported once, by one refused row.
        const ofParts = found.splice(0);
        if (ofParts.length > 0) {
          const refused = entryOf([context], ofParts);
          found.length = 0;
          return [refused];
        }
        return parts.map((part) => {
          const entry = entryOf([{ ...context, own: { ...own, ...part } }], found);
          found.length = 0;
          return entry;
        });
      });
    },
  };
}

/** Which aggregates mean something in a section. */
function takesAggregate({ rows, once }: Section): Scope['aggregates'] {
  if (rows === undefined && once === undefined) return undefined;
  // Of later rows of a key, nothing is known when its first one is given.
  return (how) => once !== 'first' || how === 'first';
}

function currencyOf(item: unknown): string | undefined {
  const own = (item as Readonly<Record<string, unknown>>)['currency'];
  return typeof own === 'string' && own.trim() !== '' ? own.trim().toUpperCase() : undefined;
}

/** A sign or code next to an amount that does not match the currency of the item. */
function mismatchOf(amounts: readonly WrittenAmount[], code: string): Problem | undefined {
  const other = amountInOtherCurrency(amounts, code);
  if (other === undefined) return undefined;
  const { field, source, text, written, codes } = other;
  if (written.toUpperCase() === code)
    return sourceProblem('shared_currency_sign', { source, value: text, written, codes }, 'currency');
  return sourceProblem('currency_in_amount', { source, value: text, written, currency: code }, field);
}

/** Columns, or fields of JSON records, that no expression names and that have the name of a field. */
function othersOf(section: Section, key: RecordKey, columns: readonly string[] | undefined): Section['fields'] {
  if (section.others !== true) return {};
  const named = new Set(Object.keys(section.fields).map((name) => columnTarget(name, key.fields)?.path));
  const taken = new Set(Object.values(section.fields).filter((value) => typeof value === 'string'));
  const candidates = columns ?? Object.keys(key.fields);
  const others = candidates.filter((name) => {
    const target = columnTarget(name, key.fields);
    return target !== undefined && !named.has(target.path) && !taken.has(name);
  });
  return Object.fromEntries(others.map((name) => [name, name]));
}

function cellOf(
  name: string,
  value: Section['fields'][string],
  scope: Scope,
  filled: SectionFields,
  place: string,
): Cell {
  const { fields } = filled;
  const target = columnTarget(name, fields);
  if (target === undefined) {
    const near = nearest(name, Object.keys(fields));
    const hint = near === undefined ? `fields are ${Object.keys(fields).join(', ')}` : `did you mean "${near}"?`;
    return scope.fail(place, `"${name}" is not a field; ${hint}`);
  }
  scope.filling(target.path);
  if (isAdding(value)) {
    if (!appendableLists.has(target.path))
      return scope.fail(`${place}.add`, `only ${[...appendableLists].join(' and ')} can be added to`);
    const added = cellOf(name, value.add, scope, filled, `${place}.add`);
    return (contexts) => {
      const list = added(contexts);
      return list === undefined || list === '' ? undefined : { add: list };
    };
  }
  if (isEntries(value)) {
    if (target.field.kind !== 'list') return scope.fail(place, `${name} is not a list; entry: is only for lists`);
    const list = target.field;
    const sources = [value].flat().map((one, i) => {
      const at = Array.isArray(value) ? `${place}[${i}]` : place;
      return listEntries(one, list, scope, { ...filled, name, place: at });
    });
    return (contexts) => present(unique(contexts.flatMap((context) => sources.flatMap((entries) => entries(context)))));
  }
  const evaluate = compileExpression(value, scope, place, target.path, target.field);
  if (target.field.kind !== 'list') return ofAllRows(evaluate, value, target.path, scope);
  return (contexts) => {
    const values = contexts.map((context) => evaluate(context));
    if (values.length === 1 && !Array.isArray(values[0])) return String(values[0]);
    return present(
      unique(values.flatMap((one) => (Array.isArray(one) ? one : String(one).split('|'))).filter((one) => one !== '')),
    );
  };
}

/** The one value of all rows of an item. */
function ofAllRows(evaluate: Evaluate, rule: FieldRule, field: string, { aggregates }: Scope): Cell {
  const how = aggregateOf(rule);
  const about = aggregates?.('last') === true ? { field } : ({ field, choice: 'first' } as const);
  return (contexts) => {
    const [first, ...others] = contexts;
    if (first === undefined) return undefined;
    if (others.length === 0) return textOfField(evaluate(first), field, first);
    const values = contexts.map((context) => ({ value: toOne(evaluate(context)), ...(context.place ?? noPlace) }));
    const value = combinedAll(values, how, (one, other) => first.refuse(rowsDisagree(one, other, about)));
    return value === undefined ? undefined : textOfField(value as MappedValue, field, first);
  };
}

function unique(entries: readonly unknown[]): unknown[] {
  if (entries.length < 2) return [...entries];
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
}

/** A list without entries would deactivate every stored one: it counts as not sent. */
function present(list: readonly unknown[]): readonly unknown[] | undefined {
  return list.length === 0 ? undefined : list;
}
