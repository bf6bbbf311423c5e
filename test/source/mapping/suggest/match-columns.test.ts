// Which column fills which field: what headers and values of small feeds say.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const names = ['Red kettle', 'Oak table', 'Desk lamp', 'Steel cup', 'Wall clock'];

/** Field → its column, or the columns of its question. */
async function answers(content: string, file = 'feed.csv'): Promise<Record<string, string | string[]>> {
  const { fields, asked } = await suggested(content, file);
  const open = Object.entries(asked).map(([field, candidates]): [string, string[]] => [field, Object.keys(candidates)]);
  const { currency, ...others } = { ...Object.fromEntries(open), ...fields };
  return currency === undefined || currency.length === 0 ? others : { ...others, currency };
}

/** What a file of products says of the given columns next to a key, a name and a price. */
async function more(header: string, rows: readonly string[], of: 'own' | 'german' = 'german') {
  const known = of === 'own' ? 'sku;name;price' : 'SKU;Name;Preis';
  const lines = rows.map((row, i) => `A-${i + 11};${names[i]};${i * 3 + 9},90;${row}`);
  const { sku, name, price, ...others } = await answers([`${known};${header}`, ...lines].join('\n'));
  expect([sku, name, price].join(';')).toBe(known);
  return others;
}

describe('a column that is called as a field here', () => {
  it.each([
    ['category', ['', '', '', ''], { category: 'category' }],
    ['description', ['', '', '', ''], { description: 'description' }],
    ['condition', ['new', 'used', 'new', 'used'], { condition: 'condition' }],
    ['condition', ['0', '1', '0', '1'], {}],
    ['attributes', ['Colour=red', 'Colour=blue', '', 'none'], { attributes: 'attributes' }],
    ['attributes', ['red, blue', 'blue', 'green', 'none'], {}],
    ['media', ['file_a1b2', 'file_c3d4', 'file_e', 'file_f'], { media: 'media' }],
    ['currency', ['EUR', 'n/a', 'EUR', 'n/a'], { currency: 'currency' }],
    ['brand', ['bran_12', 'bran_13', 'bran_12', 'bran_13'], { brand: 'brand' }],
    ['brand', ['Acme Ltd 1', 'Bodo Inc 2', 'Acme Ltd 1', 'Bodo Inc 2'], {}],
    ['brand', ['Acme1', 'Bodo', 'Acme1', 'Bodo'], {}],
    ['warranty', ['2', '3', '2', '2'], { stock: ['warranty'] }],
    ['seo_image', ['file_a1', 'file_b2', 'file_c3', 'file_d4'], { seo_image: 'seo_image' }],
    ['seo_image', ['file_a1', 'pic.jpg', 'file_c3', 'b'], {}],
    ['category', ['cate_12', 'cate_13', 'cate_12', 'cate_13'], { category: 'category' }],
    ['status', ['activated', 'draft', 'activated', 'draft'], { status: 'status' }],
    ['status', ['lost', 'on order', 'lost', 'found'], { status: ['status'] }],
    ['status;Aktiv', ['activated;ja', 'draft;nein', ';ja', 'activated;ja'], { status: ['status', 'Aktiv'] }],
    ['status;Aktiv', ['activated;ja', 'draft;nein', 'draft;ja', 'activated;ja'], { status: 'status' }],
    ['ean;gtin', ['4006381333931;', '4006381333948;', '4006381333955;', ';4006381333962'], { ean: ['ean', 'gtin'] }],
    ['ean;gtin', ['4006381333931;', '4006381333948;', '4006381333955;', ';123'], { ean: 'ean' }],
  ] as const)('%s of %j: %j', async (header, rows, expected) => {
    expect(await more(header, rows, 'own')).toEqual(expected);
  });
});

