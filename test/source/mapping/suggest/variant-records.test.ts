// Products in lists of records: which lists are, and how a mapping reads them.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const names = ['Red tea cup', 'Blue pot', 'Tea tin', 'Milk jug'];
const entry = (i: number, k: number) => ({ sku: `A-${i}${k}`, price: 1.5 + i + k });
const two = (i: number) => [entry(i, 1), entry(i, 2)];

/** Products of which the first ones have two variants each. */
const withVariants = (filled: number, records: number, more: (i: number) => object = () => ({})) =>
  names.slice(0, records).map((title, i) => ({ title, maker: 'Acme', ...more(i), variants: i < filled ? two(i) : [] }));

/** Products with a list in each of them. */
const withList = (list: string, entries: (i: number) => readonly object[], more: (i: number) => object = () => ({})) =>
  names.slice(0, 3).map((title, i) => ({ title, ...more(i), [list]: entries(i) }));

const suggestedFor = (records: readonly object[]) => suggested(JSON.stringify(records), 'feed.json');

describe('the entries of a list are the products', () => {
  const price = (i: number) => ({ price: 1.5 + i });
  const of = (i: number, more: object) => two(i).map((one) => ({ ...one, ...more }));
  it.each<[string, readonly object[], string | undefined]>([
    ['variants in all records', withVariants(3, 3), 'variants'],
    ['in most of them', withVariants(2, 3), 'variants'],
    ['but not in half', withVariants(2, 4), undefined],
    ['in all, next to prices', withVariants(3, 3, price), 'variants'],
    ['but not in most next to prices', withVariants(2, 3, price), undefined],
    ['nor next to prices and other numbers', withVariants(2, 3, (i) => ({ ...price(i), rank: 9 - i })), undefined],
    ['in most next to other numbers', withVariants(2, 3, (i) => ({ rank: 9 - i })), 'variants'],
    ['in most next to a price in words', withVariants(2, 3, () => ({ price: 'on request' })), 'variants'],
    [
      'with keys that are called codes',
      withList('variants', (i) =>
        [entry(i, 1), entry(i, 2)].map(({ sku, price: amount }) => ({ code: sku, price: amount })),
      ),
      'variants',
    ],
    [
      'with a price for every other one',
      withList('variants', (i) => [entry(i, 1), { ...entry(i, 2), price: '' }]),
      'variants',
    ],
    [
      'but not with counts alone',
      withList('variants', (i) => [1, 2].map((k) => ({ sku: `A-${i}${k}`, qty: 9 - i * k }))),
      undefined,
    ],
    ['entries of a list with another name', withList('items', two), 'items'],
    ['next to prices', withList('items', two, price), 'items'],
    ['but not next to keys', withList('items', two, (i) => ({ sku: `P-${i}` })), undefined],
    ['nor in most records', withList('items', (i) => (i < 2 ? two(i) : [])), undefined],
    [
      'of which one is no list',
      withList('variants', two).map((one, i) => (i < 2 ? one : { ...one, variants: entry(i, 1) })),
      'variants',
    ],
    ['with an empty title of their own', withList('variants', (i) => of(i, { title: '' })), 'variants'],
  ])('%s', async (_, records, list) => {
    const suggestion = await suggestedFor(records);
    expect(suggestion.list).toBe(list);
    if (list !== undefined) expect(suggestion.fields).toMatchObject({ name: 'title', price: `${list}[].price` });
  });
});

