// Suggestions of weights, categories, barcodes and prices whose values may be something else: what they leave open is a question.
import { describe, expect, it } from 'vitest';
import { suggested } from './suggested.js';

/** A file of the given columns, next to keys and names. */
const feed = (header: string, rows: readonly string[]): string =>
  [`Code;Name;${header}`, ...rows.map((row, i) => `A-${i};${['Red cup', 'Blue pot', 'Tea tin'][i]};${row}`)].join('\n');

describe('the weight', () => {
  it.each([
    ['whole numbers without a unit', 'Gewicht', ['350', '1200', '80'], 'nothing says its unit: as it is in kg'],
    [
      'some without a unit',
      'Gewicht',
      ['1,2 kg', '350', '80 g'],
      'some values have no unit: they are read as kg; if they are g, add "": 0.001 to the units',
    ],
    ['a header that says more', 'goods_weight', ['1,2', '0,3', '2'], ''],
  ])('is asked: %s', async (_, header, rows, remark) => {
    const { fields, asked } = await suggested(
      feed(
        `Preis;${header}`,
        rows.map((row, i) => `1${i},50;${row}`),
      ),
    );
    expect(fields).not.toHaveProperty('weight');
    expect(asked['weight']?.[header]).toContain(remark);
  });

  it('is asked beside a column of units that says not whose they are, with the answer that reads it', async () => {
    const rows = ['10,50;1,2;kg', '11,50;350;g', '12,50;80;g'];
    const { fields, asked } = await suggested(feed('Preis;Gewicht;Einh.', rows));
    expect(fields).not.toHaveProperty('weight');
    expect(asked['weight']?.['Gewicht']).toContain(
      'write { column: "Gewicht", number: true, times: { column: "Einh.", map: { "kg": 1, "g": 0.001 } } }',
    );
  });

  it('without a unit is taken as kilograms, which is said', async () => {
    const { yaml } = await suggested(feed('Preis;Gewicht', ['10,50;1,2', '11,50;0,35', '12,50;2']));
    expect(yaml).toContain('weight: "Gewicht"   # 1,2; nothing says its unit: taken as kg');
  });

  it.each([
    ['Gewicht in g', ['350', '1200', '80'], 'shift: -3'],
    ['Gewicht', ['1,2 kg', '350 g', '80 g'], 'number: { units: { "kg": 1, "g": 0.001 } }, round: 3'],
    ['Gewicht (g)', ['0,2 kg', '350', '80'], 'number: { units: { "": 0.001, "kg": 1 } }, round: 3'],
    ['Gewicht (g)', ['0,2 kg', '350 g', '80 g'], 'number: { units: { "kg": 1, "g": 0.001 } }, round: 3'],
    ['Gewicht/kg', ['0,2', '350 g', '80 g'], 'number: { units: { "g": 0.001 } }, round: 3'],
    ['weight_kg', ['350', '1200', '80'], 'weight: "weight_kg"   # 350\n'],
  ])('is certain where its unit is told: %s', async (header, rows, line) => {
    const { yaml } = await suggested(
      feed(
        `Preis;${header}`,
        rows.map((row, i) => `1${i},50;${row}`),
      ),
    );
    expect(yaml).toContain(line);
  });
});

