// The schema of a mapping file: each key with the check of its value.
import { formats } from '../../bytes/detect-format.js';
import { isBranches } from '../language/branches.js';
import { conditionChecks } from './condition-checks.js';
import {
  type Check,
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
  type Path,
  scalar,
  text,
  unknownWord,
  whole,
  words,
} from './schema-checks.js';

const sign = oneOf(['.', ',']);

const apartRepeated = words({ repeated: oneOf(['full', 'parent']) }, 'words such as {repeated: parent}', ['repeated']);
const apartAll = oneOf(['last', 'full', 'parent']);
const apart: Check = (value, path) => (isWords(value) ? apartRepeated : apartAll)(value, path);
const pathNames = { name: apart, names: oneOf(['path', 'last']), drop: whole(0, 1000) };

const aggregating = oneOf(['first', 'last', 'min', 'max', 'sum']);
const joining = words({ join: text() }, 'words such as {join: " "}', ['join']);

const expression: Check = (value, path) => {
  if (typeof value === 'string') return undefined;
  if (isWords(value)) return steps(value, path);
  const several = Array.isArray(value)
    ? '; several columns are written {columns: […]}, the first that is filled {first: […]}'
    : '';
  return { path, message: `must be a column's name, or words such as {column: Price, round: 2}${several}` };
};

const factor = expected('a number such as 0.001', (value) => /^\d+(?:\.\d+)?$/.test(String(value)));
const numberStyle = words(
  {
    decimal: sign,
    grouping: only('indian'),
    ignore: oneOrMore(text(), 'a word or a list of words'),
    units: namesWith(factor, 'units with their factors, such as {kg: 1, g: 0.001}'),
  },
  'true, or words such as {decimal: ","}',
);
const number: Check = (value, path) => (value === true ? undefined : numberStyle(value, path));

const replacing = namesWith(scalar, 'pairs such as {"-": " "}, or {pattern: "…", with: "…"}');
const limits = words({ bytes: whole(1, 1_000_000), characters: whole(1, 1_000_000) }, 'words such as {bytes: 190}');
const limit: Check = (value, path) => {
  const fault = limits(value, path);
  if (fault !== undefined || Object.keys(value as object).length === 1) return fault;
  return { path, message: 'needs one of bytes and characters, such as {bytes: 190}' };
};

/** The steps of an expression, and the keys that belong to them. */
const expressionWords = {
  column: text("a column's name"),
  columns: listOf(expression, 'a list of columns such as [Size, Colour]'),
  first: listOf(expression, 'a list of columns such as [Sale price, Price]'),
  value: scalar,
  from: expression,
  template: text('a text such as "{brand} {name}"'),
  optional: flag,
  trim: only(true),
  html: only('strip'),
  apostrophe: only('strip'),
  case: oneOf(['lower', 'upper', 'title', 'sentence']),
  before: filledText(),
  after: filledText(),
  replace: replacing,
  match: filledText('a regular expression'),
  truncate: limit,
  prefix: text(),
  suffix: text(),
  identifier: text('a prefix such as file_'),
  split: filledText('the text between the parts, such as ","'),
  starting: filledText(),
  take: ((value, path) =>
    typeof value === 'number'
      ? whole(1, 10_000)(value, path)
      : oneOf(['first', 'last', 'longest'])(value, path)) as Check,
  join: text(),
  path: filledText('the sign between the levels, such as ">"'),
  ...pathNames,
  default: scalar,
  map: namesWith(scalar, 'pairs such as {"1": activated}'),
  lookup: words({ table: text(), column: text() }, 'words such as {table: prices, column: amount}', [
    'table',
    'column',
  ]),
  else: scalar,
  aggregate: (value, path) => (isWords(value) ? joining : aggregating)(value, path),
  number,
  date: oneOrMore(filledText('a format such as DD.MM.YYYY'), 'a format such as DD.MM.YYYY, or a list of formats'),
  zone: text('a time zone such as Europe/Berlin'),
  boolean: words(
    { true: listOf(scalar, 'a list of words'), false: listOf(scalar, 'a list of words') },
    'words such as {true: [ja], false: [nein]}',
  ),
  round: whole(0, 20),
  shift: whole(-20, 20),
  plus: expression,
  times: expression,
  when: ((value, path) => (isBranches(value) ? branches : conditions)(value, path)) as Check,
} satisfies Record<string, Check>;

const steps = words(expressionWords, 'words such as {column: Price, round: 2}');

const { conditions, branches } = conditionChecks(expression);
const choosing = { keep: conditions, skip: conditions };

