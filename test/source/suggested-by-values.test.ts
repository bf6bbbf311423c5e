// Suggestions where the values of columns say something else than their headers: what they leave open is a question.
import { describe, expect, it } from 'vitest';
import { suggested } from './suggested.js';

/** A file of the given columns, next to keys and names. */
const feed = (header: string, rows: readonly string[]): string =>
  [`Code;Name;${header}`, ...rows.map((row, i) => `A-${i};${['Red cup', 'Blue pot', 'Tea tin'][i]};${row}`)].join('\n');

describe('the price', () => {
  it.each([
    ['Pris;Inkl. moms', ['80,00;100,00', '71,96;89,95', '9,99;12,49']],
    ['Ink.pris;Exkl. moms;Inkl. moms', ['55,10;80,00;100,00', '41,00;71,96;89,95', '5,05;9,99;12,49']],
    ['Piyasa Fiyatı;Satış (KDV dahil)', ['120,00;100,00', '99,90;89,95', '15,00;12,49']],
    ['Prix actuel;Nouveau prix au 01/04', ['100,00;120,00', '89,95;99,90', '12,49;15,00']],
    ['Preis;je', ['100,00;1', '89,95;100', '12,49;1']],
  ] as const)('is asked beside other amounts that may be it: %s', async (header, rows) => {
    const { fields, asked } = await suggested(feed(header, rows));
    expect(fields).not.toHaveProperty('price');
    expect(asked['price']).toHaveProperty([header.split(';')[0] ?? '']);
  });

  it.each([
    ['Preis;davon MwSt', 'Preis', ['119,00;19,00', '107,00;7,00', '11,90;1,90']],
    ['Preis;MwSt', 'Preis', ['119,00;19,0', '107,00;7,0', '11,90;19,0']],
    ['VOC bez DPH;MOC s DPH', 'MOC s DPH', ['100,00;121,00', '89,95;108,84', '12,49;15,11']],
    ['Preis;Mindestbestellmenge', 'Preis', ['119,00;1', '107,00;100', '11,90;1']],
    ['Preis;Steigung', 'Preis', ['119,00;1', '107,00;10', '11,90;1']],
  ] as const)('is certain beside a tax, or other numbers: %s', async (header, price, rows) => {
    const { fields } = await suggested(feed(header, rows));
    expect(fields).toMatchObject({ price });
  });
});

it('the only amounts of a file are asked about, where their header has a word of a tax and none of price', async () => {
  const { asked } = await suggested(feed('MOC s DPH;Sklad', ['119,90;3', '107,50;1', '11,90;0']));
  expect(Object.keys(asked['price'] ?? {})).toEqual(['MOC s DPH']);
});

it('a price for a quantity is asked, and not the quantity', async () => {
  const { asked } = await suggested(feed('Preis/100;Preiseinheit', ['119,00;100', '107,00;100', '11,90;100']));
  expect(Object.keys(asked['price'] ?? {})).toEqual(['Preis/100']);
});

it('a barcode of a carton is asked', async () => {
  const rows = ['1,50;14006381333938', '2,50;14006381333945'];
  const { fields, asked } = await suggested(feed('Preis;EAN Karton', rows));
  expect(fields).not.toHaveProperty('ean');
  expect(asked['ean']).toHaveProperty('EAN Karton');
});

it.each([',', ', ', ' | '])(
  'a column with several barcodes in some cells, separated by "%s", is asked',
  async (sign) => {
    const rows = ['1,50;4006381333931', `2,50;"4006381333948${sign}5000005620000"`, '3,50;4006381333955'];
    const { fields, asked } = await suggested(feed('Preis;EAN/UPC', rows));
    expect(fields).not.toHaveProperty('ean');
    const steps = `split: "${sign.trim()}", take: first`;
    expect(asked['ean']?.['EAN/UPC']).toBe(`some cells hold several: write { column: "EAN/UPC", ${steps} }`);
  },
);

