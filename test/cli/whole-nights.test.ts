// The nightly page as a whole, with a server of feeds on loopback: a feed by its address, held against a contract and its
// guards, a stock feed that creates nothing, records that are no longer listed, and a hook at each end.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { givenFeedServer } from '../http/source/feed-server.js';
import { folder, typed } from './typed.js';

/** A barcode with its check digit. */
function barcode(number: number): string {
  const digits = `4006381${String(number).padStart(5, '0')}`;
  const sum = [...digits].reduce((all, digit, i) => all + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The export of an ERP. @param change changes the cells of a row */
function products(count: number, change: (row: string[], i: number) => string[] = (row) => row): string {
  const rows = Array.from({ length: count }, (_, i) =>
    change([`A-${i}`, 'EUR', `${10 + (i % 40)}.00`, '1', 'activated', barcode(i)], i),
  );
  return ['sku,currency,price,stock,status,ean', ...rows.map((row) => row.join(','))]
    .map((line) => `${line}\n`)
    .join('');
}

const config = `profiles:
  erp:
    feed: erp
    missing: suspend
    max-age: 26h
    expect:
      rows: [80, 150]
      columns: exact
      price: { filled: 99%, between: [1, 500] }
      ean: { check_digit: 99%, unique: true }
      warn: { stock: { between: [0, 50] } }
    products:
      on-end: cat >> ends.ndjson
      status-file: erp.prom
  stock:
    feed: stock
    products:
      on-end: cat >> ends.ndjson
      on-end-when: failure,change
`;

it('a week of nights', async () => {
  let [version, body, stock] = [1, products(100), 'sku,stock\n'];
  const server = await givenFeedServer(({ path, headers }, answer) => {
    if (path === '/stock.csv') return void answer.writeHead(200, { 'content-type': 'text/csv' }).end(stock);
    const about = { 'content-type': 'text/csv', etag: `"${version}"`, 'last-modified': new Date().toUTCString() };
    if (headers['if-none-match'] === about.etag) answer.writeHead(304, about).end();
    else answer.writeHead(200, about).end(body);
  });
  const cwd = folder({ 'catalog-import.yaml': config });
  const env = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'catalog-import-state-')), HOME: cwd };
  const type = (...args: string[]) => typed(cwd, args, { env });
  const night = async (feed: 'erp' | 'stock', ...more: string[]) => {
    const address = `${server.url}/${feed === 'erp' ? 'feed' : feed}.csv`;
    const { code, stdout, stderr } = await type(
      ...['products', address, '--profile', feed, '--output', 'ndjson', '--report', 'changed', ...more],
    );
    const lines = stdout
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { code, stderr, lines, summary: lines.at(-1) };
  };
  const deliver = (text: string): void => {
    [version, body] = [version + 1, text];
  };
  const ends = (): readonly {
    feed: string;
    exit: number;
    run: number;
    guards?: readonly { guard: string; passed: boolean }[];
  }[] =>
    existsSync(join(cwd, 'ends.ndjson'))
      ? readFileSync(join(cwd, 'ends.ndjson'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  const fieldsOf = async (sku: string) => JSON.parse((await type('get', 'product', '--sku', sku)).stdout);

  // Monday: the first run has nothing to be compared with, but for its contract.
  const monday = await night('erp');
  expect([monday.code, monday.stderr.includes('first_run')], monday.stderr).toEqual([0, true]);
  expect(monday.summary.guards.map((one: { guard: string; passed: boolean }) => [one.guard, one.passed])).toEqual(
    ['age', 'rows', 'columns', 'price.filled', 'price.between', 'ean.check_digit', 'ean.unique'].map((guard) => [
      guard,
      true,
    ]),
  );
  expect(ends()).toMatchObject([{ feed: 'erp', exit: 0, run: 1 }]);

  // Tuesday: nothing new at the address.
  const tuesday = await night('erp');
  expect([tuesday.code, tuesday.summary.unchanged]).toEqual([0, 100]);
  expect(tuesday.summary.warnings).toMatchObject([{ code: 'source_not_modified', params: { run: 1 } }]);

  // The shop's warehouse sends what it has, also of articles that are not for sale: nothing is created.
  expect((await type('feeds', 'set', 'stock', '--only', 'update')).code).toBe(0);
  stock = `sku,stock\n${Array.from({ length: 90 }, (_, i) => `A-${i},7\n`).join('')}Z-1,3\n`;
  const warehouse = await night('stock');
  expect([warehouse.code, warehouse.summary], warehouse.stderr).toMatchObject([
    0,
    { updated: 90, created: 0, unchanged: 1 },
  ]);
  expect(warehouse.summary.warnings.map(({ code }: { code: string }) => code)).toContain('items_left_out');
  expect(ends().at(-1)).toMatchObject({ feed: 'stock', exit: 0 });
  const told = ends().length;
  expect((await night('stock')).code).toBe(0);
  // Without a change or a failure its hook is not called.
  expect(ends()).toHaveLength(told);

  // Wednesday: prices in cents, and barcodes that a spreadsheet cut. Nothing is written, and the hook is told why.
  deliver(
    products(100, ([sku = '', currency = '', price = '', ...rest]) => [
      sku,
      currency,
      `${Number(price) * 100}.00`,
      ...rest.slice(0, 2),
      '40063810',
    ]),
  );
  const wednesday = await night('erp');
  expect(wednesday.code).toBe(8);
  for (const words of [
    '--expect: price: 100 of 100 values not between',
    '--expect: ean: 99 of 100 values repeated',
    '--max-price-change: ',
  ])
    expect(wednesday.stderr).toContain(words);
  const stopped = ends().at(-1);
  expect([stopped?.exit, stopped?.guards?.filter(({ passed }) => !passed).map(({ guard }) => guard)]).toEqual([
    8,
    expect.arrayContaining(['price.between', 'ean.check_digit', 'ean.unique', 'price_changed']),
  ]);
  expect(await fieldsOf('A-1')).toMatchObject({ price: '11.00', stock: 7, ean: barcode(1) });
  const status = readFileSync(join(cwd, 'erp.prom'), 'utf8');
  expect(status).toContain('catalog_import_last_exit_code{feed="erp"} 8\n');
  expect(status).toMatch(
    /catalog_import_guard_share\{feed="erp",resource="product",guard="price\.between",against="contract"\} 1\n/,
  );

  // Thursday: mended, with a few that are gone, and a stock that is only warned of.
  deliver(products(95, (row, i) => (i === 3 ? row.with(2, '9.00').with(3, '60') : row)));
  const thursday = await night('erp');
  expect(thursday.code, thursday.stderr).toBe(0);
  expect(thursday.summary.end).toMatchObject({ suspended: 5 });
  expect(thursday.summary.warnings.map(({ code }: { code: string }) => code)).toContain('expectation_missed');
  expect((await fieldsOf('A-97')).status).toBe('suspended');
  expect((await fieldsOf('A-3')).price).toBe('9.00');

  // Friday: a plan of the next export is held against the same contract; the file is too small.
  deliver(products(60));
  const plan = await type('plan', 'products', `${server.url}/feed.csv`, '--profile', 'erp', '--out', 'friday.plan');
  expect(plan.code, plan.stderr).toBe(8);
  expect(plan.stderr).toContain('--expect: rows: 60 rows (expected: 80 to 150)');
  expect(plan.stderr).toContain('--max-missing: ');
  expect((await type('runs', '--feed', 'erp', '--output', 'json')).stdout).toContain('"blocked"');
});
