// Categories, a tree in which a name stands once.
import { choice, type ItemOf, integer, key, reference, statuses, text } from '../fields/fields.js';
import { recordKey } from '../fields/record-key.js';
import type { Environment, Task } from '../planning/item-task.js';
import {
  checkShopReference,
  isIdentifier,
  refuseReference,
  type ShopReferences,
  unresolvedReferences,
  withShopReferences,
} from '../planning/references.js';
import { assignSlug, longestSlug, prefetchSlug, slugSeries } from '../planning/slug.js';
import type { Resource } from '../resource.js';
import type { Snapshot } from '../rows/snapshot.js';
import { column, defineTable, type Row, type RowOf } from '../rows/table.js';
import { fold } from '../text/text.js';
import { files, warranties } from './shop.js';

// What may be sent

const fields = {
  name: key('name', { maxBytes: 190, anyCase: true }),
  parent: reference("parent category by identifier or name; '' makes it top-level", 'category', ['cate_'], {
    byName: true,
  }),
  description: text('description'),
  image: reference('identifier of an image in the shop’s media', 'file', ['file_']),
  position: integer('display order'),
  status: choice('activated (default) or suspended', statuses),
  slug: text('address segment; generated from the name when empty', { maxBytes: longestSlug }),
  seo_title: text('title for search engines', { maxBytes: 190 }),
  seo_description: text('description for search engines'),
  seo_image: reference('identifier of the image shared on social networks', 'file', ['file_']),
  reference: text('your own reference', { maxBytes: 190 }),
  warranty: reference('identifier of a warranty of the shop', 'warranty', []),
};

// What is kept

export const categoryTable = defineTable(
  'category',
  {
    id: column.text,
    key: column.text,
    name: column.text,
    parent: column.nullableText,
    description: column.text,
    image: column.nullableText,
    position: column.integer,
    status: column.text,
    slug: column.text,
    seo_title: column.text,
    seo_description: column.text,
    seo_image: column.nullableText,
    reference: column.text,
    warranty: column.nullableText,
    created_at: column.integer,
    updated_at: column.integer,
  },
  { id: ['id'], lookups: { key: ['key'], slug: ['slug'] }, prefix: 'cate_', above: 'parent' },
);

/** Which categories lie below which: of a whole branch that is all that is loaded. */
const branchTable = defineTable(
  'category',
  { id: column.text, parent: column.nullableText },
  { id: ['id'], parent: 'parent' },
);

/** Levels from the top to a category, itself included (decisions 4.1). */
const mostLevels = 100;

type CategoryRow = RowOf<typeof categoryTable>;

type CategoryItem = ItemOf<typeof fields>;

// What a batch needs

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

function prefetchSlugs(items: readonly CategoryItem[], snapshot: Snapshot, environment: Environment): void {
  for (const item of items) {
    if (item.name === undefined) continue;
    const stored = snapshot.find(categoryTable, 'key', fold(item.name));
    if (stored === undefined || item.slug) prefetchSlug(categoryTable, item.slug || item.name, snapshot, environment);
  }
}

// What happens

function decide(task: Task<CategoryItem>): void {
  const { item } = task;
  if (item.name === undefined) return;
  const stored = task.snapshot.find(categoryTable, 'key', fold(item.name));
  if (stored !== undefined) task.known(stored);
  const id = stored?.id ?? task.snapshot.newId(categoryTable);
  for (const field of ['image', 'seo_image'] as const) checkShopReference(task, field, item[field], files);
  checkShopReference(task, 'warranty', item.warranty, warranties);
  const parent = item.parent === undefined ? (stored?.parent ?? null) : findParent(task, item.parent, stored, id);
  const kept = stored ?? newCategory(task, id, item.name);
  const next: CategoryRow = {
    ...kept,
    parent,
    description: item.description ?? kept.description,
    image: item.image === undefined ? kept.image : item.image,
    position: item.position ?? kept.position,
    status: item.status ?? kept.status,
    seo_title: item.seo_title ?? kept.seo_title,
    seo_description: item.seo_description ?? kept.seo_description,
    seo_image: item.seo_image === undefined ? kept.seo_image : item.seo_image,
    reference: item.reference ?? kept.reference,
    warranty: item.warranty === undefined ? kept.warranty : item.warranty,
  };
  assignSlug(task, categoryTable, stored, next);
  task.saveRecord(categoryTable, stored, next);
}

function newCategory(task: Task, id: string, name: string): CategoryRow {
  const { now } = task.environment;
  return {
    id,
    key: fold(name),
    name,
    parent: null,
    description: '',
    image: null,
    position: 0,
    status: 'activated',
    slug: '',
    seo_title: '',
    seo_description: '',
    seo_image: null,
    reference: '',
    warranty: null,
    created_at: now,
    updated_at: now,
  };
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
    // A new category that names itself as its parent is not stored yet: it is its own ancestor all the same.
    if (fold(parent) === fold(String(task.item['name']))) task.refuse('category_parent_cycle', 'parent', parent);
    else
      refuseReference(task, 'parent', parent, {
        word: 'category',
        use: 'Import it first, or use an existing name or identifier.',
        prefixes: ['cate_'],
      });
    return null;
  }
  if (found.id !== own?.parent) checkPlace(task, parent, found.id, { id, isNew: own === undefined });
  return found.id;
}

/** A new place in the tree: not below the category itself, and with no more levels than there may be. */
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
  const which = below === 0 ? 'the category' : 'a category below this one';
  task.refuse('category_too_deep', 'parent', parent, { which, level: levels, most: mostLevels });
}

/** How many levels lie below a category, as it is stored and as this transaction changes it; no further than matters. */
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

/** The identifiers of a category and of those above it. */
export function lineage(snapshot: Snapshot, category: string | null): ReadonlySet<string> {
  return new Set(category === null ? [] : snapshot.ancestry(categoryTable, category).map(({ id }) => id));
}

// What is read back

function view(row: Row): Readonly<Record<string, unknown>> {
  const it = row as CategoryRow;
  return {
    object: 'category',
    id: it.id,
    name: it.name,
    parent: it.parent ?? '',
    description: it.description,
    image: it.image ?? '',
    position: it.position,
    status: it.status,
    slug: it.slug,
    seo_title: it.seo_title,
    seo_description: it.seo_description,
    seo_image: it.seo_image ?? '',
    reference: it.reference,
    warranty: it.warranty ?? '',
    created_at: it.created_at,
    updated_at: it.updated_at,
  };
}

export const category: Resource = {
  name: 'category',
  command: 'categories',
  words: ['category'],
  title: 'Category',
  limit: 50,
  key: 'name',
  prefix: 'cate_',
  fields,
  tables: [categoryTable, slugSeries],
  externalId: recordKey(fields, 'name').of,
  prefetch: withShopReferences(ofTheShop, [prefetchNames, prefetchSlugs]),
  decide,
  find: (selector, snapshot) =>
    'id' in selector
      ? snapshot.find(categoryTable, 'id', selector.id)
      : snapshot.find(categoryTable, 'key', fold(selector.key.trim())),
  view,
  details: {
    names: (row, snapshot) => {
      const { parent } = row as CategoryRow;
      return { parent_name: parent === null ? '' : (snapshot.find(categoryTable, 'id', parent)?.name ?? '') };
    },
    unresolved: (row, snapshot) => ({
      unresolved: unresolvedReferences<CategoryItem>(
        ofTheShop,
        row as Pick<CategoryRow, 'image' | 'seo_image' | 'warranty'>,
        snapshot,
      ),
    }),
  },
};
