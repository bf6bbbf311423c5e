// The check of the examples of a mapping.
import { refusals } from '../../../core/diagnostics/refusal-codes.js';
import { spanParser } from '../values/date-span.js';
import { either, expected, filledText, isWords, listOf, namesWith, oneOf, text, words } from './schema-checks.js';

const isoDate = spanParser('iso', 'UTC');
const isMoment = (text: string): boolean => /T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(text) && isoDate(text) !== undefined;

const rows = listOf(expected('a row such as {sku: A-1}', isWords), 'a list of rows such as [{sku: A-1}]');
const itemList = listOf(expected('an item such as {sku: A-1}', isWords), 'a list of items such as [{sku: A-1}]', 0);
const itemLists = namesWith(itemList, 'lists of items by resource, such as {products: [{sku: A-1}]}');
const items = either(
  (value) => (isWords(value) ? itemLists : itemList),
  () => [itemList, itemLists],
);
const problem = words(
  { field: text(), code: oneOf(Object.keys(refusals)) },
  'a problem such as {field: price, code: field_format}',
  ['code'],
);

const example = words(
  {
    name: filledText(),
    now: expected('a time such as 2026-11-30T12:00:00Z', (value) => typeof value === 'string' && isMoment(value)),
    rows,
    files: namesWith(rows, 'rows by the name of their file, such as {prices.csv: [{sku: A-1}]}'),
    items,
    problems: listOf(problem, 'a list of problems such as [{field: price, code: field_format}]', 0),
  },
  'an example such as {rows: [{Art: A-1}], items: [{sku: A-1}]}',
);

export const examples = listOf(example, 'a list of examples such as [{rows: […], items: […]}]');
