// Products: their own fields. Grades, characteristic values and photos are in separate files.
import type { WrittenAmount } from '../fields/currencies.js';
import { showDecimal } from '../fields/decimal.js';
import { type ItemOf, list } from '../fields/fields.js';
import { amountInOtherCurrency, mismatchParams } from '../planning/amount-currency.js';
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
import { assignSlug, slugPrefetch, slugSeries } from '../planning/slug.js';
import type { Recognition } from '../resource.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Table } from '../rows/table.js';
import { hasWrongCheckDigit } from '../text/gtin.js';
import { hasLostDigits } from '../text/lost-digits.js';
import { categoryTable } from './category.js';
import { defineResource } from './define-resource.js';
import { reductionAfter } from './former-prices.js';
import {
  attributeRecord,
  attributeTable,
  decideAttributes,
  prefetchCharacteristics,
  prefetchListedValues,
} from './product-attributes.js';
import { productDetails } from './product-details.js';
import { applyGrades, gradeRecord, gradeTable } from './product-grades.js';
import { groupTable } from './product-group.js';
import { decideMedia, mediaRecord, mediaTable } from './product-media.js';
import { newProduct, type ProductRow, productRecord, productTable } from './product-table.js';
import { brands, files, warranties } from './shop.js';

// Fields

const fields = {
  ...productRecord.fields,
  grades: list('the whole list of condition grades', gradeRecord.fields, 'grade', {
    entryValue: 'price',
    maxEntries: 20,
  }),
  attributes: list(
    'characteristic values; only the characteristics named are updated',
    attributeRecord.fields,
    'type',
    {
      entryValue: 'value',
      isMultiple: true,
      maxEntries: 500,
    },
  ),
  media: list('the whole list of photos', mediaRecord.fields, 'file', { maxEntries: 250 }),
};

type ProductItem = ItemOf<typeof fields>;

// Prefetch

const ofTheShop: readonly ShopReferences<ProductItem>[] = [
  { kind: brands, each: ({ brand }, ask) => ask(brand) },
  { kind: warranties, each: ({ warranty }, ask) => ask(warranty) },
  {
    kind: files,
    each({ seo_image: image, media }, ask) {
      ask(image);
      if (media !== undefined) for (const { file } of media) ask(file);
    },
  },
];

function prefetchNamed(items: readonly ProductItem[], snapshot: Snapshot): void {
  for (const item of items) {
    if (item.sku === undefined) continue;
    snapshot.find(productTable, 'sku', item.sku);
    if (item.category) snapshot.find(categoryTable, 'id', item.category);
    if (item.group) snapshot.find(groupTable, 'id', item.group);
  }
  prefetchCharacteristics(items, snapshot);
}

/**
 * For a new product its slug, which loads the row that has it; for a known one its children; for characteristics the
 * values of closed lists.
 */
function prefetchFound(items: readonly ProductItem[], snapshot: Snapshot, environment: Environment): FurtherSteps {
  prefetchListedValues(items, snapshot);
  const slugs = slugPrefetch(productTable, snapshot, environment);
  for (const item of items) {
    if (item.sku === undefined) continue;
    const stored = snapshot.find(productTable, 'sku', item.sku);
    if (stored === undefined || item.slug) slugs.add(item.slug || item.name || item.sku);
    if (stored !== undefined && item.attributes !== undefined) snapshot.children(attributeTable, stored.id);
    if (stored !== undefined && item.grades !== undefined) snapshot.children(gradeTable, stored.id);
    if (stored !== undefined && item.media !== undefined) snapshot.children(mediaTable, stored.id);
  }
  return slugs.further;
}

/**
 * A product depends on the records that it refers to: characteristics with their values, and the tree of categories where one
 * of them has a scope. That its category and group exist does not change. `slug: ''` asks for the best slug that is free now.
 */
const recognition: Recognition = {
  isSteady: ({ slug }) => slug !== '',
  usesEpoch: ({ attributes }) => attributes !== undefined,
  shop: [brands.table, warranties.table, files.table],
  usesShop: ({ brand, warranty, seo_image: image, media }) =>
    Boolean(brand || warranty || image) || media !== undefined,
};

// Decision

function decide(task: Task<ProductItem>): void {
  const { item } = task;
  if (item.sku === undefined) return;
  const stored = task.snapshot.find(productTable, 'sku', item.sku);
  if (stored !== undefined) task.known(stored);
  checkReferences(task, item);
  checkCurrency(task, item, stored);
  const next =
    stored === undefined
      ? newProduct(item.sku, task.snapshot.newId(productTable), task.environment.now)
      : { ...stored };
  applyOwnFields(task, item, stored, next);
  const uncompared = applyGrades(task, item, stored, next);
  if (item.price_compare && stored !== undefined) tellHighCompare(task, stored, next);
  if (item.attributes !== undefined) decideAttributes(task, item.attributes, stored, next);
  if (item.media !== undefined) decideMedia(task, item.media, stored, next);
  const isChanged = task.saveRecord(productTable, stored, next, uncompared);
  const sendsLists = item.grades !== undefined || item.attributes !== undefined || item.media !== undefined;
  if (!isChanged && sendsLists && !task.mode.comparesLists) task.notice('lists_not_compared', '');
}

