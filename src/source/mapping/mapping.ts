// A mapping file as data: how a supplier's columns become the fields of an item. Nothing in it is executed.
// `manual/mapping.md` explains the keys; `mapping-schema.ts` validates a file.

import type { Format } from '../bytes/detect-format.js';
import type { MappingTrace } from './mapping-trace.js';

/** A value: a column's name, or a source followed by steps in written order. */
export type Expression = string | Readonly<Record<string, unknown>>;

/** A condition on a record; all of its keys must be true. */
export type Condition = Comparison | Combination;

interface Combination {
  readonly all?: Condition | readonly Condition[];
  readonly any?: readonly Condition[];
  readonly not?: Condition;
}

/** A value by condition: the first branch whose conditions all hold, or `else`. */
export type ValueBranch =
  | { readonly if: Condition | readonly Condition[]; readonly then: BranchValue }
  | { readonly else: BranchValue };

/** A text or number is the value itself. */
type BranchValue = string | number | boolean | Readonly<Record<string, unknown>>;

/** A number or date to compare with; words are an expression. */
type Bound = string | number | Readonly<Record<string, unknown>>;

/** A condition on one value. */
export interface Comparison {
  readonly of: Expression;
  readonly is?: string | readonly string[];
  readonly not?: string | readonly string[];
  readonly contains?: string;
  readonly begins?: string;
  readonly matches?: string;
  readonly empty?: boolean;
  readonly over?: Bound;
  readonly under?: Bound;
  readonly at_least?: Bound;
  readonly at_most?: Bound;
  readonly before?: Bound;
  readonly after?: Bound;
  /** Whether the import runs within the period `start/end`; without a period it does. */
  readonly current?: boolean;
}

/** Which of several things are taken: all of `keep` must be true, and none of `skip`. */
export interface Choosing {
  readonly keep?: Condition | readonly Condition[];
  readonly skip?: Condition | readonly Condition[];
}

/** The source of several entries or several items. Their variables are `$name`, `$value` and so on. */
export type ExpandRule = Choosing & Parts;

type Parts =
  | { readonly split: Expression; readonly by: string }
  | { readonly pairs: Expression; readonly by: string; readonly equals: string }
  | { readonly repeated: Readonly<Record<string, string>>; readonly optional?: boolean }
  | { readonly parallel: Readonly<Record<string, Expression>>; readonly by?: string }
  | ({ readonly path: Expression; readonly separator: string; readonly list?: string } & PathNames)
  | { readonly columns: Readonly<Record<string, string>> }
  | { readonly rows_of: string; readonly key: Expression };

/** How a category is named: by the last segment of its path, the whole path, or the last segment and its parent. */
export type PathNaming = 'last' | 'full' | 'parent';

/** How a path becomes names, without its first `drop` segments. */
export interface PathNames {
  /** For all categories, or only for those whose last segment occurs under several parents of the file. */
  readonly name?: PathNaming | { readonly repeated: Exclude<PathNaming, 'last'> };
  /** The older key for `name`: `path` means `full`. */
  readonly names?: 'path' | 'last';
  readonly drop?: number;
}

/** The section that makes categories from paths: its rule also applies to a product's category. */
export interface PathRule {
  readonly section: Section;
  readonly each: Extract<ExpandRule, { readonly path: Expression }>;
}

/** A list field filled with entries. */
export interface EntryRule extends Choosing {
  readonly each?: ExpandRule | readonly ExpandRule[];
  readonly entry: Readonly<Record<string, Expression>>;
}

/** The source of a field: an expression, or entries of a list. */
export type FieldRule = Expression | EntryRule | readonly EntryRule[];

/** Entries to add to a stored list: the other entries stay. */
export interface Appending {
  readonly add: FieldRule;
}

/** A part of a file that holds records. */
interface PartOfFile {
  readonly file?: string;
  /** Which parts of the file are its records, if it differs from `read`. */
  readonly sheet?: string;
  readonly record?: string;
  readonly items?: string;
}

/** Records that are looked up by a key. */
export interface TableRule extends Choosing, PartOfFile, Pick<PathNames, 'name'> {
  /** How several rows form one item. */
  readonly each?: ExpandRule | readonly ExpandRule[];
  readonly key: Expression;
  /** How its records are written, where that is not as `read` of the mapping says. */
  readonly read?: ReadRule;
  /** Whether its file is that of a section. */
  readonly isOfSection?: boolean;
  /** The cells that it fills; `none` where those that a section fills stay empty. */
  readonly fill?: FillRule | 'none';
  /** What a section fills in the same records of its file. */
  readonly filled?: FillRule;
  /** The key of the row above: the rows are a tree, and `name` says what its column `name` is where titles occur again. */
  readonly parent?: Expression;
  readonly columns: Readonly<Record<string, Expression>>;
}

