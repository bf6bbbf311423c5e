// How SQLite lays out the tables of core: what it keeps in the place of an identifier or next to a text, so that rows are
// small and indexes short. Core knows nothing of it.
//
// product                 numbered (`seq`); the identifier ends in the number, or is listed in product_id
// product_grade, -media   refer to products by number
// product_attribute       refers to products and characteristics by number
// product, category       a hash of the slug, by which a late index finds it
import { compile } from '../../../core/rows/compile-function.js';
import type { Row, Table, Value } from '../../../core/rows/table.js';

/** A look-up by texts in no particular order. Its index has a hash of the text, which is a column of the row, too. */
export interface HashedLookup {
  readonly column: string;
  readonly hash: (text: string) => number;
}

/** How a table differs from core's table of the same name. */
interface Difference {
  /** Whether its rows are numbered by us, in `seq`. */
  readonly numbered?: boolean;
  /** Look-ups that go by a hash, by name. */
  readonly hashed?: Readonly<Record<string, HashedLookup>>;
  /** Columns that hold the number of a record, by the table it is kept in. */
  readonly references?: Readonly<Record<string, string>>;
}

/** The numbers of records, by their table and identifier. */
export interface Numbers {
  /** The number of a record for a row that is written, its own or one that refers to it. */
  numberOf(table: string, id: string): number;
}

/** A table as SQLite keeps it. */
export interface Layout {
  readonly table: Table;
  readonly name: string;
  /** The columns that are bound, in the order of an INSERT. */
  readonly columns: readonly string[];
  /** The columns that identify a row with the least work. */
  readonly key: readonly string[];
  readonly numbered: boolean;
  readonly hashed: Readonly<Record<string, HashedLookup>>;
  readonly references: Readonly<Record<string, string>>;
  /** Columns with the value of core's column of the same name. */
  readonly plain: ReadonlySet<string>;
  /** The value of a column for a row. */
  cell(column: string, row: Row, numbers: Numbers): Value;
  /** The same as code, for a row of this name; `numbers` and `hashes` (by column) are in scope. */
  code(column: string, row: string): string;
  /** The functions that make the hashes, by column. */
  readonly hashes: Readonly<Record<string, (text: string) => number>>;
  /** For a column of core's row, the stored columns that are derived from it: they change with it. */
  readonly madeOf: ReadonlyMap<string, readonly string[]>;
  /** The row of cells that come in the order of core's columns, references still as numbers. */
  decode(cells: readonly Value[]): Row;
}

/**
 * A number for a slug (FNV-1a, 32 bits with a sign), by which it is looked up: slugs come in no order, and an index of
 * numbers has a third of the pages of one of texts.
 */
function slugHash(slug: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < slug.length; i++) hash = Math.imul(hash ^ slug.charCodeAt(i), 0x01000193);
  return hash;
}

const slugs: Difference['hashed'] = { slug: { column: 'slug_hash', hash: slugHash } };

const differences: Readonly<Record<string, Difference>> = {
  product: { numbered: true, hashed: slugs },
  category: { hashed: slugs },
  product_grade: { references: { product: 'product' } },
  product_attribute: { references: { product: 'product', characteristic: 'characteristic' } },
  product_media: { references: { product: 'product' } },
};

const known = new WeakMap<Table, Layout>();

export function layoutOf(table: Table): Layout {
  const found = known.get(table);
  if (found !== undefined) return found;
  const { numbered = false, hashed = {}, references = {} } = differences[table.name] ?? {};
  const columns = [
    ...(numbered ? ['seq'] : []),
    ...table.columns,
    ...Object.values(hashed).map(({ column }) => column),
  ];
  const derived = new Map<string, Derived>();
  if (numbered) derived.set('seq', { from: 'id', table: table.name });
  for (const [column, target] of Object.entries(references)) derived.set(column, { from: column, table: target });
  for (const [lookup, { column, hash }] of Object.entries(hashed))
    derived.set(column, { from: table.lookups[lookup]?.[0] ?? '', hash });
  const layout: Layout = {
    ...{ table, name: table.name, columns, numbered, hashed, references, key: numbered ? ['seq'] : table.id },
    plain: new Set(table.columns.filter((name) => !derived.has(name))),
    hashes: Object.fromEntries(Object.values(hashed).map(({ column, hash }) => [column, hash])),
    cell: (column, row, numbers) => cellOf(derived.get(column), column, row, numbers),
    code: (column, row) => codeOf(derived.get(column), column, row),
    madeOf: new Map(
      table.columns.map((name) => [name, columns.filter((column) => (derived.get(column)?.from ?? column) === name)]),
    ),
    decode: decoder(table.columns),
  };
  known.set(table, layout);
  return layout;
}

/** A column that SQLite keeps in the place of one of core's, or in addition to them: a number, or a hash. */
type Derived =
  | { readonly from: string; readonly table: string }
  | { readonly from: string; readonly hash: HashedLookup['hash'] };

function cellOf(derived: Derived | undefined, column: string, row: Row, numbers: Numbers): Value {
  if (derived === undefined) return row[column] ?? null;
  const text = String(row[derived.from]);
  return 'hash' in derived ? derived.hash(text) : numbers.numberOf(derived.table, text);
}

function codeOf(derived: Derived | undefined, column: string, row: string): string {
  if (derived === undefined) return `${row}.${column}`;
  const text = `${row}.${derived.from}`;
  if ('hash' in derived) return `hashes.${column}(${text})`;
  return `numbers.numberOf(${JSON.stringify(derived.table)}, ${text})`;
}

function decoder(names: readonly string[]): Layout['decode'] {
  let decode: Layout['decode'] | undefined;
  return (cells) => {
    decode ??= compile<Layout['decode']>(
      ['cells'],
      `return { ${names.map((name, i) => `${name}: cells[${i}]`).join()} };`,
    );
    return decode(cells);
  };
}
