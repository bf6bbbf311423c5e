// The decimal sign of a suggestion, by the amounts of the file: a thousand times too much is never a guess.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

/** The suggestion for a file of products with the given columns. */
const feed = (header: string, rows: readonly string[]) =>
  suggested([`Code;Name;${header}`, ...rows.map((row, i) => `A-${i};${['Cup', 'Pot', 'Tin'][i]};${row}`)].join('\n'));

describe('the decimal sign', () => {
  it.each([
    [',', '2 amounts have a decimal comma, none a point', 'Preis', ['10,50', '1.009,95']],
    ['.', '1 amount has a decimal point, none a comma', 'Preis', ['10.50', '9', '1,234']],
    [',', '1 amount has a decimal comma, none a point', 'Preis;UVP', ['10;12,50', '9;12']],
    [',', '1 amount has a decimal comma, none a point', 'Preis;Gewicht', ['10;1,25', '9;2']],
    [',', 'in amounts such as 2.000.000 points group thousands', 'Preis', ['1.250', '2.000.000']],
    ['.', 'in amounts such as 2,000,000 commas group thousands', 'Preis', ['1,250', '2,000,000']],
    [',', 'in amounts such as 1.250.000 points group thousands', 'Preis;Bestand', ['1.250.000;12', '2.000.000;4']],
    [undefined, '1 amount has a decimal point, 2 a comma: each is read by itself', 'Preis', ['1.5', '2,5', '3,5']],
    [undefined, 'no amount has decimals', 'Preis', ['10', '9']],
    [undefined, 'no amount has decimals', 'Preis', ['1,000,000', '2.000.000']],
    [undefined, 'no column is known to have amounts', 'Länge', ['1,5', '2,5']],
    [undefined, '"Preis" has amounts that are read in no way', 'Preis', ['10', '9', '8,50 x 2']],
    [undefined, 'no amount has decimals', 'Preis;Länge', ['10;1,5', '9;2,5']],
  ] as const)('is %s: %s', async (sign, why, header, rows) => {
    const { decimal, decimalWhy, questions } = await feed(header, rows);
    expect([decimal, decimalWhy]).toEqual([sign, why]);
    expect(questions.map(({ field }) => field)).not.toContain('decimal');
  });

  it.each([
    ['Preis', ['1.250', '2.000', '3'], ['1.250 is 1.250', '1.250 is 1250'], '1.250'],
    ['Preis;Bestand', ['10;2', '9;1.300', '8;2.405'], ['1.300 is 1.300', '1.300 is 1300'], '1.300'],
    ['Preis', ['EUR 12,345', 'EUR 9'], ['12,345 is 12345', '12,345 is 12.345'], 'EUR 12,345'],
    ['Preis;Gewicht', ['10;2', '9;1.300', '8;2.405'], ['1.300 is 1.300', '1.300 is 1300'], '1.300'],
    ['Preis', ['1.250', '2,000', '1.000.000', '2,000,000'], ['1.250 is 1.250', '1.250 is 1250'], '1.250'],
  ] as const)('is asked where amounts could have either: %s of %j', async (header, rows, relations, written) => {
    const { decimal, decimalWhy, questions } = await feed(header, rows);
    const asked = questions.find(({ field }) => field === 'decimal');
    expect(asked?.candidates).toEqual(['.', ','].map((value, i) => ({ value, relation: relations[i] })));
    expect(decimal).toBeUndefined();
    expect(decimalWhy).toMatch(/^\d amounts such as .* could have either: set decimal:$/);
    expect(decimalWhy).toContain(` such as ${written} `);
  });
});

describe('quantities with the other sign than the prices', () => {
  const rows = (...counts: readonly string[]) => counts.map((count, i) => `1${i},50;${count}`);

  it.each(['Bestand', 'Mindestbestand', 'Gewicht (kg)'])('are asked about: %s', async (header) => {
    const { fields, asked } = await feed(`Preis;${header}`, rows('1.300', '2.400'));
    expect(Object.values(fields)).not.toContain(header);
    expect(Object.values(asked).find((one) => header in one)?.[header]).toContain(
      `1.300 is read with "." for thousands; for decimals write { column: "${header}", number: { decimal: "." } }`,
    );
  });

  it('are asked about where all of them would be refused', async () => {
    const { fields, asked } = await feed('Preis;Bestand', rows('12.0', '3.0'));
    expect(fields).not.toHaveProperty('stock');
    expect(asked['stock']?.['Bestand']).toContain(
      '12.0 has another decimal sign than the prices: write { column: "Bestand", number: { decimal: "." } }',
    );
    expect((await feed('Preis;Bestand', rows('12', '3'))).fields).toMatchObject({ stock: 'Bestand' });
  });

  it('are asked about where their signs differ', async () => {
    expect((await feed('Preis;Bestand', rows('1.300', '1,400'))).asked).toHaveProperty('stock');
  });

  it.each([
    ['some have no sign', 'Bestand', rows('1.300', '12')],
    ['some group twice', 'Bestand', rows('1.300', '1.300.000')],
    ['they have that of the prices', 'Bestand', rows('1,000', '2,000')],
    ['all of them group', 'Bestand', rows('1.300.000', '2.300.000')],
    ['it is another decimal sign', 'Gewicht (kg)', rows('0.5', '1.25')],
  ] as const)('are certain where %s', async (_, header, lines) => {
    expect((await feed(`Preis;${header}`, lines)).fields).toMatchObject({
      [header === 'Bestand' ? 'stock' : 'weight']: header,
    });
  });
});
