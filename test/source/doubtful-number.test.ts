// Numbers of files with two meanings are refused, and those of JSON are read as over HTTP.
import { describe, expect, it } from 'vitest';
import { time } from '../../src/core/fields/fields.js';
import { fileOf, product, readAll, readCsv } from './given.js';
import { readMapped } from './mapping/given.js';

const fields = { ...product, created_at: time('a time') };

describe('a number with one sign before three digits', () => {
  it.each([
    ['stock', '1.000', '"1.000" is 1000 or 1.000'],
    ['stock', ' 12,500 ', '"12,500" is 12500 or 12.500'],
    ['stock', '1234.000', undefined],
    ['stock', '0.000', undefined],
    ['stock', '5.00', undefined],
    ['price', '1.000', undefined],
    ['weight', '2.500', undefined],
  ])('in the cell of %s: %s', async (field, cell, message) => {
    const { problems } = await readCsv(`sku;${field}\nA;"${cell}"\n`);
    const remedy = 'depending on the decimal sign; import with --decimal "," or --decimal "."';
    expect(problems.map((problem) => problem.message)).toEqual(message === undefined ? [] : [`${message}, ${remedy}`]);
  });

  it.each([
    ['price', '1.000', 'price: 1.000'],
    ['price', ' 12.500 ', 'price: 12.500'],
    ['grades', 'new=1.200|used=1.100', 'grades[].price: 1.200'],
    ['grades[new].price', '1.200', 'grades[new].price: 1.200'],
    ['price', '1234.500', undefined],
    ['price', '0.500', undefined],
    ['price', '1.2000', undefined],
    ['price', '9.99', undefined],
    ['weight', '2.500', undefined],
  ])('in the cell of %s: %s is told of', async (field, cell, words) => {
    const text = `sku;${field}\nA;"${cell}"\n`;
    const amounts = cell.includes('|') ? '2 amounts' : '1 amount';
    const read = `read with a decimal point (${amounts} of this form)`;
    const remedy = 'use --decimal . if that is right, or --decimal , if the point separates thousands';
    expect((await readCsv(text)).notes).toEqual(words === undefined ? [] : [`${words} ${read}; ${remedy}`]);
    expect((await readCsv(text, { decimal: '.' })).notes).toEqual([]);
  });

  it('is what the decimal sign of the file says', async () => {
    const text = 'sku;price;stock\nA;1.000;2.000\n';
    expect((await readCsv(text, { decimal: '.' })).items).toEqual([{ sku: 'A', price: '1.000', stock: 2 }]);
    expect((await readCsv(text, { decimal: ',' })).items).toEqual([{ sku: 'A', price: '1000', stock: 2000 }]);
  });

  it('is refused in XML, and read in JSON as over HTTP', async () => {
    const xml = fileOf('<feed><item><sku>A</sku><stock>1.000</stock></item><item><sku>B</sku></item></feed>', 'f.xml');
    expect((await readAll(xml)).items).toEqual(['!field_format', { sku: 'B' }]);
    const json = fileOf('[{"sku": "A", "price": "1.000", "stock": "1.000"}]', 'f.json');
    expect((await readAll(json)).items).toEqual([{ sku: 'A', price: '1.000', stock: 1 }]);
  });
});

describe('a time that is a date of another form', () => {
  const digits = (day: string, read: string, format = 'YYYYMMDD') =>
    `is ${day} as a date and ${read} in Unix seconds; a mapping reads the date with date: ${format}`;
  it.each([
    ['20250403', digits('2025-04-03', '1970-08-23')],
    ['19991231', digits('1999-12-31', '1970-08-20')],
    ['202504031200', digits('2025-04-03', '8387-02-05', 'YYYYMMDDHHmm')],
    [
      '45992',
      'is 2025-12-01 as the number of a day in a spreadsheet and 1970-01-01 in Unix seconds; write the date, such as 2025-12-01, which a mapping reads with date: iso',
    ],
    ['20250230', undefined],
    ['20251301', undefined],
    ['1743638400', undefined],
    ['0', undefined],
    ['86400', undefined],
    ['253402300799', undefined],
  ])('%s', async (seconds, fault) => {
    const csv = await readCsv(`sku;created_at\nA;${seconds}\n`, {}, fields);
    const json = await readAll(fileOf(`[{"sku": "A", "created_at": ${seconds}}]`, 'f.json'), {}, fields);
    const messages = [csv, json].map(({ problems }) => problems[0]?.message);
    const message = fault === undefined ? undefined : `"${seconds}" ${fault}`;
    expect(messages).toEqual([message, message]);
  });

  it.each(['d', '{ column: d, date: unix }'])('in a mapping: %s', async (created) => {
    const map = `fields: { sku: nr, created_at: ${created} }`;
    const { items } = await readMapped(map, 'nr;d\nA;20251231\nB;1743638400\n', { fields });
    expect(items).toEqual(['!field_format', { sku: 'B', created_at: 1743638400 }]);
  });

  it('is read by its format', async () => {
    const map = 'fields: { sku: nr, created_at: { column: d, date: YYYYMMDD } }';
    const { items } = await readMapped(map, 'nr;d\nA;20251231\n', { fields });
    expect(items).toEqual([{ sku: 'A', created_at: 1767139200 }]);
  });
});
