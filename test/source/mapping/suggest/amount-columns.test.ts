// Which columns hold amounts, so that the right price is always among those that a question names.
import { describe, expect, it } from 'vitest';
import {
  isAmounts,
  isLongCode,
  isPriced,
  mayBeCodes,
  mayBeWholeAmounts,
} from '../../../../src/source/mapping/suggest/amount-columns.js';
import { moneyRole } from '../../../../src/source/mapping/suggest/read-header.js';
import { suggested } from '../../suggested.js';
import { columnOf } from './profiles.js';

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

it.each([
  // Half of them are numbers where the header says that they are prices, a fifth where it is the field's own name.
  ['Preis', ['9,90', 'on request'], true],
  ['Preis', ['9,90', 'on request', 'on request'], false],
  ['price', ['9.90', 'a', 'b', 'c', 'd'], true],
  ['price', ['9.90', 'a', 'b', 'c', 'd', 'e'], false],
  // Else nine of ten, half of them with cents.
  ['Wert', ['1,50', '2,50', '3,50', '4,50', '5,50', '6,50', '7,50', '8,50', '9,50', 'none'], true],
  ['Wert', ['1,50', '2,50', '3,50', '4,50', '5,50', '6,50', '7,50', '8,50', 'none', 'none'], false],
  ['Wert', ['1,50', '2'], true],
  ['Wert', ['1,50', '2', '3'], false],
  ['Wert', ['0,00', '9,90'], true],
  ['Wert', ['-1,50', '9,90'], false],
  ['Wert', ['-1,50', '-9,90'], false],
  ['Preis', ['0012', '0013'], false],
  ['Preis', ['0012', '19,90'], true],
])('whether %s of %j holds amounts: %s', (header, values, is) => {
  expect(isAmounts(columnOf(header, values), moneyRole(header))).toBe(is);
});

it.each([
  [['1 EUR', '2'], true],
  [['1 EUR', '2', '3'], false],
  [['12.-', '15.-'], true],
  [['1', '2'], false],
  [['F1', 'R2'], false],
  [['F12', '12 EUR'], true],
])('whether %j are written as money: %s', (values, is) => expect(isPriced(columnOf('x', values))).toBe(is));

it.each([
  ['HS code', ['123456', '234567'], true],
  ['HS code', ['12345', '23456'], false],
  ['HS code', ['123456'], false],
  ['HS code', ['123456', '1234567'], false],
  ['HS code', ['123000', '234000'], false],
  ['Price', ['123456', '234567'], false],
])('whether %s of %j is a long code: %s', (header, values, is) => {
  expect(isLongCode(columnOf(header, values))).toBe(is);
});

it.each([
  ['Price group', ['1', '99'], true],
  ['Price group', ['1', '100'], false],
  ['Price group', ['1 EUR', '2 EUR'], false],
  ['Price', ['1', '99'], false],
])('whether %s of %j may be codes: %s', (header, values, is) => expect(mayBeCodes(columnOf(header, values))).toBe(is));

it('whole numbers may be amounts where most of them are different', () => {
  expect(mayBeWholeAmounts(columnOf('Betrag', ['1990', '4900', '990', '1990']))).toBe(true);
  expect(mayBeWholeAmounts(columnOf('Betrag', ['1990', '4900', '4900', '1990']))).toBe(false);
});
