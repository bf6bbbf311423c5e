// The stock of a suggestion: certain only where one column counts pieces; else it is a question, and it is never lost.
import { describe, expect, it } from 'vitest';
import { suggested } from './suggested.js';

/** A file of three products with a price, and the given columns next to them. */
const feed = (header: string, rows: readonly [string, string, string]): string =>
  [`SKU;Name;Preis;${header}`, ...rows.map((row, i) => `A-${i};${['Sand', 'Kies', 'Splitt'][i]};1${i},50;${row}`)].join(
    '\n',
  );

describe('a stock that is not of pieces is asked', () => {
  it.each([
    ['Verfügbar (t)', 't'],
    ['Stock (kg)', 'kg'],
    ['Bestand in m', 'm'],
    ['Lager [Paletten]', 'paletten'],
    ['Cases on hand', 'cases'],
    ['qty_kg', 'kg'],
    ['Stock disponible (palettes)', 'palettes'],
    ['Zapas (mb)', 'mb'],
    ['Остаток, м', 'м'],
    ['Bestand in Tonnen', 'tonnen'],
    ['Stock litres', 'litres'],
    ['Existencias en metros', 'metros'],
    ['Запас метров', 'метров'],
    ['庫存（箱）', '箱'],
    ['재고 (박스)', '박스'],
  ])('%s', async (header, unit) => {
    const { fields, asked } = await suggested(feed(header, ['14', '3', '0']));
    expect(fields).not.toHaveProperty('stock');
    expect(asked['stock']?.[header]?.toLowerCase()).toBe(`its header says ${unit}`);
  });

  it.each(['Bestand (Stk.)', 'Stock (pcs)', 'Stan [szt.]', 'Остаток (шт)', '在庫（個）'])(
    '%s is of pieces',
    async (header) => {
      const { fields } = await suggested(feed(header, ['14', '3', '0']));
      expect(fields).toMatchObject({ stock: header });
    },
  );

  it.each([
    ['units in another column', 'Bestand;Einheit', ['14;kg', '3;m', '0;Stk'], '"Einheit" says kg, m, Stk'],
    [
      'packages in another column',
      'Voorraad;Eenheid',
      ['14;pallet', '3;doos', '0;pallet'],
      '"Eenheid" says pallet, doos',
    ],
    [
      'pallets in another column',
      'Voorraad;Eenheid',
      ['14;pallet', '3;karton', '0;st'],
      '"Eenheid" says pallet, karton, st',
    ],
    ['units next to the numbers', 'Saldo', ['14 m', '3 m', '0 m'], 'its values say m'],
    ['decimals', 'Stan', ['14,5', '3', '0'], 'some values have decimals'],
    ['decimals that are zero', 'Stan', ['14,0', '3,0', '0,0'], undefined],
    ['sizes in another column', 'Bestand;Größe', ['14;M', '3;L', '0;M'], undefined],
    ['more sizes', 'Bestand;Größe', ['14;M', '3;L', '0;XL'], undefined],
    ['metres in another column', 'Bestand;ME', ['14;M', '3;M', '0;ST'], '"ME" says M, ST'],
    ['one unit in another column', 'Bestand;Einheit', ['14;m', '3;m', '0;m'], '"Einheit" says m'],
    ['the unit of a weight', 'Bestand;Gewicht;Gewichtseinheit', ['14;3;kg', '3;4;kg', '0;2;g'], undefined],
  ] as const)('%s', async (_, header, rows, remark) => {
    const { fields, asked } = await suggested(feed(header, rows));
    const [stock = ''] = header.split(';');
    if (remark === undefined) expect(fields).toMatchObject({ stock });
    else expect(asked['stock']).toMatchObject({ [stock]: expect.stringContaining(remark) });
  });
});

describe('a stock whose header says more is asked', () => {
  it.each([
    ['Days of Stock', 'Days'],
    ['Stock dozens', 'dozens'],
    ['Bestandsreichweite', 'Bestandsreichweite'],
    ['Stock virtual', 'virtual'],
    ['Sell-through Qty', 'through'],
    ['供应商库存', '供应商'],
    ['メーカー在庫', 'メーカー'],
    ['안전재고', '안전'],
    ['박스수량', '박스'],
    ['מלאי ספק', 'ספק'],
    ['Centrallager', 'Central'],
    ['Leverantörslager', 'Leverantörs'],
    ['Keskusvarasto', 'Keskus'],
    ['Мин. остаток', 'Мин'],
    ['Antal/krt', 'krt'],
    ['Bestand 2', '2'],
    ['Partner stock', 'Partner'],
  ])('%s', async (header, words) => {
    const { fields, asked } = await suggested(feed(header, ['14', '3', '0']));
    expect(fields).not.toHaveProperty('stock');
    expect(asked['stock']?.[header]).toBe(`"${words}" is not known: say whether it is the stock that is sold`);
  });

  it.each([
    'Stock Qty',
    'Quantity in stock',
    'Lagerbestand',
    'Qty on hand',
    'Bestandsmenge',
    'Availability',
    'Disponibilità',
    'Stan magazynowy',
    'Product stock',
    'Lagerbestand Gesamt',
    'Vrije voorraad',
    'Stock réel',
    'Остаток на складе',
    'Ürün Stok Adedi',
    'Current Quantity Main',
  ])('unless its words are known: %s', async (header) => {
    expect((await suggested(feed(header, ['14', '3', '0']))).fields).toMatchObject({ stock: header });
  });
});