describe('the currency', () => {
  it('in signs, which are no codes, is read from them where all have one', async () => {
    const rows = (...signs: string[]) => signs.map((sign, i) => `1${i},50;${sign}`);
    expect((await suggested(feed('Preis;Währung', rows('€', '€', '€')))).yaml).toContain('currency: { value: EUR }');
    const { fields, yaml } = await suggested(feed('Precio;Moneda', rows('$', '$', '$')));
    expect(fields).not.toHaveProperty('currency');
    expect(yaml).toContain('{ value: USD }: "Moneda" has $');
    expect((await suggested(feed('Preis;Währung', rows('€', '£', '€')))).yaml).toContain('currency: ?');
  });

  it('of what the shop pays is not that of the price', async () => {
    const { yaml } = await suggested(feed('price;cost;cost_currency', ['10.50;5.10;USD', '9.95;4.20;USD']));
    expect(yaml).toContain('currency: ?');
    expect(yaml).toContain('{ value: USD }');
  });

  it('of one of two prices may not be that of the other', async () => {
    const { yaml } = await suggested(feed('Preis USD;Preis', ['10,50;9,10', '9,95;8,20']));
    expect(yaml).toContain('currency: ?');
  });

  it('next to the price counts, whatever the others are', async () => {
    const { yaml } = await suggested(feed('Ціна, грн;Ціна закуп., USD', ['410,50;5,10', '399,95;4,20']));
    expect(yaml).toContain('currency: { value: UAH }');
  });
});

describe('quantities with the other sign than the prices', () => {
  it.each([
    ['weight', 'Preis;Gewicht (kg)', '.', ['10,50;24.656', '9,95;11.234']],
    ['stock', 'Preis;Bestand', '.', ['10,50;13.000', '9,95;0.000']],
    ['stock', 'price;stock', ',', ['10.50;40,000', '9.95;12,000']],
  ] as const)('are asked: %s in %s', async (field, header, sign, rows) => {
    const { fields, asked } = await suggested(feed(header, rows));
    const [, column = ''] = header.split(';');
    expect(fields).not.toHaveProperty(field);
    expect(asked[field]?.[column]).toContain(`write { column: "${column}", number: { decimal: "${sign}" } }`);
  });

  it('are certain where some have no sign', async () => {
    const { fields } = await suggested(feed('Preis;Bestand', ['10,50;1.300', '9,95;12']));
    expect(fields).toMatchObject({ stock: 'Bestand' });
  });
});

describe('the key', () => {
  const names = ['Red cup', 'Blue pot', 'Tea tin', 'Milk jug', 'Grey bowl', 'Oak tray'];
  const barcodes = [
    '4006381333931',
    '4006381333948',
    '5901234123457',
    '4006381333955',
    '4006381333962',
    '4006381333979',
  ];
  const keyed = (header: string, values: (i: number) => string): string =>
    [`${header};Title;Price`, ...names.map((name, i) => `${values(i)};${name};1${i}.50`)].join('\n');

  it('is asked where its numbers only count the rows', async () => {
    const { fields, asked } = await suggested(keyed('Nr.;Artikel', (i) => `${i + 1};KX-9${7 - i}`));
    expect(fields).not.toHaveProperty('sku');
    expect(Object.keys(asked['sku'] ?? {})).toEqual(['Nr.', 'Artikel']);
  });

  it.each([
    [
      'variants with barcodes',
      'product_code;ean',
      (i: number) => `KX-${i % 2};${barcodes[i]}`,
      ['product_code', 'ean'],
    ],
    ['a price for each currency', 'sku;currency', (i: number) => `KX-${i % 3};${i < 3 ? 'EUR' : 'USD'}`, ['sku']],
  ] as const)('is asked where several records share it: %s', async (_, header, values, columns) => {
    const { fields, asked, yaml } = await suggested(keyed(header, values));
    expect(fields).not.toHaveProperty('sku');
    expect(Object.keys(asked['sku'] ?? {})).toEqual(columns);
    expect(yaml).toContain('records that share it become one');
  });

  it('is certain where consecutive numbers are no row numbers, or a kind is repeated', async () => {
    expect((await suggested(keyed('Nr.;Hersteller-Nr', (i) => `${i + 1001};H${i * 7}`))).fields).toMatchObject({
      sku: 'Nr.',
    });
    expect((await suggested(keyed('Artikel-Nr.;Code', (i) => `KX-${i * 3};A`))).fields).toMatchObject({
      sku: 'Artikel-Nr.',
    });
  });
});

