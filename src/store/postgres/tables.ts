// What the statements of PostgreSQL have to know of core's tables beside their columns: which are numbered, which key columns
// hold integers, and which table is written before which.
import type { Table } from '../../core/rows/table.js';
import { quoted } from './schema.js';

/** Tables whose rows are numbered as they come (`seq`): they are listed in that order, all others by their identifiers. */
const numbered: ReadonlySet<string> = new Set(['characteristic', 'category', 'product']);

/** Columns of keys that hold integers; all others hold text. */
const integerKeys: ReadonlySet<string> = new Set(['ordinal']);

/** Tables that others refer to, those first; the rest follows in any order. */
const parentsFirst: readonly string[] = [
  ...['customer', 'shop_order', 'shop_order_line', 'characteristic', 'characteristic_value', 'category'],
  ...['product_group', 'product_group_axis', 'product'],
];

/** By what the rows of a table are listed. */
export function orderOf({ name }: Table): string {
  return numbered.has(name) ? 'seq' : 'id';
}

/** The type of an array of keys of this column. */
export function keyType(column: string): string {
  return integerKeys.has(column) ? 'bigint' : 'text';
}

/** Tables in the order in which they are written. */
export function inWritingOrder(tables: Iterable<Table>): Table[] {
  const place = ({ name }: Table): number => {
    const found = parentsFirst.indexOf(name);
    return found === -1 ? parentsFirst.length : found;
  };
  return [...tables].sort((a, b) => place(a) - place(b));
}

/** The name of a table in its schema, as SQL writes it. */
export function qualified(schema: string, { name }: Table): string {
  return `${quoted(schema)}.${quoted(name)}`;
}

/** The columns of a table, as SQL lists them. */
export function columnList(columns: readonly string[], prefix = ''): string {
  return columns.map((name) => prefix + quoted(name)).join(', ');
}
