import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../src/source/open-source.js';
import { characteristic, fileOf, readAll, readCsv } from './given.js';

const cells = (row: Record<string, string>, options: Partial<SourceOptions> = {}, fields?: typeof characteristic) => {
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const text = `${Object.keys(row).map(quote).join()}\n${Object.values(row).map(quote).join()}\n`;
  return readCsv(text, options, fields);
};
const item = async (row: Record<string, string>, options: Partial<SourceOptions> = {}) =>
  (await cells({ sku: 'A', ...row }, options)).items[0];
const json = (records: unknown[], options: Partial<SourceOptions> = {}) =>
  readAll(fileOf(JSON.stringify(records), 'f.json'), options);

describe('a header fills', () => {
  it.each([
    ['the field', { price: '5', ' Name ': 'x', STOCK: '2' }, { price: '5', name: 'x', stock: 2 }],
    [
      'an entry by position',
      { 'media[1].file': 'b', 'media[0].file': 'a', 'media[0].is_main': 'yes' },
      { media: [{ file: 'a', is_main: true }, { file: 'b' }] },
    ],
    [
      'an entry by position, without a member what it is recognized by',
      { 'media[0]': 'a' },
      { media: [{ file: 'a' }] },
    ],
    [
      'an entry by what it is recognized by',
      { 'grades[like_new].price': '5', 'grades[new].stock': '2' },
      {
        grades: [
          { grade: 'like_new', price: '5' },
          { grade: 'new', stock: 2 },
        ],
      },
    ],
    [
      'a characteristic value, its unit',
      { 'attributes[Colour]': 'Red', 'attributes[Capacity]': '64', 'attributes[Capacity].unit': 'GB' },
      {
        attributes: [
          { type: 'Colour', value: 'Red' },
          { type: 'Capacity', value: '64', unit: 'GB' },
        ],
      },
    ],
    [
      'a list as a JSON array',
      { media: '[{"file":"a","is_main":"yes"},{"file":"b"}]' },
      { media: [{ file: 'a', is_main: true }, { file: 'b' }] },
    ],
    [
      'a list as a short list of keys',
      { media: 'file_a | file_b|' },
      { media: [{ file: 'file_a' }, { file: 'file_b' }] },
    ],
    [
      'a list as a short list of keys and values',
      { grades: 'new=100|good=60', attributes: 'Colour=Red|Note=a=b' },
      {
        grades: [
          { grade: 'new', price: '100' },
          { grade: 'good', price: '60' },
        ],
        attributes: [
          { type: 'Colour', value: 'Red' },
          { type: 'Note', value: 'a=b' },
        ],
      },
    ],
  ])('%s', async (_, row, expected) => {
    expect(await item(row)).toEqual({ sku: 'A', ...expected });
  });

  it('a list whose cell is not a list stays as it is, for the check to refuse', async () => {
    expect(await item({ media: '[{"file":' })).toEqual({ sku: 'A', media: '[{"file":' });
  });

  it('no field: it is ignored, and reported with its number of values', async () => {
    const { items, unknown } = await readCsv(
      'sku,Foo,,price.x,media[0].foo,grades[new].media\nA,1,2,3,4,5\nB,1,2,3,4,5\n',
    );
    expect(items).toEqual([{ sku: 'A' }, { sku: 'B' }]);
    expect(unknown).toEqual({ Foo: 2, 'column 3': 2, 'price.x': 2, 'media[0].foo': 2, 'grades[new].media': 2 });
  });

  it('no field, where its name is one of a prototype', async () => {
    const { items } = await readCsv('sku,__proto__,constructor,media[__proto__].file,__proto__[0].file\nA,1,2,f,4\n');
    expect(items).toEqual([{ sku: 'A', media: [{ file: 'f' }] }]);
    expect(({} as { file?: string }).file).toBeUndefined();
  });

  it('words and codes without surrounding white space, and texts unchanged', async () => {
    const { items } = await readCsv('sku;currency;status;category;name\nA; EUR ;draft  ; cate_1; kept \nB;EUR;  ; ;\n');
    expect(items).toEqual([
      { sku: 'A', currency: 'EUR', status: 'draft', category: 'cate_1', name: ' kept ' },
      { sku: 'B', currency: 'EUR' },
    ]);
  });

  it('a field that another column fills: an error at once', async () => {
    await expect(readCsv('sku,price,Price\nA,1,2')).rejects.toThrow(
      /^[^:]+: columns 2 "price" and 3 "Price" both fill price/,
    );
    await expect(readCsv('sku,media,media[0].file\nA,1,2')).rejects.toThrow(/both fill media/);
    await expect(readCsv('sku,media[0].file,media\nA,1,2')).rejects.toThrow(/both fill media/);
  });
});