it('a mapping names their members, and reads those of the record around them', async () => {
  const attrs = [
    { name: 'Colour', value: 'red' },
    { name: 'Form', value: 'round' },
  ];
  const { yaml } = await suggestedFor(withVariants(3, 3, () => ({ attrs, price: '' })));
  expect(yaml.slice(yaml.indexOf('import:'))).toBe(`import:
  - to: characteristics
    each: { parallel: { name: "attrs[].name", value: "attrs[].value" }, skip: { of: $value, empty: true } }
    once: first
    fields: { name: $name }
  - to: products
    each:   # one product each
      parallel:
        sku: "variants[].sku"
        price: "variants[].price"
    fields:
      price: "$price"   # 2.5
      sku: "$sku"   # A-01
      name: "title"   # Red tea cup
      attributes:
        each: { parallel: { name: "attrs[].name", value: "attrs[].value" }, skip: { of: $value, empty: true } }
        entry: { type: $name, value: $value }
      currency: ?   # which one is it?
      #   no header or sample names it: the code of all its prices, such as { value: EUR }
# Columns that fill nothing yet:
#   "maker"   # Acme
`);
});

it('the members of an object around them are those of each, and lists in them are no characteristics', async () => {
  const specs = [
    { name: 'Colour', value: 'red' },
    { name: 'Form', value: 'round' },
  ];
  const of = (i: number) => ({ variants: two(i).map((one) => ({ ...one, specs })) });
  const tags = [{ name: 'a', value: 'b' }];
  for (const nodes of [
    [0, 1, 2],
    [0, 1, 2, 3],
  ].map((some) => some.map((i) => ({ node: { title: names[i], tags, ...of(i) } })))) {
    const { fields, yaml } = await suggestedFor(nodes);
    expect(fields).toEqual({ sku: 'node.variants[].sku', name: 'node.title', price: 'node.variants[].price' });
    expect(yaml).not.toContain('specs');
  }
});

it.each([
  ['records', 'variants', (one: object) => one],
  ['an object around them', 'node.variants', (node: object) => ({ node })],
])('a size that distinguishes the entries in %s is no type of their prices', async (_, list, around) => {
  const sizes = (i: number) => ['S', 'M'].map((size, k) => ({ code: `A-${i}${k}`, size, price: 1.5 + i + k }));
  const { fields } = await suggestedFor(withList('variants', sizes).map(around));
  expect(fields).toMatchObject({ sku: `${list}[].code`, price: `${list}[].price` });
});

it('one variant that is no list is read as one of a list', async () => {
  const records = withVariants(3, 3).map((one, i) => (i < 2 ? one : { ...one, variants: entry(i, 1) }));
  const { yaml } = await suggestedFor(records);
  expect(yaml.slice(yaml.indexOf('# Columns'))).toBe('# Columns that fill nothing yet:\n#   "maker"   # Acme\n');
});

describe('a list of variants makes records products', () => {
  const codes = ['4006381333900', '4006381333979', '4006381334044'];
  it.each([
    ['with keys', (i: number) => ({ variants: [{ sku: `A-${i}`, title: 'S' }] }), 'products'],
    ['with prices', (i: number) => ({ variants: [{ price: 1.5 + i, title: 'S' }] }), 'products'],
    ['with barcodes', (i: number) => ({ variants: [{ barcode: codes[i], title: 'S' }, { title: 'M' }] }), 'products'],
    ['but not with words', () => ({ variants: [{ label: 'S' }, { label: 'M' }] }), 'characteristics'],
    [
      'nor with empty keys',
      () => ({
        variants: [
          { sku: '', label: 'S' },
          { sku: '', label: 'M' },
        ],
      }),
      'characteristics',
    ],
    ['nor with prices in words', () => ({ variants: [{ price: 'free', label: 'S' }] }), 'characteristics'],
    [
      'nor does one variant that is no list',
      (i: number) => ({ variant: { sku: `A-${i}`, label: 'S' } }),
      'characteristics',
    ],
    [
      'nor another list',
      (i: number) => ({
        entries: [
          { sku: `A-${i}`, label: 'S' },
          { sku: `B-${i}`, label: 'M' },
        ],
      }),
      'characteristics',
    ],
  ] as const)('%s', async (_, of, resource) => {
    const records = ['Colour', 'Size', 'Form'].map((name, i) => ({
      ...{ name, options: [{ values: ['S', 'M'] }], attributes: [] },
      ...of(i),
    }));
    expect((await suggestedFor(records)).resource).toBe(resource);
  });
});
