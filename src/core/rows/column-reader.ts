// Reads one column of many rows. Compiled for the column: by a name that is only known at run
// time, reading takes five times as long.
import { compile } from './compile-function.js';
import type { Row, Value } from './table.js';

/** The values of a column in the rows at these indexes, null where there is none. */
export type ColumnReader = (rows: readonly (Row | undefined)[], indexes: readonly number[]) => Value[];

/** The values take the place of a copy, which has room for all, and no holes: lists without holes are serialized faster. */
function compileColumnReader(name: string): ColumnReader {
  const body = `
    const values = indexes.slice();
    for (let i = 0; i < values.length; i++) values[i] = rows[values[i]]?.${name} ?? null;
    return values;`;
  return compile<ColumnReader>(['rows', 'indexes'], body);
}

const readers = new Map<string, ColumnReader>();

export function columnReader(name: string): ColumnReader {
  const known = readers.get(name);
  if (known !== undefined) return known;
  const reader = compileColumnReader(name);
  readers.set(name, reader);
  return reader;
}
