// Sections of a suggested mapping that import what records refer to, from the same file: categories, groups, brands, files,
// characteristics, customers, orders.
import type { Fields, ReferenceField } from '../../../core/fields/fields.js';
import { columnTarget } from '../../column-targets.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { stripHtml } from '../values/strip-html.js';
import { areAll, entriesIn, entriesOf, isListed, numbersIn, takeStep } from './column-kinds.js';
import { columnWith, given, remarksOf } from './given.js';
import { isListPath } from './list-paths.js';
import { columnsOf, type Match } from './questions.js';

/** What a reference is to → the section that makes it, and the field by which it is found. */
const sectionsOf: Readonly<Record<string, readonly [to: string, field: string]>> = {
  category: ['categories', 'name'],
  'category or product': ['categories', 'name'],
  'product group': ['groups', 'name'],
  brand: ['brands', 'id'],
  warranty: ['warranties', 'id'],
  file: ['files', 'id'],
};

/** The sections, each as its lines. @param filled field → column */
export function referredSections(
  fields: Fields,
  filled: ReadonlyMap<string, string>,
  columns: readonly ColumnProfile[],
  isTable: boolean,
): string[][] {
  return [...filled].flatMap(([path, name]) => {
    const { field, entry } = columnTarget(path, fields) ?? {};
    const column = columns.find((one) => one.name === name);
    // Parents of categories are in the file themselves.
    const isOther = field?.kind === 'reference' && !field.byName && entry === undefined;
    const lines = isOther && column !== undefined ? sectionOf(field, column, isTable) : undefined;
    // What else a scope names are products, which are imported from elsewhere.
    const scope = isOther && field.prefixes.length > 1 ? filled.get('scope') : undefined;
    if (scope !== undefined) lines?.splice(1, 0, `  keep: { of: ${JSON.stringify(scope)}, is: category }`);
    return lines === undefined ? [] : [lines];
  });
}

/** The sections that make the customers of reviews, and their orders. */
export function customersAndOrders(filled: ReadonlyMap<string, string>): string[][] {
  const [customer, order] = ['customer_external_id', 'order_external_id'].map((field) => filled.get(field));
  const lacking = '# Orders that the catalog lacks: without a date, and without lines.';
  return [
    ...(customer === undefined ? [] : [onceFrom(customer, 'customers', 'external_id')]),
    ...(order === undefined ? [] : [[lacking, ...onceFrom(order, 'orders', 'external_id')]]),
  ];
}

/** The section that makes the parents of categories where the file names none of them: `Home` above all. */
export function parentsElsewhere(
  above: string | undefined,
  name: Match | undefined,
  columns: readonly ColumnProfile[],
): string[][] {
  const parent = columns.find((one) => one.name === above);
  const names = columnsOf(name);
  if (parent === undefined || names.length === 0 || numbersIn(parent) > 0) return [];
  const isElsewhere = areAll(parent, (value) => !names.some((one) => one.holds(value)) && !value.startsWith('cate_'));
  return isElsewhere ? [onceFrom(parent.name, 'categories', 'name')] : [];
}

function onceFrom(name: string, to: string, field: string, value = JSON.stringify(name)): string[] {
  const column = JSON.stringify(name);
  return [`- to: ${to}`, `  skip: { of: ${column}, empty: true }`, '  once: first', `  fields: { ${field}: ${value} }`];
}

function sectionOf(
  { to: word, prefixes }: ReferenceField,
  column: ColumnProfile,
  isTable: boolean,
): string[] | undefined {
  const made = sectionsOf[word];
  if (made === undefined) return undefined;
  const [to, field] = made;
  // Identifiers are given by the catalog: those of categories and groups cannot be made.
  const isIdentifier = column.values.some((value) => prefixes.some((prefix) => value.startsWith(prefix)));
  if (field === 'name' && isIdentifier) return undefined;
  const name = JSON.stringify(column.name);
  // As the records read it: of several the first.
  const isSeveral = hasSeveral(column, isTable);
  const { separator, list } = word === 'category' ? pathForm(column, isSeveral) : {};
  const read = columnWith(column.name, column.entities > 0 && 'html: strip', isSeveral && takeOf(column, separator));
  const inList = list === undefined ? '' : `, list: ${JSON.stringify(list)}`;
  // Names of categories are unique.
  const each =
    separator !== undefined
      ? `{ path: ${read}, separator: ${JSON.stringify(separator)}${inList}, name: { repeated: full } }`
      : list !== undefined
        ? `{ split: ${read}, by: ${JSON.stringify(list)} }`
        : undefined;
  const fields =
    separator !== undefined ? 'name: $name, parent: $parent' : `${field}: ${list === undefined ? read : '$value'}`;
  const skip = `  skip: { of: ${name}, empty: true }`;
  return given(`- to: ${to}`, skip, each && `  each: ${each}`, '  once: first', `  fields: { ${fields} }`);
}

const hasSeveral = (column: ColumnProfile, isTable: boolean): boolean =>
  isListPath(column.name) || (isListed(column) && !isTable);

