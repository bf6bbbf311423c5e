// What inspect suggests for JSON and XML whose keys, prices, stock and names are not plain members of the records.
import { describe, expect, it } from 'vitest';
import { readMapped } from './mapping/given.js';
import { suggested } from './suggested.js';

const names = ['Kettle', 'Lamp', 'Chair', 'Vase'];
/** Valid barcodes. */
const barcodes = ['4006381333900', '4006381333979', '4006381334044', '4006381334112'];
const json = (recordOf: (name: string, i: number) => object) =>
  suggested(JSON.stringify(names.map(recordOf)), 'f.json');
const xml = (recordOf: (name: string, i: number) => string) =>
  suggested(`<all>${names.map((name, i) => `<p>${recordOf(name, i)}</p>`).join('\n')}</all>`, 'f.xml');

describe('no record is wrong without a word', () => {
  it('a count is no key next to codes, and may be the stock', async () => {
    const { fields, asked } = await json((name, i) => ({
      ...{ goods_id: i + 101, goods_sn: `EC-${1000 + i}`, goods_name: name },
      ...{ goods_number: [7, 0, 3, 12][i], goods_price: `${20 + i}.00` },
    }));
    expect(fields).not.toHaveProperty('sku');
    expect(Object.keys(asked['sku'] ?? {})).toContain('goods_sn');
    expect(Object.keys(asked['stock'] ?? {})).toEqual(['goods_number']);
  });

  it('a number with a zero before it is the code of a type, and no price', async () => {
    const { fields } = await xml(
      (name, i) =>
        `<sku>A-${i}</sku><name>${name}</name><Price><PriceType>04</PriceType><PriceAmount>1${i}.90</PriceAmount></Price>`,
    );
    expect(fields).toMatchObject({ price: 'Price.PriceAmount' });
  });

  it('one number in all records is asked, as it may be a code', async () => {
    const { fields, asked } = await xml(
      (name, i) => `<sku>A-${i}</sku><name>${name}</name><price>1${i}.90</price><Availability>21</Availability>`,
    );
    expect(fields).not.toHaveProperty('stock');
    expect(asked['stock']).toEqual({ Availability: '21 in all records' });
  });

  it('identifiers by type are asked next to a reference of the record, and those of barcodes are the barcode', async () => {
    const { fields, asked } = await xml(
      (name, i) =>
        `<RecordReference>com.shop.${i}7</RecordReference><Title>${name}</Title>
         <Identifier><IDType>01</IDType><IDValue>V-${i}3</IDValue></Identifier>
         <Identifier><IDType>15</IDType><IDValue>${barcodes[i]}</IDValue></Identifier>`,
    );
    expect(fields).toMatchObject({ ean: 'Identifier[IDType=15].IDValue' });
    expect(Object.keys(asked['sku'] ?? {})).toEqual(
      expect.arrayContaining(['RecordReference', 'Identifier[IDType=01].IDValue']),
    );
  });

  it.each(['category_id', 'category'])('codes in %s are no names of categories', async (member) => {
    const { fields, yaml, resource } = await json((name, i) => ({
      ...{ sku: `A-${i}`, name, price: `${i}.50`, [member]: `C${i % 2}` },
    }));
    expect(resource).toBe('products');
    expect(fields).not.toHaveProperty('category');
    expect(yaml).not.toContain('categories');
  });

  it('an amount in units and billionths is told how to be read', async () => {
    const { asked } = await json((name, i) => ({
      ...{ sku: `A-${i}`, name, price: { currencyCode: 'EUR', units: String(12 + i), nanos: 500000000 } },
    }));
    expect(asked['price']).toEqual({
      'price.units':
        'write { column: "price.units", plus: { column: "price.nanos", default: 0, shift: -9 }, round: 2 }',
    });
  });
});

