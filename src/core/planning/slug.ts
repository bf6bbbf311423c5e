// Slugs: address segments made from a name, ASCII and lower case; a taken one gets -2, -3 … .
import type { Snapshot } from '../rows/snapshot.js';
import { column, defineTable, type Row, type RowOf, type Table } from '../rows/table.js';
import type { Environment, FurtherSteps, Task } from './item-task.js';

/**
 * The last number used for a slug, so that the ten thousandth `t-shirt` costs the same as the second. A number is never
 * used twice, even if its slug is free again: an old address must not lead to another record.
 */
export const slugSeries = defineTable('slug_series', { stem: column.text, last: column.integer }, { id: ['stem'] });

/** The maximum length of an address segment in bytes, which for ASCII are characters. */
export const longestSlug = 190;

type SluggedRow = { id: string; name: string; slug: string } & Row;
type SluggedTable = Table<SluggedRow>;

function findBySlug(snapshot: Snapshot, table: SluggedTable, slug: string): SluggedRow | undefined {
  return snapshot.find(table, 'slug', slug);
}

export interface SlugPrefetch {
  /** Asks for the holder of the slug that a record makes from a name. */
  add(name: string | undefined): void;
  /**
   * For slugs that are taken or wanted twice their series, then the holders of its next numbers: a round trip each for all
   * items, in place of several for each batch.
   */
  readonly further: FurtherSteps;
}

export function slugPrefetch(table: SluggedTable, snapshot: Snapshot, { slugify }: Environment): SlugPrefetch {
  // How many records want each slug.
  const wanted = new Map<string, number>();
  return {
    add(name) {
      const stem = name ? slugify(name) : '';
      if (stem === '') return;
      wanted.set(stem, (wanted.get(stem) ?? 0) + 1);
      findBySlug(snapshot, table, stem);
    },
    further: [
      () => {
        for (const [stem, count] of wanted) {
          if (count === 1 && findBySlug(snapshot, table, stem) === undefined) wanted.delete(stem);
          else findSeries(snapshot, table, stem);
        }
      },
      () => {
        for (const [stem, count] of wanted) {
          const first = nextNumber(findSeries(snapshot, table, stem));
          for (let number = first; number < first + count; number++)
            findBySlug(snapshot, table, numbered(stem, number));
        }
      },
    ],
  };
}

function findSeries(snapshot: Snapshot, { name }: SluggedTable, stem: string): RowOf<typeof slugSeries> | undefined {
  return snapshot.find(slugSeries, 'id', `${name}/${stem}`);
}

/** The number that a series gives next. */
function nextNumber(series: RowOf<typeof slugSeries> | undefined): number {
  return (series?.last ?? 1) + 1;
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

/**
 * What stands for the slug of a record whose creation is undone: its identifier, with the slug, which is free for others and
 * which the record gets again if it comes back first. No address segment begins like that.
 */
export function withdrawnSlug({ id, slug }: Pick<SluggedRow, 'id' | 'slug'>): string {
  const withdrawn = slug.startsWith(id) ? slug : `${id}-${slug}`;
  return withdrawn.length > longestSlug ? id : withdrawn;
}

/** The slug that a record had before its creation was undone; undefined for any other record. */
function formerSlug({ id, slug }: SluggedRow): string | undefined {
  return slug.startsWith(id) ? slug.slice(id.length + 1) : undefined;
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
  const known = findSeries(task.snapshot, table, stem);
  const first = nextNumber(known);
  const holderOf = (number: number) => findBySlug(task.snapshot, table, numbered(stem, number));
  let last = first;
  // Each pending look-up costs a round of loading, so that taken numbers are looked up in ranges that double.
  for (let asked = first; holderOf(last) !== undefined; last++) {
    if (last < asked) continue;
    asked = 2 * last - first + 1;
    for (let number = last + 1; number <= asked; number++) holderOf(number);
  }
  const row: RowOf<typeof slugSeries> = { stem: `${table.name}/${stem}`, last };
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
  const former = own && formerSlug(own);
  if (sent === undefined && own !== undefined && former === undefined) return;
  const stem = (sent ? slugify(sent) : '') || slugify(next.name) || slugify(otherwise) || table.name;
  const isFree =
    former !== undefined && isNumbered(former, stem) && findBySlug(task.snapshot, table, former) === undefined;
  const slug = isFree ? former : own?.slug === stem ? stem : freeSlug(task, table, stem, own);
  if (sent && sent !== slug) {
    const isTaken = stem === sent ? 'yes' : 'no';
    task.notice('slug_adjusted', 'slug', sent, { isTaken, kept: slug });
  }
  next.slug = slug;
}
