// Prices for several pieces: what a suggestion says to write, and writes where a person has chosen the column.
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../../src/source/inspection/inspect-file.js';
import { suggestMapping } from '../../../../src/source/mapping/suggest/suggest-mapping.js';
import { fileOf } from '../../given.js';
import { known, suggested } from '../../suggested.js';

const feed = (header: string, ...rows: readonly string[]) =>
  ['Nr;Name', ...['A;Cup', 'B;Pot', 'C;Tin']].map((row, i) => `${row};${[header, ...rows][i]}\n`).join('');

/** The line of the price where the column was chosen. */
async function chosen(content: string, column: string) {
  const inspection = await inspectFile({ file: fileOf(content, 'feed.csv') });
  const { yaml } = suggestMapping(inspection, known, 'feed.csv', new Map([['price', column]]));
  return /^ {2}price: (.*?)(?: {3}#.*)?$/m.exec(yaml)?.[1];
}

const steps = (column: string, factor: string) => `{ column: "${column}", number: true, times: ${factor}, round: 2 }`;

describe('by the header', () => {
  it.each([
    ['Preis je 100 St. EUR', '100', '0.01'],
    ['Price per 1000 pcs', '1000', '0.001'],
    ['Price (10)', '10', '0.1'],
    ['Price/100', '100', '0.01'],
  ])('%s', async (header, pieces, factor) => {
    const content = feed(header, '150,50', '250,00', '350,00');
    const { asked } = await suggested(content);
    const line = steps(header, `{ value: "${factor}" }`);
    expect(asked['price']?.[header]).toContain(`for ${pieces} pieces: write ${line}`);
    expect(await chosen(content, header)).toBe(line);
  });

  it.each(['Preis je 100 g', 'Price per 100 ml', 'Price 100'])('not %s', async (header) => {
    expect(await chosen(feed(header, '150,50', '250,00', '350,00'), header)).toBe(JSON.stringify(header));
  });
});

describe('by a column', () => {
  it('that is called so', async () => {
    const content = feed('Preis;Preiseinheit', '150,50;100', '250,00;1', '350,00;100');
    const line = steps('Preis', '{ column: "Preiseinheit", map: { "100": 0.01, "1": 1 } }');
    expect((await suggested(content)).asked['price']?.['Preis']).toBe(
      `for the quantity in "Preiseinheit": 100, 1; if so, write ${line}`,
    );
    expect(await chosen(content, 'Preis')).toBe(line);
  });

  it.each([
    ['PE', ['100 Stk', '1 Stk', '100 STK'], '{ "100 STK": 0.01, "1 Stk": 1 }'],
    ['Preiseinheit', ['100 Stk', 'Stk', 'Stk'], '{ "100 Stk": 0.01, "Stk": 1 }'],
    ['Einheit', ['per 100', 'per 100', 'per 100'], '{ "per 100": 0.01 }'],
  ])('%s with words: %j', async (header, quantities, map) => {
    const content = feed(`Preis;${header}`, ...quantities.map((quantity, i) => `${i + 1}50,50;${quantity}`));
    const times = `{ column: "${header}", map: ${map} }`;
    expect((await suggested(content)).asked['price']?.['Preis']).toContain(`if so, write ${steps('Preis', times)}`);
  });

  it('not one that names pieces only', async () => {
    const content = feed('Preis;Einheit', '150,50;Stk', '250,00;Stk', '350,00;Stk');
    expect((await suggested(content)).asked['price']).toBeUndefined();
  });

  it('that may be another quantity, where a person says so', async () => {
    const content = feed('Preis;Menge X', '150,50;100', '250,00;1', '350,00;100');
    expect((await suggested(content)).asked['price']?.['Preis']).toContain('"Menge X": 100, 1; if so, write {');
    expect(await chosen(content, 'Preis')).toBe('"Preis"');
  });
});

it('by units below the header', async () => {
  const { asked } = await suggested(feed('Preis', 'EUR/100 St', '250,00', '350,00'));
  expect(asked['price']?.['Preis']).toContain(`for 100 pieces: write ${steps('Preis', '{ value: "0.01" }')}`);
});
