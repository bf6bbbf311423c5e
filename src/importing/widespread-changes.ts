// Reports fields that change in most rows of a feed, which the default guards let through.
import type { FieldChange } from '../core/import-report.js';
import { ellipsize, groupDigits, sanitizeText } from '../core/text/sanitize.js';

/** Counts the rows in which each field changes. */
export interface WidespreadChanges {
  /** Takes the changes of a row. @param place where it is, with its key */
  take(changes: readonly FieldChange[], place: string): void;
  /** `name changes in 400 of 400 rows (line 2: A-1: name Lamp → Chair)`; '' if no field changes in most rows. */
  words(rows: number): string;
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
    words(rows) {
      const most = [...fields].filter(([, found]) => found.rows >= fewRows && found.rows * 2 > rows);
      return most
        .sort(([, a], [, b]) => b.rows - a.rows)
        .map(([name, found]) => {
          const example = ellipsize(sanitizeText(found.example), longest);
          return `${name} changes in ${groupDigits(found.rows)} of ${groupDigits(rows)} rows (${example})`;
        })
        .join(', ');
    },
  };
}
