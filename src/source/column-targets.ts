// Resolves the names of columns and JSON members to the fields they fill, once per file.
import { CatalogError } from '../core/errors.js';
import type { Field, Fields, ListField } from '../core/fields/fields.js';
import { fold, nearest } from '../core/text/text.js';

/** The target of a column: a field, or one field of an entry of a list. */
export interface ColumnTarget {
  readonly name: string;
  readonly field: Field;
  /** The entry in `grades[like_new].price`, by position or by its key. */
  readonly entry?: { readonly list: ListField; readonly at: number | string; readonly member: string };
  /** The path in the spelling of the fields; two columns must not have the same path. */
  readonly path: string;
}

export interface SourceColumn {
  readonly name: string;
  /** The paths of the fields filled from it: `price`, `grades[like_new].price`, with a mapping `grades[].price`. */
  readonly fields: readonly string[];
  /** How many records so far have a value there; only with the option `countsValues`. */
  readonly filled?: number;
}

/**
 * What a name fills, or undefined.
 *
 *  header                                        fills
 *  price                                         the field
 *  values, axes, media, grades, attributes       the list: a JSON array, or a short list
 *  values[0].label, media[1].file, media[1]      an entry by position; without a member, what it is recognized by
 *  grades[like_new].price                        an entry by what it is recognized by
 *  attributes[Colour], attributes[Capacity].unit its value, its other members
 */
export function columnTarget(header: string, fields: Fields): ColumnTarget | undefined {
  const match = /^([^[\].]+)(?:\[([^[\]]+)\](?:\.([^[\].]+))?)?$/.exec(header.trim());
  if (match === null) return undefined;
  const [, word = '', position, part] = match;
  const name = nameIn(fields, word);
  const field = name === undefined ? undefined : fields[name];
  if (name === undefined || field === undefined) return undefined;
  if (position === undefined) return { name, field, path: name };
  if (field.kind !== 'list') return undefined;

  const at = /^\d{1,4}$/.test(position.trim()) ? Number(position) : position.trim();
  const implied = typeof at === 'number' ? field.entryKey : field.entryValue;
  const member = part === undefined ? implied : nameIn(field.entry, part);
  const filled = member === undefined ? undefined : field.entry[member];
  if (member === undefined || filled === undefined || filled.kind === 'list') return undefined;
  return { name, field: filled, entry: { list: field, at, member }, path: `${name}[${at}].${member}` };
}

/** The field named `word`: exactly, or else in any case. */
function nameIn(fields: Fields, word: string): string | undefined {
  const wanted = word.trim();
  if (Object.hasOwn(fields, wanted)) return wanted;
  const folded = fold(wanted);
  return Object.keys(fields).find((name) => fold(name) === folded);
}

/** The columns that a file of refused records adds. They are not fields and are not reported as ignored. */
export const refusalColumns: readonly string[] = ['_line', '_code', '_reason'];

/** How the name of a file ends that holds items in place of the records that a mapping joined. */
export const itemsEnding = '.items.ndjson';

/** The members that items have when they are written back, besides those. */
export const writtenMembers = { lines: '_lines', unread: '_unread', amounts: '_amounts', expect: '_expect' } as const;

const added: ReadonlySet<string> = new Set([...refusalColumns, ...Object.values(writtenMembers)]);

/** Whether a member was added when a record was written back: it is no field, and is not reported as ignored. */
export function isAdded(name: string): boolean {
  return added.has(name);
}

/** The line number in a file of refused records, as a regular expression. */
export const linePattern = '\\d{1,15}';

/** The reason in a file of refused records for a later row of a refused key: it is imported after the earlier row. */
export const laterRowReason = 'not refused; it has the key of a refused row above, and has to stay below it';

/**
 * Lists that a file may add to: `values: {add: […]}`. The stored entries are read from the catalog and sent with the
 * new ones.
 */
export const appendableLists: ReadonlySet<string> = new Set(['values', 'axes']);

/** Constants and other names for columns, as the user gave them. */
export interface ColumnOptions {
  readonly rename: ReadonlyMap<string, string>;
  readonly set: ReadonlyMap<string, string>;
}

/**
 * Checks that `--rename` and `--set` name fields.
 * @throws CatalogError `usage`
 */
export function checkColumnOptions(given: ColumnOptions, fields: Fields): void {
  for (const [option, header] of [
    ...[...given.rename.values()].map((header) => ['--rename', header] as const),
    ...[...given.set.keys()].map((header) => ['--set', header] as const),
  ]) {
    if (columnTarget(header, fields) !== undefined) continue;
    const near = nearest(header, Object.keys(fields));
    const remedy = near === undefined ? `fields are ${Object.keys(fields).join(', ')}` : `did you mean "${near}"?`;
    throw new CatalogError('usage', `${option}: "${header}" is not a field; ${remedy}`);
  }
}

/**
 * The names of a file's columns after `--rename`.
 * @throws CatalogError `usage` for an unknown column
 */
export function renameColumns(columns: readonly string[], rename: ReadonlyMap<string, string>): string[] {
  const names = columns.map((column) => column.trim());
  for (const [from, to] of rename) {
    const wanted = from.trim();
    let index = columns.findIndex((column) => column.trim() === wanted);
    if (index === -1) index = columns.findIndex((column) => fold(column.trim()) === fold(wanted));
    if (index === -1) {
      const near = nearest(wanted, columns);
      const remedy = near === undefined ? `columns are ${listColumns(columns)}` : `did you mean "${near.trim()}"?`;
      throw new CatalogError('usage', `--rename: column "${wanted}" not found; ${remedy}`);
    }
    names[index] = to;
  }
  return names;
}

/**
 * The target of each column; undefined if it has none, or --set gives its field a constant.
 * @throws CatalogError `usage` if two columns fill one field
 */
export function columnTargets(
  names: readonly string[],
  fields: Fields,
  set: ColumnOptions['set'],
): (ColumnTarget | undefined)[] {
  const constant = new Set([...set.keys()].map((header) => columnTarget(header, fields)?.path));
  const seen = new Map<string, string>();
  return names.map((name, i) => {
    const column = `${i + 1} "${name}"`;
    const target = columnTarget(name, fields);
    if (target === undefined || constant.has(target.path)) return undefined;
    // A list is filled as a whole or entry by entry, not both.
    const rival = target.entry === undefined ? `${target.name}[` : target.name;
    const other = seen.get(target.path) ?? seen.get(rival);
    if (other !== undefined) {
      const remedy = 'rename one of them in the file, or take it out';
      throw new CatalogError('usage', `columns ${other} and ${column} both fill ${target.path}: ${remedy}.`);
    }
    seen.set(target.path, column);
    if (target.entry !== undefined) seen.set(`${target.name}[`, column);
    return target;
  });
}

/** Column names for a message, the first twenty. */
export function listColumns(columns: readonly string[]): string {
  const names = columns.slice(0, 20).map((column) => JSON.stringify(column.slice(0, 60)));
  return columns.length > 20 ? `${names.join(', ')} and ${columns.length - 20} more` : names.join(', ');
}
