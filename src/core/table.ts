// What is kept: tables as plain data. The store makes its statements of them; `catalog.sql` spells the same columns.

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
  /** The column that holds the identifier, or the number, of the record this row is a child of. */
  readonly parent?: keyof R & string;
  /**
   * The column that numbers the rows as they come. Rows of other tables that are many refer to it: the identifiers, of 31
   * letters each, would take more than all else that these rows hold.
   */
  readonly number?: keyof R & string;
  /**
   * Whether the identifier of a row tells its number, so that no index has to hold the identifiers. What a catalog had
   * before they did is in the table `<name>_id`.
   */
  readonly numberInId: boolean;
  /** The row of cells that come in the order of the columns. */
  rowOf(cells: readonly Value[]): Row;
  /** Whether two rows hold the same in every column. */
  same(row: Row, other: Row): boolean;
}

/** The columns by which a row is told from all others with the least work. */
export function rowKey(table: Table): readonly string[] {
  return table.number === undefined ? table.id : [table.number];
}

/** The row type of a table. */
export type RowOf<T> = T extends Table<infer R> ? R : never;

/**
 * Defines a table.
 * @param name the table's name in the store
 * @param columns column markers by column name
 * @param keys `id`: the identifying columns; `lookups`: other unique look-ups, `hashed`: how some of them are found;
 *   `parent`: the parent's column; `number`: the column that numbers its rows; `numberInId`: identifiers tell it
 */
export function defineTable<const C extends Row>(
  name: string,
  columns: C,
  keys: {
    readonly id: readonly (keyof C & string)[];
    readonly lookups?: Readonly<Record<string, readonly (keyof C & string)[]>>;
    readonly hashed?: Readonly<Record<string, HashedLookup & { readonly column: keyof C & string }>>;
    readonly parent?: keyof C & string;
    readonly number?: keyof C & string;
    readonly numberInId?: boolean;
  },
): Table<{ -readonly [K in keyof C]: C[K] }> {
  const names = Object.keys(columns);
  return {
    name,
    columns: names,
    id: keys.id,
    lookups: { id: keys.id, ...keys.lookups },
    hashed: keys.hashed ?? {},
    ...(keys.parent === undefined ? {} : { parent: keys.parent }),
    ...(keys.number === undefined ? {} : { number: keys.number }),
    numberInId: keys.numberInId ?? false,
    ...compiled(names),
  };
}

/**
 * What is done to every row, made into code for its columns the first time it is asked for. Column by column, by names
 * that are only known when it runs, 200,000 products take 0.35 s; so they take a tenth of that.
 */
function compiled(names: readonly string[]): Pick<Table, 'rowOf' | 'same'> {
  let rowOf: Table['rowOf'] | undefined;
  let same: Table['same'] | undefined;
  return {
    rowOf(cells) {
      rowOf ??= new Function(
        'cells',
        `return { ${names.map((name, i) => `${name}: cells[${i}]`).join()} };`,
      ) as Table['rowOf'];
      return rowOf(cells);
    },
    same(row, other) {
      same ??= new Function(
        'row',
        'other',
        `return ${names.map((name) => `row.${name} === other.${name}`).join(' && ')};`,
      ) as Table['same'];
      return same(row, other);
    },
  };
}
