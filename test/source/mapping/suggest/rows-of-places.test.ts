// Rows of one key that differ in a place and a quantity: what is asked about them, and that the remedies do what they say.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const csv = (header: string, ...rows: readonly string[]) => suggested([header, ...rows].join('\n'));

describe('rows of one key that differ in a place and a quantity', () => {
  it.each([
    ['few', 2],
    ['many', 9],
  ])('are asked about with what adds them up, and what keeps one of them: %s', async (_, count) => {
    const rows = Array.from({ length: count }, (_, i) => [
      `A${i};Lamp ${i};OWN;${i};12,50`,
      `A${i};Lamp ${i};SUPPLIER;${100 + i};12,50`,
    ]);
    const { fields, asked } = await csv('SKU;Name;Warehouse;Qty;Price', ...rows.flat());
    expect(fields).not.toHaveProperty('sku');
    expect(fields).not.toHaveProperty('stock');
    expect(asked['sku']?.['SKU']).toContain('its rows differ in "Warehouse"; ');
    expect(asked['stock']).toEqual({
      Qty:
        'rows of one "SKU" differ in "Warehouse": for all write rows: "SKU" above the fields, and here ' +
        '{ column: "Qty", aggregate: sum }; for one keep: { of: "Warehouse", is: "OWN" }',
    });
  });

  it('are asked about by the key that they share, next to a number of their own', async () => {
    const rows = ['A1;North;3', 'A1;South;4', 'A2;North;5', 'A2;South;6', ';North;7'];
    const { asked } = await csv(
      'Row ID;Name;Price;SKU;Place;Qty',
      ...rows.map((row, i) => `R${i};Lamp ${i};${i + 9},50;${row}`),
    );
    expect(Object.keys(asked['sku'] ?? {})).toEqual(['Row ID', 'SKU']);
    expect(asked['stock']?.['Qty']).toContain('rows of one "SKU" differ in "Place"');
  });

  it.each([
    [
      'the quantity is the same',
      ['A1;Lamp;de;3;12,50', 'A1;Lamp;fr;3;12,50', 'A2;Desk;de;4;9,50', 'A2;Desk;fr;4;9,50'],
    ],
    ['no place occurs again', ['A1;Lamp;de;3;12,50', 'A1;Lamp;fr;4;12,50', 'A2;Desk;it;4;9,50', 'A3;Bed;es;4;9,50']],
  ] as const)('but not where %s', async (_, rows) => {
    expect((await csv('SKU;Name;Place;Qty;Price', ...rows)).fields).toMatchObject({ stock: 'Qty' });
  });
});
