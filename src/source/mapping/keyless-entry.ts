// Entries of a list that lack the member by which they are recognized: `grade,price,stock` / `,5.00,2`. They are left out, as
// those of unused columns are; but a value of the record that would be lost so refuses it.
import type { Problem } from '../../core/diagnostics/refusal-codes.js';
import { sourceProblem } from '../../core/diagnostics/source-problems.js';
import type { Field, ListField } from '../../core/fields/fields.js';
import { compileExpression } from './language/expression.js';
import { type Context, type Evaluate, type Scope, toText } from './language/scope.js';
import { type EntryRule, type Expression, isAdding, isEntries, type Section } from './mapping.js';
import { isWords } from './schema/schema-checks.js';

/** The entries of a list, and what else of the record is read. */
interface ListedEntries {
  readonly members: EntryRule['entry'];
  readonly list: ListField;
  /** The name of the list. */
  readonly name: string;
  readonly place: string;
  /** The parts that each entry has of its own. */
  readonly parts: readonly string[];
  /** The columns that the section reads; a column that it reads twice is listed twice. */
  readonly read: readonly string[];
}

/** A column, a part of `each`, or a path in JSON. */
type ValueOrigin = { readonly column: string } | { readonly json: string };

const nameOf = (origin: ValueOrigin): string => ('column' in origin ? origin.column : origin.json);

/** The columns that the values of a section are made of. */
export function columnsRead(fields: Section['fields']): string[] {
  return Object.values(fields).flatMap((given) => {
    const value = isAdding(given) ? given.add : given;
    const expressions = isEntries(value) ? [value].flat().flatMap(({ entry }) => Object.values(entry)) : [value];
    return expressions.flatMap(originsOf).map(nameOf);
  });
}

/** Finds what would be lost with an entry without its key. Where another member that it needs is empty, nothing is. */
export function lostWithEntry(
  { members, list, name, place, parts, read }: ListedEntries,
  scope: Scope,
): (context: Context) => Problem | undefined {
  const { entry: fields, entryKey } = list;
  const quiet: Scope = { ...scope, named: undefined, trace: undefined, takesLists: true, takesObjects: true };
  const textOf = (origin: ValueOrigin): Evaluate => compileExpression({ ...origin, optional: true }, quiet, place, '');
  const textsOf = (expression: Expression) => originsOf(expression).map(textOf);
  const others = Object.entries(members).filter(([member]) => member !== entryKey);
  const used = others.flatMap(([, value]) => originsOf(value)).map(nameOf);
  const timesIn = (names: readonly string[], one: string) => names.filter((other) => other === one).length;
  const isOnlyHere = (column: string) =>
    (column.startsWith('$') && parts.includes(column.slice(1))) || timesIn(read, column) === timesIn(used, column);
  scope.filling('');
  const key = members[entryKey] ?? '';
  const keys = textsOf(key);
  const needed = others
    .filter(([member, value]) => fields[member]?.required === true && originsOf(value).length > 0)
    .map(([, value]) => textsOf(value));
  const kept = others.flatMap(([member, value]) =>
    isContent(member, fields[member])
      ? originsOf(value).flatMap((origin) => (isOnlyHere(nameOf(origin)) ? [{ member, text: textOf(origin) }] : []))
      : [],
  );
  if (keys.length === 0 || kept.length === 0) return () => undefined;
  const [origin, ...more] = originsOf(key).map(nameOf);
  const of = more.length > 0 ? undefined : origin;
  return (context) => {
    const there = { ...context, refuse: () => undefined };
    const isFilled = (read: Evaluate) => toText(read(there)) !== '';
    if (keys.some(isFilled) || !needed.every((texts) => texts.some(isFilled))) return undefined;
    const lost = kept.find(({ text }) => isFilled(text));
    if (lost === undefined) return undefined;
    const { member, text } = lost;
    const params = { list: name, key: entryKey, member, value: toText(text(there)), of: of ?? '…' };
    return sourceProblem('entry_without_key', params, `${name}[].${entryKey}`);
  };
}

/** Whether a member says something of its own: a price does, a place in the order or a mark does not. */
function isContent(member: string, field: Field | undefined): boolean {
  return member !== 'position' && field?.kind !== 'boolean' && field?.kind !== 'choice';
}

/** What a value is made of; nothing for one that the mapping gives itself. */
function originsOf(value: unknown): ValueOrigin[] {
  if (typeof value === 'string') return value === '$line' || value === '$record' ? [] : [{ column: value }];
  if (Array.isArray(value)) return value.flatMap(originsOf);
  if (!isWords(value)) return [];
  const { json, template = '', when } = value;
  const branches = Array.isArray(when) ? when.flatMap((branch: object) => Object.entries(branch)) : [];
  return [
    ...['column', 'columns', 'first', 'from'].flatMap((word) => originsOf(value[word])),
    ...(typeof json === 'string' ? [{ json }] : []),
    ...[...String(template).matchAll(/\{([^{}]+)\}/g)].flatMap(([, column]) => originsOf(column)),
    ...branches.flatMap(([word, then]) => (word !== 'if' && isWords(then) ? originsOf(then) : [])),
  ];
}
