// The shipped mappings on exports as they come: small feeds of our own that differ in the ways real ones do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from '../cli/typed.js';
import { magentoColumns } from './magento-columns.js';

const shipped = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/maps/${name}.yaml`, import.meta.url)), 'utf8');

/** A feed of named columns: each row names those it fills. */
function csvOf(columns: readonly string[], rows: readonly Readonly<Record<string, string>>[]): string {
  const cell = (text = '') => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((row) => row.map(cell).join(','))
    .join('\n');
}

async function imported(map: string, feed: string) {
  const cwd = folder({ 'map.yaml': shipped(map), 'feed.csv': `${feed}\n` });
  const db = join(cwd, 'a.db');
  const { stdout } = await typedHere([
    'run',
    join(cwd, 'feed.csv'),
    '--map',
    join(cwd, 'map.yaml'),
    '--db',
    db,
    '--output',
    'json',
    '--report',
    'refused',
  ]);
  const reports: { resource: string; created: number; data: unknown[] }[] = JSON.parse(stdout).response.data;
  const get = async (resource: string, flag: string, key: string) =>
    JSON.parse((await typedHere(['get', resource, flag, key, '--db', db])).stdout);
  return {
    refused: reports.flatMap(({ data }) => data),
    created: Object.fromEntries(reports.map(({ resource, created }) => [resource, created])),
    get,
  };
}

describe('the list of categories of Google, as text', () => {
  const paths = ['Home', 'Home > Lamps', 'Home > Lamps > Other', 'Garden', 'Garden > Other'];
  const named = ['Home', 'Lamps', 'Home > Lamps > Other', 'Garden', 'Garden > Other'];

  it.each([
    ['with numbers', (path: string, i: number) => `${90 - i} - ${path}`, ['90', '89', '88', '87', '86']],
    ['without numbers, in any order', (path: string) => path, ['', '', '', '', '']],
  ])('%s', async (title, line, references) => {
    const lines = paths.map(line);
    const inOrder = title.includes('order') ? lines.reverse() : lines;
    const feed = `# Google_Product_Taxonomy_Version: 2021-09-21\n${inOrder.join('\n')}`;
    const cwd = folder({ 'map.yaml': shipped('google-taxonomy'), 'taxonomy.txt': `${feed}\n` });
    const [file, map, db] = ['taxonomy.txt', 'map.yaml', 'a.db'].map((name) => join(cwd, name));
    const said = await typedHere(['categories', file ?? '', '--map', map ?? '', '--db', db ?? '']);
    expect([said.code, said.stdout]).toEqual([0, expect.stringContaining('5 created')]);
    const get = async (name = '') =>
      JSON.parse((await typedHere(['get', 'category', '--name', name, '--db', db ?? ''])).stdout);
    const made = await Promise.all(named.map(get));
    const above = ['', made[0].id, made[1].id, '', made[3].id];
    expect(made.map(({ reference, parent }) => [reference, parent])).toEqual(
      references.map((reference, i) => [reference, above[i]]),
    );
  });
});

