// The mapping that inspect writes for records whose prices, keys, names and stock are only inside lists or deep objects:
// each is a question that names the nearest values, and no product comes in without a price and without a word.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from './typed.js';

/** The mapping that is suggested for a file, in a folder of its own. */
async function suggested(name: string, content: string, cwd = folder({ [name]: content })) {
  await typedHere(['inspect', join(cwd, name), '--write-map', join(cwd, 'map.yaml')]);
  return readFileSync(join(cwd, 'map.yaml'), 'utf8');
}

/** The candidates of the questions that the suggested mapping of a file asks, by field. */
async function asked(name: string, content: string) {
  const cwd = folder({ [name]: content });
  const at = (file: string) => join(cwd, file);
  const yaml = await suggested(name, content, cwd);
  const questions: Record<string, string[]> = {};
  let field: string | undefined;
  for (const line of yaml.split('\n')) {
    const [, question] = /^ +(\w+): \?/.exec(line) ?? [];
    const [, column] = /^ +# {3}(?:\{ column: )?"([^"]+)"/.exec(line) ?? [];
    field = question ?? (/^ *#/.test(line) ? field : undefined);
    if (question !== undefined) questions[question] = [];
    if (field !== undefined && column !== undefined) questions[field]?.push(column);
  }
  const run = await typedHere(['run', at(name), '--map', at('map.yaml'), '--db', at('c.db')]);
  return { questions, code: run.code };
}

const products = [
  { id: 9001, sku: 'KT-1042', name: 'Kettle Lund', german: 'Wasserkocher Lund', price: '49.90', stock: 12 },
  { id: 9002, sku: 'TO-2200', name: 'Toaster Vik', german: 'Toaster Vik', price: '34.50', stock: 7 },
  { id: 9003, sku: 'LA-0310', name: 'Lamp Oslo black', german: 'Lampe Oslo schwarz', price: '119.00', stock: 3 },
];
type Product = (typeof products)[number];

const asJson = (recordOf: (product: Product, i: number) => object): string => JSON.stringify(products.map(recordOf));
const asXml = (partsOf: (product: Product) => string): string =>
  `<shop>${products.map((product) => `<item nr="${product.sku}">${partsOf(product)}</item>`).join('\n')}</shop>`;

describe('what only parts of records say is asked', () => {
  it.each([
    [
      'variants',
      asJson(({ id, name, sku, price, stock }) => ({ id, title: name, variants: [{ sku, price, quantity: stock }] })),
      { sku: ['id', 'variants[].sku'], price: ['variants[].price'], stock: ['variants[].quantity'] },
    ],
    [
      'nodes within nodes',
      asJson(({ name, sku, price }) => ({ title: name, sku, variants: { edges: [{ node: { price } }] } })),
      { price: ['variants.edges[].node.price'] },
    ],
    [
      'hundredths in objects of lists',
      asJson(({ name, sku, price }) => ({
        name,
        ...{ sku, data: { variations: [{ price_money: { amount: Number(price) * 100, currency: 'USD' } }] } },
      })),
      { price: ['data.variations[].price_money.amount'] },
    ],
    [
      'an object in five others',
      asJson(({ name, sku, price }) => ({
        name,
        sku,
        pricing: { range: { start: { gross: { amount: { of: price } } } } },
      })),
      { price: ['pricing.range.start.gross.amount.of'] },
    ],
    [
      'prices of quantities',
      asJson(({ sku, name, price }) => ({
        sku,
        name,
        tierPrices: [
          { from: 1, price },
          { from: 10, price: '1.25' },
        ],
      })),
      { price: ['tierPrices[].price'] },
    ],
    [
      'names by language',
      asJson(({ sku, name, german, price }) => ({
        ...{ sku, price, currency: 'EUR' },
        labels: [
          { lang: 'de', text: german },
          { lang: 'en', text: name },
        ],
      })),
      { name: ['labels[lang=de].text', 'labels[lang=en].text'] },
    ],
    [
      'a text that is called nothing known',
      asJson(({ sku, name, price }) => ({ sku, price, currency: 'EUR', wording: name })),
      { name: ['wording'] },
    ],
    [
      'one or several values',
      asJson(({ id, sku, name, price }) => ({
        ...{ sku, name, currency: 'EUR', price: id === 9002 ? [price, '1.00'] : price },
      })),
      { price: ['price[]'] },
    ],
    [
      'members by language and country',
      asJson(({ id, sku, name, price }) => ({
        ...{ sys: { id: `c${id}` }, price, currency: 'EUR' },
        fields: { sku: { 'en-US': sku }, title: { 'en-US': name, 'de-DE': `Das ${name}` } },
      })),
      { name: ['fields.title.en-US', 'fields.title.de-DE'] },
    ],
    [
      'stock by place',
      asJson(({ sku, name, price, stock }) => ({
        ...{ sku, name, price, currency: 'EUR' },
        inventory: [
          { place: 'North', quantity: stock },
          { place: 'South', quantity: 2 },
        ],
      })),
      { stock: ['inventory[place=North].quantity', 'inventory[place=South].quantity'] },
    ],
  ])('%s', async (_, content, expected) => {
    const { questions, code } = await asked('feed.json', content);
    expect([questions, code]).toEqual([expect.objectContaining(expected), 2]);
  });

  it.each([
    [
      'amounts and names with an attribute',
      asXml(
        ({ name, german, price }) =>
          `<text lang="de">${german}</text><text lang="en">${name}</text><price type="list">${price}</price><price type="net">1.50</price>`,
      ),
      { name: ['text[@lang=de]', 'text[@lang=en]'], price: ['price[@type=list]', 'price[@type=net]'] },
    ],
    [
      'stock with an attribute',
      asXml(
        ({ name, price, stock }) =>
          `<name>${name}</name><price>${price}</price><stock place="N">${stock}</stock><stock place="S">2</stock>`,
      ),
      { stock: ['stock[@place=N]', 'stock[@place=S]'] },
    ],
  ])('%s', async (_, content, expected) => {
    const { questions, code } = await asked('feed.xml', content);
    expect([questions, code]).toEqual([expect.objectContaining(expected), 2]);
  });

  it('whether whole numbers are hundredths', async () => {
    const recordOf = (currency: string) =>
      asJson(({ sku, name, price }) => ({ sku, name, price: Number(price) * 100, currency }));
    expect(await asked('feed.json', recordOf('EUR'))).toEqual({ questions: { price: ['price'] }, code: 2 });
    expect(await asked('feed.json', recordOf('JPY'))).toEqual({ questions: {}, code: 0 });
  });

  it('nothing where the record says it itself', async () => {
    const content = asJson(({ sku, name, price, stock }) => ({
      ...{ sku, name, price, stock, currency: 'EUR' },
      related: [{ sku: 'X-1', name: 'Another thing', price: '3.50', stock: 4 }],
    }));
    expect(await asked('feed.json', content)).toEqual({ questions: {}, code: 0 });
  });

  it('the currency next to amounts in lists is known', async () => {
    const content = asJson(({ sku, name, price }) => ({ sku, name, variants: [{ price, currency: 'USD' }] }));
    const { questions } = await asked('feed.json', content);
    expect(Object.keys(questions)).toEqual(['price']);
  });
});

describe('members of one object', () => {
  it('that count what is where are asked for the stock, and not left out', async () => {
    const content = asJson(({ sku, name, price, stock }, i) => ({
      ...{ sku, name, price, currency: 'EUR', lager: i === 1 ? { HH: stock } : { HH: stock, B: 2 } },
    }));
    expect(await asked('feed.json', content)).toEqual({ questions: { stock: ['lager.HH', 'lager.B'] }, code: 2 });
  });

  it('of a list that count what is where are asked for the stock, and are no characteristics', async () => {
    const content = asJson(({ sku, name, price, stock }) => ({
      ...{
        sku,
        name,
        price,
        currency: 'EUR',
        stocks: [
          { name: 'Main', value: stock },
          { name: 'Outlet', value: 0 },
        ],
      },
    }));
    expect(await asked('feed.json', content)).toEqual({ questions: { stock: ['stocks[].value'] }, code: 2 });
    expect(await suggested('feed.json', content)).not.toContain('attributes:');
  });

  it('that say whether a product is listed are asked for the status, whatever the object is called', async () => {
    const content = asJson(({ sku, name, price }, i) => ({
      ...{ sku, name, price, currency: 'EUR', flags: { aktiv: i === 1 ? 'nein' : 'ja' } },
    }));
    const { questions } = await asked('feed.json', content);
    expect(questions['status']).toBeDefined();
  });
});

describe('what could not be is not asked', () => {
  it.each([
    ['of documents', (fields: object) => ({ name: 'projects/shop/documents/1', fields })],
    ['of items', (fields: object) => ({ Item: fields })],
    ['of records', (fields: object) => fields],
  ])('values that say their type, %s', async (_, recordOf) => {
    const content = asJson(({ sku, name, price, stock }) =>
      recordOf({
        ...{ sku: { S: sku }, title: { S: name }, price: { N: price }, stock: { N: String(stock) } },
        ...{ currency: { S: 'EUR' }, tags: { L: [{ S: 'new' }] } },
      }),
    );
    expect(await asked('feed.json', content)).toEqual({ questions: {}, code: 0 });
  });

  it('where the records of an answer are that says its kind', async () => {
    const resources = products.map(({ sku, name, price }) => ({
      ...{ kind: 'shop#product', sku, name, price, currency: 'EUR', links: [{ href: 'https://shop.example/1' }] },
    }));
    const content = JSON.stringify({ kind: 'shop#list', resources });
    expect(await asked('feed.json', content)).toEqual({ questions: {}, code: 0 });
  });

  it('an object that has a word of characteristics and holds none as their values', async () => {
    const content = asJson(({ sku, name, price }) => ({
      ...{ sku, name, price, currency: 'EUR', custom_url: { url: `/${sku}`, is_customized: false } },
    }));
    expect(await suggested('feed.json', content)).not.toContain('attributes:');
  });

  it('a number of pieces sold as the price', async () => {
    const content = asJson(({ sku, name, price, stock }) => ({
      ...{ sku, name, price: { amount: price, currency: 'PLN' }, stock: { available: stock, sold: 3 } },
    }));
    expect(await asked('feed.json', content)).toEqual({ questions: {}, code: 0 });
  });
});