describe('the category', () => {
  it.each([
    ['ABC classes', 'Category', ['A', 'B', 'A']],
    ['codes', 'category_id', ['C1', 'C2', 'C1']],
    ['codes of several parts', 'Kategorie', ['10-20', '10-30', '20-10']],
  ])('is not taken from %s', async (_, header, rows) => {
    const { fields, asked } = await suggested(
      feed(
        `Preis;${header}`,
        rows.map((row, i) => `1${i},50;${row}`),
      ),
    );
    expect({ ...fields, ...asked }).not.toHaveProperty('category');
  });

  it.each([
    ['/', ['Home/Kitchen', 'Home/Table', 'Garden/Tools']],
    ['>', ['Home > Kitchen', 'Home > Table', 'Garden']],
  ])('is read as a path with %s', async (sign, rows) => {
    const { yaml } = await suggested(
      feed(
        'Preis;Kategorie',
        rows.map((row, i) => `1${i},50;${row}`),
      ),
    );
    expect(yaml).toContain(`category: { column: "Kategorie", path: "${sign}" }`);
  });

  it.each([
    ['/', ['Audio/Video', 'TV/Radio', 'Audio/Video']],
    ['|', ['Home|Kitchen', 'Home|Table', 'Garden|Tools']],
  ])('is asked where %s may separate levels', async (sign, values) => {
    const rows = values.map((value, i) => `1${i},50;${value}`);
    const { asked } = await suggested(feed('Preis;Kategorie', rows));
    expect(asked['category']?.['Kategorie']).toContain(`for paths write { column: "Kategorie", path: "${sign}" }`);
  });
});

describe('the barcode', () => {
  it.each([
    ['another one', ['4006381333931;4006381333948', '4006381333955;5901234123457', '4006381333962;4006381333979']],
    ['one that a single record has alone', ['4006381333931;', ';5901234123457', ';4006381333979']],
  ])('is asked beside %s', async (_, rows) => {
    const { fields, asked } = await suggested(feed('gtin;ean', rows));
    expect(fields).not.toHaveProperty('ean');
    expect(Object.keys(asked['ean'] ?? {})).toEqual(['ean', 'gtin']);
  });

  it.each([
    ['the same', ['4006381333931;4006381333931', '4006381333955;4006381333955', '4006381333962;4006381333962']],
    ['one that some lack', ['4006381333931;4006381333931', ';5901234123457', ';4006381333979']],
    [
      'the same without a zero',
      ['012345678905;0012345678905', '036000291452;0036000291452', '4006381333962;4006381333962'],
    ],
  ])('is certain beside %s', async (_, rows) => {
    expect((await suggested(feed('gtin;ean', rows))).fields).toMatchObject({ ean: 'ean' });
  });

  it.each(['parent_ean', 'Accessory EAN', 'replacement gtin', 'EAN Nachfolger', 'Ersatz-EAN'])(
    'of another product is asked, and none next to that of the product: %s',
    async (header) => {
      const codes = ['4006381333931', '4006381333955', '4006381333962'];
      const { fields, asked } = await suggested(
        feed(
          `Preis;${header}`,
          codes.map((code, i) => `1${i},50;${code}`),
        ),
      );
      expect(fields).not.toHaveProperty('ean');
      expect(Object.keys(asked['ean'] ?? {})).toEqual([header]);
      const rows = ['4006381333948', '5901234123457', '4006381333979'].map((code, i) => `1${i},50;${codes[i]};${code}`);
      expect((await suggested(feed(`Preis;${header};ean`, rows))).fields).toMatchObject({ ean: 'ean' });
    },
  );

  it('gets the zero back that a spreadsheet took away', async () => {
    const { yaml } = await suggested(feed('upc;price', ['36000291452;10.50', '12345678905;2.50', '42100005264;7.00']));
    expect(yaml).toContain(`ean: { column: "upc", replace: { pattern: '^(\\d{11})$', with: "0$1" } }`);
  });
});

describe('whole numbers below a header that says more than price', () => {
  it.each(['Preisgruppe', 'Price group', 'Price list no'])('are asked: %s', async (header) => {
    const { fields, asked } = await suggested(feed(header, ['1', '2', '1']));
    expect(fields).not.toHaveProperty('price');
    expect(asked['price']?.[header]).toContain('its values may be codes');
  });

  it.each([
    ['Preis', ['1', '2', '1']],
    ['Verkaufspreis', ['10', '249', '35']],
    ['Preis pro Stück', ['1,50', '2,00', '1,00']],
  ])('are a price where they are no codes: %s', async (header, rows) => {
    expect((await suggested(feed(header, rows))).fields).toMatchObject({ price: header });
  });
});
