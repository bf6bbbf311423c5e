// Reports fields that change in most rows of a feed, and prices that change by one factor in many, as those of another tax mode do:
// the default guards let them through.
import type { FieldChange } from '../../core/import-report.js';
import { ellipsize, sanitizeText } from '../../core/text/sanitize.js';
import { changeWords } from './field-change.js';
import { priceFactors } from './price-factors.js';

/** Counts the rows in which each field changes. */
export interface WidespreadChanges {
  /** Takes the changes of a row. @param place where it is, with its key */
  take(changes: readonly FieldChange[], place: string): void;
  /** The fields that change in most rows, the most frequent first; where prices do not, the factor of many. */
  found(rows: number): readonly WidespreadChange[];
}

/** A field that changes in many rows, with the first row in which it changes. */
interface WidespreadChange {
  readonly field: string;
  /** Of a price: by what it changes in all of these rows. */
  readonly factor?: number;
  readonly rows: number;
  readonly example: string;
}

/** A field is reported only if it changes in at least so many rows. */
const fewRows = 10;

/** From this share of the rows on, prices that change by one factor are reported. */
const manyPrices = 0.2;

/** Characters of an example. */
const longest = 100;

export function widespreadChanges(): WidespreadChanges {
  const fields = new Map<string, { rows: number; readonly example: string }>();
  const prices = priceFactors();
  return {
    take(changes, place) {
      prices.take(changes, place);
      const seen = new Set<string>();
      for (const change of changes) {
        // Entries of a list count as the list.
        const [name = ''] = change.field.split('[', 1);
        if (seen.has(name)) continue;
        seen.add(name);
        const found = fields.get(name);
        if (found !== undefined) found.rows++;
        else fields.set(name, { rows: 1, example: `${place}: ${changeWords(change)}` });
      }
    },
    found(total) {
      const found: WidespreadChange[] = [...fields]
        .filter(([, { rows }]) => rows >= fewRows && rows * 2 > total)
        .sort(([, a], [, b]) => b.rows - a.rows)
        .map(([field, change]) => ({ field, ...change }));
      const most = prices.most();
      const isKnown = found.some(({ field }) => field === 'price');
      if (!isKnown && most !== undefined && most.rows >= Math.max(fewRows, total * manyPrices))
        found.push({ field: 'price', ...most });
      return found.map((change) => ({ ...change, example: ellipsize(sanitizeText(change.example), longest) }));
    },
  };
}
