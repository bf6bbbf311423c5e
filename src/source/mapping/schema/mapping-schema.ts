// The schema of a mapping file: each key with the check of its value.
import { isAbsolute } from 'node:path';
import { formats } from '../../bytes/detect-format.js';
import { contract } from '../../contract/contract-schema.js';
import { examples } from './example-checks.js';
import { choosing, expression, pathNames, pathNaming, sign } from './expression-schema.js';
import {
  type Check,
  either,
  expected,
  type Fault,
  filledText,
  flag,
  hasOneOf,
  isWords,
  listOf,
  namesWith,
  oneOf,
  oneOrMore,
  only,
  refined,
  scalar,
  schemaOf,
  text,
  unknownWord,
  type ValueSchema,
  whole,
  withForms,
  words,
} from './schema-checks.js';

const pattern = expected(
  'a column with {n} for its number, such as "Attribute {n} name"',
  (value) => typeof value === 'string' && value.includes('{n}'),
  { type: 'string', pattern: '\\{n\\}' },
);
const by = filledText('the text between the parts, such as ","');

/** Expansions of a record, each with the keys that belong to it. */
const expandWords: Readonly<Record<string, Check>> = {
  split: words({ ...choosing, split: expression, by }, 'words such as {split: Sizes, by: ","}', ['split', 'by']),
  pairs: words(
    { ...choosing, pairs: expression, by, equals: filledText('the sign between name and value, such as "="') },
    'words such as {pairs: Attributes, by: ",", equals: "="}',
    ['pairs', 'by', 'equals'],
  ),
  repeated: words(
    { ...choosing, repeated: namesWith(pattern, 'words such as {name: "Attribute {n} name"}'), optional: flag },
    'words such as {repeated: {name: "Attribute {n} name"}}',
    ['repeated'],
  ),
  parallel: words(
    { ...choosing, parallel: namesWith(expression, 'words such as {name: Names, value: Values}'), by },
    'words such as {parallel: {name: Names, value: Values}, by: "|"}',
    ['parallel'],
  ),
  columns: words(
    { ...choosing, columns: namesWith(text(), 'words such as {Farbe: Colour}') },
    'words such as {columns: {Farbe: Colour}}',
    ['columns'],
  ),
  rows_of: words({ ...choosing, rows_of: text(), key: expression }, 'words such as {rows_of: options, key: id}', [
    'rows_of',
    'key',
  ]),
  path: words(
    {
      ...choosing,
      path: expression,
      separator: filledText('the sign between the levels, such as ">"'),
      list: filledText(),
      ...pathNames,
    },
    'words such as {path: Category, separator: ">"}',
    ['path', 'separator'],
  ),
};

const oneSpread: Check = (value, path) => {
  const kinds = Object.keys(expandWords);
  if (!isWords(value)) return { path, message: 'must be words such as {split: Sizes, by: ","}' };
  const kind = kinds.find((name) => Object.hasOwn(value, name));
  if (kind !== undefined) return expandWords[kind]?.(value, path);
  const [word = ''] = Object.keys(value);
  return { path, message: `needs one of ${kinds.join(', ')}; ${unknownWord(word, kinds)}` };
};
const expansion = withForms(oneSpread, () => Object.values(expandWords));
const each = oneOrMore(expansion, 'one such as {split: Sizes, by: ","}, or a list of them');

const entries = words(
  { each, ...choosing, entry: namesWith(expression, 'members such as {type: $name, value: $value}') },
  'words such as {entry: {type: Colour, value: Farbe}}',
  ['entry'],
);

const entryList = oneOrMore(entries, 'a list of entries');

/** The source of a field: entries of a list, or an expression. */
const listOrColumn = either(
  (value) => {
    const isEntries = Array.isArray(value)
      ? value.every(isWords)
      : isWords(value) && hasOneOf(value, ['entry', 'each', 'keep', 'skip']);
    return isEntries ? entryList : expression;
  },
  () => [expression, entryList],
);
const addition = words({ add: listOrColumn }, 'words such as {add: {entry: {label: Colour}}}');
const field = either(
  (value) => (isWords(value) && Object.hasOwn(value, 'add') ? addition : listOrColumn),
  () => [listOrColumn, addition],
);

/** Where the records of a workbook, an archive or a document are. */
const placeWords = {
  sheet: text("a sheet's or a file's name"),
  record: filledText('the element of an XML file that is a record, such as item'),
  items: filledText('the list of a JSON document that holds the records, such as data.products'),
};

/** A mapping may come from somebody else, and must not carry other files of its reader into a catalog. */
const fileWithin = expected(
  "a file's name, or its path within the folder",
  (value) => typeof value === 'string' && value !== '' && !isAbsolute(value) && !value.split(/[\\/]/).includes('..'),
  { type: 'string', minLength: 1 },
);

