// A mapping file as data: how a supplier's columns become the fields of an item. Nothing in it is executed.
// The words are explained in `manual/mapping.md`; `mapping-schema.ts` checks a file against them.

/** A value: a column's name, or where it comes from and, behind that, the steps it goes through in written order. */
export type Expression = string | Readonly<Record<string, unknown>>;

/** What must hold for a record; every word of a condition must. */
export interface Condition {
  readonly of: Expression;
  readonly is?: string | readonly string[];
  readonly not?: string | readonly string[];
  readonly contains?: string;
  readonly begins?: string;
  readonly empty?: boolean;
}

/** Where several entries, or several records, come from. What each has is called `$name`, `$value` and so on. */
export type ExpandRule =
  | { readonly split: Expression; readonly by: string }
  | { readonly pairs: Expression; readonly by: string; readonly equals: string }
  | { readonly repeated: Readonly<Record<string, string>> }
  | { readonly parallel: Readonly<Record<string, Expression>>; readonly by?: string }
  | ({ readonly path: Expression; readonly separator: string; readonly list?: string } & PathNames)
  | { readonly columns: Readonly<Record<string, string>> }
  | { readonly rows_of: string; readonly key: Expression };

/** What a category is called after: the last part of its path, the whole path, or its last part and its parent. */
export type PathNaming = 'last' | 'full' | 'parent';

/** How a path becomes names, without its first `drop` parts. */
export interface PathNames {
  /** For all categories, or only for those whose last part occurs under several parents of the file. */
  readonly name?: PathNaming | { readonly repeated: Exclude<PathNaming, 'last'> };
  /** The older word for `name`: `path` is `full`. */
  readonly names?: 'path' | 'last';
  readonly drop?: number;
}

/** The section that makes categories of paths: its rule holds for a product's category, too. */
export interface PathRule {
  readonly section: Section;
  readonly each: Extract<ExpandRule, { readonly path: Expression }>;
}

/** A list field made of entries. */
export interface EntryRule {
  readonly each?: ExpandRule | readonly ExpandRule[];
  readonly keep?: readonly Condition[];
  readonly skip?: readonly Condition[];
  readonly entry: Readonly<Record<string, Expression>>;
}

/** What fills a field: an expression, or entries of a list. */
export type FieldRule = Expression | EntryRule | readonly EntryRule[];

/** Entries that a stored list is to have as well: what is left out stays. */
export interface Appending {
  readonly add: FieldRule;
}

/** Records that are looked up by a key. */
export interface TableRule {
  readonly file?: string;
  /** What is a record of it, where that is not what `read` says. */
  readonly record?: string;
  readonly items?: string;
  readonly keep?: readonly Condition[];
  readonly skip?: readonly Condition[];
  /** Several rows of one record. */
  readonly each?: ExpandRule | readonly ExpandRule[];
  readonly key: Expression;
  readonly columns: Readonly<Record<string, Expression>>;
}

/** How one resource is made of a file. */
export interface Section {
  readonly to: string;
  readonly file?: string;
  /** What is a record of it, where that is not what `read` says. */
  readonly record?: string;
  readonly items?: string;
  /** Columns whose empty cells repeat the cell above, as long as `within` stays the same. */
  readonly fill?: { readonly columns: readonly string[]; readonly within?: string; readonly optional?: boolean };
  readonly keep?: readonly Condition[];
  readonly skip?: readonly Condition[];
  /** Consecutive rows of one value make one item: the first row's own fields, the lists of all. */
  readonly rows?: Expression;
  readonly each?: ExpandRule | readonly ExpandRule[];
  readonly fields: Readonly<Record<string, FieldRule | Appending>>;
  /** Columns that no field names fill the field they are called after. */
  readonly others?: boolean;
  /** What a key that came before means: `first` leaves the later ones out, `merge` makes one record of all. */
  readonly once?: 'first' | 'merge';
}

/** How the file is written; the command line wins. */
export interface ReadRule {
  readonly format?: 'csv' | 'tsv' | 'json' | 'ndjson' | 'xml';
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  readonly zone?: string;
  /** The names of the columns of a file without a header. */
  readonly columns?: readonly string[];
  /** Rows may have fewer cells than there are columns: those that they lack are empty. */
  readonly short_rows?: boolean;
  /** Cells lose the white space around them. */
  readonly trim?: boolean;
  /** The sheet of a workbook, or the file of an archive. */
  readonly sheet?: string;
  /** The element of an XML file that is a record, and the list of a JSON document that holds the records. */
  readonly record?: string;
  readonly items?: string;
  /** Lines above the header of a table, or names by which its row is known. */
  readonly skip?: number;
  readonly header?: { readonly containing: readonly string[] };
  /** Words that rows of a table begin with which are left out: page headers, totals. */
  readonly leave_out?: string | readonly string[];
  /** The column for the words of rows with a single filled cell, in the rows that follow them. */
  readonly sections?: string;
}

/** A mapping file. */
export interface Mapping {
  readonly read: ReadRule;
  readonly tables: Readonly<Record<string, TableRule>>;
  readonly import: readonly Section[];
  readonly paths?: PathRule;
}

/** What a source is given of a mapping: one of its sections, with what belongs to all. */
export interface MappingSection {
  /** The path of the mapping file, and the place of the section in it. */
  readonly name: string;
  readonly place: string;
  readonly section: Section;
  readonly tables: Mapping['tables'];
  readonly read: ReadRule;
  readonly paths?: PathRule;
  /** Columns that some section or table of the mapping uses, where that was found out before. */
  readonly used?: readonly string[];
}

/** Tells entries that are added to a stored list. */
export function isAdding(value: FieldRule | Appending): value is Appending {
  return typeof value === 'object' && !Array.isArray(value) && 'add' in value;
}

/** Tells entries of a list from a plain value. */
export function isEntries(value: FieldRule): value is EntryRule | readonly EntryRule[] {
  return typeof value === 'object' && (Array.isArray(value) || 'entry' in value);
}
