// Columns as an inspected file has them, made of their values alone.
import { type ColumnProfile, columnProfiler } from '../../../../src/source/inspection/column-profile.js';

/** The columns of records, each with its values record by record; several values of a record are an array. */
export function columnsOf(
  table: Readonly<Record<string, readonly (string | readonly string[])[]>>,
): readonly ColumnProfile[] {
  return Object.entries(table).map(([name, values]) => {
    const profiler = columnProfiler(name);
    values.forEach((value, record) => {
      for (const one of [value].flat()) profiler.take(one, record + 2, record);
    });
    return profiler.facts();
  });
}

/** A column of the given values. */
export function columnOf(name: string, values: readonly (string | readonly string[])[]): ColumnProfile {
  const [column] = columnsOf({ [name]: values });
  if (column === undefined) throw new Error('no column');
  return column;
}