describe('nothing is lost without a question', () => {
  it('a reference price is asked where it could be the price as well', async () => {
    const { asked } = await json((name, i) => ({
      ...{ sku: `A-${i}`, name, price_cents: 1290 + i, compare_at_cents: 1990 + i, currency: 'EUR' },
    }));
    expect(Object.keys(asked['price'] ?? {})).toEqual(['price_cents', 'compare_at_cents']);
    expect(asked['price_compare']).toEqual({
      compare_at_cents: 'if it is not the price; its header names hundredths: shift: -2',
    });
  });

  it.each([
    [
      'by a word that is not known',
      (i: number) => ({
        Shops: {
          Shop: [
            { id: '1', qoh: [7, 0, 3, 12][i] },
            { id: '2', qoh: 4 },
          ],
        },
      }),
      'Shops.Shop[].qoh',
      undefined,
    ],
    [
      'by warehouse',
      (i: number) => ({
        stocks: [
          { place: 'N', qty: [7, 0, 3, 12][i] },
          { place: 'S', qty: 4 },
        ],
      }),
      'stocks[].qty',
      ['stocks[place=N].qty', 'stocks[place=S].qty'],
    ],
    [
      'by warehouse with counts of three digits',
      (i: number) => ({
        stock: [
          { location: 'shop', quantity: 103 + i },
          { location: 'supplier', quantity: 250 - i },
        ],
      }),
      'stock[].quantity',
      ['stock[location=shop].quantity', 'stock[location=supplier].quantity'],
    ],
  ] as const)('the stock of lists %s can be added up', async (_, partOf, column, places) => {
    const { asked, yaml } = await json((name, i) => ({ sku: `A-${i}`, name, price: `${i}.50`, ...partOf(i) }));
    expect(Object.keys(asked['stock'] ?? {})).toEqual(places ?? [column]);
    expect(yaml).toContain(`{ column: "${column}", take: sum }${places === undefined ? ': 100 % filled' : '; '}`);
  });

  it.each([
    ['a list of barcodes', (i: number) => ({ codes: [{ code: barcodes[i] }] }), 'codes[].code'],
    [
      'values by language',
      (i: number) => ({ values: { ean: [{ locale: null, data: barcodes[i] }] } }),
      'values.ean[].data',
    ],
  ] as const)('the barcode in %s is asked', async (_, partOf, column) => {
    const { asked } = await json((name, i) => ({ sku: `A-${i}`, name, price: `${i}.50`, ...partOf(i) }));
    expect(Object.keys(asked['ean'] ?? {})).toEqual([column]);
  });

  it('the name in values by language is asked', async () => {
    const { asked } = await json((name, i) => ({
      ...{ sku: `A-${i}`, price: `${i}.50`, values: { name: [{ locale: 'en', data: name }] } },
    }));
    expect(Object.keys(asked['name'] ?? {})).toEqual(['values.name[].data']);
  });

  it('a weight of which the header says more is asked', async () => {
    const { asked } = await json((name, i) => ({ sku: `A-${i}`, name, price: `${i}.50`, goods_weight: `0.${i}50` }));
    expect(Object.keys(asked['weight'] ?? {})).toEqual(['goods_weight']);
  });

  it('rates are asked for the price, whatever their decimals are', async () => {
    const { asked } = await json((name, i) => ({ sku: `A-${i}`, name, standard_rate: 120.5 + i }));
    expect(Object.keys(asked['price'] ?? {})).toEqual(['standard_rate']);
  });
});

