// Problems of records as they are read or mapped: each fault is data with parameters, and its text is made only here.
// Those of items are in message-text.ts, those of numbers in number-problems.ts.
import { quote } from '../text/text.js';
import type { Problem, RefusalCode } from './refusal-codes.js';
import { repeatedText } from './repeat-remedy.js';
import { rowPhrase } from './row-phrase.js';
import type { DamagedRowRole, RowChoice, SourceFaults } from './source-faults.js';

const damage: Readonly<Record<DamagedRowRole, string>> = {
  'cells repeated here': 'this row repeats its cells, or those of a line before it; write them into this row',
  'row of this record': 'it may be one of the rows of this record; add what it holds to this record',
  'first row of this key': 'it may be the first row of this key; import that one in place of this',
};

const choices: Readonly<Record<RowChoice, string>> = {
  number: 'correct one of them, or say which one counts: aggregate: first, last, min, max or sum',
  text: 'correct one of them, or say which one counts: aggregate: first, last or {join: " "}',
  first: 'correct one of them, or say that the first one counts: aggregate: first',
  entries: 'collect the entries of all rows with once: merge',
  none: 'correct one of them',
};

type FaultName = keyof SourceFaults;

interface SourceFault<F extends FaultName> {
  readonly code: RefusalCode;
  readonly text: (params: SourceFaults[F]) => string;
}

const counted = ({ cells, columns }: { readonly cells: number; readonly columns: number }): string =>
  `the row has ${cells} ${cells === 1 ? 'cell' : 'cells'}, the header has ${columns}; `;

/** Keys with their rows; of many the first ones. */
const joined = (keys: readonly string[], lines: readonly string[], records: readonly string[]): string =>
  keys
    .slice(0, 5)
    .map((key, i) => `${quote(key)} (${rowPhrase(lines[i] ?? '', records[i])})`)
    .join(', ') + (keys.length > 5 ? ` and ${keys.length - 5} more` : '');

/** Where a record is: its number, where another is on the same line. */
const recordPhrase = (line: number, record: number, other: number): string =>
  line === other ? `in record ${record}` : `on line ${line}`;

const named = (source: string): string => (source === '' ? '' : `${source}: `);

