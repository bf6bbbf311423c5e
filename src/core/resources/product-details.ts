// What a read gives of a product beside its read shape: names, grades, characteristic values and photos, in the form in
// which they can be sent back.
import { showDecimal } from '../fields/decimal.js';
import { inDisplayOrder } from '../planning/merge-list.js';
import type { Detail, Resource } from '../resource.js';
import type { Snapshot } from '../rows/snapshot.js';
import { fold } from '../text/text.js';
import { categoryTable } from './category.js';
import { type CharacteristicRow, characteristicTable } from './characteristic-table.js';
import { valueTable } from './characteristic-values.js';
import { attributeTable } from './product-attributes.js';
import { gradeTable } from './product-grades.js';
import { groupTable } from './product-group.js';
import { mediaTable } from './product-media.js';
import type { ProductRow } from './product-table.js';

const names: Detail = (row, snapshot) => {
  const { category, product_group: group } = row as ProductRow;
  return {
    category_name: category === null ? '' : (snapshot.find(categoryTable, 'id', category)?.name ?? ''),
    group_name: group === null ? '' : (snapshot.find(groupTable, 'id', group)?.name ?? ''),
  };
};

const grades: Detail = (row, snapshot) => {
  const { id, listed_grades: listed } = row as ProductRow;
  if (listed === 0) return { grades: [] };
  const rows = snapshot.children(gradeTable, id).filter((grade) => grade.listed === 1);
  return {
    grades: inDisplayOrder(rows, ({ grade }) => grade).map(({ grade, price, stock, status }) => ({
      grade,
      price: price === null ? '' : showDecimal(price, 2),
      stock,
      status,
    })),
  };
};

/** Whether a value would be refused today: its characteristic has a list by now, and it is not an active value of it. */
function isUnlisted(characteristic: CharacteristicRow, value: string, snapshot: Snapshot): boolean {
  if (characteristic.listed_values === 0) return false;
  const found = snapshot.find(valueTable, 'key', characteristic.id, fold(value.trim()));
  return found?.listed !== 1 || found.status !== 'activated';
}

function byCharacteristic(a: { readonly characteristic: string }, b: { readonly characteristic: string }): number {
  return a.characteristic === b.characteristic ? 0 : a.characteristic < b.characteristic ? -1 : 1;
}

const attributes: Detail = (row, snapshot) => {
  if (!snapshot.some(attributeTable)) return { attributes: [] };
  const rows = snapshot.children(attributeTable, (row as ProductRow).id).filter(({ listed }) => listed === 1);
  rows.sort((a, b) => a.position - b.position || byCharacteristic(a, b) || a.ordinal - b.ordinal);
  return {
    attributes: rows.map(({ characteristic, value, unit, position }) => {
      const type = snapshot.find(characteristicTable, 'id', characteristic);
      const unlisted = type !== undefined && isUnlisted(type, value, snapshot);
      return { type: characteristic, type_name: type?.name ?? '', value, unit, position, unlisted };
    }),
  };
};

const media: Detail = (row, snapshot) => {
  if (!snapshot.some(mediaTable)) return { media: [] };
  const rows = snapshot.children(mediaTable, (row as ProductRow).id).filter(({ listed }) => listed === 1);
  return {
    media: inDisplayOrder(rows, ({ file }) => file).map(({ file, is_main: isMain, position }) => ({
      file,
      is_main: isMain === 1,
      position,
    })),
  };
};

/** What `include` adds to a product. */
export const productDetails: Resource['details'] = { names, grades, attributes, media };
