// Photos of a product.
import { boolean, type ItemOf, integer, reference } from '../fields/fields.js';
import { kept, stored } from '../fields/members.js';
import { defineRecord } from '../fields/record-type.js';
import type { ChildChange, Task } from '../planning/item-task.js';
import { type ListRules, type MergedEntry, mergeList, noticeDeactivated } from '../planning/merge-list.js';
import { checkShopReference } from '../planning/references.js';
import type { RowOf } from '../rows/table.js';
import type { ProductRow } from './product-table.js';
import { files } from './shop.js';

export const mediaRecord = defineRecord(
  'product_media',
  {
    product: kept(''),
    file: stored(reference('identifier of a file already in the shop’s media', 'file', ['file_'], { required: true }), {
      initial: '',
      decided: true,
    }),
    is_main: stored(boolean('true marks the cover photo; at most one per product')),
    position: stored(integer('display order; defaults to the order in the list'), { decided: true }),
    status: kept(''),
    listed: kept(1),
  },
  { id: ['product', 'file'], parent: 'product' },
);

export const mediaTable = mediaRecord.table;

type MediaRow = RowOf<typeof mediaTable>;

export type MediaEntry = ItemOf<typeof mediaRecord.fields>;

const rules: ListRules<MediaRow, MediaEntry> = {
  field: 'media',
  word: 'file',
  positions: 'index',
  keyOf: ({ file }) => file ?? undefined,
  keyOfRow: ({ file }) => file,
  create(entry, product) {
    const row = mediaRecord.newRow('', 0);
    row.product = product;
    row.file = entry.file ?? '';
    return correct(row, entry);
  },
  correct,
};

function correct(row: MediaRow, entry: MediaEntry): MediaRow {
  const next = { ...row };
  mediaRecord.applySent(entry, next);
  return next;
}

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
  chooseCover(task, entries, merged);
  const compared = task.mode.comparesLists;
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
function chooseCover(task: Task, entries: readonly MediaEntry[], merged: readonly MergedEntry<MediaRow>[]): void {
  const cover = entries.findIndex(isCover);
  const second = entries.findIndex((entry, i) => i > cover && isCover(entry));
  if (second !== -1) {
    task.refuse('main_media_repeated', `media[${second}].is_main`, undefined, { first: `media[${cover}].is_main` });
  }
  for (const { index, next } of merged) {
    // An unlisted photo is not the cover, nor is any other when one is set.
    if (index === undefined || (cover !== -1 && index !== cover)) next.is_main = 0;
  }
}

function isCover(entry: MediaEntry): boolean {
  return entry.is_main === true;
}

const change: ChildChange = {
  path: (row) => `media[${row['file']}]`,
  show(row, snapshot) {
    const { file: _, ...shown } = mediaRecord.view(row, snapshot);
    return { ...shown, status: row['listed'] === 1 ? 'activated' : 'suspended' };
  },
};