it('a place that another column of stock names, too, says nothing', async () => {
  const header = 'Current Quantity Main Street;Stock Alert Count Main Street';
  const { fields } = await suggested(feed(header, ['14;2', '3;2', '0;5']));
  expect(fields).toMatchObject({ stock: 'Current Quantity Main Street' });
});

describe('of several counts none is the stock without a question', () => {
  it.each([
    ['onhand;free;allocated', ['14;10;4', '3;3;0', '20;13;7'], ['onhand', 'free', 'allocated']],
    ['qty_on_hand;qty_available', ['14;10', '3;3', '20;13'], ['qty_on_hand', 'qty_available']],
    ['stock;reserved', ['14;4', '3;0', '20;7'], ['stock', 'reserved']],
    ['Bestand;Reserviert', ['14;4', '3;0', '20;7'], ['Bestand', 'Reserviert']],
    ['Giacenza;Impegnato', ['14;4', '3;0', '20;7'], ['Giacenza', 'Impegnato']],
    ['Stock físico;Stock disponible', ['14;10', '3;3', '20;13'], ['Stock físico', 'Stock disponible']],
    ['Остаток;Свободно', ['14;10', '3;3', '20;13'], ['Остаток', 'Свободно']],
    ['Stock;Stock', ['14;10', '3;3', '20;13'], ['Stock']],
  ] as const)('%s', async (header, rows, columns) => {
    const { fields, asked } = await suggested(feed(header, rows));
    expect(fields).not.toHaveProperty('stock');
    expect(Object.keys(asked['stock'] ?? {})).toEqual(columns);
  });

  it.each([
    ['Stock;Quantity', ['14;14', '3;3', '20;20'], 'Stock'],
    ['Stock mini;Stock maxi;Stock', ['2;30;14', '1;40;3', '0;20;5'], 'Stock'],
    ['Stock;Warranty months', ['14;24', '3;2', '20;12'], 'Stock'],
    ['Incoming;Reorder point;On order;Stock', ['4;5;6;14', '7;8;9;3', '1;2;3;0'], 'Stock'],
  ] as const)('%s: one is', async (header, rows, stock) => {
    expect((await suggested(feed(header, rows))).fields).toMatchObject({ stock });
  });

  it('of an object that is called stock, too', async () => {
    const records = ['Pot', 'Cup', 'Jug'].map((name, i) => ({
      ...{ sku: `A-${i}`, name, price: 1.5 + i },
      inventory: { on_hand: 14 - i * 5, committed: 4 - i },
    }));
    const { asked } = await suggested(JSON.stringify(records), 'feed.json');
    expect(Object.keys(asked['stock'] ?? {})).toEqual(['inventory.on_hand', 'inventory.committed']);
  });

  it('neither the least stock nor when to order again is taken for the other, and none of them for the stock', async () => {
    const { fields, asked } = await suggested(feed('min_stock;reorder_point', ['5;10', '3;5', '2;3']));
    expect(fields).not.toHaveProperty('stock_threshold');
    expect(Object.keys(asked)).toEqual(['stock_threshold', 'currency']);
  });
});

describe('a stock that no header names is asked', () => {
  it.each(['Exist.', 'Dispo', 'Vorrat', 'amount', 'Laos', 'Készl.', 'Ubin'])('%s', async (header) => {
    const { asked } = await suggested(feed(header, ['14', '3', '0']));
    expect(Object.keys(asked['stock'] ?? {})).toEqual([header]);
  });

  it.each<[string, [string, string, string]]>([
    ['large numbers', ['120', '340', '1200']],
    ['below zero and empty', ['12', '', '-1']],
  ])('%s', async (_, rows) => {
    const { asked } = await suggested(feed('Esistenza', rows));
    expect(Object.keys(asked['stock'] ?? {})).toEqual(['Esistenza']);
    expect(asked['stock']?.['Esistenza']).not.toContain('also says');
  });

  it.each<[string, [string, string, string]]>([
    ['years', ['2026', '2024', '2025']],
    ['codes of one length', ['7323', '6911', '6912']],
  ])('%s are not offered', async (_, rows) => {
    expect((await suggested(feed('Annata', rows))).asked).not.toHaveProperty('stock');
  });

  it('a count that may be the key by its values is offered as the stock, too', async () => {
    const rows = ['4006381333931,Red tea pot,10.50,14', '4006381333948,Tea cup,14.90,3', '5901234123457,Jug,20.90,0'];
    const { asked } = await suggested(`ean,title,price,amount\n${rows.join('\n')}\n`);
    expect(Object.keys(asked['stock'] ?? {})).toEqual(['amount']);
  });

  it('numbers in an order, codes, flags and measures are not offered', async () => {
    const { asked } = await suggested(
      feed('Position;Zolltarif;Neu;Width', ['1;73239300;1;40', '2;69111000;0;30', '3;69120000;1;20']),
    );
    expect(asked).not.toHaveProperty('stock');
  });
});