function applyOwnFields(task: Task, item: ProductItem, stored: ProductRow | undefined, next: ProductRow): void {
  productRecord.applySent(item, next);
  if (item.currency) next.currency = item.currency;
  // A name of '' means the SKU.
  if (item.name !== undefined) next.name = item.name === '' ? next.sku : item.name;
  if (item.status !== undefined) applyStatus(task, item.status, next);
  if (item.created_at !== undefined) applyCreatedAt(task, item.created_at, stored, next);
  assignSlug(task, productTable, stored, next, next.sku);
}

/** Codes that are kept as they were sent, and are probably wrong. */
function remark({ ean, sku }: ProductItem, tell: Task['notice']): void {
  if (ean && hasLostDigits(ean)) tell('digits_lost', 'ean', ean);
  if (ean && hasWrongCheckDigit(ean)) tell('check_digit_wrong', 'ean', ean);
  if (sku && hasLostDigits(sku)) tell('digits_lost', 'sku', sku);
}

/**
 * The price next to a reduction has to be the lowest of the 30 days before it. A price that only an earlier item of the transaction
 * set was offered to nobody.
 */
function tellHighCompare(task: Task, latest: ProductRow, next: ProductRow): void {
  const { environment, snapshot, notice } = task;
  const { price_compare: compare } = next;
  const stored = snapshot.origin(productTable, latest);
  // To the next run it is the latest row that the product was before.
  if (stored !== latest) task.leaveUnrecognized();
  const reduction = stored && reductionAfter(next, stored, environment.now);
  if (compare === null || reduction?.price == null || compare <= reduction.price) return;
  const [value, lowest] = [showDecimal(compare, 2), showDecimal(reduction.price, 2)];
  notice('compare_above_lowest', 'price_compare', value, { lowest, days: reduction.days });
}

/** An import never brings a deleted product back; its other fields are applied. */
function applyStatus(task: Task, status: string, next: ProductRow): void {
  if (next.status !== 'deleted') next.status = status;
  else task.notice('status_ignored', 'status', status);
}

/** Set on creation, never changed by a later import. */
function applyCreatedAt(task: Task, createdAt: number, stored: ProductRow | undefined, next: ProductRow): void {
  if (stored === undefined) next.created_at = createdAt;
  else if (stored.created_at !== createdAt) {
    task.notice('created_at_ignored', 'created_at', createdAt, { kept: stored.created_at });
  }
}

function checkCurrency(task: Task, item: ProductItem, stored: ProductRow | undefined): void {
  if (task.hasProblem('currency')) return;
  // A new product needs one, and none is created.
  if (task.mode.only === 'update' && item.currency === undefined && !stored?.currency) return;
  if (task.amounts !== undefined) checkAmounts(task, task.amounts, item.currency || stored?.currency || '');
  if (item.currency) return;
  // One whose creation was undone has none.
  if (stored === undefined || stored.currency === '') {
    task.refuse('currency_required', 'currency');
  } else if (item.currency === '') {
    task.refuse('currency_required', 'currency', '');
  }
}

/** An amount with another currency next to it is refused. */
function checkAmounts(task: Task, amounts: readonly WrittenAmount[], currency: string): void {
  const other = amountInOtherCurrency(amounts, currency);
  if (other !== undefined) task.refuse('currency_mismatch', other.field, other.text, mismatchParams(other, currency));
}

/** The records of the catalog that a product refers to. */
const categories = { word: 'category', prefix: 'cate_', table: categoryTable } as const;
const groups = { word: 'product group', prefix: 'prgr_', table: groupTable } as const;

function checkReferences(task: Task, item: ProductItem): void {
  checkRecord(task, 'category', item.category, categories);
  checkRecord(task, 'group', item.group, groups);
  checkShopReference(task, 'brand', item.brand, brands);
  checkShopReference(task, 'warranty', item.warranty, warranties);
  checkShopReference(task, 'seo_image', item.seo_image, files);
}

function checkRecord(
  task: Task,
  field: string,
  value: string | null | undefined,
  to: { readonly word: string; readonly prefix: string; readonly table: Table },
): void {
  if (value === undefined || value === null) return;
  if (isIdentifier(value, to.prefix) && task.snapshot.find(to.table, 'id', value) !== undefined) return;
  refuseReference(task, field, value, {
    word: to.word,
    prefix: to.prefix,
    accepts: 'identifier, in a file its name',
  });
}

export const product = defineResource(
  { ...productRecord, fields },
  {
    name: 'product',
    command: 'products',
    words: ['product'],
    title: 'Product',
    limit: 40,
    key: 'sku',
    keyAlias: 'external_id',
    barcode: 'ean',
    excludes: { price: ['grades'], stock: ['grades'], grades: ['price', 'stock'] },
    measures: { currency: ['price', 'price_compare', 'grades'] },
    tables: [productTable, gradeTable, attributeTable, mediaTable, slugSeries],
    prefetch: withShopReferences(ofTheShop, [prefetchNamed, prefetchFound]),
    recognition,
    decide,
    remark,
    details: {
      ...productDetails,
      unresolved: {
        shape: unresolvedShape,
        read(row, snapshot) {
          const media = snapshot.some(mediaTable) ? snapshot.children(mediaTable, (row as ProductRow).id) : [];
          const { brand, warranty, seo_image } = row as ProductRow;
          const listed = media.flatMap(({ file, listed }) => (listed === 1 ? { file } : []));
          const sent = { brand, warranty, seo_image, media: listed };
          return { unresolved: unresolvedReferences<ProductItem>(ofTheShop, sent, snapshot) };
        },
      },
    },
  },
);
