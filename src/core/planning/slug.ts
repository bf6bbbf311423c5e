// Slugs: address segments made from a name, ASCII and lower case; a taken one gets -2, -3 … .
import type { Snapshot } from '../rows/snapshot.js';
import { column, defineTable, type Row, type RowOf, type Table } from '../rows/table.js';
import type { Environment, Task } from './item-task.js';

/**
 * The last number used for a slug, so that the ten thousandth `t-shirt` costs the same as the second. A number is never
 * used twice, even if its slug is free again: an old address must not lead to another record.
 */
export const slugSeries = defineTable('slug_series', { stem: column.text, last: column.integer }, { id: ['stem'] });

/** The maximum length of an address segment in bytes, which for ASCII are characters (decisions 4.1). */
export const longestSlug = 190;

type SluggedRow = { id: string; name: string; slug: string } & Row;
type SluggedTable = Table<SluggedRow>;

function findBySlug(snapshot: Snapshot, table: SluggedTable, slug: string): SluggedRow | undefined {
  return snapshot.find(table, 'slug', slug);
}

/** Prefetches what assigning a slug needs. */
export function prefetchSlug(
  table: SluggedTable,
  name: string | undefined,
  snapshot: Snapshot,
  environment: Environment,
): void {
  if (!snapshot.paysToPrefetch(table, 'slug')) return;
  const wanted = name ? environment.slugify(name) : '';
  if (wanted !== '') findBySlug(snapshot, table, wanted);
}

/** A slug of a series; where it would be too long the stem is cut. */
function numbered(stem: string, number: number): string {
  const tail = `-${number}`;
  return stem.slice(0, longestSlug - tail.length) + tail;
}

function isNumbered(slug: string, stem: string): boolean {
  const number = /-([2-9]|[1-9]\d{1,14})$/.exec(slug)?.[1];
  return number !== undefined && slug === numbered(stem, Number(number));
}

/** The stem if it is free or the record's own, else with the next number of its series. */
function freeSlug(
  task: Task,
  table: SluggedTable,
  stem: string,
  own: { readonly id: string; readonly slug: string } | undefined,
): string {
  const holder = findBySlug(task.snapshot, table, stem);
  if (holder === undefined || holder.id === own?.id) return stem;
  // The stem is taken, and this record has a numbered slug: it keeps that, so that a second run is unchanged.
  if (own !== undefined && isNumbered(own.slug, stem)) return own.slug;
  const series = `${table.name}/${stem}`;
  const known = task.snapshot.find(slugSeries, 'id', series);
  const first = (known?.last ?? 1) + 1;
  const holderOf = (number: number) => findBySlug(task.snapshot, table, numbered(stem, number));
  let last = first;
  // Each pending look-up costs a round of loading, so that taken numbers are looked up in ranges that double.
  for (let asked = first; holderOf(last) !== undefined; last++) {
    if (last < asked) continue;
    asked = 2 * last - first + 1;
    for (let number = last + 1; number <= asked; number++) holderOf(number);
  }
  const row: RowOf<typeof slugSeries> = { stem: series, last };
  task.saveAuxiliary(slugSeries, known, row);
  return numbered(stem, last);
}

/**
 * Assigns the slug of a record: generated from the name when empty, or omitted on creation; a sent one is normalized like a
 * generated one; a taken one gets -2, -3 …; a sent slug that was changed gets the notice `slug_adjusted`.
 * @param sent the slug of the item, undefined if not sent
 * @param own the stored record, undefined for a new one
 * @param next the new row, with its name
 * @param otherwise generates the slug if the name has no usable characters
 */
export function assignSlug(
  task: Task,
  table: SluggedTable,
  own: SluggedRow | undefined,
  next: SluggedRow,
  otherwise: string = '',
): void {
  const { slugify } = task.environment;
  const sent = task.item['slug'] as string | undefined;
  if (sent === undefined && own !== undefined) return;
  const stem = (sent ? slugify(sent) : '') || slugify(next.name) || slugify(otherwise) || table.name;
  const slug = own?.slug === stem ? stem : freeSlug(task, table, stem, own);
  if (sent && sent !== slug) {
    const isTaken = stem === sent ? 'yes' : 'no';
    task.notice('slug_adjusted', 'slug', sent, { isTaken, kept: slug });
  }
  next.slug = slug;
}