describe('a column that is called so elsewhere', () => {
  it.each([
    ['Zustand', ['new', 'used', 'new', 'used'], { condition: 'Zustand' }],
    ['Zustand', ['0', '1', '0', '1'], {}],
    ['Zustand', ['true', 'true', 'true', 'true'], {}],
    ['Zustand', ['false', 'false', 'false', 'false'], {}],
    ['Währung', ['EUR', 'n/a', 'EUR', 'n/a'], { currency: 'Währung' }],
    ['Gewicht', ['schwer', 'leicht', 'leicht', 'schwer'], {}],
    ['Gewicht', ['1,5', '2,5', 'k. A.', 'k. A.'], { weight: 'Gewicht' }],
    ['Gewicht;Bestand;Kategorie', [';;', ';;', ';;', ';;'], {}],
    ['Masa (g)', ['120', '250', '300', '420'], { weight: ['Masa (g)'] }],
    ['Masa (g);Fett (g);Salz (g)', ['120;1;2', '250;3;4', '300;5;6', '420;7;8'], {}],
    ['Status', ['lost', 'on order', 'lost', 'found'], { status: ['Status'] }],
    ['Mindestbestand;Meldebestand', ['1;5', '2;7', '3;9'], { stock_threshold: ['Mindestbestand', 'Meldebestand'] }],
    ['Mindestbestand', ['5', 'k. A.', '7', 'k. A.'], { stock_threshold: 'Mindestbestand' }],
    ['Zustand A;Zustand B', ['neu;alt', 'alt;neu', 'neu;neu', 'alt;alt'], {}],
    ['SEO Image', ['file_a1', 'file_b2', 'file_c3'], { seo_image: 'SEO Image' }],
    ['Schlagworte;Tags', ['a,b;c,d', 'a;c', 'b;d'], { tag: 'Tags' }],
  ] as const)('%s of %j: %j', async (header, rows, expected) => {
    expect(await more(header, rows)).toEqual(expected);
  });
});

describe('a description', () => {
  it.each([
    ['Beschreibung', ['ein Topf', 'ein Topf', 'ein Topf', 'ein Topf'], { description: 'Beschreibung' }],
    ['Beschreibung', Array(4).fill('Edelstahlkochtopfsatz'), { description: 'Beschreibung' }],
    ['Beschreibung', ['rot', 'blau', 'grau', 'weiß'], { description: 'Beschreibung' }],
    ['Beschreibung', ['true', 'false', 'true'], {}],
    ['Opis SEO', ['kup czajnik teraz', 'kup dywan tanio', 'tani stolik', 'lampa dla domu'], {}],
    ['Content', ['en', 'en', 'en', 'en'], {}],
    ['Content', ['en', 'de', 'en', 'de'], {}],
    ['Content', Array(4).fill('Edelstahlkochtopfset'), {}],
    [
      'Kurzbeschreibung intern',
      ['ein roter Topf', 'ein Tisch aus Eiche', 'eine kleine Lampe', 'ein Becher aus Stahl'],
      { description: ['Kurzbeschreibung intern'] },
    ],
  ] as const)('%s of %j: %j', async (header, rows, expected) => {
    expect(await more(header, rows)).toEqual(expected);
  });
});

describe('a category', () => {
  it.each([
    ['Kategorie', ['Lampen', 'Töpfe', 'Lampen', 'Töpfe'], { category: 'Kategorie' }],
    ['Kategorie', ['cate_12', 'cate_13', 'cate_12', 'cate_13'], { category: 'Kategorie' }],
    ['Kategorie', ['Lampen', '4K', 'Lampen', '4K'], { category: 'Kategorie' }],
    ['Kategorie', ['Lampen', '12', 'Lampen', '12'], { category: 'Kategorie' }],
    ['Kategorie', ['Lampen', 'X', 'Lampen', 'X'], { category: 'Kategorie' }],
    ['Kategorie', ['L-12', 'T13', 'L-12', 'T13'], {}],
    ['Kategorie', ['12 | 13', '12', '13', '12 | 13'], {}],
    ['Kategorie', ['A', 'B', 'C', 'A'], {}],
    ['Kategorie', ['Audio/Video', 'Audio/Radio', 'Foto', 'Bad/Garten'], { category: ['Kategorie'] }],
    ['Product type', ['Home > Lamps', 'Home > Pots', 'Home > Lamps', 'Home > Pots'], { category: 'Product type' }],
    ['Product type', ['Home > Lamps', 'Pots', 'Home > Lamps', 'Pots'], {}],
    [
      'Familia;Subfamilia',
      ['Casa;Lampen', 'Casa;Töpfe', 'Casa;Lampen', 'Casa;Töpfe'],
      { category: ['Familia', 'Subfamilia'] },
    ],
    [
      'Kategorie;Unterkategorie',
      ['Lampen;Klein', 'Töpfe;Groß', 'Lampen;', ';Groß'],
      { category: ['Kategorie', 'Unterkategorie'] },
    ],
  ] as const)('%s of %j: %j', async (header, rows, expected) => {
    expect(await more(header, rows)).toEqual(expected);
  });
});

