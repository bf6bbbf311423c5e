// Exports as shop systems write them, a few rows of each: what inspect makes of them, and what a mapping can say.
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/core/resources/index.js';
import { inspectFile } from '../../src/source/inspection/inspect-file.js';
import { suggestMapping } from '../../src/source/mapping/suggest/suggest-mapping.js';
import { fileOf } from './given.js';
import { readMapped } from './mapping/given.js';

const known = Object.fromEntries(resources.map(({ command, key, fields }) => [command, { key, fields }]));

async function suggested(text: string, name = 'export.csv'): Promise<Record<string, string>> {
  return Object.fromEntries(suggestMapping(await inspectFile({ file: fileOf(text, name) }), known).fields);
}

describe('inspect takes no column for another', () => {
  it.each([
    [
      'Shopware',
      'ordernumber;mainnumber;name;price_EK;pseudoprice_EK;instock;stockmin\nSW1;SW1;Tuch;24,9900;29,9900;12;5\nSW2;SW1;Tuch;24,9900;;3;5\n',
      { sku: 'ordernumber', price: undefined, stock: 'instock', stock_threshold: 'stockmin' },
    ],
    [
      'BigCommerce',
      'Item Type,Product ID,Product Name,Product Code/SKU,Price,Current Stock Level,Low Stock Level,Category\nProduct,77,Towel,SL,49.00,0,0,Bath\nSKU,12,[RB]Size=S,SL-S,,5,1,\n',
      {
        sku: 'Product Code/SKU',
        stock: 'Current Stock Level',
        stock_threshold: 'Low Stock Level',
        category: 'Category',
      },
    ],
    [
      'Square',
      'Token,Item Name,SKU,Price,Current Quantity Main,Stock Alert Enabled Main,Stock Alert Count Main\nB1,Coffee,C-R,3.20,25,Y,5\nB2,Mug,M-1,12,7,Y,2\n',
      { sku: 'SKU', stock: 'Current Quantity Main', stock_threshold: 'Stock Alert Count Main' },
    ],
    [
      'Ecwid',
      'type,product_internal_id,product_sku,product_name,product_price,product_quantity,product_category_1\nproduct,1,AP,Apple,4.5,3,Drinks\nproduct_variation,1,AP-1,,6.5,2,\n',
      { sku: 'product_sku', category: 'product_category_1', stock: 'product_quantity' },
    ],
    [
      'Odoo',
      'External ID,Name,Internal Reference,Sales Price,Quantity On Hand\n__export__.p_1,Desk,F-1,"1,450.00",12.0\n__export__.p_2,Bloc,F-2,295.0,16.0\n',
      { sku: 'Internal Reference', external_id: undefined, price: 'Sales Price', stock: 'Quantity On Hand' },
    ],
    [
      'Lightspeed',
      'System ID,Custom SKU,Manufact. SKU,Item,Qty.,Price\n2101,B-8,SPD,Bolt,"1,024",$0.99\n2102,B-9,SPE,Nut,-2,$12.50\n',
      { sku: 'Custom SKU', stock: 'Qty.', price: 'Price' },
    ],
    [
      'Akeneo',
      'sku;name-en_US;name-fr_FR;description-en_US-ecommerce;price-EUR\nA1;Bag;Sac;Leather;99.00\nA2;Hat;Chapeau;Wool;52.00\n',
      { name: undefined, description: 'description-en_US-ecommerce', price: 'price-EUR' },
    ],
    [
      'a Japanese shop, whose prices have no decimals',
      'path,name,code,price,jan,quantity\n家具:椅子,木製チェア,chair-01,"￥12,800",4901234567894,12\n家具:机,机,desk-01,"￥29,800",,0\n',
      { sku: 'code', price: 'price', ean: 'jan', stock: 'quantity' },
    ],
    [
      'Google',
      'id\ttitle\tprice\tproduct type\n1\tCoat\t1 199,00 SEK\tClothes > Coats\n2\tHat\t249,00 SEK\tClothes > Hats\n',
      { sku: 'id', price: 'price', category: 'product type' },
    ],
  ])('%s', async (_, text, fields) => {
    expect(await suggested(text)).toMatchObject(
      Object.fromEntries(Object.entries(fields).filter(([, column]) => column !== undefined)),
    );
    for (const [field, column] of Object.entries(fields))
      if (column === undefined) expect(await suggested(text)).not.toHaveProperty(field);
  });

  it('believes the declaration of an XML file', async () => {
    const xml = Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a><b id="1"/><b id="2"/></a>');
    expect((await inspectFile({ file: fileOf(xml, 'a.xml') })).found).toMatchObject({
      encoding: 'windows-1251',
      why: 'its XML declaration says windows-1251',
    });
  });
});