describe('Shopify', () => {
  const base = ['Handle', 'Title', 'Body (HTML)', 'Vendor', 'Type', 'Tags', 'Option1 Name', 'Option1 Value'];
  const more = ['Option2 Name', 'Option2 Value', 'Option3 Name', 'Option3 Value'];
  const variant = ['Variant SKU', 'Variant Grams', 'Variant Price', 'Variant Compare At Price', 'Variant Barcode'];

  it('three options, Status and stock: groups with three axes, a product a variant', async () => {
    const feed = csvOf(
      [...base, ...more, ...variant, 'Variant Inventory Qty', 'SEO Title', 'SEO Description', 'Status'],
      [
        {
          Handle: 'tee',
          Title: 'Tee',
          Type: 'Shirts',
          'Option1 Name': 'Size',
          'Option1 Value': 'S',
          'Option2 Name': 'Shade',
          'Option2 Value': 'Red',
          'Option3 Name': 'Fit',
          'Option3 Value': 'Slim',
          'Variant SKU': 'T1',
          'Variant Grams': '150',
          'Variant Price': '9.90',
          'Variant Inventory Qty': '4',
          Status: 'active',
        },
        {
          Handle: 'tee',
          'Option1 Value': 'M',
          'Option2 Value': 'Blue',
          'Option3 Value': 'Wide',
          'Variant SKU': 'T2',
          'Variant Price': '10.90',
        },
        { Handle: 'tee', 'Option1 Value': '', 'Variant Price': '' },
        {
          Handle: 'mug',
          Title: 'Mug',
          Type: 'Kitchen',
          'Option1 Name': 'Title',
          'Option1 Value': 'Default Title',
          'Variant Price': '5.00',
          Status: 'archived',
        },
      ],
    );
    const { refused, created, get } = await imported('shopify', feed);
    expect(refused).toEqual([]);
    expect(created).toEqual({ attribute: 3, category: 2, product_group: 1, product: 3 });
    const group = await get('group', '--name', 'tee');
    expect(group.axes).toHaveLength(3);
    expect(await get('product', '--sku', 'T2')).toMatchObject({
      name: 'Tee M Blue Wide',
      group: group.id,
      price: '10.90',
      status: 'activated',
    });
    expect(await get('product', '--sku', 'T1')).toMatchObject({ stock: 4, weight: '0.15' });
    expect(await get('product', '--sku', 'mug')).toMatchObject({ name: 'Mug', group: '', status: 'suspended' });
  });

  it('an old export without Status and stock, one option, metafields beside it', async () => {
    const feed = csvOf(
      [...base, ...variant, 'Material (product.metafields.custom.material)'],
      [
        {
          Handle: 'cap',
          Title: 'Cap',
          Type: 'Hats',
          'Option1 Name': 'Shade',
          'Option1 Value': 'Red',
          'Variant SKU': 'C1',
          'Variant Price': '7',
          'Variant Barcode': "'4006381333931",
          'Material (product.metafields.custom.material)': 'Wool',
        },
        { Handle: 'cap', 'Option1 Value': 'Blue', 'Variant SKU': 'C2', 'Variant Price': '7' },
      ],
    );
    const { refused, created, get } = await imported('shopify', feed);
    expect(refused).toEqual([]);
    expect(created).toEqual({ attribute: 1, category: 1, product_group: 1, product: 2 });
    expect(await get('product', '--sku', 'C1')).toMatchObject({ ean: '4006381333931', status: 'draft' });
  });

  it('no SKUs: handle and options are the key; image rows are not products', async () => {
    const feed = csvOf(
      [...base, ...more, ...variant, 'Variant Inventory Qty', 'Image Src', 'Status'],
      [
        {
          Handle: 'sofa',
          Title: 'Sofa',
          'Option1 Name': 'Title',
          'Option1 Value': 'Default Title',
          'Variant Price': '699.00',
          Status: 'draft',
        },
        { Handle: 'sofa', 'Image Src': 'https://x.y/2.jpg' },
        {
          Handle: 'bed',
          Title: 'Bed',
          'Option1 Name': 'Size',
          'Option1 Value': '90x200',
          'Option2 Name': 'Wood',
          'Option2 Value': 'Oak',
          'Variant Price': '299.00',
          Status: 'active',
        },
      ],
    );
    const { refused, created, get } = await imported('shopify', feed);
    expect(refused).toEqual([]);
    expect(created).toMatchObject({ attribute: 2, product_group: 1, product: 2 });
    expect(await get('product', '--sku', 'bed/90x200/Oak')).toMatchObject({ name: 'Bed 90x200 Oak' });
    expect(await get('product', '--sku', 'sofa')).toMatchObject({ name: 'Sofa', status: 'draft' });
  });
});

const withDates = [...magentoColumns, 'special_price_from_date', 'special_price_to_date'];

/** Sales with their dates: none, over, running, not begun. */
const sales = (date: (year: number) => string) =>
  [
    ['A', '', ''],
    ['B', '', date(2020)],
    ['C', date(2020), date(2099)],
    ['D', date(2098), ''],
  ] as const;
const soldFor = { A: ['8.00', '10.00'], B: ['10.00', ''], C: ['8.00', '10.00'], D: ['10.00', ''], E: ['10.00', ''] };

async function pricesOf(get: Awaited<ReturnType<typeof imported>>['get']) {
  const found = Object.keys(soldFor).map(async (sku) => {
    const { price, price_compare: compare } = await get('product', '--sku', sku);
    return [sku, [price, compare]];
  });
  return Object.fromEntries(await Promise.all(found));
}

