// Valid mappings for feeds that are drawn, with what they read. `<price>` is the source of the column in the layout of the
// feed (`column: offer.price`, `json: box.price`), `[price]` its path alone, `<sheet>` the sheet of a table.
import type { Fields } from '../../../src/core/fields/fields.js';
import { category, characteristic, product } from '../given.js';

/** A mapping, with the columns it reads by the role that they have. */
export interface DrawnMapping {
  readonly map: string;
  /** Columns whose values the items have. */
  readonly read: readonly string[];
  /** Columns of numbers. */
  readonly numbers: readonly string[];
  /** Columns that are empty on neither side of an operation. */
  readonly operands?: readonly string[];
  /** Whether rows of one key become one item or row of a table, so that a row that differs is a breach. */
  readonly joins?: readonly string[];
  /** Whether columns are named in places that take a path or a name only, or the mapping is for tables. */
  readonly needs?: 'path' | 'name' | 'table';
  readonly fields: Fields;
}

type Written = Omit<DrawnMapping, 'fields'>;

const ofProducts: readonly Written[] = [
  {
    map: 'fields: { sku: sku, name: {<name>}, price: {<price>}, stock: {<stock>} }',
    read: ['sku', 'name', 'price', 'stock'],
    numbers: ['price', 'stock'],
  },
  {
    map: 'fields: { sku: sku, price: { <price>, plus: {<fee>} } }',
    read: ['sku', 'price', 'fee'],
    numbers: ['price', 'fee'],
    operands: ['price', 'fee'],
  },
  {
    map: 'fields: { sku: sku, price: { <price>, times: {<stock>} } }',
    read: ['sku', 'price', 'stock'],
    numbers: ['price', 'stock'],
    operands: ['stock'],
  },
  {
    map: 'rows: sku\nfields: { sku: sku, name: {<name>}, price: {<price>}, stock: { <stock>, aggregate: max } }',
    read: ['sku', 'name', 'price', 'stock'],
    numbers: ['price', 'stock'],
    joins: ['name', 'price'],
  },
  {
    map: 'once: merge\nfields: { sku: sku, name: {<name>}, price: {<price>} }',
    read: ['sku', 'name', 'price'],
    numbers: ['price'],
    joins: ['name', 'price'],
  },
  {
    map: 'once: first\nfields: { sku: sku, name: {<name>}, stock: {<stock>} }',
    read: ['sku', 'name', 'stock'],
    numbers: ['stock'],
    joins: ['name', 'stock'],
  },
  {
    map: 'tables: { all: { <sheet> key: sku, columns: { amount: {<price>}, text: {<name>} } } }\nfields: { sku: sku, name: { column: sku, lookup: { table: all, column: text } }, price: { column: sku, lookup: { table: all, column: amount } } }',
    read: ['sku', 'name', 'price'],
    numbers: ['price'],
    joins: ['name', 'price'],
  },
  {
    map: 'tables: { all: { <sheet> key: sku, keep: { of: kind, is: item }, columns: { amount: {<price>} } } }\nfields: { sku: sku, price: { column: sku, lookup: { table: all, column: amount }, plus: {<fee>} } }',
    read: ['sku', 'price', 'fee', 'kind'],
    numbers: ['price', 'fee'],
    operands: ['price', 'fee'],
  },
  {
    map: 'tables: { parts: { <sheet> key: sku, columns: { name: {<colour>}, value: {<price>} } } }\nfields: { sku: sku, attributes: { each: { rows_of: parts, key: sku }, entry: { type: $name, value: $value } } }',
    read: ['sku', 'colour', 'price'],
    numbers: [],
  },
  {
    map: 'keep: { of: kind, is: item }\nskip: { of: {<name>}, begins: test }\nfields: { sku: sku, name: { template: "{[name]} {[fee]}" }, price: { first: [{<price>}, {<fee>}] } }',
    read: ['sku', 'name', 'price', 'fee', 'kind'],
    numbers: ['price'],
    needs: 'path',
  },
  {
    map: 'fields: { sku: sku, price: {<price>}, attributes: { each: { columns: { [colour]: Colour } }, entry: { type: $name, value: $value } } }',
    read: ['sku', 'price', 'colour'],
    numbers: ['price'],
    needs: 'path',
  },
  {
    map: 'fields: { sku: sku, price: {<price>}, status: { column: kind, map: { item: activated } }, attributes: { each: { split: {<name>}, by: "," }, entry: { type: { value: Word }, value: $value } } }',
    read: ['sku', 'price', 'kind'],
    numbers: ['price'],
  },
  {
    map: 'fields: { sku: sku, name: {<name>}, price: {<price>}, stock: { <stock>, default: 0, plus: { value: 1 } } }',
    read: ['sku', 'name', 'price', 'stock'],
    numbers: ['price', 'stock'],
  },
  {
    map: 'fields: { sku: sku, price: { when: [{ if: { of: {<stock>}, over: 3 }, then: {<price>} }, { else: {<fee>} }] } }',
    read: ['sku', 'price', 'fee', 'stock'],
    numbers: ['stock'],
  },
  {
    map: 'fields: { sku: sku, name: { <name>, when: { of: kind, is: item } }, price: { <price>, when: { of: {<stock>}, at_least: { <fee>, default: 0 } } } }',
    read: ['sku', 'name', 'price', 'stock', 'kind'],
    numbers: ['stock', 'fee'],
  },
  {
    map: 'fill: { columns: [colour, size1], within: kind }\nfields: { sku: sku, name: colour, price: {<price>}, description: size1 }',
    read: ['sku', 'price', 'colour', 'size1'],
    numbers: ['price'],
    needs: 'table',
  },
  {
    map: 'fields: { sku: sku, attributes: { each: { repeated: { label: "size{n}", cost: "cost{n}" } }, entry: { type: $label, value: { column: $cost, number: true } } } }',
    read: ['sku', 'size1', 'size2', 'cost1', 'cost2'],
    numbers: ['cost1', 'cost2'],
    needs: 'table',
  },
  {
    map: 'each: { parallel: { size: { columns: [size1, size2] }, cost: { columns: [cost1, cost2] } }, skip: { of: $size, is: XL } }\nfields: { sku: { columns: [sku, $size], join: "-" }, price: $cost }',
    read: ['sku', 'size1', 'size2', 'cost1', 'cost2'],
    numbers: ['cost1', 'cost2'],
    needs: 'name',
  },
];