const faults: { readonly [F in FaultName]: SourceFault<F> } = {
  cell_after_quote: {
    code: 'row_shape',
    text: () => 'a quoted cell continues after its closing quote; double the quotes inside a quoted cell',
  },
  cell_count: {
    code: 'row_shape',
    text: (params) => `${counted(params)}quote cells that contain ${JSON.stringify(params.delimiter)} or a line break`,
  },
  cell_count_by_delimiter: {
    code: 'row_shape',
    text: (params) =>
      `${counted(params)}with ${JSON.stringify(params.fitting)} between them it has ${params.columns}: use one delimiter throughout`,
  },
  cell_count_by_amount: {
    code: 'row_shape',
    text: (params) =>
      `${counted(params)}${params.amount} may be one amount or two cells: quote the amount or write it with a point, or, ` +
      'if all rows end in a comma, end the header with one, too',
  },
  rows_in_quotes: {
    code: 'row_shape',
    text: ({ count, last }) =>
      `a quote that opens here closes on line ${last}, and each of these ${count} lines looks like a row; take out the quote ` +
      'that opens, and double the quotes inside quoted cells (19""). If they are one text, remove its line breaks',
  },
  cell_count_with_nul: {
    code: 'row_shape',
    text: (params) =>
      `${counted(params)}it holds NUL characters, as a file does that was not written to its end: write it again`,
  },
  cell_count_by_line_end: {
    code: 'row_shape',
    text: (params) =>
      `${counted(params)}it holds ${params.lineEnds} line ends ${params.lineEnd}, and the lines of this file end in ${params.usual}: use one kind of line end`,
  },
  json_syntax: {
    code: 'item_not_json',
    text: ({ column }) => `not valid JSON at column ${column}; write each record on a line of its own`,
  },
  json_in_cell: {
    code: 'field_format',
    text: ({ column, value }) => `column ${quote(column)}: ${quote(value)} is not valid JSON`,
  },
  json_list: {
    code: 'item_not_object',
    text: () => 'the record is a list of values without names; make an object of it, such as {"sku": "A-1"}',
  },
  json_repeated: {
    code: 'item_not_json',
    text: ({ name }) => `the member ${quote(name)} is there more than once; send the value that counts once`,
  },
  json_depth: {
    code: 'item_not_json',
    text: ({ levels }) => `the record is nested deeper than ${levels} levels; send only its fields`,
  },
  undecodable_byte: {
    code: 'invalid_text',
    text: ({ byte, line, encoding }) => {
      const how = encoding === 'utf-8' ? ', such as --encoding windows-1252 (inspect finds it)' : ' with --encoding';
      const what = byte === '' ? 'a byte' : `byte ${byte}`;
      return `${what} on line ${line} is not ${encoding}; name the encoding of the file${how}`;
    },
  },
  encoding_switch: {
    code: 'invalid_text',
    text: ({ line, encoding }) =>
      `line ${line} has an escape sequence of ${encoding}; use --encoding ${encoding}, or --encoding utf-8 if the text is meant literally`,
  },
  too_many_parts: { code: 'too_many_entries', text: ({ most }) => `each gives more than ${most} parts` },
  part_counts: {
    code: 'row_shape',
    text: ({ names, counts }) =>
      `${names.join(' and ')} have ${counts.join(' and ')} parts; each must have the same number`,
  },
  object_in_column: {
    code: 'field_type',
    text: ({ column, members, example, isList }) => {
      const shown = members.length === 0 ? '' : ` with ${members.join(', ')}`;
      return isList === 'yes'
        ? `column ${JSON.stringify(column)} is a list of objects${shown}; name a member of them, such as ${example}`
        : `column ${JSON.stringify(column)} is an object${shown}; name one of its members, such as ${example}`;
    },
  },
  list_unexpected: {
    code: 'mapping_list_unexpected',
    text: ({ column, word, list, count, form }) =>
      `column ${quote(column)}: ${quote(list)} is a list of ${count} here; ` +
      `use {${word}: ${JSON.stringify(form)}, take: first}, or join: ", ", or each`,
  },
  list_in_part: {
    code: 'mapping_list_unexpected',
    text: ({ source, list, count }) =>
      `${source}${list === '' ? '' : `: ${quote(list)}`} has ${count} values in one entry, and parallel takes one of each entry; ` +
      'choose it by a condition in the path, such as prices[type=net][pieces=1].amount, or leave the column out',
  },
  entry_without_key: {
    code: 'field_required',
    text: ({ list, key, member, value, of }) =>
      `the entry of ${list} with ${member} ${quote(value)} has no ${key}. Add it, or leave such entries out: ` +
      `skip: {of: ${/^[$\w]+$/.test(of) ? of : JSON.stringify(of)}, empty: true} next to entry:`,
  },
  pairs_without_sign: {
    code: 'field_required',
    text: ({ source, cell, equals }) =>
      `${source}: ${quote(cell)} has no ${quote(equals)} between a name and a value. Correct equals: or the cell; ` +
      'names alone need a value, such as {column: $value, default: "yes"}',
  },
  text_grown: {
    code: 'field_too_long',
    text: ({ most }) => `the mapping makes a text of more than ${most} characters of this record; shorten what it adds`,
  },
  empty_key_part: {
    code: 'field_required',
    text: ({ part }) =>
      `${part} is empty, and the key is made of it; leave such parts out with skip: {of: ${part}, empty: true} in each, ` +
      `or say what it stands for: {columns: [{column: ${part}, default: …}, …], join: …}`,
  },
  empty_key_begin: {
    code: 'field_required',
    text: ({ source }) =>
      `${source} is empty, and the key begins with it. Correct the record; if the column may be empty, add default: to it, or ` +
      'make the key with template:.',
  },
  empty_operand: {
    code: 'mapping_operand_empty',
    text: ({ source, word, side }) => {
      const [empty, filled] = side === 'first' ? [source, `the value of ${word}:`] : [`the value of ${word}:`, source];
      return `${empty} is empty, and ${filled} is not; if it may be empty, add default: ${word === 'plus' ? 0 : 1} to it`;
    },
  },
  rows_disagree: {
    code: 'mapping_rows_disagree',
    text: ({ source, first, firstLine, firstRecord, second, secondLine, secondRecord, choice }) =>
      `${source} is ${quote(first)} ${recordPhrase(firstLine, firstRecord, secondLine)} and ` +
      `${quote(second)} ${recordPhrase(secondLine, secondRecord, firstLine)}; ${choices[choice]}`,
  },
  damaged_table_row: {
    code: 'record_incomplete',
    text: ({ source, key, table, line, record }) =>
      `${named(source)}the row of ${quote(key)} in the table ${table} may be ${rowPhrase(line, record)}, which could not be read; correct it`,
  },
  value_not_mapped: {
    code: 'field_not_allowed_value',
    text: ({ source, value, place, nearest }) => {
      const hint = nearest === '' ? '' : `, the nearest is ${quote(nearest)}`;
      return `${named(source)}${quote(value)} is not in the value map; add it to ${place}, or set else: keep${hint}`;
    },
  },
  key_not_in_table: {
    code: 'reference_not_found',
    text: ({ source, value, table }) =>
      `${named(source)}${quote(value)} is not a key of the table ${table}; add it there, or set else: keep or empty`,
  },
  date_format: {
    code: 'field_format',
    text: ({ source, value, formats }) =>
      `${named(source)}${quote(value)} is not a date of the form ${formats.join(' or ')}; correct the value, or the format in the mapping`,
  },
  boolean_word: {
    code: 'field_not_allowed_value',
    text: ({ source, value, place }) =>
      `${named(source)}${quote(value)} is in neither list of ${place}; add it to one of them`,
  },
  currency_in_amount: {
    code: 'currency_mismatch',
    text: ({ source, value, written, currency }) =>
      `${named(source)}${quote(value)} names ${written}, and the currency of the item is ${currency}; ` +
      'correct one of them, or take the currency from the column: currency: {from: …}',
  },
  shared_currency_sign: {
    code: 'currency_mismatch',
    text: ({ source, value, written, codes: [first = '', ...others] }) =>
      `${named(source)}${quote(value)} names ${written}, which can be ${[first, ...others.slice(0, 4)].join(', ')}` +
      `${others.length > 4 ? ' or others' : ''}; say which one, such as map: {${JSON.stringify(written)}: ${first}}, else: keep next to from:`,
  },
  two_parents: {
    code: 'category_path_mismatch',
    text: ({ name, first, firstLine, firstRecord, second, secondLine, furtherName }) =>
      `${quote(name)} is at ${quote(first)} ${recordPhrase(firstLine, firstRecord, secondLine)} and at ${quote(second)} here, and names are unique; ` +
      `rename one of them${furtherName === '' ? '' : `, or tell them apart with name: {repeated: ${furtherName}} next to path: in the mapping`}`,
  },
  tree_parent_missing: {
    code: 'reference_not_found',
    text: ({ key, line, record, parent }) =>
      `the parent of ${quote(key)} (${rowPhrase(line, record)}) is ${quote(parent)}, and no row has this key; add the row, ` +
      'or make a value that means the top empty: parent: {column: …, map: {"0": ""}, else: keep}',
  },
  tree_loop: {
    code: 'category_parent_cycle',
    text: ({ keys, lines, records }) =>
      keys.length === 1
        ? `${joined(keys, lines, records)} is its own parent; leave the parent of a top category empty`
        : `each of these is below the others: ${joined(keys, lines, records)}; correct the parent of one`,
  },
  tree_title_missing: {
    code: 'field_required',
    text: ({ key, line, record }) =>
      `the category ${quote(key)} (${rowPhrase(line, record)}) has no name; add it, or what is below has no place in the tree`,
  },
  tree_namesakes: {
    code: 'category_path_mismatch',
    text: ({ name, key, line, record, other, otherLine, otherRecord, furtherName }) =>
      `${quote(key)} (${rowPhrase(line, record)}) and ${quote(other)} (${rowPhrase(otherLine, otherRecord)}) are both called ${quote(name)}, and names are ` +
      `unique; ${furtherName === '' ? 'rename one' : `tell them apart with name: {repeated: ${furtherName}} in the table, or rename one`}`,
  },
  keyless_row: {
    code: 'field_required',
    text: ({ field }) =>
      `${field} is required; the rows next to this one may be of the same record, and were refused with it`,
  },
  nul_in_key: {
    code: 'invalid_text',
    text: ({ field, key }) =>
      `${field}: ${quote(key)} contains a NUL character; remove it. The rows next to this one may be of the same record, and were refused with it`,
  },
  damaged_row: {
    code: 'record_incomplete',
    text: ({ line, record, role }) => `${rowPhrase(line, record)} could not be read, and ${damage[role]}`,
  },
  unread_left: {
    code: 'record_incomplete',
    text: () => '_unread holds what could not be read; correct the item, then remove _unread',
  },
  item_of_plan: {
    code: 'record_incomplete',
    text: () => 'this item is from a plan (_expect); import the plan with catalog-import apply, or remove _expect',
  },
  value_depth: {
    code: 'field_type',
    text: ({ levels }) => `a value is nested deeper than ${levels} levels; send only what the field holds`,
  },
  addition_not_list: {
    code: 'field_type',
    text: ({ value, entryKey }) => `add: ${value} is not a list of entries; use {"add": [{"${entryKey}": …}]}`,
  },
  stored_path_differs: {
    code: 'category_path_mismatch',
    text: ({ sent, name, stored }) =>
      `${quote(sent)} was sent, and ${quote(name)} is stored as ${quote(stored)}; correct the path, or rename one of them`,
  },
  key_repeated: {
    code: 'repeated_in_file',
    text: repeatedText,
  },
};

/**
 * The problem of a record that was read or mapped.
 * @param field the field it is about; '' for the whole record
 */
export function sourceProblem<F extends FaultName>(fault: F, params: SourceFaults[F], field = ''): Problem {
  const { code, text } = faults[fault];
  return { code, field, message: text(params), params: { fault, ...params } };
}
