import { describe, expect, it } from 'vitest';
import { profilesOf } from '../../../../src/source/inspection/column-profile.js';
import {
  areWhole,
  choicesOf,
  countsRows,
  holdsBarcodes,
  holdsCodes,
  holdsGroupedCodes,
  holdsObjects,
  isAddress,
  isFlag,
  isListed,
  isNested,
  isUnordered,
  isVaried,
  mayCount,
  takeStep,
} from '../../../../src/source/mapping/suggest/column-kinds.js';
import { suggested } from '../../suggested.js';
import { columnOf } from './profiles.js';

/** The values of a column that a person can choose from, where it has so many different ones. */
function choices(count: number): number | undefined {
  const [column] = profilesOf(Array.from({ length: 2 * count }, (_, i) => ['status', `v${i % count}`, i] as const));
  return column && choicesOf(column)?.length;
}

it('the values of a column are judged by only where all are known', () => {
  expect([choices(50), choices(51)]).toEqual([50, undefined]);
});

it.each([
  ['pages of products', ['https://x.de/1', 'https://x.de/2', 'https://x.de/3'], ['Adresse']],
  ['photos of long addresses', [1, 2, 3].map((i) => `https://x.de/${'a'.repeat(60)}${i}.jpg?v=1`), []],
  ['photos', ['https://x.de/1.jpg', 'https://x.de/2.PNG', 'https://x.de/3.jpeg'], []],
  ['photos of which one has no ending', ['https://x.de/1.jpg', 'https://x.de/image?id=2', 'https://x.de/3.webp'], []],
] as const)(
  'where nothing else tells records apart it is asked whether their addresses are the key, unless of photos: %s',
  async (_, urls, key) => {
    const rows = urls.map((url, i) => `${url};${['Red cup', 'Blue pot', 'Tea tin'][i]};1${i},50`);
    const { fields, asked } = await suggested(['Adresse;Titel;Preis', ...rows].join('\n'));
    expect(fields['sku']).toBeUndefined();
    expect(Object.keys(asked['sku'] ?? {})).toEqual(key);
  },
);

it.each([
  [['1', '2', '3'], true],
  [['0', '1', '2'], true],
  [['2', '3', '4'], false],
  [['1'], false],
  [['1', '3', '2'], false],
  [['1', '5'], false],
  [['5', '6'], false],
  [['5', '9'], false],
  [['1', 'R2', '3'], false],
  [['R1', 'R2', 'R3'], false],
])('a column of %s counts the rows: %s', (values, counts) => {
  const [column] = profilesOf(values.map((value, i) => ['nr', value, i] as const));
  expect(column && countsRows(column)).toBe(counts);
});

const codes = ['4006381333931', '4006381333948', '5901234123457', '4012345678901'];

describe.each([
  [
    'answers a question by 1 and 0',
    isFlag,
    [
      ['1', '0'],
      ['1', '1'],
      ['0', '0', '1'],
    ],
    [['1'], ['1', '0', '2'], ['yes', 'no']],
  ],
  [
    'has mostly different values, or too few to judge',
    isVaried,
    [
      ['a', 'a', 'a', 'a'],
      ['a', 'b', 'c', 'a', 'b'],
      ['a', 'b', 'c', 'd', 'a', 'b'],
    ],
    [
      ['a', 'b', 'a', 'b', 'a'],
      ['a', 'b', 'c', 'a', 'b', 'c'],
    ],
  ],
  [
    'holds barcodes, but for a fifth',
    holdsBarcodes,
    [codes, [...codes, 'none']],
    [[...codes.slice(0, 1)], [...codes, 'none', 'none'], [...codes.slice(0, 2), ...codes.slice(0, 2)]],
  ],
  ['has lists of plain values', isListed, [['["a","b"]', 'c'], ['[1,2]']], [['[{"a":1}]', 'c'], ['a']]],
  [
    'has objects, or lists of them',
    holdsObjects,
    [
      ['{"a":1}', 'b'],
      ['[{"a":1}]', 'b'],
    ],
    [['["a"]', 'b']],
  ],
  [
    'has lists or objects',
    isNested,
    [
      ['["a"]', 'b'],
      ['{"a":1}', 'b'],
    ],
    [['a [b]', 'c']],
  ],
  [
    'holds codes of one word',
    holdsCodes,
    [['A-1', 'B2']],
    [
      ['A-1', 'Cup'],
      ['Cup 1', 'Cup 2'],
    ],
  ],
  [
    'holds codes in groups',
    holdsGroupedCodes,
    [
      ['0 986 400 100', '1K0 615 301 A'],
      ['A-1', 'B 2'],
    ],
    [['A-1', 'B-2'], ['Red cup 1', 'Blue pot 2'], ['A B', 'C D'], ['1K0 615', 'Red cup'], ['1K0 615 long']],
  ],
  ['has addresses only', isAddress, [['https://a.example/1', 'HTTP://a.example/2']], [['https://a.example/1', 'a/2']]],
  [
    'has whole numbers only, however they are written',
    areWhole,
    [
      ['12', '3'],
      ['12.000', '0.000'],
      ['12,000', '0,000'],
    ],
    [
      ['1.5', '2'],
      ['1,5', '2'],
      ['12.000', '0.000', 'few'],
      ['1.250', '2.500'],
    ],
  ],
  [
    'has numbers in no order',
    isUnordered,
    [
      ['3', '1'],
      ['1', '3', '2'],
    ],
    [
      ['1', '1', '2'],
      ['-1', '2'],
    ],
  ],
  [
    'may count something',
    mayCount,
    [
      ['12', '0', '3'],
      ['12.000', '0.000', '3.000'],
    ],
    [
      ['1', '2', '3'],
      ['300', '200', '400'],
      ['2.5', '1.5'],
    ],
  ],
] as const)('a column %s', (_, is, columns, others) => {
  it.each(columns.map((values) => [values]))('if of %j', (values) => expect(is(columnOf('x', values))).toBe(true));
  it.each(others.map((values) => [values]))('but of %j', (values) => expect(is(columnOf('x', values))).toBe(false));
});

it('of lists the first value counts, and of numbered names the name', () => {
  expect(takeStep(columnOf('currency', ['[1, "EUR"]', '[2, "USD"]']))).toBe('take: last');
  expect(takeStep(columnOf('currency', ['[1, "EUR"]', '["a","b"]']))).toBe('take: first');
});