describe('variants with keys and prices of their own are the products', () => {
  const variantsOf = (i: number) =>
    ['S', 'L'].map((size, j) => ({
      ...{ id: 900 + i * 10 + j, title: size, sku: `V-${i}-${size}`, price: `${12 + i + j}.90` },
      ...{ barcode: j === 0 ? barcodes[i] : null, quantity: [7, 0, 3, 12][(i + j) % 4] },
    }));

  it('in JSON: each is read with the members of the record around it', async () => {
    const { fields, asked, yaml } = await json((name, i) => ({
      ...{ id: 70 + i, title: name, vendor: 'Acme', handle: name.toLowerCase(), variants: variantsOf(i) },
    }));
    expect(fields).toMatchObject({
      ...{ sku: 'variants[].sku', name: 'title', price: 'variants[].price', stock: 'variants[].quantity' },
      ean: 'variants[].barcode',
    });
    expect(Object.keys(asked)).toEqual(['currency']);
    expect(fields).not.toHaveProperty('slug');
    expect(yaml).toContain('    sku: "variants[].sku"\n');
    expect(yaml).toContain('price: "$price"');
  });

  it('in XML, one or several', async () => {
    const { fields } = await xml(
      (name, i) =>
        `<title>${name}</title><variants>${variantsOf(i)
          .slice(i === 2 ? 1 : 0)
          .map(({ sku, price, quantity }) => `<v sku="${sku}"><price>${price}</price><stock>${quantity}</stock></v>`)
          .join('')}</variants>`,
    );
    expect(fields).toMatchObject({
      ...{ sku: 'variants.v[].@sku', name: 'title', price: 'variants.v[].price', stock: 'variants.v[].stock' },
    });
  });

  it('next to a parent without a price, and in nodes of edges', async () => {
    const { fields } = await json((name, i) => ({
      ...{ sku: `P-${i}`, name, price: null, children: { edges: variantsOf(i).map((node) => ({ node })) } },
    }));
    expect(fields).toMatchObject({
      sku: 'children.edges[].node.sku',
      price: 'children.edges[].node.price',
      name: 'name',
    });
  });

  it('and a record without any is told', async () => {
    const map = 'to: products\neach: { parallel: { sku: "variants[].sku" } }\nfields: { sku: $sku }\n';
    const records = [{ variants: [{ sku: 'A' }] }, { variants: [] }, {}];
    const { items, notes } = await readMapped(map, JSON.stringify(records), { name: 'f.json' });
    expect([items, notes]).toEqual([
      [{ sku: 'A' }],
      [expect.stringContaining('2 of 3 records have no part for each, and give nothing')],
    ]);
  });

  it('but not for what is taken once, which need not be in each record', async () => {
    const map = 'to: attributes\neach: { parallel: { name: "traits[].name" } }\nonce: first\nfields: { name: $name }\n';
    const records = [{ traits: [{ name: 'Colour' }] }, { traits: [] }, {}];
    expect(await readMapped(map, JSON.stringify(records), { name: 'f.json' })).toMatchObject({
      ...{ items: [{ name: 'Colour' }], notes: [] },
    });
  });

  it('where a record has none, too, unless it may be sold without', async () => {
    const shop = (price: object) =>
      json((name, i) => ({ id: 70 + i, title: name, ...price, variants: i === 2 ? [] : variantsOf(i) }));
    expect((await shop({})).fields).toMatchObject({ sku: 'variants[].sku', price: 'variants[].price' });
    const asked = (await shop({ price: 9.5 })).asked;
    expect(Object.keys(asked['sku'] ?? {})).toEqual(['id', 'variants[].sku']);
  });

  it('but not where the record has a key and a price of its own', async () => {
    const { fields } = await json((name, i) => ({ sku: `P-${i}`, name, price: `${i}.50`, variants: variantsOf(i) }));
    expect(fields).toMatchObject({ sku: 'sku', price: 'price' });
  });
});

describe('names with values are the columns of records that have no others', () => {
  const germanOf = (name: string, i: number) =>
    Object.entries({
      Artikelnummer: `M-${i}`,
      Bezeichnung: name,
      Preis: `${i + 3},50`,
      Bestand: [7, 0, 3, 12][i],
      Farbe: 'rot',
    });
  const taken =
    'skip: [{ of: $value, empty: true }, { of: $name, is: ["Artikelnummer","Bezeichnung","Preis","Bestand"] }]';

  it('elements with an attribute that is called nothing known', async () => {
    const { fields, yaml } = await xml((name, i) =>
      germanOf(name, i)
        .map(([n, value]) => `<c n="${n}">${value}</c>`)
        .join(''),
    );
    expect(fields).toMatchObject({
      sku: 'c[@n=Artikelnummer]',
      name: 'c[@n=Bezeichnung]',
      price: 'c[@n=Preis]',
      stock: 'c[@n=Bestand]',
    });
    expect(yaml).toContain(`each: { parallel: { name: "c@n", value: "c" }, ${taken} }`);
  });

  it('elements with two attributes', async () => {
    const { fields } = await xml((name, i) =>
      [
        ['sku', `A-${i}`],
        ['title', name],
        ['price', `${i}.50`],
      ]
        .map(([n, value]) => `<property name="${n}" value="${value}"/>`)
        .join(''),
    );
    expect(fields).toMatchObject({
      sku: 'property[@name=sku]@value',
      name: 'property[@name=title]@value',
      price: 'property[@name=price]@value',
    });
  });

  it('objects of two members', async () => {
    const { fields, yaml } = await json((name, i) => ({
      id: i + 1,
      merkmale: germanOf(name, i).map(([one, wert]) => ({ name: one, wert })),
    }));
    expect(fields).toMatchObject({ sku: 'merkmale[name=Artikelnummer].wert', price: 'merkmale[name=Preis].wert' });
    expect(yaml).toContain(`each: { parallel: { name: "merkmale[].name", value: "merkmale[].wert" }, ${taken} }`);
  });

  it('and give no more than a barcode to those that have', async () => {
    const { fields } = await xml(
      (name, i) =>
        `<sku>A-${i}</sku><name>${name}</name><price>${i}.50</price><a name="EAN">${barcodes[i]}</a><a name="Code">${i}x</a>`,
    );
    expect(fields).toEqual({ sku: 'sku', name: 'name', price: 'price', ean: 'a[@name=EAN]' });
  });

  it('and no key to those that have one, unless it is plainly called so', async () => {
    const recordOf = (label: string) => (name: string, i: number) => ({
      ...{
        id: `${i * 7 + 311}`,
        title: name,
        specs: [
          { label, value: `X-${i}3` },
          { label: 'Colour', value: 'red' },
        ],
      },
    });
    expect((await json(recordOf('Model'))).fields).toMatchObject({ sku: 'id' });
    expect((await json(recordOf('Item number'))).fields).toMatchObject({ sku: 'specs[label=Item number].value' });
  });

  it('an attribute of elements that are known by another one is read', async () => {
    const map = 'to: products\nread: { record: p }\nfields: { sku: "c[@n=sku]@v", name: "c[@n=name]@v" }\n';
    const content =
      '<all><p><c n="sku" v="A"/><c n="name" v="Lamp"/></p><p><c n="name" v="Mug"/><c n="sku" v="B"/></p></all>';
    const { items } = await readMapped(map, content, { name: 'f.xml' });
    expect(items).toEqual([
      { sku: 'A', name: 'Lamp' },
      { sku: 'B', name: 'Mug' },
    ]);
  });
});

