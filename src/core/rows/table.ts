// Tables as plain data. A store derives its statements from them, and decides itself how to lay rows out.
import { rowComparer, rowDiffer } from './row-comparer.js';

/** A stored value: text, an integer, or null if it was never set. */
export type Value = string | number | null;

/** A row as it is stored, by column. */
export type Row = Record<string, Value>;

/** Column markers; they only carry the type of a column. */
export const column = {
  text: '' as string,
  integer: 0 as number,
  nullableText: null as string | null,
  nullableInteger: null as number | null,
} as const;

/** A table: its columns, the columns that identify a row, and the column of its parent. */
export interface Table<R extends Row = Row> {
  readonly name: string;
  readonly columns: readonly (keyof R & string)[];
  /** A row in which nothing is set. */
  readonly initial: Readonly<Row>;
  /** The columns that identify a row, used for upserts. */
  readonly id: readonly (keyof R & string)[];
  /** Other unique look-ups, by name. */
  readonly lookups: Readonly<Record<string, readonly (keyof R & string)[]>>;
  /** The column with the identifier of the parent record. */
  readonly parent?: keyof R & string;
  /** The prefix of its rows' identifiers (`prod_`), if they have identifiers. */
  readonly prefix?: string;
  /** The column with the identifier of the row above in the same table, if the rows form a tree. */
  readonly above?: keyof R & string;
  /**
   * The columns with the fingerprint of the item that was applied last (core/planning/recognition/recognize-items.ts);
   * all 0 for none.
   */
  readonly fingerprint?: readonly (keyof R & string)[];
  /** A column that follows from the others, and from what the row was before; no change of it is recorded. */
  readonly derived?: DerivedColumn;
  /** The columns that cannot be empty, also where the creation of a record is taken back. */
  readonly lasting: readonly (keyof R & string)[];
  /** Columns of texts that may be long: a row with several of them may hold megabytes. */
  readonly longTexts: readonly (keyof R & string)[];
  /** A change to its rows may affect decisions about records that refer to them (reference-epoch.ts). */
  readonly isReferredTo?: true;
  /** Whether two rows hold the same in every column. */
  same(row: Row, other: Row): boolean;
  differing(row: Row, other: Row): readonly string[];
}

/** A column that a draft fills whenever the row changes. A run is what several transactions belong to (`Draft.belongTo`). */
interface DerivedColumn {
  readonly column: string;
  /** @param stored the row as the last transaction left it */
  readonly of: (next: Row, stored: Row, run: string | undefined) => Value;
  /** Its value in a row that a run creates. */
  readonly created: (run: string) => Value;
  /** A row as it was before a run, as far as the column depends on it; undefined if the run created it. */
  readonly before: (stored: Row, run: string) => Row | undefined;
}

/** Whether changes of a column are recorded: neither of a fingerprint nor of what follows from others. */
export function isRecorded({ fingerprint, derived }: Table, column: string): boolean {
  return column !== derived?.column && fingerprint?.includes(column) !== true;
}

export type RowOf<T> = T extends Table<infer R> ? R : never;

/** The options of a table, without its name and columns. `id`, the columns that identify a row, is required. */
export type TableKeys<R extends Row> = Pick<Table<R>, 'id'> & Partial<Omit<Table<R>, 'id' | 'name' | 'columns' | Made>>;

/** Made of the columns. */
type Made = 'initial' | 'same' | 'differing';

/**
 * Defines a table.
 * @param name the table's name in the store
 * @param columns column markers by column name
 */
export function defineTable<const C extends Row>(
  name: string,
  columns: C,
  keys: TableKeys<C>,
): Table<{ -readonly [K in keyof C]: C[K] }> {
  const names = Object.keys(columns);
  return {
    name,
    columns: names,
    initial: columns,
    longTexts: [],
    lasting: keys.id,
    ...keys,
    lookups: { id: keys.id, ...keys.lookups },
    same: rowComparer(names),
    differing: rowDiffer(names),
  };
}
