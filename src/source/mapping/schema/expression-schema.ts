// The schema of expressions in a mapping file: each key with the check of its value.
import { isBranches } from '../language/branches.js';
import { textSteps } from '../language/text-steps.js';
import { conditionChecks } from './condition-checks.js';
import { booleanWords, mapPairs, replacement } from './pair-checks.js';
import {
  type Check,
  either,
  expected,
  filledText,
  flag,
  isWords,
  listOf,
  namesWith,
  oneOf,
  oneOrMore,
  only,
  refined,
  scalar,
  shared,
  text,
  whole,
  withForms,
  words,
} from './schema-checks.js';

export const sign = oneOf(['.', ',']);

const repeatedNames = words({ repeated: oneOf(['full', 'parent']) }, 'words such as {repeated: parent}', ['repeated']);
const nameForms = oneOf(['last', 'full', 'parent']);
export const pathNaming = either(
  (value) => (isWords(value) ? repeatedNames : nameForms),
  () => [repeatedNames, nameForms],
);
export const pathNames = { name: pathNaming, names: oneOf(['path', 'last']), drop: whole(0, 1000) };

const aggregating = oneOf(['first', 'last', 'min', 'max', 'sum']);
const joining = words({ join: text() }, 'words such as {join: " "}', ['join']);

const textOrSteps: Check = (value, path) => {
  if (typeof value === 'string') return undefined;
  if (isWords(value)) return steps(value, path);
  const several = Array.isArray(value)
    ? '; several columns are written {columns: […]}, the first that is filled {first: […]}'
    : typeof value === 'number'
      ? `; a column of this name is written "${value}", in quotes, and the number itself {value: ${value}}`
      : '';
  return { path, message: `must be a column's name, or words such as {column: Price, round: 2}${several}` };
};
export const expression = shared(
  'expression',
  withForms(textOrSteps, () => [text("a column's name"), steps]),
);

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
const isTrue = only(true);
const number = either(
  (value) => (value === true ? isTrue : numberStyle),
  () => [isTrue, numberStyle],
);

const limits = words({ bytes: whole(1, 1_000_000), characters: whole(1, 1_000_000) }, 'words such as {bytes: 190}');
const limit = refined(limits, (value, path) =>
  Object.keys(value as object).length === 1
    ? undefined
    : { path, message: 'needs one of bytes and characters, such as {bytes: 190}' },
);
const position = whole(1, 10_000);
const whichPart = oneOf(['first', 'last', 'longest', 'sum']);

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
  ...Object.fromEntries(Object.entries(textSteps).map(([word, [check]]) => [word, check])),
  replace: replacement,
  match: filledText('a regular expression'),
  truncate: limit,
  split: filledText('the text between the parts, such as ","'),
  starting: filledText(),
  take: either(
    (value) => (typeof value === 'number' ? position : whichPart),
    () => [position, whichPart],
  ),
  join: text(),
  path: filledText('the sign between the levels, such as ">"'),
  ...pathNames,
  default: scalar,
  map: mapPairs,
  lookup: words({ table: text(), column: text() }, 'words such as {table: prices, column: amount}', [
    'table',
    'column',
  ]),
  else: scalar,
  aggregate: either(
    (value) => (isWords(value) ? joining : aggregating),
    () => [joining, aggregating],
  ),
  number,
  date: oneOrMore(filledText('a format such as DD.MM.YYYY'), 'a format such as DD.MM.YYYY, or a list of formats'),
  zone: text('a time zone such as Europe/Berlin'),
  boolean: booleanWords,
  round: whole(0, 20),
  shift: whole(-20, 20),
  plus: expression,
  times: expression,
  when: either(
    (value) => (isBranches(value) ? branches : conditions),
    () => [branches, conditions],
  ),
} satisfies Record<string, Check>;

const steps = words(expressionWords, 'words such as {column: Price, round: 2}');

const { conditions, branches } = conditionChecks(expression);
export const choosing = { keep: conditions, skip: conditions };
