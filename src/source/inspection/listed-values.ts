// Profiles the values of lists, each by the name of its entry: `Colour=Red|Size=L` has values of `attributes[Colour]` and
// `attributes[Size]`, as columns of these names have.
import type { Fields } from '../../core/fields/fields.js';
import { fold } from '../../core/text/text.js';
import { coercionOf } from '../cells/coerce-value.js';
import { type ColumnProfile, type ColumnProfiler, columnProfiler } from './column-profile.js';

/** Maximum names of entries whose values are profiled. */
const mostNames = 500;

const asWritten = { decimal: '.', empty: 'skip' } as const;

/** Watches the columns that are called as lists of named values. @param lists fields by their name, of which these are some */
export function listedValues(lists: Fields) {
  const readers = new Map(
    Object.entries(lists).flatMap(([name, field]) =>
      field.kind === 'list' && field.isMultiple === true
        ? [[name, { field, read: coercionOf(field, name, asWritten) }] as const]
        : [],
    ),
  );
  const profilers = new Map<string, ColumnProfiler>();

  function profilerOf(name: string): ColumnProfiler | undefined {
    const known = profilers.get(fold(name));
    if (known !== undefined || profilers.size >= mostNames) return known;
    const fresh = columnProfiler(name);
    profilers.set(fold(name), fresh);
    return fresh;
  }

  return {
    take(column: string, cell: string, line: number, record: number): void {
      const list = readers.get(column);
      if (list === undefined) return;
      const { entryKey, entryValue = '' } = list.field;
      const entries = list.read(cell, { problems: [], numberInText: false, unknown: () => undefined });
      for (const entry of Array.isArray(entries) ? entries : []) {
        const [name, value] = [entry?.[entryKey], entry?.[entryValue]];
        if (typeof name === 'string' && typeof value === 'string')
          profilerOf(`${column}[${name.trim()}]`)?.take(value, line, record);
      }
    },
    facts: (): readonly ColumnProfile[] => [...profilers.values()].map((profiler) => profiler.facts()),
  };
}
