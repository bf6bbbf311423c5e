// Prices that something else than their header says to be without tax are asked about.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const rows = ['A;Cup;1,50', 'B;Pot;2,50', 'C;Tin;3,50'];

describe('a title above the records', () => {
  const asked = async (title: string, header: string) =>
    (await suggested(`${title};;\nNr;Name;${header}\n${rows.join('\n')}\n`)).asked['price'];

  it.each([
    ['Alle Preise in CHF exkl. MWST', 'exkl mwst'],
    ['Preise zzgl. der gesetzlichen MwSt.', 'zzgl der gesetzlichen mwst'],
    ['Nettopreise gültig ab 1.1.2026', 'nettopreise'],
    ['Prix hors taxes', 'hors taxes'],
    ['Price list excl. VAT', 'excl vat'],
  ])('makes the price a question: %s', async (title, words) => {
    expect(await asked(title, 'Preis')).toEqual({ Preis: `the text around the records says ${words}` });
  });

  it.each(['Preise ohne Gewähr', 'Preise inkl. MwSt.', 'Preisliste 2026'])('does not: %s', async (title) => {
    expect(await asked(title, 'Preis')).toBeUndefined();
  });

  it('also as a note below the table', async () => {
    const { asked: questions } = await suggested(`Nr;Name;Preis\n${rows.join('\n')}\n;;\nAlle Preise zzgl. MwSt.;;\n`);
    expect(questions['price']).toEqual({ Preis: 'the text around the records says zzgl mwst' });
  });

  it.each(['Preis inkl. MwSt', 'Preis brutto', 'Nettopreis €'])(
    'says nothing of prices whose header says it: %s',
    async (header) => {
      expect(JSON.stringify(await asked('Preise exkl. MwSt.', header)) ?? '').not.toContain('around');
    },
  );

  it('makes prices a question of which only some say it', async () => {
    const { asked: questions } = await suggested(
      `Preise exkl. MwSt.;;;\nNr;Name;Preis;Preis inkl. MwSt\n${rows.map((row, i) => `${row};${i + 2},10`).join('\n')}\n`,
    );
    expect(questions['price']?.['Preis']).toContain('the text around the records says exkl mwst');
    expect(questions['price']?.['Preis inkl. MwSt']).not.toContain('around');
  });
});

describe('a column', () => {
  const asked = async (header: string, ...values: readonly string[]) =>
    (await suggested(`Nr;Name;Preis;${header}\n${rows.map((row, i) => `${row};${values[i]}`).join('\n')}\n`)).asked[
      'price'
    ];

  it.each([
    ['Netto/Brutto', ['N', 'N', 'N'], '"Netto/Brutto" says N: without tax'],
    ['Netto/Brutto', ['N', 'B', 'N'], '"Netto/Brutto" says N, B: without tax, or with it'],
    ['Preisart', ['netto', 'netto', 'netto'], '"Preisart" says netto: without tax'],
  ])('%s of %j makes the price a question', async (header, values, remark) => {
    expect(await asked(header, ...values)).toEqual({ Preis: remark });
  });

  it.each([
    ['Netto/Brutto', ['B', 'B', 'B']],
    ['Klasse', ['N', 'G', 'B']],
  ])('%s of %j does not', async (header, values) => {
    expect(await asked(header, ...values)).toBeUndefined();
  });
});
