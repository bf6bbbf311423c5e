// The mapping that inspect writes for records with lists: what has names and values becomes characteristics, and the first
// category of several the category.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from './typed.js';

/** The products that the suggested mapping makes of a file, and the mapping. */
async function imported(name: string, content: string) {
  const cwd = folder({ [name]: content });
  const at = (file: string) => join(cwd, file);
  await typedHere(['inspect', at(name), '--write-map', at('map.yaml')]);
  const run = await typedHere(['run', at(name), '--map', at('map.yaml'), '--db', at('c.db')]);
  expect([run.code, run.stderr]).toEqual([0, expect.anything()]);
  const { stdout } = await typedHere(['export', 'products', '--db', at('c.db')]);
  return stdout
    .trim()
    .split('\n')
    .map((text): Record<string, unknown> => JSON.parse(text));
}

const shop = { currency: 'EUR', price: '1.50' };

describe('names with values are characteristics', () => {
  const expected = [
    [
      { type: 'Colour', value: 'red' },
      { type: 'Size', value: 'L' },
    ],
    [{ type: 'Colour', value: 'blue' }],
    undefined,
  ];
  const asList = (member: string, name: string, value: string) => {
    const products = expected.map((values, i) => ({
      ...{ sku: `A${i}`, title: `Thing ${i}`, ...shop },
      ...(values && { [member]: values.map((one, at) => ({ id: at, [name]: one.type, [value]: one.value })) }),
    }));
    return JSON.stringify(products);
  };
  const asObject = (member: string) =>
    JSON.stringify(
      expected.map((values, i) => ({
        ...{ sku: `A${i}`, title: `Thing ${i}`, ...shop },
        ...(values && { [member]: Object.fromEntries(values.map((one) => [one.type, one.value])) }),
      })),
    );
  const asXml = (elementOf: (type: string, value: string) => string) =>
    `<shop>${expected
      .map((values = [], i) => {
        const parts = values.map(({ type, value }) => elementOf(type, value)).join('');
        return `<item><sku>A${i}</sku><title>Thing ${i}</title><price>1.50</price><currency>EUR</currency>${parts}</item>`;
      })
      .join('\n')}</shop>`;

  it.each([
    ['attributes of name and value', 'feed.json', asList('attributes', 'name', 'value')],
    ['key and value', 'feed.json', asList('specs', 'key', 'value')],
    ['label and value', 'feed.json', asList('specifications', 'label', 'value')],
    ['code and value', 'feed.json', asList('custom_attributes', 'code', 'value')],
    [
      'a code next to a label',
      'feed.json',
      asList('attributes', 'label', 'value').replaceAll(
        /"id":(\d)/g,
        (_, id) => `"code":"${id === '0' ? 'main' : 'more'}"`,
      ),
    ],
    ['attribute and option', 'feed.json', asList('attributes', 'attribute', 'option')],
    ['an object of attributes', 'feed.json', asObject('attributes')],
    ['an object of custom fields', 'feed.json', asObject('custom_fields')],
    [
      'elements of elements',
      'feed.xml',
      asXml((type, value) => `<PARAM><PARAM_NAME>${type}</PARAM_NAME><VAL>${value}</VAL></PARAM>`),
    ],
    ['elements with a name', 'feed.xml', asXml((type, value) => `<param name="${type}">${value}</param>`)],
  ])('%s', async (_, name, content) => {
    const products = await imported(name, content);
    expect(products.map(({ attributes }) => attributes)).toEqual(
      expected.map((values = []) => values.map((one) => expect.objectContaining(one))),
    );
  });

  it.each([
    [
      'several of one name',
      {
        attributes: [
          { name: 'Colour', value: 'red' },
          { name: 'Colour', value: 'blue' },
        ],
      },
    ],
    ['addresses of photos', { images: [{ name: 'Front', value: 'https://shop.example/1.jpg' }] }],
    ['fields around the record', { attributes: { name: 'Red thing', weight: '1.5' } }],
  ])('%s are none', async (_, members) => {
    const records = ['A', 'B'].map((sku) => ({ sku, ...shop, ...members }));
    const products = await imported('feed.json', JSON.stringify(records));
    expect(products.map(({ attributes }) => attributes)).toEqual([[], []]);
  });
});

describe('of several categories the first is the category', () => {
  it.each([
    ['names', ['Tea', 'New']],
    [
      'objects',
      [
        { id: 4, name: 'Tea' },
        { id: 5, name: 'New' },
      ],
    ],
  ])('%s', async (_, categories) => {
    const records = [
      { sku: 'A', ...shop, categories },
      { sku: 'B', ...shop, categories: categories.slice(0, 1) },
    ];
    const products = await imported('feed.json', JSON.stringify(records));
    expect(products).toMatchObject([{ category: 'Tea' }, { category: 'Tea' }]);
  });

  it.each([
    ['paths lead to their last level', ['Home/Tea/Green', 'Home/Tea', 'Home/New'], ['Green', 'Tea', 'New', 'Green']],
    ['lists with a comma are the name as a whole', ['Tea, New', 'Tea', 'New'], ['Tea, New', 'Tea', 'New', 'Tea, New']],
  ])('%s', async (_, [first = '', ...rest], expected) => {
    const lists = [[first, ...rest], ...rest.map((one) => [one]), [first]];
    const records = lists.map((categories, i) => ({ sku: `A${i}`, ...shop, categories }));
    const products = await imported('feed.json', JSON.stringify(records));
    expect(products.map(({ category }) => category)).toEqual(expected);
  });

  it('objects without a name are none', async () => {
    const records = ['A', 'B'].map((sku) => ({ sku, ...shop, categories: [{ position: 0, category_id: '4' }] }));
    const [product] = await imported('feed.json', JSON.stringify(records));
    expect(product).toMatchObject({ category: '' });
  });
});