describe('the name', () => {
  it.each([
    ['Item;Short Description', 'Red tea cup;Ser. D6, 34 mm', 'Blue tea pot;Ser. D7, 2 mm'],
    ['Description;Extended Description', 'Red tea cup;Red tea cup, 34 mm, of clay', 'Blue pot;Blue pot, 2 mm, of clay'],
  ])('is asked where a header says more than that of another text: %s', async (header, ...rows) => {
    const lines = [`Code;Price;${header}`, ...rows.map((row, i) => `KX-${i};1${i}.50;${row}`)];
    const { fields, asked } = await suggested(lines.join('\n'));
    expect(fields).not.toHaveProperty('name');
    expect(Object.keys(asked['name'] ?? {})).toEqual(header.split(';'));
  });
});

describe('the category', () => {
  const rows = (some: readonly string[]) =>
    [
      `Code;Name;Preis;EAN;${some[0]}`,
      ...[1, 2, 3, 4, 5, 6].map(
        (i) =>
          `A-${i};Rohr ${i} mm;1${i},50;;${some
            .slice(1)
            .map((values) => values.split('|')[i % values.split('|').length])
            .join(';')}`,
      ),
    ].join('\n');

  it.each([
    ['Kategoria główna;Podkategoria', 'Dom', 'Meble|Lampy'],
    ['Familia;Subfamilia', 'BRICOLAJE', 'Tubos|Grifos'],
    ['Kategorie Ebene 1;Kategorie Ebene 2', 'Haus|Garten', 'Rohre|Hähne|Ventile'],
    ['Famille niveau 1;Famille niveau 2', 'BRICOLAGE', 'Tubes|Vannes'],
  ])('of several levels is asked about: %s', async (header, ...levels) => {
    const { fields, asked } = await suggested(rows([header, ...levels]));
    expect(fields).not.toHaveProperty('category');
    expect(Object.keys(asked['category'] ?? {})).toEqual(header.split(';'));
  });

  it.each(['Kategória', 'Catégories', 'Produktkategorie'])(
    'is found with accents, and within a word: %s',
    async (header) => {
      expect((await suggested(rows([header, 'Rohre|Hähne']))).fields).toMatchObject({ category: header });
    },
  );

  it('of levels that all begin alike is a path, and not the first of a list', async () => {
    const levels = ['Szerszám', 'Bútor', 'Lámpa'].map((name, i) => `1${i},50;Otthon|${name}`);
    const { yaml } = await suggested(feed('Preis;Kategorie', levels));
    expect(yaml).toContain('category: { column: "Kategorie", path: "|" }');
  });

  it.each([
    ['Heureka.cz | Sport | Lamps', true],
    ['Sport / Lamps', true],
    ['Audio/Video', false],
    ['Sport', false],
  ])('that is one text in all records may be a path where blanks are around a sign: %s', async (text, isAsked) => {
    const { fields, asked } = await suggested(
      feed(
        'Preis;Kategorie',
        [1, 2, 3].map((price) => `${price},50;${text}`),
      ),
    );
    expect('category' in fields).toBe(!isAsked);
    expect(asked['category'] !== undefined).toBe(isAsked);
  });

  it.each(['defaultCategory', 'eBay-Kategorie 1 – Name'])(
    'is asked about where its header says more: %s',
    async (header) => {
      expect((await suggested(rows([header, 'Rohre|Hähne']))).asked['category']).toHaveProperty([header]);
    },
  );

  it.each([
    ['Kategorie;Unterkategorie-Nr', 'Rohre|Hähne', '10|20|30'],
    ['Warengruppe;Rabattgruppe', 'Rohre|Hähne', 'E1A|E2A|E3A'],
  ])('is certain next to codes: %s', async (header, ...values) => {
    const { fields } = await suggested(rows([header, ...values]));
    expect(fields).toMatchObject({ category: header.split(';')[0] });
  });
});