const pattern: Check = (value, path) =>
  typeof value === 'string' && value.includes('{n}')
    ? undefined
    : { path, message: 'must be a column with {n} for its number, such as "Attribute {n} name"' };
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
const each = oneOrMore(oneSpread, 'one such as {split: Sizes, by: ","}, or a list of them');

const entries = words(
  { each, ...choosing, entry: namesWith(expression, 'members such as {type: $name, value: $value}') },
  'words such as {entry: {type: Colour, value: Farbe}}',
  ['entry'],
);

const addition = words({ add: listOrColumn }, 'words such as {add: {entry: {label: Colour}}}');
const field: Check = (value, path) =>
  (isWords(value) && Object.hasOwn(value, 'add') ? addition : listOrColumn)(value, path);

/** The source of a field: entries of a list, or an expression. */
function listOrColumn(value: unknown, path: Path): Fault | undefined {
  const isEntries = Array.isArray(value)
    ? value.every(isWords)
    : isWords(value) && hasOneOf(value, ['entry', 'each', 'keep', 'skip']);
  return isEntries ? oneOrMore(entries, 'a list of entries')(value, path) : expression(value, path);
}

/** Where the records of a document are. */
const placeWords = {
  record: filledText('the element of an XML file that is a record, such as item'),
  items: filledText('the list of a JSON document that holds the records, such as data.products'),
};

/** The keys of a section. */
const sectionWords = {
  file: filledText("a file's name"),
  ...placeWords,
  fill: words(
    {
      columns: listOf(text(), 'a list of columns such as [Title, Vendor]'),
      optional: flag,
      within: text("a column's name"),
    },
    'words such as {columns: [Title], within: Handle}',
    ['columns'],
  ),
  ...choosing,
  rows: expression,
  each,
  rename: namesWith(text('the field that the column fills'), 'pairs such as {Preis: price}'),
  set: namesWith(scalar, 'pairs such as {currency: EUR}'),
  fields: namesWith(field, 'fields with their columns, such as {sku: Art.-Nr.}'),
  others: flag,
  once: oneOf(['first', 'merge']),
} satisfies Record<string, Check>;

/** The keys of `read:`. */
const readWords = {
  format: oneOf(formats),
  encoding: text('an encoding such as windows-1252'),
  delimiter: text('what separates cells, such as ";"'),
  decimal: sign,
  zone: text('a time zone such as Europe/Berlin'),
  columns: listOf(text(), 'a list of column names such as [sku, name]'),
  short_rows: flag,
  trim: flag,
  sheet: text("a sheet's or a file's name"),
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
const read: Check = (value, path) => {
  const fault = reading(value, path);
  const isBoth = isWords(value) && value['columns'] !== undefined && value['header'] !== undefined;
  if (fault !== undefined || !isBoth) return fault;
  const message =
    'names the header of a file, and columns: those of a file without one; use skip: for the lines above it';
  return { path: [...path, 'header'], message };
};

const tableRows = words(
  {
    file: filledText("a file's name"),
    ...placeWords,
    ...choosing,
    each,
    key: expression,
    parent: expression,
    name: apart,
    columns: namesWith(expression, 'words such as {name: title}'),
  },
  'words such as {key: id, columns: {name: title}}',
  ['key', 'columns'],
);
const table: Check = (value, path) => {
  const fault = tableRows(value, path);
  if (fault !== undefined) return fault;
  const { parent, name, columns } = value as { parent?: unknown; name?: unknown; columns: object };
  if (name !== undefined && parent === undefined)
    return { path: [...path, 'name'], message: 'is for a tree: add parent:, the column with the key of the row above' };
  if (parent === undefined || ('name' in columns && !('parent' in columns))) return undefined;
  const message = 'of a tree must have a name, such as {name: title}, and no parent, which comes of parent: beside it';
  return { path: [...path, 'columns'], message };
};

const top = {
  read,
  tables: namesWith(table, 'tables by name, such as {parents: {key: id, columns: {name: title}}}'),
};

const section = words(
  { to: text('a resource such as products'), ...sectionWords },
  'a section such as {to: products, fields: {sku: Art}}',
  ['to'],
);
const manySections = words(
  { ...top, import: listOf(section, 'a list of sections such as - to: products') },
  'a mapping with import:',
);
const oneSection = words(
  { ...top, to: text('a resource such as products'), ...sectionWords },
  'a mapping such as to: products, fields: {sku: Art}',
);

/** The first fault of a mapping, with its path; undefined if it is valid. */
export function mappingFault(mapping: unknown): Fault | undefined {
  return (isWords(mapping) && Object.hasOwn(mapping, 'import') ? manySections : oneSection)(mapping, []);
}
