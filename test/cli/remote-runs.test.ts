// Runs of imports into a remote, as its ledger shows them: with the client's file, lines and end; and several feeds at once.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flakyProxy } from '../http/client/flaky-proxy.js';
import { type GivenServer, givenServer } from '../http/server/given-server.js';
import { outcome, start, typedAsProcess } from './started.js';
import { folder, typedHere } from './typed.js';

let server: GivenServer;
const path = folder();

beforeAll(async () => {
  server = await givenServer();
});
afterAll(() => server.stop());

const off = ['--max-missing', 'off', '--max-created', 'off', '--max-price-change', 'off'];

/** Imports a file of products over HTTP. */
function sent(name: string, text: string, ...options: string[]) {
  writeFileSync(join(path, name), text);
  const target = ['--remote', server.server.url, ...off];
  return typedHere(['products', join(path, name), ...target, ...options], { CATALOG_API_KEY: server.key });
}

const local = (...args: string[]) => typedHere([...args, '--db', server.file]);

/** The field of a product. */
async function productField(sku: string, field: string): Promise<unknown> {
  return JSON.parse((await local('get', 'product', '--sku', sku)).stdout)[field];
}

describe('runs over HTTP', () => {
  it('name the file and the line of every change, and end', async () => {
    const rows = Array.from({ length: 95 }, (_, i) => `H-${i},EUR,${i}.00`);
    expect((await sent('first.csv', `sku,currency,price\n${rows.join('\n')}\n`, '--feed', 'shop')).code).toBe(0);
    // A refused row in between, and a record over two lines, so that the lines of a request have gaps.
    const changed = rows.map((row, i) => (i === 3 ? 'H-3,EUR,wrong' : row.replace('.00', '.50')));
    changed.splice(10, 0, 'H-X,EUR,"1"', '"H-\nY",EUR,1');
    expect((await sent('second file.csv', `sku,currency,price\n${changed.join('\n')}\n`, '--feed', 'shop')).code).toBe(
      3,
    );
    const runs = JSON.parse((await local('runs', '--feed', 'shop', '--output', 'json')).stdout);
    expect(runs).toMatchObject([
      { run: 1, state: 'done', exit: 0, created: 95, file: 'first.csv' },
      { run: 2, state: 'done', updated: 94, created: 2, file: 'second file.csv' },
    ]);
    for (const { started, ended } of runs) expect(ended).toBeGreaterThanOrEqual(started);
    // The request that ends a run is no further file.
    expect((await local('runs', '--feed', 'shop')).stdout).toMatch(/POST first\.csv *\n.*POST second file\.csv *\n$/);
    const lineOf = async (sku: string): Promise<unknown> => {
      const { stdout } = await local('why', 'product', '--sku', sku, '--field', 'price', '--output', 'json');
      return JSON.parse(stdout).map(({ file, line }: { file: string; line: number }) => `${file}:${line}`);
    };
    expect(await lineOf('H-0')).toEqual(['second file.csv:2', 'first.csv:2']);
    expect(await lineOf('H-94')).toEqual(['second file.csv:99', 'first.csv:96']);
    expect(await lineOf('H-3')).toEqual(['first.csv:5']);
    expect((await local('undo', '2')).stdout).toMatch(/^96 items: 94 restored, 2 suspended, 0 kept/);
  });

  it('end, too, where --changed-only sends a part of the file', async () => {
    await sent('daily.csv', 'sku,currency,price\nD-1,EUR,1\nD-2,EUR,2\n', '--feed', 'daily', '--changed-only');
    await sent('daily.csv', 'sku,currency,price\nD-1,EUR,1\nD-2,EUR,3\n', '--feed', 'daily', '--changed-only');
    const runs = JSON.parse((await local('runs', '--feed', 'daily', '--output', 'json')).stdout);
    const done = { state: 'done', exit: 0, ended: expect.any(Number) };
    expect(runs).toMatchObject([
      { ...done, created: 2 },
      { ...done, updated: 1, unchanged: 0 },
    ]);
    // Without a feed, too; and where a part of the file was asked for.
    await sent('other.csv', 'sku,currency,price\nD-3,EUR,1\n', '--changed-only');
    await sent('other.csv', 'sku,currency,price\nD-3,EUR,2\nD-4,EUR,2\n', '--limit', '1');
    const others = JSON.parse((await local('runs', '--output', 'json')).stdout).slice(-2);
    expect(others).toMatchObject([
      { ...done, file: 'other.csv', created: 1 },
      { ...done, file: 'other.csv', updated: 1 },
    ]);
  });

  it('are held against the ranking of feeds, and pass on what a complete run no longer lists', async () => {
    await local('feeds', 'set', 'supplier', '--below', 'shop');
    const two = 'sku,currency,price\nR-1,EUR,10\nR-2,EUR,20\n';
    await sent('shop.csv', two, '--feed', 'shop');
    const lower = await sent(
      'supplier.csv',
      two.replace('10', '9').replace('20', '19'),
      '--feed',
      'supplier',
      '--output',
      'json',
    );
    expect(lower.stdout).toContain('feed shop owns the field');
    expect(await productField('R-1', 'price')).toBe('10.00');
    // Part of a file does not show which records are no longer listed. A refused row counts as read.
    await sent('shop.csv', two, '--feed', 'shop', '--limit', '1');
    await sent('shop.csv', two.replace('20', 'wrong'), '--feed', 'shop');
    expect(await productField('R-2', 'price')).toBe('20.00');
    await sent('shop.csv', 'sku,currency,price\nR-1,EUR,10\nR-3,EUR,wrong\n', '--feed', 'shop');
    expect(await productField('R-2', 'price')).toBe('19.00');
    expect(await productField('R-1', 'price')).toBe('10.00');
  });

  it('tell what their feed lists, so that missing knows it where the catalog is', async () => {
    const head = 'sku,currency,price\n';
    const all = ['M-1', 'M-2', 'M-3', 'M-4'].map((sku) => `${sku},EUR,10\n`);
    const missing = async (): Promise<string[]> =>
      JSON.parse((await local('missing', '--feed', 'told', '--output', 'json')).stdout).map(
        ({ key, missing_runs: runs }: { key: string; missing_runs: number }) => `${key} ${runs}`,
      );
    await sent('told.csv', head + all.join(''), '--feed', 'told');
    expect(await missing()).toEqual([]);
    // A row that is refused was read all the same.
    const fewer = head + all.slice(1).join('').replace('M-2,EUR,10', 'M-2,EUR,wrong');
    const dry = await sent('told.csv', fewer, '--feed', 'told', '--dry-run');
    expect(dry.stderr).toContain('told: 1 record no longer listed: M-1');
    expect(await missing()).toEqual([]);
    const second = await sent('told.csv', fewer, '--feed', 'told');
    // `missing` works where the catalog is, and is not advised elsewhere.
    expect(second.stderr).toContain('told: 1 record no longer listed: M-1\n');
    expect(await missing()).toEqual(['M-1 1']);
    // Where only what changed is sent, also what was not.
    const third = await sent('told.csv', head + all.slice(2).join(''), '--feed', 'told', '--changed-only');
    expect(third.stderr).toContain('no longer listed: M-2\n');
    expect(await missing()).toEqual(['M-1 2', 'M-2 1']);
    // Nothing was sent, and the feed lists what it listed the night before: a night counts all the same.
    await sent('told.csv', head + all.slice(2).join(''), '--feed', 'told', '--changed-only');
    expect(await missing()).toEqual(['M-1 3', 'M-2 2']);
    // A part of the file, an empty one and one whose key cannot be trusted do not show it either.
    const part = await sent('told.csv', head + all.join(''), '--feed', 'told', '--limit', '1');
    expect(part.stderr).toContain('told: only a part of the feed was read; no record counts as missing.');
    const mended = 'sku,currency,price,_line,_code,_reason\nM-3,EUR,10,2,field_format,"price: ""x"" is no number"\n';
    const back = await sent('told.csv', mended, '--feed', 'told');
    expect(back.stderr).toContain('told: only a part of the feed was read; no record counts as missing.');
    const empty = await sent('told.csv', head, '--feed', 'told', '--min-rows', 'off');
    expect(empty.stderr).toContain('told: no rows; no record counts as missing.');
    const torn = await sent('told.csv', `${head}M-3,EUR,10\n,EUR,10\n`, '--feed', 'told');
    expect(torn.stderr).toContain(
      'told: 1 row has no key that can be trusted, or lacks its end; no record counts as missing.',
    );
    expect(await missing()).toEqual(['M-1 3', 'M-2 2']);
    await sent('told.csv', head + all.slice(0, 3).join(''), '--feed', 'told');
    expect(await missing()).toEqual(['M-4 1']);
    // What another feed lists, also one over HTTP, is not suspended.
    writeFileSync(join(path, 'here.csv'), head + all.join(''));
    const here = (file: string) =>
      local('products', join(path, file), '--feed', 'here', '--missing', 'suspend', '--max-missing', 'off', '-q');
    await local('products', join(path, 'here.csv'), '--set', 'status=activated', '-q');
    await here('here.csv');
    writeFileSync(join(path, 'one.csv'), head + all[0]);
    await here('one.csv');
    const statuses = await Promise.all(['M-1', 'M-2', 'M-3', 'M-4'].map((sku) => productField(sku, 'status')));
    expect(statuses).toEqual(['activated', 'activated', 'activated', 'suspended']);
  });

  it('are ended, too, where the answer to their end is lost', async () => {
    let lost = 0;
    const proxy = await flakyProxy(server.server.url, 1, {
      deal: ({ headers }) => (headers['catalog-run-end'] !== undefined && lost++ < 3 ? 'drop after' : 'none'),
    });
    await local('feeds', 'set', 'below', '--below', 'above');
    const two = 'sku,currency,price\nE-1,EUR,10\nE-2,EUR,20\n';
    await sent('below.csv', two.replace('20', '19'), '--feed', 'below');
    await sent('above.csv', two, '--feed', 'above');
    const one = 'sku,currency,price\nE-1,EUR,10\n';
    const { stderr } = await sent('above.csv', one, '--feed', 'above', '--remote', proxy.url);
    await proxy.stop();
    expect([lost, stderr]).toEqual([4, expect.stringContaining('records_passed_on: ')]);
    expect(stderr).not.toContain('run_end_unconfirmed');
    const [, last] = JSON.parse((await local('runs', '--feed', 'above', '--output', 'json')).stdout);
    expect(last).toMatchObject({ state: 'done', end: { passed_on: 1 } });
  });

  it('suspend nothing there, and say where that works', async () => {
    const { code, stderr } = await sent('told.csv', 'sku\nM-1\n', '--feed', 'told', '--missing', 'suspend');
    expect(code).toBe(2);
    expect(stderr).toContain('--missing suspend does not work with --remote');
  });

  it('keys without a feed, or without the end of the run, are refused', async () => {
    for (const headers of [{}, { 'Catalog-Run': 't', 'Catalog-Run-End': 'complete' }, { 'Catalog-Feed': 'f' }]) {
      const { status, body } = await server.post('/v1/product/import', { items: [], listed: ['A'] }, { headers });
      expect(status).toBe(400);
      expect(body.response).toMatchObject({ error: 'invalid_parameter' });
    }
  });

  it.each([
    ['Catalog-Run-End', 'yes'],
    ['Catalog-File', '%ff'],
    ['Catalog-File', 'a%00b'],
  ])('%s: %s is a 400', async (name, value) => {
    const headers = { 'Catalog-Run': 't', [name]: value };
    const { status, body } = await server.post('/v1/product/import', { items: [] }, { headers });
    expect(status).toBe(400);
    expect(body.response).toMatchObject({ error: 'invalid_parameter' });
  });

  it('the end of a run passes on nothing where the run sent nothing of the resource, or is of another feed', async () => {
    await local('feeds', 'set', 'below', '--below', 'above');
    const post = (items: readonly object[], run: string, feed?: string, resource = 'product', end = 'complete') =>
      server.post(
        `/v1/${resource}/import`,
        { items },
        {
          headers: {
            'Catalog-Run': run,
            ...(feed && { 'Catalog-Feed': feed }),
            ...(end && { 'Catalog-Run-End': end }),
          },
        },
      );
    const item = (price: number) => ({ sku: 'E-1', currency: 'EUR', price });
    await post([item(1)], 'a1', 'above');
    await post([item(100)], 'b1', 'below');
    // It sent products, but not of this feed.
    await post([{ sku: 'E-2', currency: 'EUR' }], 'x1', undefined, 'product', '');
    const other = await post([], 'x1', 'above');
    expect(other.status).toBe(400);
    expect(other.body.response).toMatchObject({
      error: 'invalid_parameter',
      message: 'Catalog-Feed is not that of the run, which began without Catalog-Feed.',
    });
    expect((await post([item(100)], 'a1', 'below')).body.response).toMatchObject({
      message: 'Catalog-Feed is not that of the run, which began with Catalog-Feed: above.',
    });
    // It sent something else.
    await post([{ name: 'Boots' }], 'c1', 'above', 'category', '');
    expect((await post([], 'c1', 'above')).status).toBe(200);
    expect(await productField('E-1', 'price')).toBe('1.00');
    // A request that names no feed is of that of its run.
    await post([{ sku: 'E-3', currency: 'EUR' }], 'd1', 'above', 'product', '');
    expect((await post([], 'd1')).status).toBe(200);
    expect(await productField('E-1', 'price')).toBe('100.00');
  });

  it('a run may end with its last items, and lines that do not fit the items are left out', async () => {
    const item = { sku: 'L-1', currency: 'EUR' };
    const headers = { 'Catalog-Run': 'own', 'Catalog-Lines': '1-9000000', 'Catalog-Run-End': 'complete' };
    expect((await server.post('/v1/product/import', { items: [item] }, { headers })).status).toBe(200);
    const runs = JSON.parse((await local('runs', '--output', 'json')).stdout);
    expect(runs.at(-1)).toMatchObject({ state: 'done', created: 1 });
    const why = JSON.parse((await local('why', 'product', '--sku', 'L-1', '--output', 'json')).stdout);
    expect(why).toMatchObject([{ file: '', line: 0 }]);
  });
});