it('Greek headers in capitals, which have no accents, are read as those in small letters', async () => {
  const { fields } = await suggested('ΚΩΔΙΚΟΣ;ΠΕΡΙΓΡΑΦΗ;ΤΙΜΗ;ΥΠΟΛΟΙΠΟ\nA;Τσάι;1,50;4\nB;Καφές;2,50;3\n');
  expect(fields).toEqual({ sku: 'ΚΩΔΙΚΟΣ', name: 'ΠΕΡΙΓΡΑΦΗ', price: 'ΤΙΜΗ', stock: 'ΥΠΟΛΟΙΠΟ' });
});

describe('two columns of one meaning are a question', () => {
  it.each([
    ['price', 'SKU;Name;Price;Price\nA;Tea pot;1,50;1,20\nB;Cup;2,50;2,10\n', ['Price']],
    ['sku', 'SKU;SKU;Name;Price\nA;A1;Tea pot;1,50\nB;B1;Cup;2,50\n', ['SKU']],
    ['name', 'SKU;Name;Name;Price\nA;Tea pot;Kanne;1,50\nB;Cup;Tasse;2,50\n', ['Name']],
    ['name', 'sku;name;title;price\nA;Tea pot;Kanne;1,50\nB;Cup;Tasse;2,50\n', ['name', 'title']],
    ['name', 'sku;name;Bezeichnung;price\nA;Tea pot;Kanne;1,50\nB;Cup;Tasse;2,50\n', ['name', 'Bezeichnung']],
  ])('%s', async (field, content, columns) => {
    const { fields, asked } = await suggested(content);
    expect(fields).not.toHaveProperty(field);
    expect(Object.keys(asked[field] ?? {})).toEqual(columns);
  });

  it.each([
    ['name', 'sku;name;title;price\nA;Tea pot;Tea pot;1,50\nB;Cup;Cup;2,50\n'],
    ['Title', 'sku;Title;Product name;price\nA;Tea pot;Tea pot;1,50\nB;Cup;Cup;2,50\n'],
  ])('unless they have the same values: %s is the name', async (name, content) => {
    expect((await suggested(content)).fields).toMatchObject({ name });
  });

  it('the answer of two columns with one header is imported', async () => {
    const { asked } = await suggested('sku;name;Price;Price\nA;Tea pot;1,50;1,20\nB;Cup;2,50;2,10\n');
    expect(asked['price']?.['Price']).toContain('take: first');
  });
});

describe('a stock that is told in texts is asked', () => {
  it.each<[string, [string, string, string], string]>([
    ['Skladem', ['skladem 5 ks', '> 10', 'na dotaz'], 'skladem 5 ks, > 10, na dotaz'],
    ['Stock', ['more than 10', '5-10 pcs', 'sold out'], 'more than 10, 5-10 pcs, sold out'],
    ['Lagerbestand', ['über 100', 'unter 5', 'auf Anfrage'], 'über 100, unter 5, auf Anfrage'],
    ['Stock', ['in stock', 'low', '7'], 'in stock, low'],
    ['Lager', ['in stock', 'low', '7'], 'in stock, low'],
  ])('%s', async (header, rows, texts) => {
    const { fields, asked } = await suggested(feed(header, rows));
    expect(fields).not.toHaveProperty('stock');
    expect(asked['stock']?.[header]).toContain(`some values are no counts: ${texts}`);
  });

  it.each<[string, [string, string, string], string]>([
    ['Stock', ['+10', '3', '0'], '+10'],
    ['Stock', ['>10', '<5', '10-20'], '>10, <5, 10-20'],
    ['Bestand', ['10+', '3', '0'], '10+'],
    ['Остаток', ['10', 'более 3', '≥ 50'], 'более 3, ≥ 50'],
  ])('or in numbers with a sign: %s', async (header, rows, texts) => {
    const { fields, asked } = await suggested(feed(header, rows));
    expect(fields).not.toHaveProperty('stock');
    expect(asked['stock']?.[header]).toContain(`some values are no counts: ${texts}`);
  });

  it('unless no value has a number', async () => {
    const { asked } = await suggested(feed('Skladem', ['ano', 'ne', 'na dotaz']));
    expect(asked).not.toHaveProperty('stock');
  });
});

