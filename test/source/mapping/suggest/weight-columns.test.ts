// The unit of a weight of a suggestion: a thousand times too heavy is never a guess.
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../../src/source/inspection/inspect-file.js';
import { suggestMapping } from '../../../../src/source/mapping/suggest/suggest-mapping.js';
import { fileOf } from '../../given.js';
import { known, suggested } from '../../suggested.js';

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

/** The column that is the weight of a file, or what is said of those that may be it; undefined without any. */
async function weightOf(header: string, rows: readonly string[]) {
  const { fields, asked } = await feed(header, ...rows);
  return fields['weight'] ?? asked['weight'];
}

describe('of several columns the weight is', () => {
  const ofBox = 'number: true, times: { column: "BoxWeight unit", map: { "g": 0.001, "kg": 1 } }';
  it.each([
    ['the one that most records have', 'weight;Gewicht', ['2.5;2.5', ';3.5', '1.5;1.5'], 'Gewicht'],
    [
      'asked about where they differ',
      'Gewicht;weight',
      ['450;500', '3000;3100', '200;250'],
      { weight: '', Gewicht: '' },
    ],
    ['none of words', 'Gewicht', ['leicht', 'schwer', 'leicht'], undefined],
    ['none of something else', 'shipping.weight', ['2.5', '3.5', '1.5'], undefined],
    [
      'asked about where a unit is that of a box',
      'Net weight;BoxWeight;PalletWeight;BoxWeight unit',
      ['4.5;9.5;99.5;g', '3.5;8.5;88.5;kg', '2.5;7.5;77.5;g'],
      { 'Net weight': `"BoxWeight unit" says g, kg: as it is in kg, or write { column: "Net weight", ${ofBox} }` },
    ],
    [
      'known by its unit, whatever else is called one',
      'Gewicht;Einheit;Einheit Gewicht',
      ['450.5;10;g', '3.5;20;kg', '2;5;kg'],
      'Gewicht',
    ],
    ['asked about where one unit is none', 'Gewicht;Gewicht Einheit', ['450.5;g', '3.5;kg', '2;Stk'], { Gewicht: '' }],
  ])('%s', async (_, header, rows, weight) => {
    expect(await weightOf(header, rows)).toEqual(weight);
  });
});

describe('decimals next to a column of units of weight may be it', () => {
  const write = 'number: true, times: { column: "GEWEI", map: { "G": 0.001, "KG": 1 } }';
  it.each([
    ['BRGEW;GEWEI', ['4.5;KG', '3.2;KG', '2.7;KG'], { BRGEW: '"GEWEI" says KG' }],
    [
      'LEER;BRGEW;GEWEI',
      [';450.5;G', ';320.5;G', ';270.5;KG'],
      { BRGEW: `"GEWEI" says G, KG: write { column: "BRGEW", ${write} }` },
    ],
    ['Gebühr;GEWEI', ['4.5;KG', '3.2;KG', '2.7;KG'], undefined],
    ['BRGEW;GEWEI', ['4;KG', '3;KG', '2;KG'], undefined],
  ])('%s', async (header, rows, weight) => {
    expect(await weightOf(header, rows)).toEqual(weight);
  });

  it('and is converted where a person chose it, whatever is empty before it', async () => {
    const rows = ['A1;Hammer;1.50;;450.5;G', 'A2;Saw;2.50;;320.5;KG'];
    const inspection = await inspectFile({ file: fileOf(['sku;name;price;LEER;BRGEW;GEWEI', ...rows].join('\n')) });
    const { yaml } = suggestMapping(inspection, known, '', new Map([['weight', 'BRGEW']]));
    expect(yaml).toContain(`weight: { column: "BRGEW", ${write} }`);
    expect(yaml).toContain('sku: "sku"   # A1\n');
  });

  it.each([
    [[450, 300, 200], { 'maat.nettogewicht': '' }],
    [[0, 0, 0], undefined],
  ])(
    'or may be it where its header says so among other words, and some are more than nothing: %j',
    async (numbers, weight) => {
      const records = numbers.map((nettogewicht, i) => ({
        ...{ sku: `A${i}`, name: ['Hammer', 'Saw', 'Pliers'][i], price: 1.5 + i },
        maat: { nettogewicht, eenheid: 'g' },
      }));
      expect((await suggested(JSON.stringify(records), 'feed.json')).asked['weight']).toEqual(weight);
    },
  );

  it.each([
    [{ gewicht: { waarde: 450.5, eenheid: 'gram' } }, 'gewicht.waarde'],
    [{ maat: { waarde: 2.5 }, gew: { eenheid: 'g' } }, undefined],
  ])('inside the same object: %j', async (more, weight) => {
    const records = ['Hammer', 'Saw', 'Pliers'].map((name, i) => ({ sku: `A${i}`, name, price: 1.5 + i, ...more }));
    const { fields, asked } = await suggested(JSON.stringify(records), 'feed.json');
    expect(fields['weight']).toBe(weight);
    expect(asked).not.toHaveProperty('weight');
  });
});