describe('two feeds and a server on one catalog at once', () => {
  it('end as the ranking says, whoever was first', async () => {
    await local('feeds', 'set', 'b', '--below', 'a');
    const rows = (from: number, to: number, price: number): string =>
      `sku,currency,price,stock\n${Array.from({ length: to - from }, (_, i) => `W-${from + i},EUR,${price},${price}\n`).join('')}`;
    const others = ['--max-created', 'off', '--max-missing', 'off', '--max-price-change', 'off', '--quiet'];
    for (let night = 1; night <= 2; night++) {
      writeFileSync(join(path, 'a.csv'), rows(0, 400, 100 + night));
      writeFileSync(join(path, 'b.csv'), rows(200, 600, 200 + night));
      const ofFile = (feed: string) =>
        outcome(start(path, ['products', `${feed}.csv`, '--feed', feed, '--db', server.file, ...others]));
      const ended = await Promise.all([
        ofFile('a'),
        ofFile('b'),
        sent(
          'c.csv',
          rows(100, 500, 300 + night)
            .replace(/,\d+$/gm, ',')
            .replace('stock', 'note'),
          '--feed',
          'c',
        ),
      ]);
      expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(({ stderr }) => [0, stderr]));
      const { stdout } = await local('list', 'products', '--limit', '1000', '--output', 'ndjson');
      const products = new Map(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
          .map((one) => [String(one['sku']), one]),
      );
      for (let i = 0; i < 600; i++) {
        const stock = products.get(`W-${i}`)?.['stock'];
        expect(stock, `W-${i}`).toBe(i < 400 ? 100 + night : 200 + night);
      }
    }
  });
});

