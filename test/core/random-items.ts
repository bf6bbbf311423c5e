// Random items of each resource over one small shop, mostly valid, so that properties are tried where the rules meet.
import fc from 'fast-check';
import { type Given, given, type Item } from '../given.js';

/** What is in the shop that the random items refer to, by resource, in import order. */
export const seed: readonly (readonly [resource: string, ...items: Item[]])[] = [
  ['customers', { external_id: 'c1' }, { external_id: 'c2' }],
  ['orders', { external_id: 'o1', created_at: 5, items: [{ external_id: 'l1' }] }, { external_id: 'o2', items: [] }],
  ['shared-characteristics', { name: 'Energy', values: [{ label: 'A' }] }],
  [
    'attribute',
    {
      kind: 'colour',
      values: [
        { label: 'Red', hex: 'ff0000' },
        { label: 'Blue', hex: '0000ff' },
      ],
    },
  ],
  ['attribute', { name: 'Capacity', values: [{ label: '64' }, { label: '128', status: 'suspended' }] }],
  ['attribute', { name: 'Material' }],
  ['category', { name: 'Phones' }, { name: 'Cases', parent: 'Phones' }],
  [
    'product_group',
    { name: 'G1', axes: [{ attribute: 'Capacity', kind: 'list', price_mode: 'diff' }, { source: 'grade' }] },
  ],
  [
    'product',
    {
      sku: 'P1',
      currency: 'EUR',
      grades: [
        { grade: 'new', price: 9, stock: 2 },
        { grade: 'poor', price: 4, stock: 1 },
      ],
      attributes: [{ type: 'Material', value: 'wood' }],
      media: [{ file: 'file_1', is_main: true }, { file: 'file_2' }],
    },
  ],
  ['product', { sku: 'P2', currency: 'USD', price: '1.50', stock: 3 }],
  ['product_review', { external_id: 'r1', customer_external_id: 'c1', product_sku: 'P1', rating: 4 }],
];

/** A shop that the random items refer to. Copy it: it is made once. */
export const shop: Given = seed.reduce((all, [resource, ...items]) => all.has(resource, ...items), given());

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
/** A field that is mostly one of its right values and now and then one of its wrong ones. */
const field = <T>(right: fc.Arbitrary<T>, ...wrong: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 60, arbitrary: right as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: oneOf(...wrong, null) });
/** An item of which every field but the required ones may be left out. */
const item = (fields: Record<string, fc.Arbitrary<unknown>>, ...requiredKeys: string[]) =>
  fc.record(fields, { requiredKeys });
const entries = (entry: fc.Arbitrary<Item>, key: string) =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.uniqueArray(entry, { maxLength: 5, selector: (one) => String(one[key]).toLowerCase() }),
    },
    { weight: 1, arbitrary: fc.array(entry, { maxLength: 3 }) },
  );

const status = field(oneOf('activated', 'suspended'), 'on', 1);
const position = field(fc.integer({ min: -3, max: 9 }), '1', 1.5);
const text = field(fc.string({ unit: 'grapheme', maxLength: 8 }), 7, 'a\0b');
const name = fc.oneof(
  oneOf('Lamp', 'Déjà vu', 'ÉCRAN', 'x'.repeat(190), 'Стол', '日本', '&'),
  fc.string({ minLength: 1, maxLength: 6 }),
);
const amount = field(
  fc.oneof(
    fc.integer({ min: 0, max: 99_999 }).map((cents) => cents / 100),
    oneOf('5', '12.50', '0.1', '7.000', ''),
  ),
  '-1',
  '1.234',
  '1e3',
  true,
);

const id = (resource: string, key: string) => shop.id(resource, key);

const label = field(fc.oneof(oneOf('Red', 'red', 'Blue', '64', '128'), fc.string({ minLength: 1, maxLength: 3 })), '');
const value = item({ label, hex: field(fc.constant(''), 'ff0000'), position, status, description: text }, 'label');
const shade = item(
  { label, hex: field(oneOf('ff0000', '#00FF00', '#0000ff'), '#fff', ''), position, status, description: text },
  'label',
  'hex',
);

const axis = fc.oneof(
  item(
    {
      attribute: oneOf('Capacity', 'colour', id('attribute', 'Material')),
      kind: oneOf('pill', 'list', 'card'),
      price_mode: oneOf('none', '', 'diff'),
      position,
      status,
    },
    'attribute',
  ),
  item(
    {
      source: fc.constant('grade'),
      kind: field(oneOf('card', 'list'), 'pill'),
      price_mode: oneOf('none', 'price'),
      position,
      status,
    },
    'source',
  ),
  item(
    {
      source: fc.constant('custom'),
      name: field(oneOf('Length', 'Width'), ''),
      kind: oneOf('swatch', 'list'),
      price_mode: oneOf('none', ''),
      status,
    },
    'source',
    'name',
  ),
);

