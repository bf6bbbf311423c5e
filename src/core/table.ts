// What is kept: tables as plain data. The store makes its statements of them; the migrations spell the same columns.

/** A stored value: text, an integer, or null where nothing was ever set. */
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

/**
 * A look-up by texts that come in no order, such as slugs: the store finds its rows by a number made of the text, which
 * a column of the row holds.
 */
export interface HashedLookup {
  readonly column: string;
  readonly hash: (text: string) => number;
}

/** A table: its columns, what makes a row of it unique, and by which column its rows are found as children. */
export interface Table<R extends Row = Row> {
  readonly name: string;
  readonly columns: readonly (keyof R & string)[];
  /** The columns that identify a row; an upsert goes by them. */
  readonly id: readonly (keyof R & string)[];
  /** Other ways a single row is looked up, by name. */
  readonly lookups: Readonly<Record<string, readonly (keyof R & string)[]>>;
  /** Those of the look-ups that go by a hash, by name. */
  readonly hashed: Readonly<Record<string, HashedLookup>>;
  /** The column that holds the identifier of the record this row is a child of. */
  readonly parent?: keyof R & string;
}

/** The row type of a table. */
export type RowOf<T> = T extends Table<infer R> ? R : never;

/**
 * Defines a table.
 * @param name the table's name in the store
 * @param columns column markers by column name
 * @param keys `id`: the identifying columns; `lookups`: other unique look-ups, `hashed`: how some of them are found;
 *   `parent`: the parent's column
 */
export function defineTable<const C extends Row>(
  name: string,
  columns: C,
  keys: {
    readonly id: readonly (keyof C & string)[];
    readonly lookups?: Readonly<Record<string, readonly (keyof C & string)[]>>;
    readonly hashed?: Readonly<Record<string, HashedLookup & { readonly column: keyof C & string }>>;
    readonly parent?: keyof C & string;
  },
): Table<{ -readonly [K in keyof C]: C[K] }> {
  return {
    name,
    columns: Object.keys(columns),
    id: keys.id,
    lookups: { id: keys.id, ...keys.lookups },
    hashed: keys.hashed ?? {},
    ...(keys.parent === undefined ? {} : { parent: keys.parent }),
  };
}
