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
