// Sections of a suggested mapping that import what the entries of lists refer to, from the same file: characteristics that
// products and axes of groups name, files of photos.
import type { Fields, ListField } from '../../../core/fields/fields.js';
import { type ColumnTarget, columnTarget } from '../../column-targets.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { hasFractions } from './column-kinds.js';

/**
 * A list → the section that makes what its entries name, the field by which that is found, and the prefix of identifiers
 * that the catalog gives: these cannot be made.
 */
const sectionsOf: Readonly<Record<string, readonly [to: string, field: string, given?: string]>> = {
  attributes: ['characteristics', 'name', 'attr_'],
  axes: ['characteristics', 'name', 'attr_'],
  media: ['files', 'id'],
};

/** The columns of a file, and how they write lists. */
interface ListColumns {
  readonly columns: readonly ColumnProfile[];
  /** The values of entries, each by the name of its entry: `attributes[Colour]`. */
  readonly listed: readonly ColumnProfile[];
  /** Whether cells are texts, so that a list in them is written as JSON. */
  readonly isTable: boolean;
}

/** How the names and values of entries are read. */
interface EntryReading {
  readonly each: string;
  readonly key: string;
  readonly value?: string;
}

/** The sections, each as its lines. @param filled field → column */
export function listSections(fields: Fields, filled: ReadonlyMap<string, string>, file: ListColumns): string[][] {
  return Object.entries(sectionsOf).flatMap(([name, [to, field, given]]) => {
    const list = fields[name];
    const found = file.columns.flatMap((column) => {
      const target = columnTarget(column.name, fields);
      return target?.name === name && filled.get(target.path) === column.name && column.filled > 0
        ? [{ column, ...target }]
        : [];
    });
    if (list?.kind !== 'list') return [];
    const texts = [...found.map(({ column }) => column), ...file.listed].flatMap((one) => [one.name, ...one.values]);
    if (given !== undefined && texts.some((text) => text.includes(given))) return [];
    const choices = list.isMultiple === true ? choicesIn(file, fields) : [];
    return partsOf(list, found, file.isTable).map(({ each, key, value }) => [
      `- to: ${to}`,
      `  each: ${each}`,
      ...(choices.length === 0 || value === undefined
        ? ['  once: first', `  fields: { ${field}: ${key} }`]
        : [
            '  once: merge',
            '  fields:',
            `    ${field}: ${key}`,
            '    # Only these have values that occur again; of others any value is accepted.',
            `    values: { add: { keep: { of: ${key}, is: ${JSON.stringify(choices)} }, entry: { label: ${value} } } }`,
          ]),
    ]);
  });
}

type FoundColumn = ColumnTarget & { readonly column: ColumnProfile };

const named = 'skip: { of: $name, empty: true }';

/** The forms in which a file writes a list: as a whole, or with columns for its entries, by position or by name. */
function partsOf(list: ListField, found: readonly FoundColumn[], isTable: boolean): EntryReading[] {
  const { entryKey, entryValue } = list;
  const whole = found.find(({ entry }) => entry === undefined);
  if (whole !== undefined) return [wholeList(list, whole.column, isTable)];
  const patternsOf = (member: string | undefined) =>
    found.flatMap(({ column, entry }) =>
      typeof entry?.at === 'number' && entry.member === member ? [column.name.replace(/\[\s*\d+\s*\]/, '[{n}]')] : [],
    );
  const [ofValues] = patternsOf(entryValue);
  const placed = [...new Set(patternsOf(entryKey))].map((pattern): EntryReading => {
    const value = ofValues === undefined ? '' : `, value: ${JSON.stringify(ofValues)}`;
    return {
      each: `{ repeated: { name: ${JSON.stringify(pattern)}${value} }, optional: true, ${named} }`,
      key: '$name',
      ...(value !== '' && { value: '$value' }),
    };
  });
  const columns = found.flatMap(({ column, entry }) =>
    typeof entry?.at === 'string' && entry.member === (entryValue ?? entry.member)
      ? [`${JSON.stringify(column.name)}: ${JSON.stringify(entry.at)}`]
      : [],
  );
  if (columns.length === 0) return placed;
  return [...placed, { each: `{ columns: { ${columns.join(', ')} } }`, key: '$name', value: '$value' }];
}

/** A JSON array of objects, or a short list: `Red|Blue`, `Colour=Red|Size=L`. */
function wholeList(
  { entryKey, entryValue }: ListField,
  { name, values }: ColumnProfile,
  isTable: boolean,
): EntryReading {
  const member = (field: string) => {
    const path = JSON.stringify(`${name}[].${field}`);
    return isTable ? `{ json: ${path} }` : path;
  };
  const value = entryValue === undefined ? {} : { value: '$value' };
  if (values.some((text) => text.startsWith('[{'))) {
    const beside = entryValue === undefined ? '' : `, value: ${member(entryValue)}`;
    return { each: `{ parallel: { name: ${member(entryKey)}${beside} }, ${named} }`, key: '$name', ...value };
  }
  const column = JSON.stringify(name);
  return entryValue === undefined
    ? { each: `{ split: ${column}, by: "|" }`, key: '$value' }
    : { each: `{ pairs: ${column}, by: "|", equals: "=", ${named} }`, key: '$name', ...value };
}

/** Fewer values than records, and no measures: what can be a list to choose from. */
const mostChoices = 400;
const longestLabel = 190;

/** The names of the entries whose values can be a list to choose from. */
function choicesIn({ columns, listed }: ListColumns, fields: Fields): string[] {
  return [...columns, ...listed].flatMap((one) => {
    const { entry } = columnTarget(one.name, fields) ?? {};
    const isFew = one.filled > 0 && !one.many && one.distinct <= mostChoices && one.distinct * 2 <= one.filled;
    const isNamed =
      typeof entry?.at === 'string' && entry.list.isMultiple === true && entry.member === entry.list.entryValue;
    return isNamed && isFew && one.longest <= longestLabel && !hasFractions(one) ? [entry.at] : [];
  });
}
