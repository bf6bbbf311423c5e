// Numbers that are known have a point, whatever decimal sign the texts of the file have: those of JSON, those that the mapping
// itself writes, and those that one of its steps has read.
import { describe, expect, it } from 'vitest';
import { fileOf } from '../../given.js';
import { readMapped } from '../given.js';

const comma = 'read: { decimal: "," }\n';

/** The weights of the items, or why they are refused. */
async function weightsOf(map: string, content: string, name = 'feed.csv'): Promise<unknown[]> {
  const { items, problems } = await readMapped(map, content, { name });
  return problems.length > 0
    ? problems.map(({ message }) => message)
    : items.map((item) => (item as { weight?: unknown }).weight);
}

const table = (column: string, more = '') =>
  `${comma}tables: { t: { key: nr, columns: { w: { column: w, ${column} } } } }\nonce: first\nfields: { sku: nr, ${more || 'weight: { column: nr, lookup: { table: t, column: w } }'} }`;

describe('a number that a mapping has read is not read again', () => {
  it.each([
    ['of a table', table('number: true, aggregate: sum'), 'nr;w\nA;0,617\nA;0,617\n', ['1.234']],
    ['the largest of a table', table('aggregate: max'), 'nr;w\nA;0,617\nA;1,234\n', ['1.234']],
    ['of a table, in one row', table('number: true'), 'nr;w\nA;1,234\n', ['1.234']],
    ['that agrees in several rows', table('number: true'), 'nr;w\nA;1,234\nA;1,2340\n', ['1.234']],
    [
      'of the rows of a table',
      `${comma}tables: { t: { key: nr, columns: { w: { column: w, number: true } } } }\neach: { rows_of: t, key: nr }\nfields: { sku: nr, weight: $w }`,
      'nr;w\nA;1,234\n',
      ['1.234'],
    ],
    [
      'that is added',
      table('number: true', 'weight: { column: w, plus: { column: nr, lookup: { table: t, column: w } } }'),
      'nr;w\nA;1,234\n',
      ['2.468'],
    ],
    [
      'that is compared',
      table(
        'number: true',
        'weight: { column: w, when: { of: { column: nr, lookup: { table: t, column: w } }, under: 2 } }',
      ),
      'nr;w\nA;1,234\n',
      ['1.234'],
    ],
    [
      'of a table with a sign of its own',
      'tables: { t: { key: nr, columns: { w: { column: w, number: { decimal: "." } } } } }\nfields: { sku: nr, weight: { column: nr, lookup: { table: t, column: w } } }',
      'nr,w\nA,1.234\n',
      ['1.234'],
    ],
    [
      'of a unit, in first',
      `${comma}fields: { sku: nr, weight: { first: [k, { column: g, number: { units: { g: 0.001, kg: 1 } } }] } }`,
      'nr;k;g\nA;;1234 g\nB;1,234;\n',
      ['1.234', '1.234'],
    ],
    [
      'of lists side by side',
      `${comma}each: { parallel: { s: { column: s, split: "|" }, w: { column: w, split: "|", number: true } } }\nfields: { sku: $s, weight: $w }`,
      's;w\nA|B;1,234|2\n',
      ['1.234', '2'],
    ],
    [
      'by a branch',
      `${comma}fields: { sku: nr, weight: { when: [{ if: { of: nr, is: A }, then: { column: w, number: true } }, { else: { value: "1.234" } }], times: { value: 1 } } }`,
      'nr;w\nA;1,234\nB;7\n',
      ['1.234', '1.234'],
    ],
  ])('%s', async (_, map, content, weights) => {
    expect(await weightsOf(map, content)).toEqual(weights);
  });

  it('and stays a text where it fills one', async () => {
    const map = table('number: true', 'name: { column: nr, lookup: { table: t, column: w }, suffix: " kg" }');
    const { items } = await readMapped(map, 'nr;w\nA;1,234\n');
    expect(items).toEqual([{ sku: 'A', name: '1.234 kg' }]);
  });
});

