// The decimal sign that a table has of its own goes with its cells, wherever they are looked up.
import { describe, expect, it } from 'vitest';
import { fileOf } from '../../given.js';
import { readMapped } from '../given.js';

describe('the decimal sign of a table', () => {
  const withTable = (fields: string, column = 'w') =>
    `read: { decimal: "." }\ntables: { t: { file: ${fileOf('nr;w;s\nA;1.234;0,5\n', 'w.csv').split('/').at(-1)}, read: { decimal: "," }, key: nr, columns: { w: ${column}, s: s } } }\n${fields}`;
  const looked = (column: string) => `column: nr, lookup: { table: t, column: ${column} }`;

  it.each([
    ['of a column', `fields: { sku: nr, weight: { ${looked('w')} } }`, { weight: '1234' }],
    ['of one of several values', `fields: { sku: nr, weight: { first: [{ ${looked('s')} }, k] } }`, { weight: '0.5' }],
    ['of a row', 'each: { rows_of: t, key: nr }\nfields: { sku: nr, weight: $w }', { weight: '1234' }],
    [
      'of a text that is changed',
      `fields: { sku: nr, weight: { ${looked('w')}, suffix: " kg", number: { ignore: kg } } }`,
      { weight: '1234' },
    ],
    [
      'of a template',
      'each: { rows_of: t, key: nr }\nfields: { sku: nr, weight: { template: "{$w}", round: 0 } }',
      { weight: '1234' },
    ],
    ['of what is calculated', `fields: { sku: nr, weight: { ${looked('s')}, times: k } }`, { weight: '1.25' }],
    [
      'unless number: says another one',
      `fields: { sku: nr, weight: { ${looked('w')}, number: { decimal: "." } } }`,
      { weight: '1.234' },
    ],
    ['but not of a text', `fields: { sku: nr, name: { ${looked('w')}, prefix: "v" } }`, { name: 'v1.234' }],
  ])('%s', async (_, map, item) => {
    const { items, problems } = await readMapped(withTable(map), 'nr,k\nA,2.5\n');
    expect(problems).toEqual([]);
    expect(items).toEqual([{ sku: 'A', ...item }]);
  });
});