const grade = item(
  {
    grade: field(oneOf('new', 'like_new', 'good', 'poor'), 'bad'),
    price: amount,
    stock: field(fc.integer({ min: 0, max: 9 }), '1'),
    status,
  },
  'grade',
);
const attribute = fc.oneof(
  item({ type: oneOf('Material'), value: oneOf('wood', 'steel'), unit: oneOf('mm', ''), position }, 'type', 'value'),
  item({ type: field(oneOf('colour'), 'Nothing'), value: field(oneOf('red', 'Blue'), 'Rde') }, 'type', 'value'),
  item({ type: oneOf('Energy'), value: field(oneOf('a', 'A'), ''), position }, 'type', 'value'),
);
const photo = item(
  { file: field(oneOf('file_1', 'file_2', 'file_3', 'file_4'), 'photo'), is_main: fc.boolean(), position },
  'file',
);

const characteristic = fc.oneof(
  item(
    {
      name: field(fc.oneof(oneOf('Capacity', 'capacity', 'Material', 'Energy'), name), ''),
      unit: text,
      position,
      status,
      values: entries(value, 'label'),
      scope: oneOf('catalog'),
      extra: text,
    },
    'name',
  ),
  item({ kind: fc.constant('colour'), name, position, values: entries(shade, 'label') }, 'kind'),
);

const ofCategory = {
  description: text,
  image: oneOf('file_1', ''),
  position,
  status,
  reference: text,
  seo_title: text,
};
// Those that are there keep their parents: whether a move closes a ring would depend on the moves before it.
const category = fc.oneof(
  item({ name: oneOf('Phones', 'CASES'), ...ofCategory }, 'name'),
  item(
    {
      name: field(name, ''),
      parent: field(oneOf('Phones', id('category', 'Cases'), ''), 'Nothing', 'prod_1'),
      ...ofCategory,
    },
    'name',
  ),
);

const group = item(
  { name: field(fc.oneof(oneOf('G1'), name), ''), status, axes: fc.array(axis, { maxLength: 3 }) },
  'name',
);

const product = item(
  {
    sku: field(fc.oneof(oneOf('P1', 'P2', 'p1', 'P3'), fc.string({ minLength: 1, maxLength: 4 })), ''),
    currency: field(oneOf('EUR', 'usd'), 'EURO'),
    name: field(name, 5),
    description: text,
    status: field(oneOf('draft', 'activated', 'suspended'), 'deleted'),
    category: field(oneOf(id('category', 'Phones'), ''), 'cate_none'),
    group: field(oneOf(id('product_group', 'G1'), ''), 'prgr_none'),
    brand: field(oneOf('acme', ''), 'ac me'),
    price: amount,
    price_compare: amount,
    weight: amount,
    stock: field(fc.integer({ min: -2, max: 50 }), '5'),
    created_at: fc.integer({ min: 0, max: 9 }),
    grades: entries(grade, 'grade'),
    attributes: fc.oneof(
      {
        weight: 12,
        arbitrary: fc.uniqueArray(attribute, {
          maxLength: 3,
          selector: ({ type, value }) => `${type}=${value}`.toLowerCase(),
        }),
      },
      { weight: 1, arbitrary: fc.array(attribute, { maxLength: 3 }) },
    ),
    media: entries(photo, 'file'),
    extra: text,
  },
  'sku',
  'currency',
);

const review = item(
  {
    external_id: field(fc.oneof(oneOf('r1', 'r2'), fc.string({ minLength: 1, maxLength: 4 })), ''),
    customer_external_id: field(oneOf('c1', 'c2'), 'c9'),
    product_sku: field(oneOf('P1', 'P2', 'P9')),
    rating: field(fc.integer({ min: 1, max: 5 }), 0, '5'),
    order_external_id: field(oneOf('o1', 'o2', ''), 'o9'),
    order_item_external_id: field(oneOf('l1', ''), 'l9'),
    name: text,
    text,
    lang: field(oneOf('eng', 'deu', ''), 'en'),
    status: field(oneOf('pending', 'published', 'rejected'), 'deleted'),
    created_at: fc.integer({ min: 0, max: 9 }),
  },
  'external_id',
  'customer_external_id',
  'product_sku',
  'rating',
);

/** The record an item is about: items of one batch are about different ones, or order would decide. */
function record(one: Item): string {
  if (one['kind'] === 'colour') return 'colour';
  const sent = one['name'] !== undefined && one['sku'] === undefined && one['external_id'] === undefined;
  return String(sent ? one['name'] : (one['sku'] ?? one['external_id']))
    .trim()
    .normalize('NFC')
    .toLowerCase();
}

const batchOf = (one: fc.Arbitrary<Item>) => fc.uniqueArray(one, { selector: record, maxLength: 6 });

/** Random batches by resource. */
export const batches: readonly (readonly [resource: string, batch: fc.Arbitrary<Item[]>])[] = [
  ['attribute', batchOf(characteristic)],
  ['category', batchOf(category)],
  ['product_group', batchOf(group)],
  ['product', batchOf(product)],
  ['product_review', batchOf(review)],
];