describe('a number that a mapping writes has a point', () => {
  it.each([
    ['{ column: w, default: "1.234" }', '', '1.234'],
    ['{ column: w, default: 1.234, plus: { value: "1.5" } }', '', '2.734'],
    ['{ first: [w, { value: "1.234" }] }', '', '1.234'],
    ['{ first: [w, { value: "1.234" }] }', '2,5', '2.5'],
    ['{ column: w, map: { x: 1.234, y: "2.5" }, else: keep }', 'x', '1.234'],
    ['{ column: w, map: { x: 1.234, y: "2.5" }, else: keep }', 'y', '2.5'],
    ['{ column: w, map: { x: 1.234, y: "2.5" }, else: keep }', '1,234', '1.234'],
    ['{ column: w, map: { x: 1.234 }, else: "2.345" }', 'z', '2.345'],
    ['{ column: w, map: { x: "1,5" } }', 'x', '1.5'],
    ['{ column: w, default: "1.234,5" }', '', '1234.5'],
  ])('%s of %s', async (weight, cell, read) => {
    expect(await weightsOf(`${comma}fields: { sku: nr, weight: ${weight} }`, `nr;w\nA;${cell}\n`)).toEqual([read]);
  });
});

describe('a number of JSON has a point', () => {
  const each = 'each: { parallel: { s: "v[].s", w: "v[].w" } }\nfields: { sku: $s, weight: $w }';

  it.each([
    [
      'in a variable',
      comma + each,
      '[{"v": [{"s": "A", "w": 1.234}, {"s": "B", "w": "1,234"}, {"s": "C", "w": 1e-1}]}]',
      ['1.234', '1.234', '0.1'],
    ],
    ['without a sign of the file', each, '[{"v": [{"s": "A", "w": 1.234}]}]', ['1.234']],
    ['with a zero at its end', 'fields: { sku: s, weight: w }', '[{"s": "A", "w": 1.230}]', ['1.230']],
    [
      'with more digits than a double',
      `${comma}fields: { sku: s, weight: { column: w, round: 3 } }`,
      '[{"s": "A", "w": 1.23400000000000001}]',
      ['1.234'],
    ],
    [
      'whose text is changed',
      `${comma}fields: { sku: s, weight: { column: w, replace: { "-": "" } } }`,
      '[{"s": "A", "w": -1.234}]',
      ['1.234'],
    ],
    [
      'whose list is split',
      `${comma}fields: { sku: s, weight: { column: w, split: "|", take: first } }`,
      '[{"s": "A", "w": 1.234}]',
      ['1.234'],
    ],
    [
      'in a template that is read',
      `${comma}fields: { sku: s, weight: { template: "{w} kg", number: { units: { kg: 1 } } } }`,
      '[{"s": "A", "w": 1.234}]',
      ['1.234'],
    ],
    [
      'in a list',
      `${comma}fields: { sku: s, weight: { column: w, take: last } }`,
      '[{"s": "A", "w": [2.5, 1.234]}]',
      ['1.234'],
    ],
  ])('%s', async (_, map, content, weights) => {
    expect(await weightsOf(map, content, 'feed.json')).toEqual(weights);
  });

  it('in a table that a CSV looks up', async () => {
    const name = fileOf('[{"id": "A", "w": 1.234}]', 'w.json').split('/').at(-1);
    const map = `${comma}tables: { t: { file: ${name}, key: id, columns: { w: w } } }\nfields: { sku: nr, weight: { column: nr, lookup: { table: t, column: w } } }`;
    expect(await weightsOf(map, 'nr;p\nA;1,50\n')).toEqual(['1.234']);
  });

  it('in the JSON of a cell', async () => {
    const map = `${comma}fields: { sku: nr, weight: { json: w.kg } }`;
    expect(await weightsOf(map, 'nr;w\nA;"{""kg"": 1.234}"\nB;"{""kg"": ""1,234""}"\n')).toEqual(['1.234', '1.234']);
  });

  it('and is a text as it is written', async () => {
    const map = `${comma}fields: { sku: s, name: w, description: { template: "{w} kg" } }`;
    const { items } = await readMapped(map, '[{"s": 1.10, "w": 1.50}]', { name: 'feed.json' });
    expect(items).toEqual([{ sku: '1.10', name: '1.50', description: '1.50 kg' }]);
  });
});

