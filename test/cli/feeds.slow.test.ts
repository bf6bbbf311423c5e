// Feeds as they are typed: their ranking, what it means for an import, and what is said of it.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from './typed.js';

function shop() {
  const path = folder();
  const db = join(path, 'shop.db');
  const run = (...args: string[]) => typedHere([...args, '--db', db]);
  return {
    run,
    /** Imports what a feed lists: rows of SKU, price and stock. */
    night(feed: string, rows: readonly string[], ...options: string[]) {
      const file = join(path, `${feed}.csv`);
      writeFileSync(file, `sku,currency,price,stock\n${rows.map((row) => `${row}\n`).join('')}`);
      return run('products', file, '--feed', feed, ...options);
    },
    async product(sku: string): Promise<Record<string, unknown>> {
      return JSON.parse((await run('get', 'product', '--sku', sku)).stdout);
    },
  };
}

const quiet = ['--quiet', '--report', 'none'];

describe('feeds', () => {
  it('that have not run are named, with the one whose name is alike', async () => {
    const it = shop();
    const first = await it.night('supplier', ['A,EUR,1,1']);
    expect(first.stderr).toContain(
      'supplier: no accepted run of this feed yet; of its guards only --min-rows applies.\n',
    );
    expect((await it.night('supplier', ['A,EUR,1,1'])).stderr).not.toContain('no accepted run');
    const other = await it.night('suplier', ['A,EUR,1,1'], '--dry-run');
    expect(other.stderr).toContain('suplier: no accepted run of this feed yet; of its guards only --min-rows applies.');
    expect(other.stderr).toContain('Did you mean supplier?');
    const ranked = await it.run('feeds', 'set', 'supplier', '--below', 'epr');
    expect(ranked).toMatchObject({ code: 0, stdout: 'Ranking: epr > supplier.\n' });
    expect(ranked.stderr).toContain('next run of each feed; run the highest first.\nFeed epr has not run yet.\n');
    const near = await it.run('feeds', 'set', 'house', '--below', 'supplyer');
    expect(near.stderr).toContain(
      'Feed house has not run yet.\nFeed supplyer has not run yet. Did you mean supplier?\n',
    );
    expect((await it.run('runs', '--feed', 'suplier')).stderr).toBe('No runs. Did you mean supplier?\n');
    expect((await it.run('missing', '--feed', 'suplier')).stderr).toContain('has not run. Did you mean supplier? ');
  });

  it('list their resources in the order of an import, whichever came first', async () => {
    const it = shop();
    await it.night('erp', ['A,EUR,1,1']);
    const cwd = folder({ 'categories.csv': 'name\nLamps\n', 'files.csv': 'id,name\nfile_1,one\n' });
    await it.run('categories', join(cwd, 'categories.csv'), '--feed', 'erp');
    await it.run('shop', 'load', 'files', join(cwd, 'files.csv'), '--feed', 'erp');
    expect((await it.run('feeds')).stdout).toContain('1 file, 1 category, 1 product');
  });

  it('are ranked before their first run, and listed with what they own, list and did last', async () => {
    const it = shop();
    expect((await it.run('feeds', 'set', 'a', '--below', 'erp')).stdout).toBe('Ranking: erp > a.\n');
    expect((await it.run('feeds', 'set', 'b', '--below', 'erp')).stdout).toBe('Ranking: erp > b > a.\n');
    // A name may be a typing error: until it has run, that is said, with the name that is meant.
    const early = await it.run('feeds', 'set', 'a', '--below', 'erp');
    expect(early).toMatchObject({ code: 0, stdout: 'Ranking: erp > a > b.\n' });
    expect(early.stderr).toContain('Feed a has not run yet.\nFeed erp has not run yet.\n');
    await it.run('feeds', 'set', 'b', '--below', 'erp');
    const owned = await it.run('feeds', 'set', 'house', '--own', 'stock,price', '--set-new', 'status=activated');
    expect(owned.stdout).toBe(
      'Ranking: erp > b > a. house owns stock, price. New records of house: status=activated.\n',
    );
    await it.night('a', ['A,EUR,1,1']);
    const feeds = JSON.parse((await it.run('feeds', '--output', 'json')).stdout);
    expect(feeds).toMatchObject([
      { feed: 'erp', rank: 1, last_run: null, lists: {} },
      { feed: 'b', rank: 2 },
      { feed: 'a', rank: 3, last_run: { run: 1, state: 'done' }, lists: { product: 1 } },
      { feed: 'house', rank: null, own: ['stock', 'price'], set_new: { product: { status: 'activated' } } },
    ]);
    const table = (await it.run('feeds')).stdout;
    expect(table).toMatch(/^rank {2}feed {3}owns {9}new records {7}only {2}lists {6}last run$/m);
    expect(table).toMatch(/^3 {5}a {6}- {12}- {17}- {5}1 product {2}run 1 /m);
    await it.run('feeds', 'set', 'house', '--own', 'none', '--set-new', 'none');
    await it.run('feeds', 'set', 'b', '--below', 'none');
    expect((await it.run('feeds', 'set', 'a', '--below', 'none')).stdout).toBe('No feed is ranked.\n');
  });

  it.each([
    [['a', '--below', 'a'], 'a cannot be ranked below itself'],
    [['a', '--own', 'sku'], '"sku" is not a field that a feed can own'],
    [['a', '--own', 'stok'], 'Did you mean "stock"?'],
    [['a', '--set-new', 'status=gone'], 'products: "gone" is not allowed. Use draft, activated'],
    [['a', '--set-new', 'stok=1'], '"stok" is not a field that new records can get. Did you mean "stock"?'],
    [['a', '--set-new', 'price'], 'Use field=value'],
    [['a'], 'Say what to set'],
    [['a/b', '--below', 'erp'], 'Use up to 64 letters'],
  ])('set %j is refused', async (args, words) => {
    const { code, stderr } = await shop().run('feeds', 'set', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  it('one feed at a time owns a field', async () => {
    const it = shop();
    await it.run('feeds', 'set', 'a', '--own', 'stock,price');
    const { code, stderr } = await it.run('feeds', 'set', 'b', '--own', 'price');
    expect(code).toBe(2);
    expect(stderr).toContain('catalog-import feeds set a --own stock');
  });

  it.each([['feeds'], ['feeds', 'set', 'a', '--below', 'erp']])('%s works where the catalog is', async (...args) => {
    const { code, stderr } = await typedHere([...args, '--remote', 'http://localhost:1']);
    expect(code).toBe(2);
    expect(stderr).toContain('Run this command on the machine of the catalog');
  });
});

describe('an import of a ranked feed', () => {
  it('is predicted by its dry run, guards included', async () => {
    const it = shop();
    await it.run('feeds', 'set', 'a', '--below', 'erp');
    await it.night('erp', ['A,EUR,10,1', 'B,EUR,20,2'], ...quiet);
    await it.night('a', ['A,EUR,9,', 'B,EUR,19,', 'C,EUR,29,'], ...quiet);
    const linesOf = ({ stdout }: { stdout: string }): unknown[] =>
      JSON.parse(stdout).response.data.map(({ id: _, ...line }: Record<string, unknown>) => line);
    for (const [feed, rows] of [
      ['a', ['A,EUR,8,5', 'C,EUR,30,']],
      ['erp', ['B,EUR,,3']],
    ] as const) {
      const options = ['--output', 'json', '--max-missing', 'off'];
      const dry = await it.night(feed, rows, ...options, '--dry-run');
      const real = await it.night(feed, rows, ...options);
      expect(linesOf(dry)).toEqual(linesOf(real));
      const said = ({ stderr }: { stderr: string }): string[] =>
        stderr.split('\n').filter((line) => /lower feeds|no longer listed/.test(line));
      expect(said(dry)).toEqual(said(real));
      expect(said(real).length).toBeGreaterThan(0);
    }
    // A is no longer listed by erp, and the last complete run of a says 8; B has no price by erp, and none by a any more.
    expect(await it.product('A')).toMatchObject({ price: '8.00', stock: 5 });
    expect(await it.product('B')).toMatchObject({ price: '20.00', stock: 3 });
    // A guard sees what would change: of a lower feed with absurd prices nothing.
    const absurd = Array.from({ length: 20 }, (_, i) => `G-${i},EUR,10,1`);
    const off = ['--max-created', 'off', '--max-missing', 'off'];
    await it.night('erp', absurd, ...quiet, ...off);
    await it.night('a', absurd, ...quiet, ...off);
    const times100 = absurd.map((row) => row.replace(',10,', ',1000,'));
    expect((await it.night('a', times100, '--max-price-change', '2x:5%')).code).toBe(0);
    expect((await it.night('erp', times100)).code).toBe(8);
  });

  it('why names what a higher feed keeps out, with run and line', async () => {
    const it = shop();
    await it.run('feeds', 'set', 'a', '--below', 'erp');
    await it.night('erp', ['A,EUR,10,1'], ...quiet);
    await it.night('a', ['B,EUR,1,1', 'A,EUR,9,'], ...quiet);
    const why = await it.run('why', 'product', '--sku', 'A', '--field', 'price');
    expect(why.stdout.replaceAll(/\S*\//g, '')).toMatch(
      /created {2}1 {4}erp {3}erp.csv:2\nprice 9.00 of feed a does not apply: erp owns the field \(run 2, a.csv:3\)\n$/,
    );
    const json = JSON.parse((await it.run('why', 'product', '--sku', 'A', '--output', 'json')).stdout);
    expect(json).toContainEqual(
      expect.objectContaining({ field: 'price', value: '9.00', feed: 'a', line: 3, owned_by: 'erp' }),
    );
  });

  it('the status that --set-new gives a new record is not applied again later', async () => {
    const it = shop();
    await it.run('feeds', 'set', 'erp', '--set-new', 'status=activated');
    await it.night('erp', ['A,EUR,10,1'], ...quiet);
    expect(await it.product('A')).toMatchObject({ status: 'activated' });
    const path = folder({ 'hand.csv': 'sku,status\nA,suspended\n' });
    await it.run('products', join(path, 'hand.csv'), ...quiet);
    await it.night('erp', ['A,EUR,11,1'], ...quiet);
    expect(await it.product('A')).toMatchObject({ status: 'suspended', price: '11.00' });
  });

  it('without a ranking the last feed wins, and a line says how many items another feed wrote last', async () => {
    const it = shop();
    await it.night('erp', ['A,EUR,10,1', 'B,EUR,20,2', 'C,EUR,30,3'], ...quiet);
    const first = await it.night('a', ['A,EUR,9,1', 'B,EUR,19,2', 'X,EUR,1,1']);
    expect(first.stderr).toContain(
      'a: 2 items were last written by erp; the last run wins (to rank them: catalog-import feeds set a --below erp).',
    );
    expect(await it.product('A')).toMatchObject({ price: '9.00' });
    // It ran last itself.
    expect((await it.night('a', ['A,EUR,9,1', 'B,EUR,19,2', 'X,EUR,1,1'])).stderr).not.toContain('last written');
    expect((await it.night('erp', ['A,EUR,10,1', 'B,EUR,20,2', 'C,EUR,30,3'])).stderr).toContain(
      '2 items were last written by a',
    );
    await it.run('feeds', 'set', 'a', '--below', 'erp');
    const unknown = await it.night('a', ['A,EUR,9,1', 'B,EUR,19,2', 'X,EUR,1,1']);
    expect(unknown.stderr).not.toContain('last written');
    // What a feed sent before it was ranked is not known.
    expect(unknown.stderr).toContain('a: erp has not run since it was ranked;');
    await it.night('erp', ['A,EUR,10,1', 'B,EUR,20,2', 'C,EUR,30,3'], ...quiet);
    const known = await it.night('a', ['A,EUR,9,1', 'B,EUR,19,2', 'X,EUR,1,1'], '--output', 'json');
    expect(known.stderr).not.toContain('has not run');
    expect(known.stdout.match(/owned_by_feed/g)?.length).toBeGreaterThan(1);
    expect(await it.product('A')).toMatchObject({ price: '10.00' });
  });

  it('a run says what it cannot know: what a lower feed sent before it was ranked, and what --no-history does not keep', async () => {
    const it = shop();
    await it.night('a', ['A,EUR,9,1', 'B,EUR,19,2'], ...quiet);
    await it.night('erp', ['A,EUR,10,1', 'B,EUR,20,2'], ...quiet);
    await it.run('feeds', 'set', 'a', '--below', 'erp');
    const higher = await it.night('erp', ['A,EUR,10,1', 'B,EUR,20,2']);
    expect(higher.stderr).toContain('erp: a has not run since it was ranked;');
    await it.night('a', ['A,EUR,9,1', 'B,EUR,19,2'], ...quiet);
    expect((await it.night('erp', ['A,EUR,10,1', 'B,EUR,20,2'])).stderr).not.toContain('has not run');
    const unkept = await it.night('erp', ['A,EUR,10,1'], '--no-history', '--max-missing', 'off');
    expect(unkept.stderr).toContain(
      'erp: --no-history does not record what the feed lists: no record counts as missing,',
    );
    expect(await it.product('B')).toMatchObject({ price: '20.00' });
    await it.night('erp', ['A,EUR,10,1'], ...quiet);
    expect(await it.product('B')).toMatchObject({ price: '19.00' });
  });

  it('a folder that lacks a file of the feed says so', async () => {
    const it = shop();
    const path = folder({ '1-categories.csv': 'name\nShoes\n', '2-products.csv': 'sku,currency\nA,EUR\n' });
    await it.run('run', path, '--feed', 'erp', ...quiet);
    rmSync(join(path, '2-products.csv'));
    const { code, stderr } = await it.run('run', path, '--feed', 'erp');
    expect(code).toBe(0);
    expect(stderr).toContain(
      'erp: no file of resource product this time (1 row the last time); no record counts as missing.',
    );
  });
});
