// What a suggestion does with what the columns are matched to: names that occur again, columns of one header, values below names.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../../src/source/inspection/inspect-file.js';
import { suggestMapping } from '../../../../src/source/mapping/suggest/suggest-mapping.js';
import { fileOf } from '../../given.js';
import { known, suggested } from '../../suggested.js';

const lines = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;

describe('names that occur again', () => {
  const asked = { name: 'records of one name become one; or several columns: { template: "{A} ({B})" }; 1 repeated; ' };

  it.each([
    ['categories of one name', 'categories', 'name;parent', ['Lamps;Home', 'Pans;Home', 'Lamps;Garden'], true],
    ['categories of different names', 'categories', 'name;parent', ['Lamps;Home', 'Pans;Home', 'Rugs;Garden'], false],
    [
      'categories of a tree of numbers',
      'categories',
      'id;name;parent',
      ['1;Home;', '2;Lamps;1', '3;Garden;', '4;Lamps;3'],
      false,
    ],
    ['products', 'products', 'sku;name;price', ['A;Lamp;1', 'B;Lamp;2', 'C;Pan;3'], false],
  ])('%s', async (_, resource, header, rows, isAsked) => {
    const suggestion = await suggested(lines(header, ...rows), `${resource}.csv`);
    expect(suggestion.resource).toBe(resource);
    if (isAsked) expect(suggestion.asked['name']).toEqual({ name: expect.stringContaining(asked.name) });
    else expect(suggestion.fields).toHaveProperty('name', 'name');
  });
});

describe('counts are asked about as the stock', () => {
  it('not in a file of categories', async () => {
    const { questions } = await suggested(
      lines('name;parent;anzahl', 'Lamps;Home;14', 'Pans;Home;3'),
      'categories.csv',
    );
    expect(questions).toEqual([]);
  });

  it('not in a file of which nothing is known', async () => {
    const { yaml, questions } = await suggested(lines('X;Y', '5;14', '5;3', '7;3', '7;4', '5;4'));
    expect(questions).toEqual([]);
    expect(yaml).toContain('fields:\n  # sku: which column is it?\n# Columns that fill nothing yet:\n#   "X"   # 5\n');
  });

  it('not where they are the key', async () => {
    const { fields, asked } = await suggested(
      lines('Nr;Name;Preis', '1014;Sand;10,50', '203;Kies;11,50', '77;Ton;12,50'),
    );
    expect(fields).toEqual({ sku: 'Nr', name: 'Name', price: 'Preis' });
    expect(asked).not.toHaveProperty('stock');
  });
});

describe('of columns with one header none is taken', () => {
  const several = 'several columns have this header: add take: first, or take: last';

  it.each([
    ['where a second one is empty in most records', 'Price;Price', ['1,50;1,20', '2,50;', ';'], { Price: several }],
    [
      'where another one may be the price, too',
      'Price;Price;VK',
      ['1,50;1,20;1,70', '2,50;2,10;2,90', '3,50;3,10;3,90'],
      { Price: several, VK: '' },
    ],
  ])('%s', async (_, header, rows, price) => {
    const { asked } = await suggested(
      lines(`SKU;Name;${header}`, ...rows.map((row, i) => `A-${i};Sand Nr ${i};${row}`)),
    );
    expect(asked['price']).toEqual(price);
  });
});

describe('the decimal sign is asked about where nothing tells it', () => {
  const inspection = async () =>
    inspectFile({ file: fileOf(lines('SKU;Name;Preis', 'A;Sand;1.234', 'B;Kies;2.345', 'C;Ton;3.456'), 'feed.csv') });

  it.each([
    ['nobody said it', new Map<string, string>(), ['currency', 'decimal']],
    ['somebody said it', new Map([['decimal', ',']]), ['currency']],
  ])('%s', async (_, answers, fields) => {
    const { questions } = suggestMapping(await inspection(), known, 'feed.csv', answers);
    expect(questions.map(({ field }) => field)).toEqual(fields);
  });
});

describe('values below names', () => {
  const codes = ['4006381333900', '4006381333979', '4006381334044', '4006381334112', '4006381333931'];
  const values: Readonly<Record<string, (i: number) => string>> = {
    EAN: (i) => codes[i] ?? '',
    SKU: (i) => `S-${i}`,
    Model: (i) => `XJ-10${i}`,
    Series: (i) => `XJ-${i % 2}`,
    Model2: (i) => `X${i % 2}`,
    Price: (i) => `${10 + i}.50`,
    Stock: (i) => String(14 - i * 3),
    Colour: () => 'red',
  };
  const specs = (names: readonly string[], i: number) =>
    names.map((name) => ({ name: name.replace(/\d$/, ''), value: values[name]?.(i) }));
  const below = (name: string) => `specs[name=${name}].value`;
  const whole = { sku: 'sku', name: 'name', price: 'price' };

  it.each([
    ['a barcode', ['sku', 'name', 'price'], ['EAN', 'Colour'], { ...whole, ean: below('EAN') }],
    ['no barcode', ['sku', 'name', 'price'], ['Series', 'Colour'], whole],
    [
      'a model, which is a key only where records have none',
      ['id', 'name'],
      ['Model', 'Price', 'Colour'],
      { sku: 'id', name: 'name', price: below('Price') },
    ],
    [
      'a model where they have none',
      ['name'],
      ['Model', 'Price', 'Colour'],
      { sku: below('Model'), name: 'name', price: below('Price') },
    ],
    [
      'a key next to a model that some share',
      ['id', 'name'],
      ['SKU', 'Model2', 'Price'],
      { sku: below('SKU'), name: 'name', price: below('Price') },
    ],
  ])('%s', async (_, members, names, fields) => {
    const records = codes.map((code, i) => {
      const all: Readonly<Record<string, unknown>> = {
        id: `P-${i}`,
        sku: `A-${i}`,
        name: `Cup ${code.slice(-3)} red`,
        price: 10.5 + i,
      };
      return { ...Object.fromEntries(members.map((one) => [one, all[one]])), specs: specs(names, i) };
    });
    expect((await suggested(JSON.stringify(records), 'feed.json')).fields).toEqual(fields);
  });

  it('are no columns of reviews, whatever they say of the product', async () => {
    const records = codes.map((_, i) => ({
      ...{ id: `R-${i}`, rating: (i % 5) + 1, author: 'Ann Lee', text: 'It is good' },
      specs: specs(['SKU', 'Price', 'Stock', 'EAN'], i),
    }));
    const { resource, fields } = await suggested(JSON.stringify(records), 'feed.json');
    expect(resource).toBe('reviews');
    expect(fields).toEqual({ rating: 'rating', text: 'text', name: 'author' });
  });
});

it('a file of records of several kinds has no columns to choose from', async () => {
  const inspection = await inspectFile({
    file: join(import.meta.dirname, '../../../../fixtures/feeds/datanorm-4.001'),
  });
  expect(suggestMapping(inspection, known, 'datanorm-4.001').questions).toEqual([]);
});