describe('a sale that is over or has not begun is not applied, and only a sale has a reference price', () => {
  it.each([
    ['days', (year: number) => `${year}-12-31`],
    ['English dates', (year: number) => `12/9/${year % 100}`],
    ['English dates with times', (year: number) => `1/31/${year % 100}, 12:00 AM`],
  ])('Magento, %s', async (_, date) => {
    const rows = [...sales(date), ['E', '', ''] as const].map(([sku, from, to]) => ({
      ...{ sku, product_type: 'simple', name: sku, price: '10', special_price: sku === 'E' ? '' : '8' },
      ...{ product_online: '1', special_price_from_date: from, special_price_to_date: to },
    }));
    const { refused, get } = await imported('magento', csvOf(withDates, rows));
    expect(refused).toEqual([]);
    expect(await pricesOf(get)).toEqual(soldFor);
  });

  it('Magento: a date of another language is refused', async () => {
    const row = { sku: 'A', product_type: 'simple', name: 'A', price: '10', special_price: '8', product_online: '1' };
    const { refused } = await imported('magento', csvOf(withDates, [{ ...row, special_price_to_date: '31.12.20' }]));
    expect(refused).toMatchObject([{ code: 'field_format' }]);
  });

  it.each([
    [
      'de',
      'Typ,Artikelnummer,Name,Veröffentlicht,Bestand,Beschreibung,Kurzbeschreibung,"Datum, an dem Angebotspreis beginnt","Datum, an dem Angebotspreis endet",Angebotspreis,Regulärer Preis,Kategorien,Schlagwörter,Übergeordnetes Produkt',
    ],
    [
      'fr',
      'Type,UGS,Nom,Publié,Stock,Description,Description courte,Date de début de promo,Date de fin de promo,Tarif promo,Tarif régulier,Catégories,Étiquettes,Parent',
    ],
    [
      'es',
      'Tipo,SKU,Nombre,Publicado,Inventario,Descripción,Descripción corta,Día en que empieza el precio rebajado,Día en que termina el precio rebajado,Precio rebajado,Precio normal,Categorías,Etiquetas,Superior',
    ],
  ])('WooCommerce, %s', async (language, header) => {
    const rows = [...sales((year) => `${year}-12-31 00:00:00`), ['E', '', ''] as const].map(
      ([sku, from, to]) => `simple,${sku},${sku},1,,,,${from},${to},${sku === 'E' ? '' : 8},10,,,`,
    );
    const { refused, get } = await imported(`woocommerce-${language}`, [header, ...rows].join('\n'));
    expect(refused).toEqual([]);
    expect(await pricesOf(get)).toEqual(soldFor);
  });
});

describe('Magento 2', () => {
  it.each([
    [
      'variants and their heads, SKUs with hyphens',
      [
        {
          sku: 'WS-01-S',
          product_type: 'simple',
          categories: 'Default Category/Women',
          name: 'Tank S',
          product_online: '1',
          price: '29',
          additional_attributes: 'size=S,color=Red',
        },
        {
          sku: 'WS-01',
          product_type: 'configurable',
          categories: 'Default Category/Women',
          name: 'Tank',
          product_online: '1',
          price: '29',
          configurable_variations: 'sku=WS-01-S,size=S,color=Red',
        },
        {
          sku: '24-MB01',
          product_type: 'simple',
          categories: 'Default Category/Gear/Bags',
          name: 'Bag',
          product_online: '1',
          price: '34',
          additional_attributes: 'material=Canvas',
        },
      ],
      { attribute: 3, category: 3, product_group: 1, product: 2 },
    ],
    [
      'another attribute set, virtual and downloadable products',
      [
        {
          sku: 'V1',
          attribute_set_code: 'Service',
          product_type: 'virtual',
          categories: 'Default Category/Services',
          name: 'Repair',
          product_online: '2',
          price: '99.95',
          additional_attributes: 'duration=2 h',
        },
        {
          sku: 'D1',
          attribute_set_code: 'Music',
          product_type: 'downloadable',
          categories: 'Default Category/Services',
          name: 'Song',
          product_online: '1',
          price: '1.29',
          additional_attributes: 'format=flac',
        },
        { sku: 'B1', product_type: 'bundle', name: 'Set', product_online: '1' },
      ],
      { attribute: 2, category: 1, product_group: 0, product: 2 },
    ],
    [
      'without packed attributes and categories',
      [{ sku: 'A', product_type: 'simple', name: 'A', product_online: '1', price: '5' }],
      { attribute: 0, category: 0, product_group: 0, product: 1 },
    ],
  ])('%s', async (_, rows, counts) => {
    const { refused, created, get } = await imported('magento', csvOf(magentoColumns, rows));
    expect(refused).toEqual([]);
    expect(created).toMatchObject(Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)));
    if (counts.product_group === 1) {
      const group = await get('group', '--name', 'WS-01');
      expect((await get('product', '--sku', 'WS-01-S')).group).toBe(group.id);
      expect((await get('product', '--sku', '24-MB01')).group).toBe('');
    }
  });
});