describe('numbers as an ERP system writes them, with zeros at their ends', () => {
  it.each([
    ['MOHTQ;LSTPR', ['12.000;2517.7300', '0.000;13.9900', '118.000;1299.5000'], 'LSTPR', 'MOHTQ'],
    ['Frei verwendbar;Betrag', ['12,000;2517,7300', '0,000;13,9900', '118,000;1299,5000'], 'Betrag', 'Frei verwendbar'],
  ] as const)('are asked about as price and stock: %s', async (header, rows, price, stock) => {
    const { asked } = await suggested(feed(header, rows));
    expect(Object.keys(asked['price'] ?? {})).toEqual([price]);
    expect(Object.keys(asked['stock'] ?? {})).toEqual([stock]);
  });

  it('are no price where they have three decimals, and their range is read with the sign of the others', async () => {
    const { asked, questions } = await suggested(feed('Masa opak. [kg]', ['6,913', '0,470', '14,315']));
    expect(asked).not.toHaveProperty('price');
    expect(questions.find(({ field }) => field === 'weight')?.candidates[0]).toMatchObject({ min: 0.47, max: 14.315 });
  });
});

it('amounts of a header that is no word of price are asked about where records have a currency', async () => {
  const rows = ['93649;eur;3', '1250;eur;12', '7900;eur;0'];
  const { asked } = await suggested(feed('amount;currency_code;inventory_quantity', rows));
  expect(asked['price']).toEqual({ amount: expect.stringContaining('may be hundredths: shift: -2') });
});

it.each(['Kurzbeschreibung', 'shortDescription', 'Опис_укр', 'Offer description'])(
  'a text whose header says more than description is asked about: %s',
  async (header) => {
    const rows = ['1,50;Holds a lot of tea', '2,50;Keeps soup warm', '3,50;Shuts tightly'];
    expect((await suggested(feed(`Preis;${header}`, rows))).asked['description']).toHaveProperty([header]);
  },
);

describe('the status', () => {
  it.each([
    [
      'Status',
      ['A', 'U', 'V'],
      'map: { "A": activated, "U": suspended, "V": suspended } }, with the status that each means',
    ],
    ['ESTATUS', ['ALTA', 'BAJA', 'ALTA'], 'map: { "ALTA": activated, "BAJA": suspended } }, or the other way round'],
    ['Статус товара', ['Продается', 'Архив', 'Архив'], 'map: { "Продается": activated, "Архив": suspended } }'],
  ])('of words of the shop is asked about: %s', async (header, values, remark) => {
    const { asked } = await suggested(
      feed(
        `Preis;${header}`,
        values.map((value, i) => `${i},50;${value}`),
      ),
    );
    expect(asked['status']?.[header]).toContain(remark);
  });

  it.each([
    ['Tax status', 'taxable', 'none'],
    ['Stock status', 'instock', 'outofstock'],
  ])('of something else is not: %s', async (header, one, other) => {
    const { asked } = await suggested(
      feed(
        `Preis;${header}`,
        [one, other, one].map((value, i) => `${i},50;${value}`),
      ),
    );
    expect(asked).not.toHaveProperty('status');
  });
});

it.each(['Article', 'Artikel', 'Item', 'Product'])(
  'a column that is called %s is the key with codes alone',
  async (header) => {
    const file = (values: readonly string[]) =>
      [`${header};Name;Price`, ...values.map((value, i) => `${value};Name ${i};1${i}.50`)].join('\n');
    expect((await suggested(file(['A-1', 'B-2', 'C-3']))).fields).toMatchObject({ sku: header });
    const { fields, asked } = await suggested(file(['Lamp', 'Pot', 'Tin']));
    expect(fields).not.toHaveProperty('sku');
    expect(Object.keys(asked['sku'] ?? {})).toEqual([header]);
  },
);