describe('the end of a run over HTTP', () => {
  const summaryOf = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  const two = 'sku,currency,price,status\nP-1,EUR,10,activated\nP-2,EUR,20,activated\n';
  const one = 'sku,currency,price,status\nP-1,EUR,10,activated\n';

  it('is in every form of report with what it passed on, in the status file and in runs, apart from the items', async () => {
    await local('feeds', 'set', 'cheap', '--below', 'dear');
    await sent('dear.csv', two, '--feed', 'dear');
    await sent('cheap.csv', two.replace('20', '19'), '--feed', 'cheap');
    const reports = ['end.csv', 'end.json', 'end.html'].flatMap((name) => ['--report-file', join(path, name)]);
    const more = ['--status-file', join(path, 'end.prom'), '--output', 'ndjson', ...reports];
    writeFileSync(join(path, 'dear.csv'), one);
    const args = ['products', 'dear.csv', '--feed', 'dear', '--remote', server.server.url, ...off, ...more];
    // The page has a script and a style that the build makes.
    const { code, stdout, stderr } = await typedAsProcess(path, args, { env: { CATALOG_API_KEY: server.key } });
    expect([code, stderr]).toEqual([0, expect.stringContaining('what lower feeds send of them applies now: P-2')]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    const passed = lines.find(({ cause }) => cause === 'passed_on');
    expect(passed).toMatchObject({
      ...{ resource: 'product', external_id: 'P-2', action: 'updated', feed: 'dear', line: null },
      changes: [{ field: 'price', from: '20.00', to: '19.00' }],
    });
    expect(lines.at(-1)).toMatchObject({ total: 1, unchanged: 1, end: { suspended: 0, regained: 0, passed_on: 1 } });
    const read = (name: string) => readFileSync(join(path, name), 'utf8');
    expect(JSON.parse(read('end.json')).response.end).toEqual({
      ...{ suspended: 0, regained: 0, passed_on: 1 },
      data: [passed],
    });
    expect(read('end.csv')).toContain(`,product,,,P-2,updated,${passed.id},,,,,passed_on,dear`);
    expect(read('end.html')).toContain('take the values of lower feeds');
    expect(read('end.prom')).toContain('catalog_import_last_end{feed="dear",effect="passed_on"} 1\n');
    const runs = JSON.parse((await local('runs', '--feed', 'dear', '--output', 'json')).stdout);
    const shown = JSON.parse((await local('runs', 'show', String(runs.at(-1).run), '--output', 'json')).stdout);
    expect(shown).toMatchObject({ updated: 0, end: { suspended: 0, regained: 0, passed_on: 1 } });
    // Also after the lower feed has sent the same again, under another name.
    await sent('later.csv', two.replace('20', '19'), '--feed', 'cheap');
    const why = async (sku: string) =>
      JSON.parse((await local('why', 'product', sku, '--field', 'price', '--output', 'json')).stdout);
    const [cheap] = JSON.parse((await local('runs', '--feed', 'cheap', '--output', 'json')).stdout);
    const from = { feed: 'cheap', run: cheap.run, file: 'cheap.csv', line: 3 };
    expect(await why('P-2')).toContainEqual(expect.objectContaining({ cause: 'passed_on', from }));
    expect(await why('P-1')).toContainEqual(
      expect.objectContaining({ owned_by: 'dear', run: cheap.run, file: 'cheap.csv', line: 2 }),
    );
  });

  it('tells which status a record regained that is listed again', async () => {
    const head = 'sku,currency,status\n';
    writeFileSync(join(path, 'night.csv'), `${head}Q-1,EUR,activated\nQ-2,EUR,activated\n`);
    const night = () =>
      local(
        'products',
        join(path, 'night.csv'),
        '--feed',
        'night',
        '--missing',
        'suspend',
        '--max-missing',
        'off',
        '-q',
      );
    await night();
    writeFileSync(join(path, 'night.csv'), `${head}Q-1,EUR,activated\n`);
    await night();
    const { stdout } = await sent('again.csv', 'sku,currency\nQ-2,EUR\n', '--feed', 'night', '--output', 'ndjson');
    const [, regained] = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((text) => JSON.parse(text));
    expect(regained).toMatchObject({
      ...{ external_id: 'Q-2', cause: 'relisted' },
      changes: [{ field: 'status', from: 'suspended', to: 'activated' }],
    });
    expect(summaryOf(stdout).end).toEqual({ suspended: 0, regained: 1, passed_on: 0 });
    const runs = JSON.parse((await local('runs', '--feed', 'night', '--output', 'json')).stdout);
    const shown = JSON.parse((await local('runs', 'show', String(runs.at(-1).run), '--output', 'json')).stdout);
    expect(shown.end).toEqual({ suspended: 0, regained: 1, passed_on: 0 });
  });
});

it('a leak over several nights is stopped at a remote, too', async () => {
  const list = (count: number, from = 0): string =>
    `sku,currency\n${Array.from({ length: count }, (_, i) => `L-${i + from},EUR\n`).join('')}`;
  const guarded = (feed: string, text: string, ...options: string[]) => {
    writeFileSync(join(path, 'leak.csv'), text);
    const args = [
      'products',
      join(path, 'leak.csv'),
      '--remote',
      server.server.url,
      '--feed',
      feed,
      '--report',
      'none',
      ...options,
    ];
    return typedHere(args, { CATALOG_API_KEY: server.key });
  };
  const codes: number[] = [];
  for (const count of [200, 164, 135]) codes.push((await guarded('leak', list(count))).code);
  expect(codes).toEqual([0, 0, 0]);
  const { code, stderr } = await guarded('leak', list(111));
  expect([code, stderr]).toEqual([
    8,
    expect.stringContaining('--max-missing: 89 are missing since a week ago, 44.5 % of 200 (limit 40 %)'),
  ]);
  // Records that go and come back are no leak.
  await guarded('tide', list(100));
  for (let night = 0; night < 6; night++)
    expect([night, (await guarded('tide', list(85, night % 2 === 0 ? 15 : 0))).code]).toEqual([night, 0]);
  // Nor is a run of which every row was refused compared with, be it the first.
  const refused = (text: string): string => text.replaceAll('EUR', 'Euro');
  expect((await guarded('new', refused(list(40, 1000)))).code).toBe(3);
  expect(await guarded('new', list(40, 1000))).toMatchObject({ code: 0 });
  expect((await guarded('new', refused(list(10, 1000)), '--max-refused', 'off', '--max-missing', 'off')).code).toBe(3);
  expect((await guarded('new', list(10, 1000))).code).toBe(8);
});

it('a file with keys that it has twice passes on its second night, though each batch is compared with what is stored', async () => {
  const text = (last: string) => {
    const rows = (price: string) => Array.from({ length: 120 }, (_, i) => `W-${i},EUR,${price}\n`).join('');
    return `sku,currency,price\n${rows('40.00')}${rows('10.00')}${rows(last)}`;
  };
  const own = ['--feed', 'twice', '--max-changed', '0%', '--max-price-change', '2x:0%'];
  expect((await sent('twice.csv', text('40.00'), ...own)).code).toBe(0);
  expect((await sent('twice.csv', text('40.00'), ...own)).code).toBe(0);
  const { code, stderr } = await sent('twice.csv', text('90.00'), ...own);
  expect([code, stderr]).toEqual([8, expect.stringContaining('120 would change in price too much, 33.3 % of 360')]);
  expect(stderr).toContain('line 242: W-0: price 40.00 → 90.00');
});
