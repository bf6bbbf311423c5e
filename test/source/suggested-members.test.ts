// What inspect suggests for members whose names or values alone do not say what they are: things that several records share,
// weights without a unit, words without accents, paths in lists.
import { describe, expect, it } from 'vitest';
import { suggested } from './suggested.js';

const names = ['Stalen ketel', 'Houten lamp', 'Rode stoel', 'Glazen vaas', 'Wollen deken', 'Koperen pan'];
const barcodes = ['4006381333900', '4006381333979', '4006381334044', '4006381334112', '4006381333931', '4006381333948'];
const json = (recordOf: (name: string, i: number) => object) =>
  suggested(JSON.stringify(names.map(recordOf)), 'f.json');

describe('weights', () => {
  it.each([
    ['whole numbers without a unit', (i: number) => ({ weight: 450 + i * 120 }), 'weight'],
    ['those of a package', (i: number) => ({ package_dimensions: { weight: 2.5 + i } }), 'package_dimensions.weight'],
  ])('%s are a question', async (_, weightOf, column) => {
    const { fields, asked } = await json((name, i) => ({ sku: `A-${i}`, name, price: 10.5 + i, ...weightOf(i) }));
    expect(fields).not.toHaveProperty('weight');
    expect(Object.keys(asked['weight'] ?? {})).toEqual([column]);
  });

  it('whole numbers that are kilograms for a person to lift are the weight', async () => {
    const { fields } = await json((name, i) => ({ sku: `A-${i}`, name, price: 10.5 + i, weight: 1 + i }));
    expect(fields).toHaveProperty('weight', 'weight');
  });

  it('a number next to units is a weight, whatever these members are called', async () => {
    const { yaml } = await json((name, i) => ({
      ...{ sku: `A-${i}`, name, price: 10.5 + i },
      gewicht: { waarde: 450 + i, eenheid: 'gram' },
    }));
    expect(yaml).toContain('weight: { column: "gewicht.waarde"');
    expect(yaml).toContain('"gram": 0.001');
  });
});

describe('names', () => {
  it('the name of a thing that several records share is not that of the record', async () => {
    const { fields, asked } = await json((name, i) => ({
      ...{ artikelnummer: `A-${i}1`, omschrijving: name, prijs: 10.5 + i },
      groep: { code: `G${i % 2}`, naam: ['Lampen', 'Pannen'][i % 2] },
    }));
    expect(fields['name'] ?? Object.keys(asked['name'] ?? {})).not.toBe('groep.naam');
    expect(fields).not.toHaveProperty('description');
  });

  it.each(['fi', 'sv', 'cs', 'el', 'ja'])('a name in English next to one in %s is a question', async (code) => {
    const { fields, asked } = await json((name, i) => ({
      ...{ sku: `A-${i}`, price: 10.5 + i },
      title: { [code]: name, en: `Thing ${'ABCDEF'[i]}` },
    }));
    expect(fields).not.toHaveProperty('name');
    expect(Object.keys(asked['name'] ?? {})).toEqual([`title.${code}`, 'title.en']);
  });
});

describe('words', () => {
  it('are found without their accents', async () => {
    const { fields } = await json((name, i) => ({
      ...{ sku: `A-${i}`, titulo: name, preco: 10.5 + i, descricao: `${name}, feito de aço inoxidável ${i}` },
    }));
    expect(fields).toMatchObject({ name: 'titulo', price: 'preco', description: 'descricao' });
  });
});

describe('categories', () => {
  it('have their name from the member that is called a name, and not from their identifier', async () => {
    const { fields } = await json((name, i) => ({
      ...{ sku: `A-${i}`, name, price: 10.5 + i },
      categoria: { _id: { $oid: `aa0000000000000000000${i % 2}` }, nome: ['Casa', 'Cozinha'][i % 2] },
    }));
    expect(fields).toHaveProperty('category', 'categoria.nome');
  });

  it('of a list of paths the longest one counts, by its levels', async () => {
    const { yaml } = await json((name, i) => ({
      ...{ sku: `A-${i}`, name, price: 10.5 + i },
      categories: [['Home', 'Home > Lamps'], ['Garden']][i % 2],
    }));
    expect(yaml).toContain('category: { column: "categories", take: longest, path: ">" }');
    expect(yaml).toContain('each: { path: { column: "categories", take: longest }, separator: ">"');
  });

  it('identifiers in a list are none next to names', async () => {
    const { fields } = await json((name, i) => ({
      ...{ sku: `A-${i}`, name, price: 10.5 + i },
      ...{ Category: [`rec00${i % 3}KAT`], 'Category name': [['Lamps', 'Pans', 'Rugs'][i % 3]] },
    }));
    expect(fields).toHaveProperty('category', 'Category name');
  });
});

