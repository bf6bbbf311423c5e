// Reports fields that change in most rows of a feed, which the default guards let through.
import type { FieldChange } from '../../core/import-report.js';
import { ellipsize, sanitizeText } from '../../core/text/sanitize.js';

/** Counts the rows in which each field changes. */
export interface WidespreadChanges {
  /** Takes the changes of a row. @param place where it is, with its key */
  take(changes: readonly FieldChange[], place: string): void;
  /** The fields that change in most rows, the most frequent first. */
  found(rows: number): readonly WidespreadChange[];
}

/** A field that changes in most rows, with the first of these rows. */
interface WidespreadChange {
  readonly field: string;
  readonly rows: number;
  readonly example: string;
}

/** A field is reported only if it changes in at least so many rows. */
const fewRows = 10;

/** Characters of an example. */
const longest = 100;

export function widespreadChanges(): WidespreadChanges {
  const fields = new Map<string, { rows: number; readonly example: string }>();
  return {
    take(changes, place) {
      const seen = new Set<string>();
      for (const { field, from, to } of changes) {
        // Entries of a list count as the list.
        const [name = field] = field.split('[', 1);
        if (seen.has(name)) continue;
        seen.add(name);
        const found = fields.get(name);
        if (found !== undefined) found.rows++;
        else fields.set(name, { rows: 1, example: `${place}: ${field} ${String(from)} → ${String(to)}` });
      }
    },
    found: (total) =>
      [...fields]
        .filter(([, { rows }]) => rows >= fewRows && rows * 2 > total)
        .sort(([, a], [, b]) => b.rows - a.rows)
        .map(([field, { rows, example }]) => ({ field, rows, example: ellipsize(sanitizeText(example), longest) })),
  };
}
