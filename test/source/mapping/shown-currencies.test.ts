// Amounts that a workbook shows with a currency: the one of its format counts as one that is written in a text cell does.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from '../../cli/typed.js';
import { workbookOf } from '../given-zip.js';

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
/** The first style of a format that is given to `workbookOf`. */
const first = 4;

/** A workbook of two products, whose prices have these formats. */
const bookOf = (formats: readonly string[]) => {
  const header = ['sku', 'name', 'price', 'weight'].map(text).join('');
  const rows = ['9.5', '12'].map(
    (price, i) =>
      `<row r="${i + 2}">${text(`A-${i}`)}${text('Cup')}<c s="${first + i}"><v>${price}</v></c><c><v>0.5</v></c></row>`,
  );
  return workbookOf({ X: `<row r="1">${header}</row>${rows.join('')}` }, [], { formats });
};

interface ReportLine {
  readonly action: string;
  readonly code: string | null;
  readonly reason: string | null;
}

/** The lines of the report on an import of this workbook. */
async function imported(formats: readonly string[], options: readonly string[] = [], map?: string) {
  const cwd = folder({ 'map.yaml': map ?? '' });
  const at = (name: string) => join(cwd, name);
  writeFileSync(at('feed.xlsx'), bookOf(formats));
  const mapped = map === undefined ? [] : ['--map', at('map.yaml')];
  const run = async (file: string) => {
    const given = ['--db', at('c.db'), '--output', 'json', '--refused-file', at(`refused-${file}.csv`)];
    const { stdout } = await typedHere(['products', at(file), ...given, ...mapped, ...options]);
    return JSON.parse(stdout).response.data.map(({ action, code, reason }: ReportLine) => [action, code, reason]);
  };
  const get = async (sku: string) =>
    JSON.parse((await typedHere(['get', 'product', '--sku', sku, '--db', at('c.db'), '--output', 'json'])).stdout);
  return {
    at,
    get,
    lines: await run('feed.xlsx'),
    refused: () => readFileSync(at('refused-feed.xlsx.csv'), 'utf8'),
    run,
  };
}

const map = 'to: products\nset: { currency: EUR }\nfields: { sku: sku, name: name, price: price }\n';

describe('a currency in the format of an amount', () => {
  it.each([
    ['#,##0.00 "CHF"', 'CHF'],
    ['[$USD] #,##0.00', 'USD'],
    ['"Fr." #,##0.00', 'Fr'],
    ['[$£-809]#,##0.00', '£'],
    ['#,##0.00\\ [$kr-41D]', 'kr'],
  ])('%s refuses the product that is in another one', async (format, written) => {
    for (const one of [
      await imported([format, format], ['--set', 'currency=EUR']),
      await imported([format, format], [], map),
    ]) {
      expect(one.lines).toEqual(
        ['9.50', '12'].map(() => [
          'refused',
          'currency_mismatch',
          expect.stringMatching(
            `^price: column "price": "(9.50|12(.00)?) [${written}]+" names [${written}]+, and the currency of the (product|item) is EUR`,
          ),
        ]),
      );
    }
  });

  it.each(['#,##0.00 "€"', '#,##0.00\\ [$€-407]', '[$EUR] #,##0.00', '#,##0.00', '#,##0.00 "netto"'])(
    '%s takes the product that is in it',
    async (format) => {
      expect((await imported([format, format], ['--set', 'currency=EUR'])).lines).toEqual([
        ['created', null, null],
        ['created', null, null],
      ]);
      expect((await imported([format, format], [], map)).lines).toEqual([
        ['created', null, null],
        ['created', null, null],
      ]);
    },
  );

  it('is the currency of the product where the mapping takes it from the amount', async () => {
    const taken = 'to: products\nfields: { sku: sku, price: price, currency: { from: price } }\n';
    const { lines, get } = await imported(['#,##0.00 "CHF"', '#,##0.00 "€"'], [], taken);
    expect(lines.map(([action]: [string]) => action)).toEqual(['created', 'created']);
    expect([await get('A-0'), await get('A-1')]).toMatchObject([
      { price: '9.50', currency: 'CHF' },
      { price: '12.00', currency: 'EUR' },
    ]);
  });

  it('concerns the amount that has it', async () => {
    const { lines } = await imported(['#,##0.00 "€"', '#,##0.00 "CHF"'], [], map);
    expect(lines.map(([action]: [string]) => action)).toEqual(['created', 'refused']);
  });

  it('is in the file of refused rows, so that they are refused again until it is corrected', async () => {
    const { refused, run } = await imported(['#,##0.00 "CHF"', '#,##0.00 "€"'], [], map);
    expect(refused()).toContain('A-0,Cup,9.50 CHF,');
    expect((await run('refused-feed.xlsx.csv')).map(([, code]: [string, string]) => code)).toEqual([
      'currency_mismatch',
    ]);
  });

  it.each(['.', ','])(
    'is in the file of refused rows without a mapping, too, with the decimal sign %s',
    async (sign) => {
      const options = ['--set', 'currency=EUR', '--decimal', sign];
      const { refused, run } = await imported(['#,##0.00 "CHF"', '#,##0.00 "€"'], options);
      expect(refused()).toContain(sign === '.' ? 'A-0,Cup,9.50 CHF,' : 'A-0,Cup,"9,50 CHF",');
      const again = await run('refused-feed.xlsx.csv');
      expect(again).toEqual([['refused', 'currency_mismatch', expect.stringContaining('"9.50 CHF" names CHF')]]);
    },
  );

  it('of a refused row is read where it fits, and texts of the row stay as they are', async () => {
    const { at, run } = await imported(['0', '0'], ['--set', 'currency=CHF']);
    writeFileSync(
      at('sent.csv'),
      'sku,name,price,_line,_code,_reason\nB,5 EUR,9.50 CHF,2,x,y\nC,Cup,1.2.3 CHF,3,x,y\n',
    );
    const lines = await run('sent.csv');
    expect(lines.map(([action, code]: [string, string]) => code ?? action)).toEqual(['created', 'field_format']);
    writeFileSync(at('first.csv'), 'sku,name,price\nB,5 EUR,9.50 CHF\n');
    expect((await run('first.csv')).map(([, code]: [string, string]) => code)).toEqual(['field_format']);
  });
});