describe('keys', () => {
  it('a barcode called an identifier of a product is asked next to codes', async () => {
    const { asked } = await json((name, i) => ({
      ...{ Product: `MZ-FG-10${i}`, ProductName: name, price: 10.5 + i, ProductStandardID: barcodes[i] },
    }));
    expect(Object.keys(asked['sku'] ?? {})).toEqual(expect.arrayContaining(['Product', 'ProductStandardID']));
  });
});

describe('an identifier of codes', () => {
  it.each([
    [
      'a list',
      'SKU.rich_text[].plain_text',
      (code: string) => ({ id: 'a', rich_text: [{ text: { content: code }, plain_text: code }] }),
    ],
    ['an object', 'SKU.formula.result', (code: string) => ({ id: 'a', formula: { result: code } })],
  ])('is asked next to what %s in a member called a key has', async (_, path, of) => {
    const { fields, asked } = await json((name, i) => ({
      id: `00000ad${i}-1111-2222-3333-444444444444`,
      properties: { Name: { text: name }, SKU: of(`ART-03${i}0`), Price: { number: 10.5 + i } },
    }));
    expect(fields).not.toHaveProperty('sku');
    expect(Object.keys(asked['sku'] ?? {})).toEqual(['id', `properties.${path}`]);
  });

  it('is asked next to a number of a product', async () => {
    const { asked } = await json((name, i) => ({
      ...{ ITEM_ID: `CRT-03${i}0`, PRODUCTNAME: name, PRICE_VAT: `${10 + i},90`, PRODUCTNO: `PN${i}` },
    }));
    expect(Object.keys(asked['sku'] ?? {})).toEqual(['PRODUCTNO', 'ITEM_ID']);
  });
});

describe('prices', () => {
  it('money inside a unit price is the price', async () => {
    const { fields } = await json((name, i) => ({ sku: `A-${i}`, name, UnitPrice: { Money: 10.5 + i } }));
    expect(fields).toHaveProperty('price', 'UnitPrice.Money');
  });

  it('barcodes are no candidates', async () => {
    const { fields, asked } = await json((name, i) => ({
      sku: `A-${i}`,
      name,
      tradeItem: { gtin: `0${barcodes[i]}` },
    }));
    expect(asked).not.toHaveProperty('price');
    expect(fields).toHaveProperty('ean', 'tradeItem.gtin');
  });
});

describe('products whose values are in lists', () => {
  it.each([
    ['a list of one variant each', (i: number) => [{ sku: `A-${i}`, price: 10.5 + i }]],
    ['a list that some lack', (i: number) => (i === 2 ? [] : [{ sku: `A-${i}`, price: 10.5 + i }])],
  ])('%s is one of products, with its keys and prices', async (_, variantsOf) => {
    const { resource, yaml } = await json((name, i) => ({
      ...{ id: `${2200 + i}`, name, facetValues: [{ name: 'blue', facet: { name: 'colour' } }] },
      ...{ options: [], variants: variantsOf(i) },
    }));
    expect(resource).toBe('products');
    expect(yaml).toMatch(/^ +(?:sku: |# +.*)"(?:\$sku|variants\[\]\.sku)"/m);
    expect(yaml).toMatch(/^ +(?:price: |# +.*)"(?:\$price|variants\[\]\.price)"/m);
  });

  it('barcodes alone in a list of variants make products', async () => {
    const { resource, asked } = await json((name, i) => ({
      ...{ name, options: [{ values: ['S', 'M'] }], attributes: [] },
      ...{ variants: [{ barcode: barcodes[i], title: 'S' }, { title: 'M' }] },
    }));
    expect(resource).toBe('products');
    expect(Object.keys(asked['ean'] ?? {})).toEqual(['variants[].barcode']);
  });

  it('values next to their names count, whatever the member with the names is called', async () => {
    const { resource, fields } = await json((name, i) => ({
      ...{ entityId: 2221 + i, summary: { displayName: name, entityTypeId: 'Item' } },
      fieldValues: [
        { fieldTypeId: 'ItemNumber', value: `A-${i}`, isReadOnly: false },
        { fieldTypeId: 'ItemName', value: { en: name }, isReadOnly: false },
        { fieldTypeId: 'ItemListPrice', value: 10.5 + i, isReadOnly: false },
        { fieldTypeId: 'ItemGTIN', value: barcodes[i], isReadOnly: false },
      ],
    }));
    expect(resource).toBe('products');
    expect(fields).toMatchObject({
      sku: 'fieldValues[fieldTypeId=ItemNumber].value',
      ean: 'fieldValues[fieldTypeId=ItemGTIN].value',
    });
  });
});
