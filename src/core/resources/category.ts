// Categories, a tree in which each name occurs once.
import { choice, type ItemOf, integer, key, reference, statuses, text } from '../fields/fields.js';
import { constant, identifier, kept, stored, timestamp } from '../fields/members.js';
import { defineRecord } from '../fields/record-type.js';
import type { Environment, FurtherSteps, Task } from '../planning/item-task.js';
import {
  checkShopReference,
  isIdentifier,
  refuseReference,
  type ShopReferences,
  unresolvedReferences,
  unresolvedShape,
  withShopReferences,
} from '../planning/references.js';
import { assignSlug, longestSlug, slugPrefetch, slugSeries } from '../planning/slug.js';
import type { Snapshot } from '../rows/snapshot.js';
import { column, defineTable, type RowOf } from '../rows/table.js';
import { fold } from '../text/text.js';
import { defineResource } from './define-resource.js';
import { files, warranties } from './shop.js';

// Declaration

const record = defineRecord(
  'category',
  {
    object: constant('category'),
    id: identifier(),
    key: kept(''),
    name: stored(key('what it is called and recognized by', { maxBytes: 190, anyCase: true }), { decided: true }),
    parent: stored(
      reference("parent category by identifier or name; '' makes it top-level", 'category', ['cate_'], {
        byName: true,
      }),
      { decided: true },
    ),
    description: stored(text('text about the category')),
    image: stored(reference('identifier of an image in the shop’s media', 'file', ['file_'])),
    position: stored(integer('display order')),
    status: stored(choice('activated (default) or suspended', statuses), { initial: 'activated' }),
    slug: stored(text('address segment; generated from the name when empty', { maxBytes: longestSlug }), {
      decided: true,
    }),
    seo_title: stored(text('title for search engines', { maxBytes: 190 })),
    seo_description: stored(text('description for search engines')),
    seo_image: stored(reference('identifier of the image shared on social networks', 'file', ['file_'])),
    reference: stored(text('your own reference', { maxBytes: 190 })),
    warranty: stored(reference('identifier of a warranty of the shop', 'warranty', [])),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { id: ['id'], lookups: { key: ['key'], slug: ['slug'] }, prefix: 'cate_', above: 'parent', isReferredTo: true },
);

export const categoryTable = record.table;

/** Rows of categories with their parents only, which is all that is loaded of a whole branch. */
const branchTable = defineTable(
  'category',
  { id: column.text, parent: column.nullableText },
  { id: ['id'], parent: 'parent' },
);

/** Maximum levels from the top to a category, itself included. */
const mostLevels = 100;

type CategoryRow = RowOf<typeof categoryTable>;

type CategoryItem = ItemOf<typeof record.fields>;

// Prefetch

const ofTheShop: readonly ShopReferences<CategoryItem>[] = [
  {
    kind: files,
    each({ image, seo_image: seoImage }, ask) {
      ask(image);
      ask(seoImage);
    },
  },
  { kind: warranties, each: ({ warranty }, ask) => ask(warranty) },
];

function prefetchNames(items: readonly CategoryItem[], snapshot: Snapshot): void {
  for (const item of items) {
    if (item.name === undefined) continue;
    snapshot.find(categoryTable, 'key', fold(item.name));
    if (item.parent) snapshot.find(categoryTable, ...parentLookup(item.parent));
  }
}

function prefetchSlugs(items: readonly CategoryItem[], snapshot: Snapshot, environment: Environment): FurtherSteps {
  const slugs = slugPrefetch(categoryTable, snapshot, environment);
  for (const item of items) {
    if (item.name === undefined) continue;
    const stored = snapshot.find(categoryTable, 'key', fold(item.name));
    if (stored === undefined || item.slug) slugs.add(item.slug || item.name);
  }
  return slugs.further;
}

// Decision

function decide(task: Task<CategoryItem>): void {
  const { item } = task;
  if (item.name === undefined) return;
  const stored = task.snapshot.find(categoryTable, 'key', fold(item.name));
  if (stored !== undefined) task.known(stored);
  const id = stored?.id ?? task.snapshot.newId(categoryTable);
  for (const field of ['image', 'seo_image'] as const) checkShopReference(task, field, item[field], files);
  checkShopReference(task, 'warranty', item.warranty, warranties);
  const parent = item.parent === undefined ? (stored?.parent ?? null) : findParent(task, item.parent, stored, id);
  const next = stored === undefined ? newCategory(task, id, item.name) : { ...stored };
  record.applySent(item, next);
  next.parent = parent;
  assignSlug(task, categoryTable, stored, next);
  task.saveRecord(categoryTable, stored, next);
}

function newCategory(task: Task, id: string, name: string): CategoryRow {
  const row = record.newRow(id, task.environment.now);
  row.key = fold(name);
  row.name = name;
  return row;
}

function parentLookup(parent: string): ['id' | 'key', string] {
  return isIdentifier(parent, 'cate_') ? ['id', parent] : ['key', fold(parent)];
}

/** The parent's identifier: by identifier or by name; '' makes the category top-level. */
function findParent(task: Task, parent: string | null, own: CategoryRow | undefined, id: string): string | null {
  if (parent === null) return null;
  const found =
    task.snapshot.find(categoryTable, ...parentLookup(parent)) ??
    task.snapshot.find(categoryTable, 'key', fold(parent));
  if (found === undefined) {
    // A new category that names itself as parent is not stored yet, but is its own ancestor all the same.
    if (fold(parent) === fold(String(task.item['name']))) task.refuse('category_parent_cycle', 'parent', parent);
    else
      refuseReference(task, 'parent', parent, {
        word: 'category',
        prefix: 'cate_',
        accepts: 'name or identifier',
      });
    return null;
  }
  if (found.id !== own?.parent) checkPlace(task, parent, found.id, { id, isNew: own === undefined });
  return found.id;
}

/** Checks a new position in the tree: not below the category itself, and within the maximum number of levels. */
function checkPlace(
  task: Task,
  parent: string,
  parentId: string,
  own: { readonly id: string; readonly isNew: boolean },
): void {
  const above = task.snapshot.ancestry(categoryTable, parentId);
  if (above.some(({ id }) => id === own.id)) return task.refuse('category_parent_cycle', 'parent', parent);
  const below = own.isNew ? 0 : levelsBelow(task.snapshot, own.id);
  const levels = above.length + 1 + below;
  if (levels <= mostLevels) return;
  task.refuse('category_too_deep', 'parent', parent, { below, level: levels, most: mostLevels });
}

/** The levels below a category, as stored and changed in this transaction; counted up to the limit. */
function levelsBelow(snapshot: Snapshot, id: string): number {
  const moved = new Map<string, string | null>();
  const arrived = new Map<string, string[]>();
  for (const row of snapshot.written(categoryTable)) {
    moved.set(row.id, row.parent);
    if (row.parent !== null) {
      const siblings = arrived.get(row.parent);
      if (siblings === undefined) arrived.set(row.parent, [row.id]);
      else siblings.push(row.id);
    }
  }
  const passed = new Set([id]);
  let level = [id];
  for (let levels = 0; ; levels++) {
    const next: string[] = [];
    for (const parent of level) {
      const stored = snapshot.children(branchTable, parent).map((row) => row.id);
      for (const child of [...stored.filter((one) => !moved.has(one)), ...(arrived.get(parent) ?? [])]) {
        if (!passed.has(child)) next.push(child);
        passed.add(child);
      }
    }
    if (next.length === 0 || levels > mostLevels) return levels;
    level = next;
  }
}

export function lineage(snapshot: Snapshot, category: string | null): ReadonlySet<string> {
  return new Set(category === null ? [] : snapshot.ancestry(categoryTable, category).map(({ id }) => id));
}

// Read

export const category = defineResource(record, {
  name: 'category',
  command: 'categories',
  words: ['category'],
  title: 'Category',
  limit: 50,
  key: 'name',
  lookup: 'key',
  tables: [categoryTable, slugSeries],
  prefetch: withShopReferences(ofTheShop, [prefetchNames, prefetchSlugs]),
  decide,
  details: {
    names: {
      shape: { parent_name: 'string' },
      read(row, snapshot) {
        const { parent } = row as CategoryRow;
        return { parent_name: parent === null ? '' : (snapshot.find(categoryTable, 'id', parent)?.name ?? '') };
      },
    },
    unresolved: {
      shape: unresolvedShape,
      read(row, snapshot) {
        const sent = row as Pick<CategoryRow, 'image' | 'seo_image' | 'warranty'>;
        return { unresolved: unresolvedReferences<CategoryItem>(ofTheShop, sent, snapshot) };
      },
    },
  },
});
