// What a question says about its candidates, and what else can be the answer.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const names = ['Red kettle', 'Oak table', 'Desk lamp', 'Steel cup', 'Tea tin', 'Arm chair'];
const table = (header: string, rows: readonly string[]) =>
  suggested([`Name;Preis;${header}`, ...rows.map((row, i) => `${names[i]};${i * 3 + 9},90;${row}`)].join('\n'));
/** What else can be the answer to the question about a field. */
const formOf = ({ questions }: Awaited<ReturnType<typeof suggested>>, field: string) =>
  questions.find((one) => one.field === field)?.form ?? '';

it('of two columns that say the same, that with values in more records is taken', async () => {
  const { fields } = await table('SKU;Gewicht kg;Weight kg', ['A;;1,5', 'B;2,5;2,5', 'C;;3,5', 'D;;4,5']);
  expect(fields).toMatchObject({ weight: 'Weight kg' });
});

it('each candidate is compared with the others', async () => {
  const rows = ['A1;9,90;8,90', 'A2;5,50;6,50', 'A3;4,50;4,00', 'A4;2,50;2,10'];
  const { asked } = await suggested(
    ['SKU;Name;Preis A;Preis B', ...rows.map((row, i) => row.replace(';', `;${names[i]};`))].join('\n'),
  );
  expect(asked['price']).toEqual({
    'Preis A': 'below "Preis B" in 1 of 4 records',
    'Preis B': 'below "Preis A" in 3 of 4 records',
  });
});

describe('records that share a key become one', () => {
  it('where some do', async () => {
    const keys = ['W1;B-0', 'W1;B-1', 'W2;B-2', 'W3;B-3', 'W4;B-4', 'W5;B-5'];
    const found = await table('ItemNo;Bin', keys);
    expect(Object.keys(found.asked['sku'] ?? {})).toEqual(['ItemNo', 'Bin']);
    expect(formOf(found, 'sku')).toContain('records that share it become one');
  });

  it('and it is not said where none do', async () => {
    const keys = ['254000115600;EB-00', '254000433301;EB-01', '254000377102;EB-02', '254000210003;EB-03'];
    const found = await table('Artikelnummer;Bestandseinheit', keys);
    expect(Object.keys(found.asked['sku'] ?? {})).toEqual(['Artikelnummer', 'Bestandseinheit']);
    expect(formOf(found, 'sku')).toBe('');
    expect(formOf(found, 'stock')).not.toContain('share it');
  });
});

describe('counts of places can be added up', () => {
  const stock = (stocks: (i: number) => object) =>
    suggested(
      JSON.stringify(names.map((name, i) => ({ sku: `A-${i}`, name, price: 9.5 + i, ...stocks(i) }))),
      'f.json',
    );

  it('where all are of one list of stocks', async () => {
    const found = await stock((i) => ({
      stocks: [
        { place: 'N', qty: i * 3 + 1 },
        { place: 'S', qty: i },
      ],
    }));
    expect(formOf(found, 'stock')).toContain('or all: { column: "stocks[].qty", take: sum }; ');
  });

  it.each([
    ['of one column', (i: number) => ({ stocks: [{ place: 'N', qty: i * 3 + 1 }] })],
    [
      'of another list',
      (i: number) => ({
        depots: [
          { place: 'N', free: i * 3 + 1 },
          { place: 'S', free: i },
        ],
      }),
    ],
  ])('and not %s', async (_, stocks) => {
    const found = await stock(stocks);
    expect(found.asked).toHaveProperty('stock');
    expect(formOf(found, 'stock')).not.toContain('or all:');
  });

  it('nor of columns', async () => {
    const found = await table('SKU;Bestand A;Bestand B', ['A1;4;7', 'A2;3;2', 'A3;8;8', 'A4;5;1']);
    expect(formOf(found, 'stock')).toMatch(/^or both together/);
  });
});