describe('weights and prices in units of their own', () => {
  it('converts the unit in the cell, and refuses one that the mapping does not name', async () => {
    const map = 'fields: {sku: sku, weight: {column: w, number: {decimal: ",", units: {kg: 1, g: 0.001}}}}';
    const { items, problems } = await readMapped(map, 'sku;w\nA;0,45 kg\nB;450g\nC;2\nD;3 lb\n');
    expect(items).toMatchObject([{ weight: '0.45' }, { weight: '0.45' }, { weight: '2' }, '!field_format']);
    expect(problems[0]?.message).toContain('holds "lb" next to the number');
  });

  it('multiplies by a factor from another column', async () => {
    const map =
      'fields: {sku: sku, weight: {column: w, times: {column: unit, map: {GRAM: 0.001, KILOGRAM: 1}}}, ' +
      'price: {column: p, shift: -2, times: {column: per, map: {"0": 1, "2": 0.01}}}}';
    const csv = 'sku,w,unit,p,per\nA,500,GRAM,1295,0\nB,0.3,KILOGRAM,9000,2\nC,,,,\n';
    const { items, notes } = await readMapped(map, csv);
    // The factors are numbers of the mapping: their decimal sign is none of a column.
    expect(notes).toEqual(['column "w": read with decimal point (1 number)']);
    const comma = await readMapped(`read: {decimal: ","}\n${map}`, csv.replace('0.3', '"0,3"'));
    expect(comma.items).toMatchObject([{ weight: '0.5' }, { weight: '0.3', price: '0.9' }, { sku: 'C' }]);
    expect(items).toMatchObject([{ weight: '0.5', price: '12.95' }, { weight: '0.3', price: '0.9' }, { sku: 'C' }]);
  });
});

describe('rows of several kinds in a file without a header', () => {
  const map = (more: string) =>
    `read: {delimiter: ";", skip: 1, ${more}columns: [kind, change, no, name, unit, price]}\n` +
    'keep: {of: kind, is: A}\nfields: {sku: no, name: name, price: {column: price, shift: -2}}';
  const datanorm =
    'V 221126 Elektro GmbH   04EUR\nA;N;100.4711;Dose;Stck;1295\nB;N;100.4711;X\nA;N;100.4712;Kabel;m;8950\n';

  it('skips lines above them, and takes short rows where the mapping says so', async () => {
    expect((await readMapped(map('short_rows: true, '), datanorm)).items).toEqual([
      { sku: '100.4711', name: 'Dose', price: '12.95' },
      { sku: '100.4712', name: 'Kabel', price: '89.50' },
    ]);
  });

  it('refuses short rows where it does not', async () => {
    const { items } = await readMapped(map(''), datanorm);
    expect(items).toContain('!row_shape');
  });

  it('recognizes refused rows by the cells after theirs, and skips nothing then', async () => {
    const back = 'A;N;100.4712;Kabel;m;8950;"4";"field_format";"price: wrong"\n';
    expect((await readMapped(map('short_rows: true, '), back)).items).toMatchObject([
      { sku: '100.4712', price: '89.50' },
    ]);
  });

  it('has no use for a header rule', async () => {
    const mapping = 'read: {columns: [sku], header: {containing: [SKU]}}\nfields: {sku: sku}';
    expect(() => readMapped(mapping, 'SKU\nA\n')).toThrow(
      /read\.header: names the header of a file, and columns: those of a file without one; use skip:/,
    );
  });
});