describe('records of several kinds', () => {
  const lines = (records: readonly object[]) =>
    suggested(records.map((one) => JSON.stringify(one)).join('\n'), 'f.ndjson');
  const product = (name: string, i: number) => ({ sku: `B-${i}`, name, price: i + 3.5, currency: 'EUR' });

  it('are told apart by a member that says the kind', async () => {
    const record = names.map((name, i) => ({ type: 'RECORD', stream: 'products', record: product(name, i) }));
    const { yaml } = await lines([
      { type: 'SCHEMA', stream: 'products', schema: {} },
      ...record,
      { type: 'STATE', value: 1 },
    ]);
    expect(yaml).toContain('\nkeep: { of: "type", is: "RECORD" }');
  });

  it('are told apart by the key where they have nothing in common', async () => {
    const { yaml } = await lines(names.flatMap((name, i) => [{ index: { _id: `${i}` } }, product(name, i)]));
    expect(yaml).toContain('\nskip: { of: "sku", empty: true }');
  });

  it('are left to a person where a record may only lack its key', async () => {
    const { yaml } = await lines(names.map((name, i) => ({ ...product(name, i), sku: i === 2 ? null : `B-${i}` })));
    expect(yaml).toContain('\n# skip: { of: "sku", empty: true }');
    const typed = names.map((name, i) => ({
      ...product(name, i),
      type: i === 2 ? 'set' : 'simple',
      sku: i === 2 ? null : `B-${i}`,
    }));
    expect((await lines(typed)).yaml).toContain('\n# skip: { of: "sku", empty: true }');
  });
});

describe('no needless question', () => {
  it('about an amount inside a price of a unit', async () => {
    const { fields } = await xml(
      (name, i) => `<sku>A-${i}</sku><name>${name}</name><UnitPrice><Money>${i}.50</Money></UnitPrice>`,
    );
    expect(fields).toMatchObject({ price: 'UnitPrice.Money' });
  });

  it('and each names the column as it is in the file', async () => {
    const { asked } = await json((name, i) => ({
      Item: {
        sku: { S: `A-${i}` },
        title: { S: name },
        price: { N: `${i}.50` },
        stock: { N: `${i}` },
        active: { BOOL: true },
      },
    }));
    expect(asked['status']?.['Item.active.BOOL']).toContain('{ column: "Item.active.BOOL", ');
  });
});