describe('an empty cell', () => {
  it('is a field not sent, and an entry of empty cells is not sent', async () => {
    const row = {
      name: '',
      price: ' ',
      stock: '',
      status: ' ',
      'media[0].file': '',
      'media[1].file': 'b',
      'grades[new].price': '',
      attributes: ' ',
    };
    expect(await item(row)).toEqual({ sku: 'A', media: [{ file: 'b' }] });
  });

  it.each(['', ' ', '|', ' | |'])(
    'is that of a list whose text %j has no entries, in a table and in JSON',
    async (text) => {
      expect(await item({ media: text })).toEqual({ sku: 'A' });
      expect(await item({ media: '[]' })).toEqual({ sku: 'A', media: [] });
      const records = JSON.stringify([
        { sku: 'A', media: text },
        { sku: 'B', media: [] },
      ]);
      expect((await readAll(fileOf(records, 'x.json'))).items).toEqual([{ sku: 'A' }, { sku: 'B', media: [] }]);
    },
  );

  it("with --empty clear is '' for text, reference and decimal fields", async () => {
    const row = {
      name: '',
      price: '',
      category: '',
      stock: '',
      status: '',
      media: '',
      'grades[new].price': '',
      'grades[good].price': '',
      'grades[good].stock': '1',
    };
    expect(await item(row, { empty: 'clear' })).toEqual({
      sku: 'A',
      name: '',
      price: '',
      category: '',
      grades: [{ grade: 'good', price: '', stock: 1 }],
    });
  });
});

