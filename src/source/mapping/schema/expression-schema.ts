// The schema of expressions in a mapping file: each key with the check of its value.
import { isBranches } from '../language/branches.js';
import { conditionChecks } from './condition-checks.js';
import {
  type Check,
  expected,
  filledText,
  flag,
  isWords,
  listOf,
  namesWith,
  oneOf,
  oneOrMore,
  only,
  scalar,
  text,
  whole,
  words,
} from './schema-checks.js';

export const sign = oneOf(['.', ',']);

const apartRepeated = words({ repeated: oneOf(['full', 'parent']) }, 'words such as {repeated: parent}', ['repeated']);
const apartAll = oneOf(['last', 'full', 'parent']);
export const apart: Check = (value, path) => (isWords(value) ? apartRepeated : apartAll)(value, path);
export const pathNames = { name: apart, names: oneOf(['path', 'last']), drop: whole(0, 1000) };

const aggregating = oneOf(['first', 'last', 'min', 'max', 'sum']);
const joining = words({ join: text() }, 'words such as {join: " "}', ['join']);

export const expression: Check = (value, path) => {
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
export const expressionWords = {
  column: text("a column's name"),
  columns: listOf(expression, 'a list of columns such as [Size, Colour]'),
  first: listOf(expression, 'a list of columns such as [Sale price, Price]'),
  value: scalar,
  from: expression,
  json: filledText('a column with a path, such as variants[].sku'),
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
export const choosing = { keep: conditions, skip: conditions };