describe('entries of lists that may be no products', () => {
  const lines = (i: number) => [1, 2].map((qty) => ({ sku: `L-${i}-${qty}`, qty, price: `${qty + i}.50` }));

  it('of orders are asked about', async () => {
    const { fields, asked } = await json((_, i) => ({ order_id: 100 + i, lines: lines(i) }));
    expect(fields).not.toHaveProperty('sku');
    expect(asked['sku']?.['$sku']).toContain('if each entry of "lines" is a product of its own');
    expect(Object.keys(asked['stock'] ?? {})).toEqual(['$qty']);
  });

  it('of a bundle with a key are its own parts', async () => {
    const { fields, yaml } = await json((name, i) => ({ sku: `B-${i}`, name, components: lines(i) }));
    expect(fields).toMatchObject({ sku: 'sku' });
    expect(yaml).not.toContain('each:');
  });

  it('are neither characteristics nor types of prices where they name other products', async () => {
    const { yaml } = await json((name, i) => ({
      ...{ id: `R${i}`, title: name },
      related: [1, 2].map((next) => ({ sku: `R${(i + next) % 4}`, price: '9.50' })),
    }));
    expect(yaml).not.toContain('attributes:');
    expect(yaml).not.toContain('related[sku=');
  });
});

describe('what values say counts, whatever the words are', () => {
  it('a code with a dash is the key, and no amount of francs', async () => {
    const { fields } = await json((name, i) => ({
      name: `projects/shop/${i}k`,
      fields: { sku: `F-${i}1`, title: name, price: `${i}.50` },
    }));
    expect(fields).toMatchObject({ sku: 'fields.sku', price: 'fields.price' });
  });

  it('sizes with barcodes and counts are no identifiers by type', async () => {
    const sizes = (i: number) =>
      ['36', '38'].map((size, j) => ({
        size,
        ean: barcodes[(i + j) % 4]?.replace(/^400/, `4${j}0`),
        stock: [7, 0, 3, 12][i],
      }));
    const { asked } = await json((name, i) => ({
      styleNo: `ST${i}4`,
      styleName: name,
      price: `${i}.50`,
      sizes: sizes(i),
    }));
    expect(Object.keys(asked['stock'] ?? {})).toEqual(['sizes[].stock']);
  });

  it('numbers next to units of weight are asked for the weight', async () => {
    const asWeighed = (unit: string) =>
      xml(
        (name, i) =>
          `<sku>A-${i}</sku><name>${name}</name><BRGEW>1.${i}50</BRGEW><NTGEW>1.${i}20</NTGEW><GEWEI>${unit}</GEWEI>`,
      );
    expect(Object.keys((await asWeighed('KGM')).asked['weight'] ?? {})).toEqual(['BRGEW', 'NTGEW']);
    expect((await asWeighed('GRM')).asked['weight']?.['BRGEW']).toContain(
      '"GEWEI" says GRM: write { column: "BRGEW", number: true, times: { column: "GEWEI", map: { "GRM": 0.001 } } }',
    );
  });
});

it('names of which all fill fields are no characteristics, and a stock below a name is what the name says', async () => {
  const { yaml, fields, asked } = await json((name, i) => ({
    ...{ sku: `T-${i}`, price: `${i}.50` },
    ...{
      titles: [
        { locale: 'de', text: `DE ${name}` },
        { locale: 'en', text: `The ${name}` },
      ],
    },
  }));
  expect(Object.keys(asked['name'] ?? {})).toEqual(['titles[locale=de].text', 'titles[locale=en].text']);
  expect(yaml).not.toContain('attributes:');
  const rows = await xml((name, i) =>
    Object.entries({ artno: `Z-${i}`, title: name, price: `${i}.50`, stock: [7, 0, 3, 12][i] })
      .map(([n, value]) => `<field name="${n}">${value}</field>`)
      .join(''),
  );
  expect(rows.fields).toMatchObject({ sku: 'field[@name=artno]', stock: 'field[@name=stock]' });
  expect(fields).toMatchObject({ sku: 'sku', price: 'price' });
});

it('counts by place can be added up', async () => {
  const { yaml } = await xml(
    (name, i) =>
      `<sku>A-${i}</sku><name>${name}</name><price>${i}.50</price><stock place="N">${[7, 0, 3, 12][i]}</stock><stock place="S">${i}</stock>`,
  );
  expect(yaml).toContain('or all: { column: "stock", take: sum }; ');
});

it('of names in several languages none is taken without a question', async () => {
  const { fields, asked } = await json((name, i) => ({
    ...{ sku: `T-${i}`, price: `${i}.50` },
    titles: [
      { lang: 'de', text: `Der${name}` },
      { lang: 'en', text: `The ${name}` },
    ],
  }));
  expect(fields).not.toHaveProperty('name');
  expect(Object.keys(asked['name'] ?? {})).toEqual(['titles[lang=de].text', 'titles[lang=en].text']);
});