describe('a name', () => {
  it.each([
    [
      'a column of codes with this header is the key, next to one that is called a name as plainly',
      'name;title;price',
      ['N-1;Red kettle', 'N-2;Oak table', 'N-3;Desk lamp'],
      { sku: 'name', name: 'title', price: 'price' },
    ],
    [
      'another column that is called a name as plainly may be it',
      'sku;name;title;price',
      ['A-1;Red kettle;Kettle in red', 'A-2;Oak table;Table of oak', 'A-3;Desk lamp;A lamp'],
      { sku: 'sku', name: ['name', 'title'], price: 'price' },
    ],
    [
      'one whose header says more is not it',
      'sku;name;Internal title;price',
      ['A-1;Red kettle;Kettle in red', 'A-2;Oak table;Table of oak', 'A-3;Desk lamp;A lamp'],
      { sku: 'sku', name: 'name', price: 'price' },
    ],
    [
      'codes are it next to a title that is none',
      'name;title;price',
      ['N-1;https://x.de/a', 'N-2;https://x.de/b', 'N-3;https://x.de/c'],
      { sku: ['title'], name: 'name', price: 'price' },
    ],
    [
      'what no header says is asked, one word for each product, too',
      'SKU;Foo;Preis',
      ['A-1;Kettle', 'A-2;Table', 'A-3;Lamp'],
      { sku: 'SKU', name: ['Foo'], price: 'Preis' },
    ],
  ] as const)('%s', async (_, header, rows, expected) => {
    const lines = rows.map((row, i) => `${row};${i * 3 + 9},90`);
    expect(await answers([header, ...lines].join('\n'))).toEqual(expected);
  });
});

describe('a key', () => {
  it.each([
    ['another name of it is left out', 'sku;external_id', ['A1;X1', 'A2;X2', 'A3;X3'], { sku: 'sku' }],
    ['another name of it alone is the key', 'external_id', ['X1', 'X2', 'X3'], { external_id: 'external_id' }],
    [
      'another name of it is so where records share its values, too',
      'external_id',
      ['X1', 'X1', 'X2', 'X1', 'X2'],
      { external_id: 'external_id' },
    ],
    [
      'codes that are those of a maker, too, may not be the own ones',
      'Foo;Hersteller-Nr',
      ['K-1;K-1', 'K-2;K-2', 'K-3;K-3'],
      { sku: ['Foo', 'Hersteller-Nr'] },
    ],
    [
      'an address may be it where nothing else is',
      'Adresse',
      ['https://x.de/a', 'https://x.de/b'],
      { sku: ['Adresse'] },
    ],
    ['the code of a picture may be it', 'Bild', ['P-11', 'P-12'], { sku: ['Bild'] }],
  ] as const)('%s', async (_, header, rows, expected) => {
    const lines = rows.map((row, i) => `${row};${names[i]};${i * 3 + 9},90`);
    expect(await answers([`${header};name;price`, ...lines].join('\n'))).toEqual({
      ...{ name: 'name', price: 'price' },
      ...expected,
    });
  });
});

describe('inside a record', () => {
  it('an empty element is none of its attributes', async () => {
    const records = names.map(
      (name, i) =>
        `<p><sku>A-${i}</sku><name>${name}</name><weight value="1.${i}5"/><description text="${name} of steel"/></p>`,
    );
    expect(await answers(`<all>${records.join('')}</all>`, 'f.xml')).toEqual({
      ...{ sku: 'sku', name: 'name', weight: 'weight@value', description: 'description@text' },
    });
  });

  it('numbers next to units of weight are asked about', async () => {
    const records = names.map((name, i) => ({ sku: `A-${i}`, name, price: 9.5 + i, load: 1.25 + i, uom: 'kg' }));
    expect(await answers(JSON.stringify(records), 'f.json')).toMatchObject({ weight: ['load'] });
  });
});
