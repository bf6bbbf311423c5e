// The unit of a weight of a suggestion: a thousand times too heavy is never a guess.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

/** The suggestion for a file of products with the given columns. */
const feed = (header: string, ...rows: readonly string[]) =>
  suggested(
    [
      `sku;name;price;${header}`,
      ...rows.map((row, i) => `A${i};${['Hammer', 'Saw', 'Pliers'][i]};1${i}.50;${row}`),
    ].join('\n'),
  );

describe('the unit of a weight in a column of its own', () => {
  it.each([
    [
      'next to numbers that are called by a unit, too',
      'weight;weight_per_unit;weight_unit',
      ['300;30;g', '2;1;kg', '100;10;g'],
    ],
    ['next to an empty column called so', 'weight;weight uom;weight_unit', ['300;;g', '2;;kg', '100;;g']],
    [
      'behind the unit of another weight',
      'weight;shipping weight unit;weight_unit',
      ['300;kg;g', '2;kg;kg', '100;kg;g'],
    ],
  ] as const)('is found %s', async (_, header, rows) => {
    const { yaml } = await feed(header, ...rows);
    expect(yaml).toContain(
      'weight: { column: "weight", number: true, times: { column: "weight_unit", map: { "g": 0.001, "kg": 1 } } }',
    );
  });

  it.each([
    ['numbers', 'weight;unit weight code', ['300;3', '200;3', '100;3']],
    ['nothing', 'weight;weight_unit', ['300;', '200;', '100;']],
  ] as const)('is not told by %s', async (_, header, rows) => {
    const { fields, asked } = await feed(header, ...rows);
    expect(fields).not.toHaveProperty('weight');
    expect(asked['weight']?.['weight']).toContain('nothing says its unit: as it is in kg; for g write');
  });

  it.each([
    ['grams', ['0.3;400;g', '0.25;300;g', '0.1;200;g'], '"shipping_weight_unit" says g: as it is in kg, or write'],
    ['kilograms', ['300;0.4;kg', '250;0.3;kg', '100;0.2;kg'], 'nothing says its unit: as it is in kg; for g write'],
  ] as const)('is not that of another weight, and asked: %s', async (_, rows, remark) => {
    const { fields, asked } = await feed('weight;shipping_weight;shipping_weight_unit', ...rows);
    expect(fields).not.toHaveProperty('weight');
    expect(asked['weight']?.['weight']).toContain(remark);
  });

  it('is asked where it is no unit that is known', async () => {
    const { fields, asked } = await feed('weight;weight_unit', '300;stone', '200;stone', '100;g');
    expect(fields).not.toHaveProperty('weight');
    expect(Object.keys(asked['weight'] ?? {})).toEqual(['weight']);
  });

  it('needs no conversion where all are kilograms', async () => {
    expect((await feed('weight;weight_unit', '300;kg', '200;KG', '100;kg')).yaml).toContain(
      'weight: "weight"   # 300\n',
    );
  });
});

describe('a weight without a unit', () => {
  it.each([
    ['half of them are light', ['49', '50', '12'], true],
    ['most are heavy', ['50', '60', '12'], false],
    ['they have decimals', ['350.5', '120', '80'], true],
  ] as const)('is taken as kilograms where it may be so: %s', async (_, rows, isSure) => {
    const { fields, yaml } = await feed('weight', ...rows);
    expect('weight' in fields).toBe(isSure);
    if (isSure) expect(yaml).toContain('; nothing says its unit: taken as kg');
  });

  it('that is nowhere filled is a mapping that can be read', async () => {
    const { fields, yaml } = await feed('weight', '', '', '');
    expect(fields).toMatchObject({ weight: 'weight' });
    expect(yaml).toContain('weight: "weight"\n');
  });
});