describe('a quantity in a file of orders is asked about: it may be the ordered one', () => {
  it.each([
    ['Qty;Order Date', ['2;2026-01-03', '1;2026-01-04', '3;2026-01-04'], 'Qty', 'Order Date'],
    ['Menge;Bestelldatum', ['2;03.01.2026', '1;04.01.2026', '3;04.01.2026'], 'Menge', 'Bestelldatum'],
    ['Lineitem quantity;Billing Name', ['2;Ann Lee', '1;Bob Ray', '3;Ann Lee'], 'Lineitem quantity', 'Billing Name'],
    ['Quantité;Date de commande', ['2;03/01/2026', '1;04/01/2026', '3;04/01/2026'], 'Quantité', 'Date de commande'],
    ['Количество;Дата заказа', ['2;03.01.2026', '1;04.01.2026', '3;04.01.2026'], 'Количество', 'Дата заказа'],
  ] as const)('%s', async (header, rows, quantity, order) => {
    const { fields, asked } = await suggested(feed(header, rows));
    expect(fields).not.toHaveProperty('stock');
    expect(asked['stock']?.[quantity]).toContain(`it may be the ordered quantity: "${order}" belongs to an order`);
  });

  it('what is called stock is the stock, also next to the date of an order', async () => {
    const rows = ['2;03.01.2026', '1;04.01.2026', '3;04.01.2026'] as const;
    const { fields } = await suggested(feed('Bestand;Bestelldatum', rows));
    expect(fields).toMatchObject({ stock: 'Bestand' });
    for (const other of [
      'Lieferdatum',
      'Last order date',
      'Letztes Bestelldatum',
      'Proper shipping name',
      'Billing unit',
    ])
      expect((await suggested(feed(`Menge;${other}`, rows))).fields).toMatchObject({ stock: 'Menge' });
  });
});

describe('a quantity that times the price is another column may be the ordered one, and is asked about', () => {
  const rows = ['3;31,50', '2;23,00', '1;12,50'] as const;

  it.each([
    ['Menge', 'Gesamt EUR'],
    ['Qty', 'Line Total'],
  ])('%s next to %s', async (quantity, total) => {
    const { fields, asked } = await suggested(feed(`${quantity};${total}`, rows));
    expect(fields).toMatchObject({ price: 'Preis' });
    expect(fields).not.toHaveProperty('stock');
    expect(asked['stock']).toEqual({ [quantity]: `it may be the ordered quantity: "${total}" is what it costs` });
  });

  it.each([
    ['it is called stock', 'Bestand;Lagerwert', rows, 'Bestand'],
    ['one record differs', 'Menge;Frachtgewicht', ['3;31,50', '2;23,00', '1;12,60'], 'Menge'],
    [
      'none is several, so that the other column is the price again',
      'Menge;UVP',
      ['1;10,50', '1;11,50', '1;12,50'],
      'Menge',
    ],
  ] as const)('but not where %s', async (_, header, cells, quantity) => {
    const asked = (await suggested(feed(header, cells))).asked['stock']?.[quantity] ?? '';
    expect(asked).not.toContain('ordered quantity');
  });
});

describe('a stock of only 1 and 0 may say whether there are some, and is asked about', () => {
  it.each([
    ['In stock', ['1', '0', '1'], 'only 1 and 0'],
    ['In stock;Available', ['0;N', '1;Y', '1;Y'], 'only 1 and 0'],
    ['Bestand', ['1', '1', '1'], 'only 1'],
  ] as const)('%s', async (header, rows, remark) => {
    const { fields, asked } = await suggested(feed(header, rows));
    expect(fields).not.toHaveProperty('stock');
    expect(asked['stock']).toEqual({ [header.split(';')[0] ?? '']: remark });
  });

  it.each([
    ['one of them is more', ['1', '0', '2']],
    ['there is nothing of any', ['0', '0', '0']],
  ] as const)('but not where %s', async (_, rows) => {
    expect((await suggested(feed('In stock', rows))).fields).toMatchObject({ stock: 'In stock' });
  });
});

it('the own stock in words stands next to the only count, which may be that of the supplier', async () => {
  const { asked } = await suggested(feed('Skladem;Sklad dodavatele', ['3 ks;277', 'ne;145', 'ano;34']));
  expect(Object.keys(asked['stock'] ?? {})).toEqual(['Sklad dodavatele', 'Skladem']);
  const { fields } = await suggested(feed('Skladem;Sklad', ['3 ks;3', 'ne;0', '> 4 ks;7']));
  expect(fields).toMatchObject({ stock: 'Sklad' });
});