describe('a list of SAP, drawn with lines', () => {
  it('is a table between bars', async () => {
    const list = `22.11.2026            Dynamische Listenausgabe            1
---------------------------------------------------
Tabelle:  ZMAT
---------------------------------------------------
|MATNR             |MAKTX        |     NETPR|  LABST|
---------------------------------------------------
|000000000000004711|Bohrhammer   |  1.289,90| 12,000|
|000000000000004713|Schraube "S" |      0,12|  5,000-|
---------------------------------------------------
`;
    const map =
      'read: {format: csv, delimiter: "|", decimal: ",", header: {containing: [MATNR, MAKTX]}, leave_out: ["---"]}\n' +
      'fields: {sku: {column: MATNR, replace: {pattern: "^0+", with: ""}}, name: MAKTX, price: NETPR, stock: LABST}';
    expect((await readMapped(map, list, { name: 'list.txt' })).items).toMatchObject([
      { sku: '4711', name: 'Bohrhammer', price: '1289.90' },
      { sku: '4713', name: 'Schraube "S"', price: '0.12' },
    ]);
  });
});

describe('entries of a list, by what they are called', () => {
  const prices = JSON.stringify([
    {
      sku: 'A',
      title: { en: 'Lamp', de: 'Lampe' },
      prices: [
        { type: 'gross', amount: '12.00' },
        { type: 'net', amount: '10.00' },
      ],
      params: [{ name: 'Weight', value: '3.5' }],
    },
  ]);

  it('reads the one that has a value', async () => {
    const map =
      'fields: {sku: sku, name: title.en, price: "prices[type=NET].amount", weight: "params[name=weight].value"}';
    expect((await readMapped(map, prices, { name: 'f.json' })).items).toEqual([
      { sku: 'A', name: 'Lamp', price: '10.00', weight: '3.5' },
    ]);
  });

  it('takes the first of several that is there', async () => {
    const map =
      'fields: {sku: sku, price: {first: ["prices[type=sale].amount", "prices[type=net].amount", "prices[].amount"]}}';
    expect((await readMapped(map, prices, { name: 'f.json' })).items).toMatchObject([{ price: '10.00' }]);
  });

  it('reads elements of XML by their attribute, with and without elements inside', async () => {
    const xml =
      '<c><p id="1"><param name="Farbe">rot</param><param name="Gewicht">2.5</param>' +
      '<cost kind="list"><sum>9</sum></cost><cost kind="net"><sum>7</sum></cost></p>' +
      '<p id="2"><param name="Gewicht">4</param><cost kind="net"><sum>8</sum></cost></p></c>';
    const map =
      'read: {record: p}\nfields: {sku: "@id", weight: "param[@name=Gewicht]", description: "param[@name=Farbe]", price: "cost[@kind=net].sum"}';
    expect((await readMapped(map, xml, { name: 'f.xml' })).items).toEqual([
      { sku: '1', weight: '2.5', description: 'rot', price: '7' },
      { sku: '2', weight: '4', price: '8' },
    ]);
  });

  it.each([
    ['name: title', 'column "title" is an object with en, de; name one of its members, such as title.en'],
    [
      'name: {columns: [sku, params], join: " "}',
      'column "params" is a list of objects with name, value; name a member of them, such as params[].name',
    ],
    ['name: {template: "{title}"}', 'column "title" is an object with en, de'],
  ])('never makes a text of an object: %s', async (field, message) => {
    const { items, problems } = await readMapped(`fields: {sku: sku, ${field}}`, prices, { name: 'f.json' });
    expect(items).toEqual(['!field_type']);
    expect(problems[0]?.message).toContain(message);
  });

  it('names the text of an XML element with text and elements in it', async () => {
    const xml = '<f><p><sku>A</sku><desc>x<br/>y</desc></p><p><sku>B</sku></p></f>';
    const { problems } = await readMapped('fields: {sku: sku, description: desc}', xml, { name: 'f.xml' });
    expect(problems[0]?.message).toContain('such as desc.#text');
    const { items } = await readMapped('fields: {sku: sku, description: "desc.#text"}', xml, { name: 'f.xml' });
    expect(items).toHaveLength(2);
    expect(items).not.toContain('!field_type');
  });
});

it.each([
  ['status: activated', /column "activated" not found; for the value itself write { value: activated }/],
  ['currency: EUR', /column "EUR" not found; for the value itself write { value: EUR }/],
  ['status: actived', /column "actived" not found; columns are "sku"/],
])('%s: a value in the place of a column is reported as such', async (field, message) => {
  await expect(readMapped(`fields: {sku: sku, ${field}}`, 'sku\nA\n')).rejects.toThrow(message);
});
