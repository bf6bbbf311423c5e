import { expect, it } from 'vitest';
import { NumberLiteral, parseJson } from '../../../src/core/text/parse-json.js';

const read = (text: string): unknown => {
  const value = parseJson(text);
  return value instanceof NumberLiteral ? `literal ${value.text}` : value;
};

it.each([
  ['12345678901234567890', 'literal 12345678901234567890'],
  ['123456789012345.0', 123456789012345],
  ['1000000000000000.0', 'literal 1000000000000000.0'],
  ['1000000000000000', 1000000000000000],
  ['5.00000000000000000001', 'literal 5.00000000000000000001'],
  ['0.1000000000000000000', 0.1],
  ['1e-400', 'literal 1e-400'],
  ['1.5e3', 1500],
  ['-1.5E+3', -1500],
  ['12e0', 12],
  ['-0e9', -0],
  ['0e5', 0],
])('the number %s is %s', (text, value) => expect(read(text)).toEqual(value));

it('numbers are found between texts of any kind, and texts stay as they are', () => {
  const long = '90071992547409930';
  expect(parseJson(`["${long}","\\"${long}",${long},"",0e0,"\\\\",-${long},9]`)).toEqual([
    ...[long, `"${long}`, new NumberLiteral(long), '', 0, '\\', new NumberLiteral(`-${long}`), 9],
  ]);
  expect(parseJson(`{"":${long},"number:":1}`)).toEqual({ '': new NumberLiteral(long), 'number:': 1 });
});
