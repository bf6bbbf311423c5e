// Resolves the names of columns and JSON members to the fields they fill, once per file.
import { CatalogError } from '../core/errors.js';
import type { Field, Fields, ListField } from '../core/fields/fields.js';
import { fold, nearest } from '../core/text/text.js';

/** What a column fills: a field, or one field of one entry of a list. */
export interface ColumnTarget {
  readonly name: string;
  readonly field: Field;
  /** `grades[like_new].price`: the entry it belongs to, by position or by what it is recognised by. */
  readonly entry?: { readonly list: ListField; readonly at: number | string; readonly member: string };
  /** The path in the spelling of the fields; two columns of one path are one too many. */
  readonly path: string;
}

/**
 * What a name fills, or undefined.
 *
 *  header                                        fills
 *  price                                         the field
 *  values, axes, media, grades, attributes       the list: a JSON array, or a short list
 *  values[0].label, media[1].file, media[1]      an entry by position; without a member, what it is recognised by
 *  grades[like_new].price                        an entry by what it is recognised by
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

/** The field called `word`: exactly, else in any case. */
function nameIn(fields: Fields, word: string): string | undefined {
  const wanted = word.trim();
  if (Object.hasOwn(fields, wanted)) return wanted;
  const folded = fold(wanted);
  return Object.keys(fields).find((name) => fold(name) === folded);
}

/** The columns that a file of refused records adds. They fill no field and are not reported as ignored columns. */
export const refusalColumns: readonly string[] = ['_line', '_code', '_reason'];

/**
 * The mark after the line number of a refused row: its empty cells were filled from the rows above, or it could not be
 * read, and which rows it belongs to is seen once it is mended; to those before it in the file of refused rows it may not.
 */
export const lineMarks = { isFilled: ' filled', isLoose: ' unplaced', isApart: ' apart' } as const;

/** The line number of a refused row, as a regular expression. */
export const linePattern = `\\d{1,15}(?:${lineMarks.isFilled})?(?:${lineMarks.isLoose}(?:${lineMarks.isApart})?)?`;

/** Why a record came back that was not refused itself: it makes no item. */
export const lookedUpReason = 'a refused record looks this one up: keep it here';

/** Why a record came back that was not refused itself: it is imported after the earlier row of its key. */
export const laterRowReason =
  'not refused, but of the key of a refused row above: keep it here, so that it counts after it';

/** Why a record came back that has the key which a refused one may have: it makes no item, and the key is taken. */
export const earlierRowReason = 'an earlier row of a key that the refused row below may have: keep it here';

/** Lists that a file may add to: `values: {add: […]}`. What is stored of them is read from the catalog and sent with them. */
export const appendableLists: ReadonlySet<string> = new Set(['values', 'axes']);

/** Constants and other names for columns, as the user gave them. */
export interface ColumnOptions {
  readonly rename: ReadonlyMap<string, string>;
  readonly set: ReadonlyMap<string, string>;
}

/** Checks that what `--rename` and `--set` name are fields. @throws CatalogError `usage` */
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
 * The names of a file's columns with `--rename` applied.
 * @throws CatalogError `usage` if a renamed column is not there
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
 * The target of each column; undefined if it fills nothing, or --set gives its field a constant.
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
      throw new CatalogError('usage', `Columns ${other} and ${column} both fill ${target.path}: ${remedy}.`);
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