const fill = words(
  {
    columns: listOf(text(), 'a list of columns such as [Title, Vendor]'),
    optional: flag,
    within: text("a column's name"),
  },
  'words such as {columns: [Title], within: Handle}',
  ['columns'],
);

const sectionWords = {
  file: fileWithin,
  ...placeWords,
  fill,
  ...choosing,
  rows: expression,
  each,
  rename: namesWith(text('the field that the column fills'), 'pairs such as {Preis: price}'),
  set: namesWith(scalar, 'pairs such as {currency: EUR}'),
  fields: namesWith(field, 'fields with their columns, such as {sku: Art.-Nr.}'),
  others: flag,
  once: oneOf(['first', 'merge']),
  expect: contract,
} satisfies Record<string, Check>;

const readWords = {
  format: oneOf(formats),
  encoding: text('an encoding such as windows-1252'),
  delimiter: text('what separates cells, such as ";"'),
  decimal: sign,
  zone: text('a time zone such as Europe/Berlin'),
  columns: listOf(text(), 'a list of column names such as [sku, name]'),
  short_rows: flag,
  trim: flag,
  skip: whole(0, 100_000),
  header: words(
    { containing: listOf(text(), 'a list of column names such as [Art, Preis]') },
    'words such as {containing: [Art, Preis]}',
    ['containing'],
  ),
  sections: filledText('the name of the column that section rows fill'),
  leave_out: oneOrMore(filledText('a word such as Total'), 'a word such as Total, or a list of them'),
  ...placeWords,
} satisfies Record<string, Check>;

const reading = words(readWords, 'words such as {decimal: ","}');
const read = refined(reading, (value, path) => {
  if (!isWords(value) || value['columns'] === undefined || value['header'] === undefined) return undefined;
  const message =
    'names the header of a file, and columns: those of a file without one; use skip: for the lines above it';
  return { path: [...path, 'header'], message };
});

const noFill = only('none');
const tableFill = either(
  (value) => (isWords(value) ? fill : noFill),
  () => [fill, noFill],
);
const tableRows = words(
  {
    file: fileWithin,
    ...placeWords,
    read,
    fill: tableFill,
    ...choosing,
    each,
    key: expression,
    parent: expression,
    name: pathNaming,
    columns: namesWith(expression, 'words such as {name: title}'),
  },
  'words such as {key: id, columns: {name: title}}',
  ['key', 'columns'],
);
const table = refined(tableRows, (value, path) => {
  const { parent, name, columns } = value as { parent?: unknown; name?: unknown; columns: object };
  if (name !== undefined && parent === undefined)
    return { path: [...path, 'name'], message: 'is for a tree: add parent:, the column with the key of the row above' };
  if (parent === undefined || ('name' in columns && !('parent' in columns))) return undefined;
  const message = 'of a tree must have a name, such as {name: title}, and no parent, which parent: of the table gives';
  return { path: [...path, 'columns'], message };
});

const top = {
  read,
  examples,
  tables: namesWith(table, 'tables by name, such as {parents: {key: id, columns: {name: title}}}'),
};

/** `each` makes several items of each row, so that rows would not be grouped. */
const eitherRowsOrEach: Check = (value, path) => {
  if (!isWords(value) || value['rows'] === undefined || value['each'] === undefined) return undefined;
  const message = 'makes several items of one record, and rows: one item of several; use one of them';
  return { path: [...path, 'each'], message };
};

const section = refined(
  words(
    { to: text('a resource such as products'), ...sectionWords },
    'a section such as {to: products, fields: {sku: Art}}',
    ['to'],
  ),
  eitherRowsOrEach,
);
const manySections = words(
  { ...top, import: listOf(section, 'a list of sections such as - to: products') },
  'a mapping with import:',
);
const oneSection = refined(
  words(
    { ...top, to: text('a resource such as products'), ...sectionWords },
    'a mapping such as to: products, fields: {sku: Art}',
  ),
  eitherRowsOrEach,
);

/** The JSON Schema of a mapping file, made of what checks one: editors complete and check by it. */
export function mappingJsonSchema(): ValueSchema {
  const $defs: Record<string, ValueSchema> = {};
  const anyOf = [oneSection, manySections].map((form) => schemaOf(form, $defs));
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Mapping', anyOf, $defs };
}

/** The first fault of a mapping, with its path; undefined if it is valid. */
export function mappingFault(mapping: unknown): Fault | undefined {
  return (isWords(mapping) && Object.hasOwn(mapping, 'import') ? manySections : oneSection)(mapping, []);
}
