// What SQL statements for PostgreSQL need to know about core's tables: which columns contain integers, and in which
// order tables are written.
import type { Table, Value } from '../../core/rows/table.js';
import { quoted } from './schema.js';

/** Tables that others refer to come first; the rest in any order. */
const parentsFirst: readonly string[] = [
  ...['customer', 'shop_order', 'shop_order_line', 'characteristic', 'characteristic_value', 'category'],
  ...['product_group', 'product_group_axis', 'product'],
];

/** The columns that hold integers, as `table.column`. */
export type IntegerColumns = ReadonlySet<string>;

/** The type of an array of values of a column. */
export function arrayType(integers: IntegerColumns, { name }: Table, column: string): string {
  return integers.has(`${name}.${column}`) ? 'bigint[]' : 'text[]';
}

/** An array literal of PostgreSQL. Joined at once: a text that grows by each value is garbage for each. */
export function arrayOf(values: Iterable<Value | undefined>): string {
  const parts: string[] = [];
  for (const value of values)
    if (value === null || value === undefined) parts.push('NULL');
    else if (typeof value === 'number') parts.push(String(value));
    else parts.push(needsEscape.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`);
  return `{${parts.join()}}`;
}

const needsEscape = /["\\]/;

/** Tables in writing order. */
export function inWritingOrder(tables: Iterable<Table>): Table[] {
  const place = ({ name }: Table): number => {
    const found = parentsFirst.indexOf(name);
    return found === -1 ? parentsFirst.length : found;
  };
  return [...tables].sort((a, b) => place(a) - place(b));
}

export function qualified(schema: string, { name }: Table): string {
  return `${quoted(schema)}.${quoted(name)}`;
}

export function columnList(columns: readonly string[], prefix = ''): string {
  return columns.map((name) => prefix + quoted(name)).join(', ');
}
