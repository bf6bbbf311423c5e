// Photos of a product.
import { boolean, type ItemOf, integer, reference } from '../fields/fields.js';
import type { ChildChange, Task } from '../planning/item-task.js';
import { type ListRules, type MergedEntry, mergeList, noticeDeactivated } from '../planning/merge-list.js';
import { checkShopReference } from '../planning/references.js';
import { column, defineTable, type Row, type RowOf } from '../rows/table.js';
import type { ProductRow } from './product-table.js';
import { files } from './shop.js';

export const mediaFields = {
  file: reference('identifier of a file already in the shop’s media', 'file', ['file_'], { required: true }),
  is_main: boolean('true marks the cover photo; at most one per product'),
  position: integer('display order; defaults to the order in the list'),
};

export const mediaTable = defineTable(
  'product_media',
  {
    product: column.text,
    file: column.text,
    is_main: column.integer,
    position: column.integer,
    status: column.text,
    listed: column.integer,
  },
  { id: ['product', 'file'], parent: 'product' },
);

type MediaRow = RowOf<typeof mediaTable>;

export type MediaEntry = ItemOf<typeof mediaFields>;

const rules: ListRules<MediaRow, MediaEntry> = {
  field: 'media',
  word: 'file',
  positions: 'index',
  keyOf: ({ file }) => file ?? undefined,
  keyOfRow: ({ file }) => file,
  create: ({ file, is_main: isMain }, product) => ({
    product,
    file: file ?? '',
    is_main: Number(isMain ?? false),
    position: 0,
    status: '',
    listed: 1,
  }),
  correct: (row, { is_main: isMain }) => ({ ...row, is_main: isMain === undefined ? row.is_main : Number(isMain) }),
};

/** Merges the photos that were sent with the stored ones. */
export function decideMedia(
  task: Task,
  entries: readonly MediaEntry[],
  stored: ProductRow | undefined,
  next: ProductRow,
): void {
  const merged = mergeList(task, rules, {
    record: next.id,
    stored: stored === undefined ? [] : task.snapshot.children(mediaTable, stored.id),
    entries,
  });
  for (let i = 0; i < entries.length; i++) checkFile(task, entries[i]?.file, `media[${i}].file`);
  settleCover(task, entries, merged);
  const compared = !task.mode.dryRun || task.mode.diff;
  if (compared) noticeDeactivated(task, 'media', merged);
  for (const { before, next: row } of merged) {
    task.saveChild(mediaTable, before, row, change, compared);
  }
}

function checkFile(task: Task, file: string | null | undefined, path: string): void {
  if (file === null) task.refuse('field_required', path);
  checkShopReference(task, path, file, files);
}

/** At most one cover: sent true on one photo it takes it from the stored one; true twice is refused. */
function settleCover(task: Task, entries: readonly MediaEntry[], merged: readonly MergedEntry<MediaRow>[]): void {
  const cover = entries.findIndex(isCover);
  const second = entries.findIndex((entry, i) => i > cover && isCover(entry));
  if (second !== -1) {
    task.refuse('main_media_repeated', `media[${second}].is_main`, undefined, { first: `media[${cover}].is_main` });
  }
  for (const { index, next } of merged) {
    // A photo that was left out is no cover; nor is one when another was named.
    if (index === undefined || (cover !== -1 && index !== cover)) next.is_main = 0;
  }
}

function isCover(entry: MediaEntry): boolean {
  return entry.is_main === true;
}

const change: ChildChange = { path: (row) => `media[${row['file']}]`, show };

function show(row: Row): Readonly<Record<string, unknown>> {
  const { is_main: isMain, position, listed } = row as MediaRow;
  return { is_main: isMain === 1, position, status: listed === 1 ? 'activated' : 'suspended' };
}