const ofCharacteristics: readonly Written[] = [
  {
    map: 'each: { columns: { colour: Colour, size1: Size } }\nonce: merge\nfields: { name: $name, values: { entry: { label: $value } } }',
    read: ['colour', 'size1'],
    numbers: [],
    needs: 'name',
  },
];

const ofCategories: readonly Written[] = [
  {
    map: 'each: { path: {<trail>}, separator: ">", name: { repeated: parent } }\nonce: first\nfields: { name: $name, parent: $parent }',
    read: ['trail'],
    numbers: [],
  },
  {
    map: 'tables: { tree: { <sheet> key: sku, parent: {<up>}, columns: { name: { template: "{[name]} {sku}" } }, name: full } }\nfields: { name: { column: sku, lookup: { table: tree, column: name } }, parent: { column: sku, lookup: { table: tree, column: parent } }, reference: sku }',
    read: ['sku', 'name', 'up'],
    numbers: [],
    needs: 'path',
  },
];

/** All of them; each is tried in every format and layout that it can be read from. */
export const drawnMappings: readonly DrawnMapping[] = [
  ...ofProducts.map((one) => ({ ...one, fields: product })),
  ...ofCharacteristics.map((one) => ({ ...one, fields: characteristic })),
  ...ofCategories.map((one) => ({ ...one, fields: category })),
];