describe('a cell', () => {
  it.each([
    ['stock', '5', 5],
    ['stock', ' 5.00 ', 5],
    ['stock', '-0', 0],
    ['stock', '-3', -3],
    ['stock', '5.5', '5.5'],
    ['stock', '1e3', '1e3'],
    ['stock', '1,0000', '1,0000'],
    ['stock', '99999999999999999999', '99999999999999999999'],
    ['price', ' 12.50 ', '12.50'],
    ['price', '1,234.50', '1,234.50'],
    ['name', ' x ', ' x '],
    ['name', '5', '5'],
    ['ean', '0040063', '0040063'],
    ['status', 'draft', 'draft'],
  ])('of %s that reads %j is %j', async (field, cell, value) => {
    expect(await item({ [field]: cell })).toEqual({ sku: 'A', [field]: value });
  });

  it.each(['yes', 'TRUE', '1', 'y', 'X'])('of a boolean that reads %s is true', async (cell) => {
    expect(await item({ 'media[0].file': 'f', 'media[0].is_main': cell })).toMatchObject({
      media: [{ is_main: true }],
    });
  });
  it.each(['no', 'False', '0', 'N'])('of a boolean that reads %s is false', async (cell) => {
    expect(await item({ 'media[0].file': 'f', 'media[0].is_main': cell })).toMatchObject({
      media: [{ is_main: false }],
    });
  });
  it('of a boolean that reads otherwise stays as it is', async () => {
    expect(await item({ 'media[0].file': 'f', 'media[0].is_main': 'maybe' })).toMatchObject({
      media: [{ is_main: 'maybe' }],
    });
  });

  it('with a decimal comma is the amount it writes, whatever the grouping', async () => {
    const amount = fc.record({
      whole: fc.nat(10 ** 9),
      cents: fc.option(fc.stringMatching(/^\d{1,2}$/), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(amount, fc.boolean(), async ({ whole, cents }, grouped) => {
        const digits = grouped ? String(whole).replace(/\B(?=(\d{3})+$)/g, '.') : String(whole);
        const cell = cents === undefined ? digits : `${digits},${cents}`;
        const expected = cents === undefined ? String(whole) : `${whole}.${cents}`;
        expect(await item({ price: cell }, { decimal: ',' })).toEqual({ sku: 'A', price: expected });
      }),
      { numRuns: 100 },
    );
    expect(await item({ stock: '1.234,00' }, { decimal: ',' })).toEqual({ sku: 'A', stock: 1234 });
  });

  it.each([
    ['1 234,50', ',', '1234.50'],
    ['1\u00a0234,5', ',', '1234.5'],
    ['12\u202f345\u202f678,90', ',', '12345678.90'],
    ["1'234,50", ',', '1234.50'],
    ['1’234,-', ',', '1234'],
    ['1 234', ',', '1234'],
    ['1\u2009234.50', '.', '1234.50'],
    ["1'234.-", '.', '1234'],
    ['1 234.50', ',', undefined],
    ['1 23,50', ',', undefined],
    ['1234 567,50', ',', undefined],
    ["1 234'567,50", ',', undefined],
    ['0 123,50', ',', undefined],
    ['1  234,50', ',', undefined],
    ['1 234,50 567', ',', undefined],
    ['1 234,50', '.', undefined],
  ] as const)(
    '%j with the decimal sign %s is %j: spaces and apostrophes group by threes',
    async (price, decimal, amount) => {
      const { items, problems } = await cells({ sku: 'A', price }, { decimal });
      if (amount !== undefined) expect([items, problems]).toEqual([[{ sku: 'A', price: amount }], []]);
      else expect(decimal === ',' ? problems.length : items).toEqual(decimal === ',' ? 1 : [{ sku: 'A', price }]);
    },
  );

  it.each([
    [{ decimal: ',' as const }, '1 234,00', 1234],
    [{ decimal: '.' as const }, '12\u00a0345', 12_345],
    [{}, '12 345', '12 345'],
    [{ decimal: ',' as const }, '12 34', '12 34'],
  ])('of stock with %j that reads %j is %j', async (options, stock, value) => {
    expect(await item({ stock }, options)).toEqual({ sku: 'A', stock: value });
  });

  it('with a decimal comma is refused where it has a decimal point or is not a number, with a remedy that has a comma', async () => {
    const problemOf = async (price: string) => (await cells({ sku: 'A', price }, { decimal: ',' })).problems;
    expect(await problemOf('12.50')).toMatchObject([{ code: 'field_format', field: 'price', externalId: 'A' }]);
    for (const price of ['1.23,50', '1.026,90,00', '1e2', 'abc', '12,50 EUR'])
      expect(await problemOf(price)).toMatchObject([
        {
          code: 'field_format',
          message: expect.stringContaining(`"${price}" is not a number with the decimal sign ,; write it like 1234,50`),
        },
      ]);
    const { problems } = await cells({ sku: 'A', price: '12.50', weight: 'a kilo' }, { decimal: ',' });
    expect(problems).toEqual([
      expect.objectContaining({
        field: 'price',
        message: expect.stringMatching(/^"12\.50" has a decimal point; .*; also weight: "a kilo" is not a number with/),
      }),
    ]);
    // What core would refuse beside them is told with them, but for the amounts themselves.
    const sent = { sku: 'A', price: 'x', stock: 'many', grades: '[{"grade":"new","price":"y"},{"grade":"bad"}]' };
    const [all] = (await cells(sent, { decimal: ',' })).problems;
    expect(all?.message).toContain('; also stock: "many" is not a whole number');
    expect(all?.message).toContain('; also grades[1].grade: "bad" is not allowed');
    expect(all?.message).not.toContain('12.50');
    // Core says that they are out of range.
    expect(await item({ price: '-5' }, { decimal: ',' })).toEqual({ sku: 'A', price: '-5' });
    expect(await item({ stock: '5.00' }, { decimal: ',' })).toEqual({ sku: 'A', stock: '5.00' });
    expect((await cells({ sku: 'A', weight: '0.500' }, { decimal: ',' })).problems).toHaveLength(1);
    expect(await item({ stock: '0.500' }, { decimal: ',' })).toEqual({ sku: 'A', stock: '0.500' });
  });

  it.each([
    ['007', 7],
    ['0', 0],
    ['-0', 0],
    ['-5', -5],
    [' 5 ', 5],
    ['5.00', 5],
    ['999999999', 999_999_999],
    ['1000000000', 1_000_000_000],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740993', '9007199254740993'],
    ['5x', '5x'],
    ['٣', '٣'],
    ['1e3', '1e3'],
  ])('%s in a column of integers is %s', async (cell, read) => {
    expect(await item({ stock: cell })).toEqual({ sku: 'A', stock: read });
  });

  it.each([
    ['12,999', ',', 'field_decimals'],
    ['1.234,567', ',', 'field_decimals'],
    ['-3,5', ',', 'field_out_of_range'],
    [',505', ',', 'field_decimals'],
    ['.505', '.', 'field_decimals'],
  ] as const)('%s is quoted as it was written', async (cell, decimal, code) => {
    const { problems } = await cells({ sku: 'A', price: cell }, { decimal });
    expect(problems).toMatchObject([{ code, message: expect.stringContaining(`"${cell}"`) }]);
  });
});

describe('--rename and --set', () => {
  it('fill fields from other columns and with constants', async () => {
    const options = {
      rename: new Map([
        ['art. nr.', 'sku'],
        ['Farbe', 'attributes[Colour]'],
      ]),
      set: new Map([
        ['currency', 'EUR'],
        ['stock', '3'],
        ['attributes[Origin]', 'EU'],
      ]),
    };
    const expected = {
      sku: 'A',
      currency: 'EUR',
      stock: 3,
      attributes: [
        { type: 'Colour', value: 'Red' },
        { type: 'Origin', value: 'EU' },
      ],
    };
    const { items, unknown } = await readCsv('Art. Nr.;Farbe;stock\nA;Red;9\n', options);
    expect([items, unknown]).toEqual([[expected], {}]);
    const rename = new Map([
      ['Art. Nr.', 'sku'],
      ['Farbe', 'attributes[Colour]'],
    ]);
    expect((await json([{ 'Art. Nr.': 'A', Farbe: 'Red', stock: 9 }], { ...options, rename })).items).toEqual([
      expected,
    ]);
  });

  it('replace the key, too, and the kind of a characteristic', async () => {
    expect((await readCsv('values\nRed\n', { set: new Map([['kind', 'colour']]) }, characteristic)).items).toEqual([
      { kind: 'colour', values: [{ label: 'Red' }] },
    ]);
  });

  it('of unknown columns or fields are errors that name the nearest one', async () => {
    await expect(readCsv('sku,titel\nA,x', { rename: new Map([['titl', 'name']]) })).rejects.toThrow(
      /column "titl" not found; did you mean "titel"/,
    );
    await expect(readCsv('sku,t\nA,x', { rename: new Map([['t', 'nam']]) })).rejects.toThrow(
      /"nam" is not a field; did you mean "name"/,
    );
    await expect(readCsv('sku\nA', { set: new Map([['zzz', 'x']]) })).rejects.toThrow(
      /--set: "zzz" is not a field; fields are sku/,
    );
  });
});

describe('a JSON record', () => {
  it('gets the same typing as a row', async () => {
    const record = {
      sku: 123,
      ean: 4006381333931,
      stock: '5',
      price: '12.50',
      weight: 1.5,
      media: 'a|b',
      grades: [{ grade: 'new', stock: '2' }],
      Name: 'x',
      foo: 1,
    };
    const { items, unknown } = await json([record]);
    expect(items).toEqual([
      {
        sku: '123',
        ean: '4006381333931',
        stock: 5,
        price: '12.50',
        weight: 1.5,
        media: [{ file: 'a' }, { file: 'b' }],
        grades: [{ grade: 'new', stock: 2 }],
        name: 'x',
      },
    ]);
    expect(unknown).toEqual({ foo: 1 });
  });

  it('has no blanks around choices, references and currencies, and keeps those of other texts', async () => {
    const record = {
      sku: 'A',
      name: ' x ',
      currency: 'EUR ',
      status: '\u00a0draft',
      category: ' Cups\n',
    };
    expect((await json([record])).items).toEqual([
      { sku: 'A', name: ' x ', currency: 'EUR', status: 'draft', category: 'Cups' },
    ]);
  });

  it('keeps what cannot be typed, null and empty text, for the check', async () => {
    const record = { sku: 'A', stock: true, name: null, price: '', media: { file: 'a' }, grades: [1, null, []] };
    expect((await json([record])).items).toEqual([{ ...record, grades: [{ grade: '1' }, null, []] }]);
  });

  it('with two similar member names takes the exact one', async () => {
    expect((await json([{ Name: 'y', name: 'x', sku: 'A' }])).items).toEqual([{ sku: 'A', name: 'x' }]);
  });
});
