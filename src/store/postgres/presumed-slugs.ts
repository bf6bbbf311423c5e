// Slugs that are presumed to be free. Hardly any slug of a new product is taken, and looking each of them up is a sixth of the
// server's work in an import of new products, since they come in no order. So once many in a row were free, the next ones are
// presumed to be: if one is not, the unique index makes its transaction fail, which is then decided again with look-ups.
import { slugSeries } from '../../core/planning/slug.js';
import type { NegativeLookup, NegativeLookups, SavedRows } from '../../core/rows/snapshot.js';
import type { Table } from '../../core/rows/table.js';
import type { Saved } from './change-journal.js';
import { MustLock } from './must-lock.js';
import { stateOf } from './server-error.js';

/** How many free slugs in a row are enough, at first and at most. */
const fewest = 1000;
const most = 1_000_000;

/** By how much more are needed after a presumption was wrong: a feed with a taken slug in each million fails some times only. */
const growth = 4;

/** The SQLSTATE of a key that is taken. */
const uniqueViolation = '23505';

/** What one writer presumes. */
export interface PresumedSlugs {
  /** For a draft; undefined as long as slugs are looked up. */
  lookups(): NegativeLookups | undefined;
  /**
   * Notes what was decided.
   * @param isPresumed whether it was decided with `lookups`
   * @throws MustLock if it has to be decided with look-ups
   */
  decided(saved: Saved, isPresumed: boolean): void;
  /** Notes why a transaction failed that was decided with `lookups`. */
  failed(error: unknown): void;
}

const free: NegativeLookup = { isAbsent: () => true, coversMost: true };

/** The presumptions of a writer that has seen no slugs yet. */
export function presumedSlugs(): PresumedSlugs {
  let inARow = 0;
  let enough = fewest;

  function wrong(): void {
    inARow = 0;
    enough = Math.min(growth * enough, most);
  }

  return {
    lookups: () => (inARow < enough ? undefined : (_, lookup) => (lookup === 'slug' ? free : undefined)),
    decided(saved, isPresumed) {
      if (isPresumed && saved.some(givesUpSlug)) {
        wrong();
        throw new MustLock('a slug was given up, which may have been taken by an earlier item');
      }
      if (saved.some((tables) => tables.has(slugSeries))) inARow = 0;
      else for (const tables of saved) inARow += newSlugs(tables);
    },
    failed(error) {
      if (stateOf(error) === uniqueViolation) wrong();
    },
  };
}

function newSlugs(saved: ReadonlyMap<Table, SavedRows>): number {
  let count = 0;
  for (const [{ lookups }, { created }] of saved) if (lookups['slug'] !== undefined) count += created.length;
  return count;
}

/**
 * Whether a record gets another slug. An earlier item of the same transaction may have taken the former one: it was not free then,
 * but is when the rows are written, so that the unique index allows what the order of the items does not.
 */
function givesUpSlug(saved: ReadonlyMap<Table, SavedRows>): boolean {
  for (const [{ lookups }, { changed }] of saved) {
    if (lookups['slug'] === undefined) continue;
    for (const [row, before] of changed) if (before === 'unknown' || row['slug'] !== before['slug']) return true;
  }
  return false;
}
