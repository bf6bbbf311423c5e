// Which columns hold amounts, so that the right price is always among those that a question names.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const csv = (header: string, ...rows: readonly string[]) =>
  suggested([`SKU;Name;${header}`, ...rows.map((row, i) => `P-${i};Lamp ${i};${row}`)].join('\n'));
const prices = async (header: string, ...rows: readonly string[]) =>
  Object.keys((await csv(header, ...rows)).asked['price'] ?? {});

describe('amounts are', () => {
  it('those with digits grouped as in India, and the mapping says how they are read', async () => {
    const { fields, yaml } = await csv('MRP;DP', '2,34,438.00;39358.50', '6,15,350.00;59259.50');
    expect(fields).toMatchObject({ price: 'MRP' });
    expect(yaml).toContain('price: { column: "MRP", number: { grouping: indian } }');
  });

  it('those of a question, which says how they are read', async () => {
    const { asked } = await csv('Retail;Memo price', '2,34,438.00;39358.50', '6,15,350.00;59259.50');
    expect(asked['price']?.['Retail']).toContain('write { column: "Retail", number: { grouping: indian } }');
  });

  it('those with a dash for their cents', async () => {
    expect(await prices('Retail;Memo price', '1,393.-;266.-', '2,100.-;366.-')).toEqual(['Memo price', 'Retail']);
  });

  it('whole numbers with a currency below a header that names no more than a tax', async () => {
    const { fields } = await csv('Nákupní cena bez DPH;MOC s DPH', '3014,14;4823 Kč', '2172,43;3476 Kč');
    expect(fields).toMatchObject({ price: 'MOC s DPH' });
  });
});

it.each([
  ['Preis Portion', 'Preis 10 g'],
  ['Portion price', 'Price/kg'],
  ['Import price', 'Price/kg'],
])('%s names no carriage', async (header, other) => {
  expect(await prices(`${header};${other}`, '1.95;0.65', '2.45;0.80')).toContain(header);
});

it.each(['Portokosten', 'Frais de port', 'Transportkosten', 'Port'])('%s does', async (header) => {
  expect(await prices(`${header};Menge 1`, '3.95;12.50', '4.95;13.50')).not.toContain(header);
});

it('a column that is called a price stands next to candidates none of which plainly is it', async () => {
  expect(await prices('VK inkl. Pfand;Preis je kg', '1.95;0.65', '2.45;0.80')).toEqual([
    'Preis je kg',
    'VK inkl. Pfand',
  ]);
});
