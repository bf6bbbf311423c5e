// Optional details of a product read: names, grades, characteristic values and photos, in the form in which they can be
// sent back.
import { showDecimal } from '../fields/decimal.js';
import { inDisplayOrder } from '../planning/merge-list.js';
import type { Detail, Resource } from '../resource.js';
import { categoryTable } from './category.js';
import { lowestPrice } from './former-prices.js';
import { attributeRecord, attributeTable } from './product-attributes.js';
import { gradeRecord, gradeTable } from './product-grades.js';
import { groupTable } from './product-group.js';
import { mediaRecord, mediaTable } from './product-media.js';
import type { ProductRow } from './product-table.js';

const names: Detail = {
  shape: { category_name: 'string', group_name: 'string' },
  names: ['category', 'product_group'],
  read(row, snapshot) {
    const { category, product_group: group } = row as ProductRow;
    return {
      category_name: category === null ? '' : (snapshot.find(categoryTable, 'id', category)?.name ?? ''),
      group_name: group === null ? '' : (snapshot.find(groupTable, 'id', group)?.name ?? ''),
    };
  },
};

const grades: Detail = {
  shape: { grades: { list: gradeRecord.readShape } },
  read(row, snapshot) {
    const { id, listed_grades: listed } = row as ProductRow;
    if (listed === 0) return { grades: [] };
    const rows = snapshot.children(gradeTable, id).filter((grade) => grade.listed === 1);
    return { grades: inDisplayOrder(rows, ({ grade }) => grade).map((grade) => gradeRecord.view(grade, snapshot)) };
  },
};

function byCharacteristic(a: { readonly characteristic: string }, b: { readonly characteristic: string }): number {
  return a.characteristic === b.characteristic ? 0 : a.characteristic < b.characteristic ? -1 : 1;
}

const attributes: Detail = {
  shape: { attributes: { list: attributeRecord.readShape } },
  names: ['attribute'],
  read(row, snapshot) {
    if (!snapshot.some(attributeTable)) return { attributes: [] };
    const rows = snapshot.children(attributeTable, (row as ProductRow).id).filter(({ listed }) => listed === 1);
    rows.sort((a, b) => a.position - b.position || byCharacteristic(a, b) || a.ordinal - b.ordinal);
    return { attributes: rows.map((attribute) => attributeRecord.view(attribute, snapshot)) };
  },
};

const media: Detail = {
  shape: { media: { list: mediaRecord.readShape } },
  read(row, snapshot) {
    if (!snapshot.some(mediaTable)) return { media: [] };
    const rows = snapshot.children(mediaTable, (row as ProductRow).id).filter(({ listed }) => listed === 1);
    return { media: inDisplayOrder(rows, ({ file }) => file).map((photo) => mediaRecord.view(photo, snapshot)) };
  },
};

const lowest: Detail = {
  shape: { lowest_price_30d: 'string', lowest_price_30d_known_days: 'integer', reduced_since: 'integer?' },
  isOfNow: true,
  read(row, _snapshot, now) {
    const { price, days, since } = lowestPrice(row, now);
    const shown = price === null ? '' : showDecimal(price, 2);
    return { lowest_price_30d: shown, lowest_price_30d_known_days: days, reduced_since: since };
  },
};

/** What `include` adds to a product. */
export const productDetails: Resource['details'] = { names, grades, attributes, media, lowest_price_30d: lowest };
