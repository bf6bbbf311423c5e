// `prices` and `--include lowest_price_30d`, by every way to name a product, locally and over HTTP.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typed } from './typed.js';

const feed = (...rows: readonly string[]): string => `sku,currency,status,price,price_compare\n${rows.join('\n')}\n`;

/** A shop whose lamp came by a run, changed without history, and by a run again, which was undone. */
async function shop(): Promise<string> {
  const cwd = folder({
    'a.csv': feed('LAMP,EUR,activated,100.00,'),
    'b.csv': feed('LAMP,EUR,activated,80.00,'),
    'c.csv': feed('LAMP,EUR,activated,70.00,90.00'),
  });
  for (const args of [['a.csv', '--feed', 'erp'], ['b.csv', '--no-history'], ['c.csv']])
    expect((await typed(cwd, ['products', ...args, '-q'])).code).toBe(0);
  return cwd;
}

async function json(cwd: string, ...args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await typed(cwd, [...args, '--output', 'json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

describe('prices', () => {
  it('tells each price with its run, feed, file and line, and what no run tells', async () => {
    const cwd = await shop();
    const amounts = { currency: 'EUR', status: 'activated', field: 'price', unknown: null };
    const unknown = { run: null, price: null, line: null, file: '', feed: '' };
    expect(await json(cwd, 'prices', 'product', 'LAMP')).toMatchObject([
      { ...amounts, price: '70.00', price_compare: '90.00', until: null, run: 2, file: 'c.csv', line: 2, feed: '' },
      { ...amounts, price: '80.00', price_compare: null, run: null },
      { ...unknown, unknown: 'not_recorded' },
      { ...unknown, since: null, unknown: 'before_catalog' },
    ]);
    // The lowest price does not depend on the history of runs.
    expect(await json(cwd, 'get', 'product', 'LAMP', '--include', 'lowest_price_30d')).toMatchObject({
      lowest_price_30d: '80.00',
      lowest_price_30d_known_days: 0,
    });
  });

  it('a price whose run was undone applied as long as it was there', async () => {
    const cwd = await shop();
    expect((await typed(cwd, ['undo', '2'])).code).toBe(0);
    expect(await json(cwd, 'prices', 'product', 'LAMP')).toMatchObject([
      { price: '80.00', run: 3, command: 'undo 2', file: '', line: null },
      { price: '70.00', run: 2 },
      { price: '80.00' },
      { price: null },
      { price: null },
    ]);
    expect(await json(cwd, 'get', 'product', 'LAMP', '--include', 'lowest_price_30d')).toMatchObject({
      ...{ lowest_price_30d: '70.00', reduced_since: null },
    });
  });

  it('the prices of its currency count, also after a run in another one that was undone', async () => {
    const prices = ['EUR,activated,100.00,', 'EUR,activated,60.00,', 'EUR,activated,100.00,', 'USD,activated,100.00,'];
    const cwd = folder({ 'sale.csv': 'sku,price,price_compare\nLAMP,80.00,100.00\n' });
    for (const row of prices) {
      writeFileSync(join(cwd, 'a.csv'), feed(`LAMP,${row}`));
      expect((await typed(cwd, ['products', 'a.csv', '-q'])).code).toBe(0);
    }
    expect(await json(cwd, 'get', 'product', 'LAMP', '--include', 'lowest_price_30d')).toMatchObject({
      ...{ currency: 'USD', lowest_price_30d: '100.00' },
    });
    expect((await typed(cwd, ['undo', '4'])).code).toBe(0);
    const sale = ['products', 'sale.csv'];
    for (const args of [
      [...sale, '--dry-run'],
      ['plan', ...sale, '--out', 'sale.plan'],
      ['apply', 'sale.plan'],
    ])
      expect((await typed(cwd, args)).stdout).toMatch(/compare_above_lowest\n.*"100\.00" is above 60\.00/);
    expect(await json(cwd, 'get', 'product', 'LAMP', '--include', 'lowest_price_30d')).toMatchObject({
      ...{ currency: 'EUR', lowest_price_30d: '60.00', lowest_price_30d_known_days: 0 },
    });
  });

  it('takes every name of a product that get takes, and the forms that list has', async () => {
    const cwd = await shop();
    const { id } = (await json(cwd, 'get', 'product', 'LAMP')) as { id: string };
    const found = await json(cwd, 'prices', 'products', 'LAMP');
    for (const name of [['--sku', 'LAMP'], ['--external-id', 'LAMP'], ['--id', id], [id]])
      expect(await json(cwd, 'prices', 'product', ...name)).toEqual(found);
    const lines = (await typed(cwd, ['prices', 'product', 'LAMP', '--output', 'ndjson'])).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(found);
    const csv = (await typed(cwd, ['prices', 'product', 'LAMP', '--output', 'csv'])).stdout;
    expect(csv).toMatch(/^field,since,until,price,.*\nprice,\d+,,70\.00,90\.00,EUR,activated,2,products,,c\.csv,2,\n/);
    const table = await typed(cwd, ['prices', 'product', 'LAMP', '--since', '2100-01-01']);
    expect(table.stdout).toMatch(
      /70\.00 EUR +90\.00 +activated +2 +- +c\.csv:2\n\nLowest price of the 30 days before .*: 80\.00 EUR\. 0 of/,
    );
    for (const [args, code] of [
      [['product', 'NONE'], 9],
      [['category', 'LAMP'], 2],
      [['product'], 2],
    ] as const)
      expect((await typed(cwd, ['prices', ...args])).code).toBe(code);
  });

  it('a product with grades has the prices of each', async () => {
    const graded = (price: string) =>
      JSON.stringify([
        {
          sku: 'P',
          currency: 'EUR',
          status: 'activated',
          grades: [
            { grade: 'new', price },
            { grade: 'poor', price: '50.00' },
          ],
        },
      ]);
    const cwd = folder({ 'a.json': graded('90.00'), 'b.json': graded('40.00') });
    for (const file of ['a.json', 'b.json']) await typed(cwd, ['products', file, '-q']);
    expect(await json(cwd, 'prices', 'product', 'P')).toMatchObject([
      { field: 'price', price: '40.00', run: 2 },
      { field: 'price', price: '50.00', run: 1 },
      { field: 'price', price: null, unknown: 'before_catalog' },
      { field: 'grades[new].price', price: '40.00', run: 2 },
      { field: 'grades[new].price', price: '90.00', run: 1 },
      { field: 'grades[poor].price', price: '50.00', run: 1 },
    ]);
  });
});

describe('--include', () => {
  it('adds columns to a table and to CSV, and an unknown word is refused', async () => {
    const cwd = await shop();
    const include = ['list', 'products', '--include', 'lowest_price_30d'];
    expect((await typed(cwd, include)).stdout).toMatch(
      /stock +lowest_price_30d +.*\nLAMP .* 0 +80\.00 +0 +[-\d]+ [:\d]+ [+-][:\d]+\n/,
    );
    expect((await typed(cwd, [...include, '--output', 'csv'])).stdout).toMatch(
      /,lowest_price_30d_known_days,reduced_since\n.*,80\.00,0,\d+\n/,
    );
    const wrong = await typed(cwd, ['list', 'products', '--include', 'lowest_price_30']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean lowest_price_30d?')]);
    expect((await typed(cwd, ['list', 'categories', '--include', 'lowest_price_30d'])).code).toBe(2);
  });
});
