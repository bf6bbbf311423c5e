// Whole numbers and amounts, as they are sent.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/core/text/parse-json.js';
import { given } from '../../given.js';

const product = (fields: Record<string, unknown>) => ({ sku: 'A', currency: 'EUR', ...fields });
const code = (fields: Record<string, unknown>) => given().line('product', product(fields)).code;

describe('whole numbers have limits', () => {
  it.each([
    ['stock', -2_147_483_648, 2_147_483_647],
    ['stock_threshold', -2_147_483_648, 2_147_483_647],
    ['created_at', 0, 253_402_300_799],
  ])('%s is from %i to %i', (field, min, max) => {
    for (const value of [min, max]) expect(code({ [field]: value })).toBeNull();
    for (const value of [min - 1, max + 1]) expect(code({ [field]: value })).toBe('field_out_of_range');
  });

  it('every position has those of stock', () => {
    const beyond = 2 ** 31;
    const media = [{ file: 'file_1', position: beyond }];
    expect(given().line('category', { name: 'C', position: beyond }).code).toBe('field_out_of_range');
    expect(given().line('product', product({ media })).code).toBe('field_out_of_range');
  });

  it('numbers beyond what can be counted are field_out_of_range too (1e400 of a body arrives as Infinity)', () => {
    for (const stock of [2 ** 53, -(2 ** 53), 1e21, Number.POSITIVE_INFINITY])
      expect(code({ stock })).toBe('field_out_of_range');
  });

  it('the sum over grades is exact, and may be larger than a stock that is sent', () => {
    const grades = ['new', 'good', 'poor'].map((grade) => ({ grade, stock: 2_147_483_647 }));
    expect(given().has('product', product({ grades })).read('product', 'A')['stock']).toBe(6_442_450_941);
  });

  it('negative stock, thresholds and positions are accepted', () => {
    const shop = given()
      .has('product', product({ stock: -3, stock_threshold: -1 }))
      .has('category', { name: 'C', position: -2 });
    expect(shop.read('product', 'A')).toMatchObject({ stock: -3, stock_threshold: -1 });
    expect(shop.read('category', 'C')['position']).toBe(-2);
  });

  it('JSON numbers count by their value: 5.0 is 5, -0 is 0', () => {
    const shop = given().has('product', JSON.parse('{"sku":"A","currency":"EUR","stock":5.0,"stock_threshold":-0}'));
    expect(shop.read('product', 'A')).toMatchObject({ stock: 5 });
    expect(Object.is(shop.read('product', 'A')['stock_threshold'], 0)).toBe(true);
  });
});

describe('amounts', () => {
  it.each([
    ['-1', 'field_out_of_range'],
    [-1, 'field_out_of_range'],
    [-0.01, 'field_out_of_range'],
    ['1e3', 'field_format'],
    ['12,50', 'field_format'],
    ['.5', 'field_format'],
    ['5.', 'field_format'],
    ['+5', 'field_format'],
    ['NaN', 'field_format'],
    [' 5', 'field_format'],
    ['5 ', 'field_format'],
    ['0x10', 'field_format'],
    ['٣', 'field_format'],
    ['1.234,50', 'field_format'],
    ['12.345', 'field_decimals'],
    [12.345, 'field_decimals'],
    [0.001, 'field_decimals'],
    [1e-7, 'field_decimals'],
    ['1000000000000', 'field_out_of_range'],
    [1_000_000_000_000, 'field_out_of_range'],
    ['90071992547409.92', 'field_out_of_range'],
    [1e21, 'field_out_of_range'],
    [Number.POSITIVE_INFINITY, 'field_out_of_range'],
  ])('the price %j is %s', (price, expected) => {
    expect(code({ price })).toBe(expected);
    expect(code({ price_compare: price })).toBe(expected);
    expect(code({ grades: [{ grade: 'new', price }] })).toBe(expected);
  });

  it.each([
    ['12.500', '12.50'],
    ['12.50000000000', '12.50'],
    ['007.5', '7.50'],
    ['0', '0.00'],
    [0, '0.00'],
    [-0, '0.00'],
    [0.1, '0.10'],
    [1e3, '1000.00'],
    [1.1, '1.10'],
    [4.35, '4.35'],
    [1.005e2, '100.50'],
    ['999999999999.99', '999999999999.99'],
    [999_999_999_999.99, '999999999999.99'],
    ['000000000000000000000012.50', '12.50'],
  ])('the price %j is kept exactly and read as %s', (price, shown) => {
    expect(given().has('product', product({ price })).read('product', 'A')['price']).toBe(shown);
  });

  it.each([
    ['1.500', '1.5'],
    ['0.250', '0.25'],
    ['100', '100'],
    [1000, '1000'],
    [0, '0'],
    ['0.001', '0.001'],
  ])('weight %j reads without trailing zeros: %s', (weight, shown) => {
    expect(given().has('product', product({ weight })).read('product', 'A')['weight']).toBe(shown);
  });

  it('weight has up to 3 decimals', () => {
    expect(code({ weight: '1.2345' })).toBe('field_decimals');
    expect(code({ weight: 1.234 })).toBeNull();
  });
});

describe('a JSON number with more digits than a double keeps is judged by what was written', () => {
  const sent = (member: string, literal: string) =>
    given().line('product', parseJson(`{"sku":"A 12345678901234567890 1e-9","currency":"EUR","${member}":${literal}}`))
      .code;

  it.each([
    ['stock', '5.00000000000000000001', 'field_type'],
    ['stock', '-5.00000000000000000001', 'field_type'],
    ['stock', '4.99999999999999999999', 'field_type'],
    ['stock', '1e-400', 'field_type'],
    ['stock', '12345678901234567890', 'field_out_of_range'],
    ['stock', '1e21', 'field_out_of_range'],
    ['stock', '1e400', 'field_out_of_range'],
    ['price', '1.10000000000000000001', 'field_decimals'],
    ['price', '199.99999999999999999999', 'field_decimals'],
    ['price', '0.000000000000000000000000000001', 'field_decimals'],
    ['price', '1e-400', 'field_decimals'],
    ['price', '1e21', 'field_out_of_range'],
    ['price', '12345678901234567890.5', 'field_out_of_range'],
    ['weight', '999999999999.9990000000000000001', 'field_decimals'],
  ])('%s %s is %s', (member, literal, expected) => {
    expect(sent(member, literal)).toBe(expected);
  });

  it.each([
    ['stock', '5.0000000000000000000'],
    ['stock', '5e0'],
    ['stock', '500000000000000000e-17'],
    ['price', '1.1000000000000000000000'],
    ['price', '0.0000000000000000000'],
    ['price', '110e-2'],
    ['weight', '999999999999.99900000000'],
  ])('%s %s is what it means', (member, literal) => {
    expect(sent(member, literal)).toBeNull();
  });

  it('all other values equal those of JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = parseJson(text);
        expect(value).toEqual(JSON.parse(text));
      }),
    );
    const text = '{"a\\"12345678901234567890.1":"1e-400 \\\\","b":[-0,1.5,"12345678901234567890.12345"]}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(() => parseJson('{"a":12345678901234567890.}')).toThrow(SyntaxError);
  });
});