/** What a person who chooses a column of categories has to write: its steps, and the section that makes its categories. */
export function categoryRemark(column: ColumnProfile, field: ReferenceField, isTable: boolean): string | undefined {
  const steps = categorySteps(column, hasSeveral(column, isTable));
  const section = sectionOf(field, column, isTable)?.map((line) => line.slice(2));
  return remarksOf(
    steps.length > 0 && `write ${columnWith(column.name, ...steps)}`,
    section && `needs before the products the section { ${section.join(', ')} }`,
  );
}

/** A product has one category, named as the section of categories names it. */
export function categorySteps(facts: ColumnProfile, isSeveral: boolean): string[] {
  const { list, separator } = pathForm(facts, isSeveral);
  return given(
    isSeveral && takeOf(facts, separator),
    list && `split: ${JSON.stringify(list)}, take: first`,
    separator && `path: ${JSON.stringify(separator)}`,
  );
}

interface PathForm {
  readonly separator?: string | undefined;
  /** What separates several paths in a cell. */
  readonly list?: string | undefined;
  /** A sign that may separate levels, where fewer paths have the sign that surely does. */
  readonly rival?: string;
}

/**
 * How a column writes categories: paths such as `Home > Phones`, lists of them. A sign that names may have, as in
 * `Audio/Video` or `Bed, Bath`, separates only where values show it.
 */
function pathForm(column: ColumnProfile, isSeveral: boolean): PathForm {
  const written = isSeveral ? entriesOf(column) : column.values;
  const values = column.entities > 0 ? written.map(stripHtml) : written;
  const signs = isSeveral ? [] : [',', ';', '|'];
  const list = signs.find((sign) => sharesParts(values, sign) && !(sign === '|' && areLevels(values, sign)));
  const paths = list === undefined ? values : values.flatMap((value) => value.split(list));
  const plain = ['>', '»', '›'].find((sign) => paths.some((path) => path.includes(sign)));
  const rival = plain && rivalOf(plain, paths);
  if (rival !== undefined) return { rival, list };
  const separator =
    plain ?? ['/', '|', ':', '\\'].find((sign) => sign !== list && (goesOn(paths, sign) || areLevels(paths, sign)));
  return { separator, list };
}

/** The sign that more paths have in place of the plain one. */
function rivalOf(plain: string, paths: readonly string[]): string | undefined {
  const [own, others] = [true, false].map((has) => paths.filter((path) => path.includes(plain) === has));
  return ['/', '|', '\\'].find(
    (sign) => (others ?? []).filter((path) => path.includes(sign)).length > (own?.length ?? 0),
  );
}

/** Which entry of lists counts: of paths of which one goes on where another ends, `Home` and `Home > Lamps`, the longest. */
function takeOf(column: ColumnProfile, separator: string | undefined): string {
  const lists = isListPath(column.name) ? [column.values] : column.values.map(entriesIn);
  return separator !== undefined && lists.some((paths) => goesOn(paths, separator))
    ? 'take: longest'
    : takeStep(column);
}

/** The sign that most values have, where nothing shows whether it separates levels. */
export function doubtfulSign(column: ColumnProfile): string | undefined {
  const { separator, list, rival } = pathForm(column, false);
  if (separator !== undefined || isListed(column)) return undefined;
  if (rival !== undefined) return rival;
  // One text in all records has nothing to be compared with.
  if (column.values.length < 2) return ['/', '|', '\\'].find((sign) => column.values[0]?.includes(` ${sign} `));
  if (list !== undefined) return list === '|' && beginAlike(column.values, list) ? list : undefined;
  return ['/', '|', '\\'].find(
    (sign) => column.values.filter((value) => value.includes(sign)).length * 2 > column.values.length,
  );
}

/** Whether cells have several parts, some of which also stand in other cells: two lists have an entry in common. */
function sharesParts(values: readonly string[], sign: string): boolean {
  const parts = values.flatMap((value) => value.split(sign).map((part) => part.trim()));
  return parts.length > values.length && new Set(parts).size < parts.length;
}

/** Whether one path goes on where another ends. */
function goesOn(paths: readonly string[], sign: string): boolean {
  return paths.some((path) =>
    paths.some((other) => other.startsWith(`${path}${sign}`) || other.startsWith(`${path} ${sign}`)),
  );
}

/** Whether the parts of all values are levels. Without blanks around them they are only where there are three, or a slash is between two. */
function areLevels(values: readonly string[], sign: string): boolean {
  const isSpaced = values.every((value) => value.includes(` ${sign} `));
  const isDeep = values.some((value) => value.split(sign).length > 2);
  // One that begins all of several lists would be the category of all.
  const different = new Set(values);
  const isRooted = different.size > 2 && new Set([...different].map((value) => value.split(sign, 1)[0])).size === 1;
  return (isSpaced || isDeep || isRooted || sign === '/') && beginAlike(values, sign);
}

/** Whether several values begin alike, and none has at one place what another has at a different one, as lists have. */
function beginAlike(values: readonly string[], sign: string): boolean {
  const paths = [...new Set(values)].map((value) => value.split(sign).map((part) => part.trim()));
  const places = new Map(paths.flatMap((parts) => parts.map((part, at) => [part, at] as const)));
  return (
    new Set(paths.map(([first]) => first)).size < paths.length &&
    paths.every((parts) => parts.length > 1 && parts.every((part, at) => places.get(part) === at))
  );
}