/** Columns whose empty cells repeat the cell above, as long as `within` stays the same. */
export interface FillRule {
  readonly columns: readonly string[];
  readonly within?: string;
  readonly optional?: boolean;
}

export interface Section extends Choosing, PartOfFile {
  readonly to: string;
  readonly fill?: FillRule;
  /** Consecutive rows with the same value make one item: the fields of the first row, the lists of all. */
  readonly rows?: Expression;
  readonly each?: ExpandRule | readonly ExpandRule[];
  readonly fields: Readonly<Record<string, FieldRule | Appending>>;
  /** Columns that no field uses fill the field of the same name. */
  readonly others?: boolean;
  /** The rule for repeated keys: `first` drops later ones, `merge` makes one record of all. */
  readonly once?: 'first' | 'merge';
  /** What is expected of the file, its columns and the fields of this section: a contract. */
  readonly expect?: Readonly<Record<string, unknown>>;
}

/** The syntax of the file; options of the command line take precedence. */
export interface ReadRule {
  readonly format?: Format;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  readonly zone?: string;
  /** The names of the columns of a file without a header. */
  readonly columns?: readonly string[];
  /** Rows may have fewer cells than there are columns: missing ones count as empty. */
  readonly short_rows?: boolean;
  /** Cells are trimmed. */
  readonly trim?: boolean;
  /** The sheet of a workbook, or the file of an archive. */
  readonly sheet?: string;
  /** The element of an XML file that is a record, and the list of a JSON document that holds the records. */
  readonly record?: string;
  readonly items?: string;
  /** Lines above the header of a table, or names by which the header row is recognized. */
  readonly skip?: number;
  readonly header?: { readonly containing: readonly string[] };
  /** First words of rows to skip: page headers, totals. */
  readonly leave_out?: string | readonly string[];
  /** The column that gets the text of rows with a single filled cell, for the rows after them. */
  readonly sections?: string;
}

/** A record as it is read, by the names of its columns or members. */
export type ExampleRow = Readonly<Record<string, unknown>>;

/** Records, and what the mapping makes of them: `catalog-import map test` compares it. */
export interface MappingExample {
  readonly name?: string;
  /** When it runs, in ISO 8601: for conditions with `now` and `current`. */
  readonly now?: string;
  /** The records of the file, and those of the files that sections and tables name. */
  readonly rows?: readonly ExampleRow[];
  readonly files?: Readonly<Record<string, readonly ExampleRow[]>>;
  /** Items in their order; by resource where the mapping has several sections. */
  readonly items?: readonly unknown[] | Readonly<Record<string, readonly unknown[]>>;
  readonly problems?: readonly { readonly field?: string; readonly code: string }[];
}

export interface Mapping {
  /** Nobody chose it but the folder that it is in: no link leads its tables out of there. */
  readonly isOfFolder?: boolean;
  readonly examples?: readonly MappingExample[];
  readonly read: ReadRule;
  readonly tables: Readonly<Record<string, TableRule>>;
  readonly import: readonly Section[];
  readonly paths?: PathRule;
}

/** The part of a mapping for a source: one of its sections, with the common parts. */
export interface MappingSection extends Pick<Mapping, 'isOfFolder' | 'paths'> {
  /** The path of the mapping file, and the position of the section in it. */
  readonly name: string;
  readonly place: string;
  readonly section: Section;
  readonly tables: Mapping['tables'];
  readonly read: ReadRule;
  /** When the import runs, in Unix seconds; needed for conditions with `current`. */
  readonly now?: number;
  /** Keeps the steps that make items, to be shown; only for a file that is read in this thread. */
  readonly trace?: MappingTrace;
  /** Whether the records are those of an example, which need not have every member. */
  readonly isExample?: boolean;
  /** Columns that any section or table of the mapping uses, if determined before. */
  readonly used?: readonly string[];
}

/** Whether entries are added to a stored list. */
export function isAdding(value: FieldRule | Appending): value is Appending {
  return typeof value === 'object' && !Array.isArray(value) && 'add' in value;
}

/** Whether a source gives entries of a list, and not a plain value. */
export function isEntries(value: FieldRule): value is EntryRule | readonly EntryRule[] {
  return typeof value === 'object' && (Array.isArray(value) || 'entry' in value);
}
