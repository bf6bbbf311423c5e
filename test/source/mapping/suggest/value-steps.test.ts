// Steps of a suggestion that the values of a column ask for.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

describe('times that are no seconds are read as what they are', () => {
  const serial = 'number: true, plus: { value: "-25569" }, times: { value: "86400" }, round: 0';

  it.each([
    ['days of a spreadsheet', ['45992', '45993'], `{ column: "created_at", ${serial} }`],
    ['days with their time', ['45992.25', '45993.5'], `{ column: "created_at", ${serial} }`],
    ['digits of a date', ['20261120', '20261121'], '{ column: "created_at", date: YYYYMMDD }'],
    ['milliseconds', ['1764403200123', '1764403200999'], '{ column: "created_at", number: true, shift: -3, round: 0 }'],
    ['seconds', ['1764403200', '1764403201'], '"created_at"'],
    ['digits of no date', ['20261320', '20261321'], '"created_at"'],
  ])('%s', async (_, values, line) => {
    const rows = values.map((value, i) => `A-${i},Cup ${i},1.50,EUR,${value}\n`).join('');
    const { yaml } = await suggested(`sku,name,price,currency,created_at\n${rows}`);
    expect(yaml).toContain(`  created_at: ${line}   # ${values[0]}\n`);
  });
});

describe('what a spreadsheet or a system did to values is undone', () => {
  const replaced = `replace: { pattern: '^(\\d{11})$', with: "0$1" }`;

  it.each([
    ['a zero that several barcodes lost', 'EAN', ['36000291452', '12345678905', '4006381333931'], replaced],
    ['a zero that one of them lost', 'EAN', ['36000291452', '4006381333900', '4006381333931'], undefined],
    ['no zero of other numbers', 'Nummer', ['36000291452', '12345678905'], undefined],
    [
      'an apostrophe before a barcode',
      'EAN',
      ["'4006381333931", '4006381333900', '4006381333979'],
      'apostrophe: strip',
    ],
    ['no apostrophe of barcodes', 'EAN', ['4006381333931', '4006381333900', '4006381333979'], undefined],
    ['an apostrophe before all values', 'Nummer', ["'1001", "'1002"], 'apostrophe: strip'],
    ['not one before some', 'Nummer', ["'1001", '1002'], undefined],
    ['not one before the only value', 'Nummer', ["'1001"], undefined],
    ['entities in a name', 'Name', ['Tee &amp; Milch', 'Kies fein'], 'html: strip'],
    ['no entities in a key', 'Nummer', ['A&amp;1', 'A2'], undefined],
    [
      'pounds in the header of a weight',
      'weight_lbs',
      ['3', '4.5', '2'],
      'number: true, times: { value: "0.45359237" }, round: 3',
    ],
  ])('%s', async (_, header, values, step) => {
    const columns = ['Nummer', 'Name', 'Preis'].filter((one) => one !== header);
    const rows = values.map((value, i) =>
      [
        ...columns.map((one) => (one === 'Nummer' ? `A-${i}` : one === 'Name' ? `Sand ${'abc'[i]}` : `${i},50`)),
        `"${value}"`,
      ].join(';'),
    );
    const { yaml } = await suggested([[...columns, header].join(';'), ...rows].join('\n'));
    const column = JSON.stringify(header);
    expect(yaml).toContain(`: ${step === undefined ? column : `{ column: ${column}, ${step} }`}   # ${values[0]}`);
  });
});