describe('WooCommerce', () => {
  const base =
    'ID,Type,SKU,Name,Published,Short description,Description,In stock?,Stock,Weight (kg),Sale price,Regular price,Categories,Tags,Images,Parent,Position'.split(
      ',',
    );
  const attributes = ['Attribute 1 name', 'Attribute 1 value(s)', 'Attribute 1 visible', 'Attribute 1 global'];
  const inUnit = (unit: string) => base.map((name) => name.replace('(kg)', `(${unit})`));

  it('parents and variations: a group with axes, what can be bought as products', async () => {
    const head = { Categories: 'Wear > Shirts, Sale', 'Attribute 1 name': 'Size', 'Attribute 1 value(s)': 'S, M' };
    const rows = [
      { Type: 'variable', SKU: 'T', Name: 'Tee', Published: '1', ...head },
      {
        Type: 'variation',
        SKU: 'T-S',
        Name: 'Tee - S',
        Published: '1',
        'Regular price': '12.50',
        Parent: 'T',
        ...head,
        Categories: '',
        'Attribute 1 value(s)': 'S',
      },
      {
        Type: 'variation',
        SKU: 'T-M',
        Name: 'Tee - M',
        Published: '0',
        'Sale price': '9',
        'Regular price': '12.50',
        Parent: 'T',
        'Attribute 1 name': 'Size',
        'Attribute 1 value(s)': 'M',
      },
    ];
    const { refused, created, get } = await imported('woocommerce', csvOf([...base, ...attributes], rows));
    expect(refused).toEqual([]);
    expect(created).toMatchObject({ attribute: 1, category: 3, product_group: 1, product: 2 });
    const shirts = await get('category', '--name', 'Shirts');
    expect(await get('product', '--sku', 'T-S')).toMatchObject({
      price: '12.50',
      category: shirts.id,
      status: 'activated',
    });
    expect(await get('product', '--sku', 'T-M')).toMatchObject({
      price: '9.00',
      price_compare: '12.50',
      status: 'suspended',
    });
  });

  it.each([
    ['no attributes, whole francs', base, { 'Regular price': '12000', 'Weight (kg)': '1.5' }, '12000.00', '1.5'],
    [
      'a sale that is over',
      [...base, 'Date sale price starts', 'Date sale price ends'],
      {
        'Regular price': '3',
        'Sale price': '2',
        'Weight (kg)': '1',
        'Date sale price starts': '2020-11-20 00:00:00',
        'Date sale price ends': '2020-11-30 23:59:59',
      },
      '3.00',
      '1',
    ],
    ['grams', inUnit('g'), { 'Regular price': '3', 'Weight (g)': '450' }, '3.00', '0.45'],
    ['pounds', inUnit('lbs'), { 'Regular price': '3', 'Weight (lbs)': '2' }, '3.00', '0.907'],
  ])('%s', async (_, columns, cells, price, weight) => {
    const row = { Type: 'simple', SKU: 'A', Name: 'Bag', Published: '-1', Stock: '4', Categories: 'Bags', ...cells };
    const { refused, get } = await imported('woocommerce', csvOf(columns, [row]));
    expect(refused).toEqual([]);
    expect(await get('product', '--sku', 'A')).toMatchObject({ price, weight, stock: 4, status: 'draft' });
  });
});

describe('WooCommerce in the language of its user', () => {
  it.each([
    [
      'de',
      'ID,Typ,Artikelnummer,Name,Veröffentlicht,Kurzbeschreibung,Beschreibung,Bestand,Gewicht (kg),Angebotspreis,Regulärer Preis,Kategorien,Schlagwörter,Übergeordnetes Produkt,Attribut 1 Name,Attribut 1 Wert(e)',
    ],
    [
      'fr',
      'ID,Type,UGS,Nom,Publié,Description courte,Description,Stock,Poids (kg),Tarif promo,Tarif régulier,Catégories,Étiquettes,Parent,Nom de l’attribut 1,Valeur(s) de l’attribut 1',
    ],
    [
      'es',
      'ID,Tipo,SKU,Nombre,Publicado,Descripción corta,Descripción,Inventario,Peso (kg),Precio rebajado,Precio normal,Categorías,Etiquetas,Superior,Nombre del atributo 1,Valor(es) del atributo 1',
    ],
  ])('%s', async (language, header) => {
    const rows = [
      '1,simple,H,Hammer,1,,Good,4,"0,45","9,90","1.012,50","Tools, Tools > Hammers",new,,,',
      '2,variable,T,Tee,1,,,,,,,Clothes,,,Size,"S, M"',
      '3,variation,T-S,Tee - S,0,,,7,,,"19,90",,,T,Size,S',
    ];
    const { refused, created, get } = await imported(`woocommerce-${language}`, [header, ...rows].join('\n'));
    expect(refused).toEqual([]);
    expect(created).toMatchObject({ attribute: 1, category: 3, product_group: 1, product: 2 });
    expect(await get('product', '--sku', 'H')).toMatchObject({
      name: 'Hammer',
      price: '9.90',
      price_compare: '1012.50',
      weight: '0.45',
      stock: 4,
      tag: 'new',
    });
    const { id } = await get('category', '--name', 'Clothes');
    const group = await get('group', '--name', 'T');
    expect(await get('product', '--sku', 'T-S')).toMatchObject({
      category: id,
      group: group.id,
      price: '19.90',
      status: 'suspended',
    });
  });
});