describe('take: sum', () => {
  it.each([
    [
      'texts with the sign of the file',
      `${comma}fields: { sku: s, weight: { column: w, split: "|", take: sum } }`,
      's;w\nA;1.000|2\nB;1,5|2,25\n',
      ['1002', '3.75'],
    ],
    [
      'numbers with units',
      `${comma}fields: { sku: s, weight: { column: w, split: "|", take: sum, number: { units: { g: 0.001, kg: 1 } } } }`,
      's;w\nA;500 g|1,5 kg\n',
      ['2'],
    ],
    [
      'numbers with units and without one, read first',
      `${comma}fields: { sku: s, weight: { column: w, split: "|", number: { units: { "": 0.001, kg: 1 } }, take: sum } }`,
      's;w\nA;500|1,5 kg\nB;1000\n',
      ['2.0', '1'],
    ],
    [
      'numbers with units and without one',
      `${comma}fields: { sku: s, weight: { column: w, split: "|", take: sum, number: { units: { "": 0.001, kg: 1 } } } }`,
      's;w\nA;500|1,5 kg\nB;250\n',
      ['2', '0.25'],
    ],
    [
      'numbers that were read',
      `${comma}fields: { sku: s, weight: { column: w, split: "|", number: true, take: sum } }`,
      's;w\nA;1,234|1\n',
      ['2.234'],
    ],
    [
      'columns, some of them empty',
      `${comma}fields: { sku: s, weight: { columns: [a, b, c], take: sum } }`,
      's;a;b;c\nA;1,234;;1\nB;;;\n',
      ['2.234', undefined],
    ],
  ])('adds %s', async (_, map, content, weights) => {
    expect(await weightsOf(map, content)).toEqual(weights);
  });

  it('adds the numbers of JSON, and nothing for empty ones', async () => {
    const map = `${comma}fields: { sku: s, weight: { column: "w[].q", take: sum } }`;
    const content =
      '[{"s": "A", "w": [{"q": 1.5}, {"q": 2.25}]}, {"s": "B", "w": [{"q": 5}, {"q": null}, {"q": "7,5"}, {"q": ""}, {}]}, {"s": "C", "w": []}]';
    expect(await weightsOf(map, content, 'feed.json')).toEqual(['3.75', '12.5', undefined]);
  });

  it('refuses what is no number, or could be two', async () => {
    const map = 'fields: { sku: s, weight: { column: w, split: "|", take: sum } }';
    expect(await weightsOf(map, 's,w\nA,x|2\nB,1.234|2\n')).toEqual([
      expect.stringMatching(/^column "w": "x" is not a number/),
      expect.stringMatching(/^column "w": "1.234" is 1234 or 1.234/),
    ]);
  });
});

describe('a number that is read of a text is named by the column that holds it', () => {
  const table = 'tables: { t: { key: nr, columns: { g: w } } }\n';

  it.each([
    [
      'of a table',
      `${table}fields: { sku: nr, weight: { column: nr, lookup: { table: t, column: g } } }`,
      'column "g" of the table t',
    ],
    [
      'of the rows of a table',
      `${table}each: { rows_of: t, key: nr }\nfields: { sku: nr, weight: $g }`,
      'column "g" of the table t',
    ],
    ['of lists side by side', 'each: { parallel: { s: nr, p: w } }\nfields: { sku: $s, weight: $p }', 'column "w"'],
    ['of a list', 'each: { split: w, by: "|" }\nfields: { sku: nr, weight: $value }', 'column "w"'],
    ['of numbered columns', 'each: { repeated: { p: "w{n}" } }\nfields: { sku: nr, weight: $p }', 'column "w{n}"'],
    [
      'of a variable of a variable',
      'each: [{ parallel: { s: nr, p: w } }, { split: $p, by: "|" }]\nfields: { sku: $s, weight: $value }',
      'column "w"',
    ],
  ])('%s', async (_, map, source) => {
    const { notes, problems } = await readMapped(map, 'nr;w;w1\nA;0,5;0,5\nB;1.234;1.234\n');
    expect(notes).toContain(`${source}: read with decimal comma (1 number)`);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(`${source}: "1.234" is 1234 or`)]);
  });
});
