// The faults of records as they are read or mapped, as data. Their texts are in source-problems.ts.
import type { RepeatRemedy } from './repeat-remedy.js';

/**
 * Every fault of a record, with the code it is refused with and its parameters. `record` is the number of a row where
 * several are on its line, else 0.
 */
export interface SourceFaults {
  readonly cell_after_quote: Readonly<Record<never, never>>;
  readonly cell_count: { readonly cells: number; readonly columns: number; readonly delimiter: string };
  readonly cell_count_by_delimiter: {
    readonly cells: number;
    readonly columns: number;
    /** The delimiter with which the row has as many cells as the header. */
    readonly fitting: string;
  };
  /** `amount`: two cells that may be one. */
  readonly cell_count_by_amount: { readonly cells: number; readonly columns: number; readonly amount: string };
  /** `count`: its lines, and `last` the number of the last one. */
  readonly rows_in_quotes: { readonly count: number; readonly last: number };
  readonly cell_count_with_nul: { readonly cells: number; readonly columns: number };
  readonly cell_count_by_line_end: {
    readonly cells: number;
    readonly columns: number;
    readonly lineEnds: number;
    readonly lineEnd: string;
    readonly usual: string;
  };
  readonly json_syntax: { readonly column: number };
  readonly json_repeated: { readonly name: string };
  readonly json_depth: { readonly levels: number };
  readonly json_list: Readonly<Record<never, never>>;
  readonly undecodable_byte: { readonly byte: string; readonly line: number; readonly encoding: string };
  readonly encoding_switch: { readonly line: number; readonly encoding: string };
  readonly too_many_parts: { readonly most: number };
  readonly part_counts: { readonly names: readonly string[]; readonly counts: readonly string[] };
  readonly object_in_column: {
    readonly column: string;
    readonly members: readonly string[];
    /** A member, written as the mapping would name it. */
    readonly example: string;
    readonly isList: 'yes' | 'no';
  };
  /** A cell that a mapping reads as JSON, and that is none. */
  readonly json_in_cell: { readonly column: string; readonly value: string };
  readonly list_unexpected: {
    readonly column: string;
    /** The word of the mapping that reads it. */
    readonly word: 'column' | 'json';
    /** The path of the list, and its number of entries. */
    readonly list: string;
    readonly count: number;
    /** The path that reads all of it. */
    readonly form: string;
  };
  /** Several values in an entry, where `parallel` takes one of each entry. `list` is what has them; '' for the source itself. */
  readonly list_in_part: { readonly source: string; readonly list: string; readonly count: number };
  /** An entry without its key, and a value that would be lost with it. `of` is what the key is read from. */
  readonly entry_without_key: {
    readonly list: string;
    readonly key: string;
    readonly member: string;
    readonly value: string;
    readonly of: string;
  };
  /** A cell of pairs, in which the sign between name and value is not. */
  readonly pairs_without_sign: { readonly source: string; readonly cell: string; readonly equals: string };
  readonly text_grown: { readonly most: number };
  /** A part of `each` from which a key is made, and which is empty. */
  readonly empty_key_part: { readonly part: string };
  /** The first of the columns from which a key is joined, which is empty where another is not. */
  readonly empty_key_begin: { readonly source: string };
  readonly empty_operand: {
    readonly source: string;
    readonly word: 'plus' | 'times';
    readonly side: 'first' | 'second';
  };
  /** Rows that give one value, and have different ones. */
  readonly rows_disagree: {
    readonly source: string;
    readonly first: string;
    readonly firstLine: number;
    readonly firstRecord: number;
    readonly second: string;
    readonly secondLine: number;
    readonly secondRecord: number;
    readonly choice: RowChoice;
  };
  readonly damaged_table_row: {
    readonly source: string;
    readonly key: string;
    readonly table: string;
    readonly line: number;
    readonly record: number;
  };
  readonly value_not_mapped: {
    readonly source: string;
    readonly value: string;
    readonly place: string;
    /** The nearest value of the map; '' if none is similar. */
    readonly nearest: string;
  };
  readonly key_not_in_table: { readonly source: string; readonly value: string; readonly table: string };
  readonly date_format: { readonly source: string; readonly value: string; readonly formats: readonly string[] };
  readonly boolean_word: { readonly source: string; readonly value: string; readonly place: string };
  readonly currency_in_amount: {
    readonly source: string;
    readonly value: string;
    readonly written: string;
    readonly currency: string;
  };
  /** A sign or abbreviation that several currencies share, where it alone says which one. */
  readonly shared_currency_sign: {
    readonly source: string;
    readonly value: string;
    readonly written: string;
    readonly codes: readonly string[];
  };
  readonly two_parents: {
    readonly name: string;
    readonly first: string;
    readonly firstLine: number;
    readonly firstRecord: number;
    readonly second: string;
    readonly secondLine: number;
    /** The rule for repeated names that may tell them apart; '' where no path names them, or none does. */
    readonly furtherName: 'parent' | 'full' | '';
  };
  readonly tree_parent_missing: {
    readonly key: string;
    readonly line: number;
    readonly record: number;
    readonly parent: string;
  };
  /** Rows that are above one another. */
  readonly tree_loop: {
    readonly keys: readonly string[];
    readonly lines: readonly string[];
    readonly records: readonly string[];
  };
  readonly tree_title_missing: { readonly key: string; readonly line: number; readonly record: number };
  /** Rows that have the same name as categories, and the rule for repeated names that makes them differ; '' where none does. */
  readonly tree_namesakes: {
    readonly furtherName: 'parent' | 'full' | '';
    readonly name: string;
    readonly key: string;
    readonly line: number;
    readonly record: number;
    readonly other: string;
    readonly otherLine: number;
    readonly otherRecord: number;
  };
  readonly keyless_row: { readonly field: string };
  readonly nul_in_key: { readonly field: string; readonly key: string };
  readonly damaged_row: { readonly line: number; readonly record: number; readonly role: DamagedRowRole };
  readonly unread_left: Readonly<Record<never, never>>;
  readonly item_of_plan: Readonly<Record<never, never>>;
  readonly value_depth: { readonly levels: number };
  /** `value` as it is shown: it may be of any type. */
  readonly addition_not_list: { readonly value: string; readonly entryKey: string };
  readonly stored_path_differs: { readonly sent: string; readonly name: string; readonly stored: string };
  readonly key_repeated: { readonly key: string; readonly line: number; readonly remedy: RepeatRemedy };
}

/**
 * What a mapping may say of rows that give one value: which number or text counts, only that the first one does, that the entries
 * of all are collected, or nothing.
 */
export type RowChoice = 'number' | 'text' | 'first' | 'entries' | 'none';

/** How a row that could not be read may concern a record. */
export type DamagedRowRole = 'cells repeated here' | 'row of this record' | 'first row of this key';
