// `list`: records that are wanted, in each form, of a local catalog and of a remote.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { rawEntry } from '../../src/core/entry.js';
import { resourceCalled } from '../given.js';
import { type GivenServer, givenServer } from '../http/server/given-server.js';
import { demo, folder, typed, typedHere } from './typed.js';

const db = join(folder(), 'catalog.db');
beforeAll(async () => {
  await typedHere(['run', demo, '--db', db, '-q']);
});

const list = (...args: string[]) => typedHere(['list', ...args, '--db', db]);
const records = async (...args: string[]): Promise<Record<string, unknown>[]> =>
  JSON.parse((await list(...args, '--output', 'json')).stdout);

describe('list', () => {
  it('returns every record in its read shape with names, alike in each format', async () => {
    const all = await records('products');
    expect(all).toHaveLength(128);
    const [first = {}] = all;
    const { stdout } = await typedHere(['get', 'product', '--sku', String(first['sku']), '--db', db]);
    expect(first).toEqual({ ...JSON.parse(stdout), category_name: 'Cases', group_name: '' });
    const lines = (await list('products', '--output', 'ndjson')).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(all);
    const csv = (await list('products', '--output', 'csv')).stdout.trimEnd().split('\n');
    expect(csv).toHaveLength(129);
    expect(csv[0]).toBe(Object.keys(first).join(','));
  });

  it('shows the first 50 as a table, and that there are more; --limit changes the number', async () => {
    const { stdout, stderr } = await list('products');
    expect(stdout.trimEnd().split('\n')).toHaveLength(51);
    expect(stderr).toBe('The first 50 products; --limit shows more.\n');
    expect(stdout).toMatch(/^sku +status +name +category_name +price +currency +stock\n/);
    expect((await list('products', '--limit', '3')).stdout.trimEnd().split('\n')).toHaveLength(4);
    expect(await list('groups')).toMatchObject({ code: 0, stderr: '' });
    expect(await records('products', '--limit', '0')).toEqual([]);
  });

  it('filters by --where, --status and --changed-since', async () => {
    const all = await records('products');
    const cases = all.filter((record) => record['category_name'] === 'Cases');
    expect(cases.length).toBeGreaterThan(0);
    for (const value of ['Cases', 'cases', String(cases[0]?.['category'])])
      expect(await records('products', '--where', `category=${value}`), value).toEqual(cases);
    const draft = all.filter(({ status, stock }) => status === 'draft' && stock === 0);
    expect(await records('products', '--status', 'draft', '--where', 'stock=0')).toEqual(draft);
    expect(await records('products', '--changed-since', '1d')).toEqual(all);
    expect(await list('products', '--changed-since', '2999-01-01')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No products found.\n',
    });
  });

  it('compares numbers as numbers, and says how a category is named', async () => {
    const all = await records('products');
    const priced = all.filter(({ price }) => price === '19.90');
    expect(priced.length).toBeGreaterThan(0);
    for (const value of ['19.9', '19.90', ' 19.900'])
      expect(await records('products', '--where', `price=${value}`), value).toEqual(priced);
    const without = all.filter(({ price_compare }) => price_compare === '');
    expect(without.length).toBeGreaterThan(0);
    expect(await records('products', '--where', 'price_compare=')).toEqual(without);
    expect(await records('products', '--where', 'price_compare=0')).toEqual([]);
    expect(await list('categories', '--where', 'parent=Accessories > Cases')).toMatchObject({
      code: 0,
      stderr: 'No categories found. A category is named without its path: --where "parent=Cases".\n',
    });
  });

  it('includes the subcategories of a category, named in any way, and says so', async () => {
    const categories = await records('categories');
    const top = categories.find(({ name }) => name === 'Electronics');
    const children = categories.filter(({ parent }) => parent === top?.['id']);
    const branch = [top, ...children, ...categories.filter((one) => children.some(({ id }) => id === one['parent']))];
    const ids = new Set(branch.map((one) => one?.['id']));
    const all = (await records('products')).filter(({ category }) => ids.has(category));
    expect(all.length).toBeGreaterThan(0);
    for (const value of ['electronics', String(top?.['id'])])
      expect(await records('products', '--where', `category=${value}`), value).toEqual(all);
    const draft = all.filter(({ status }) => status === 'draft');
    expect(await records('products', '--where', 'category=Electronics', '--status', 'draft')).toEqual(draft);
    const { stderr } = await list('products', '--where', 'category=Electronics', '--limit', '1');
    expect(stderr).toBe(`"Electronics" includes its ${ids.size - 1} subcategories.\n`);
    const [leaf] = children;
    const path = `category=Electronics > ${leaf?.['name']}`;
    expect(await records('products', '--where', path)).toEqual(
      await records('products', '--where', `category=${leaf?.['id']}`),
    );
    const unknown = await list('products', '--where', 'category=Nowhere');
    expect(unknown).toMatchObject({ code: 0, stderr: 'Category "Nowhere" not found.\nNo products found.\n' });
  });

  it('tells groups apart by case, as the catalog does', async () => {
    const cwd = folder({
      'groups.csv': 'name\nCase\ncase\n',
      'products.csv': 'sku,currency,group\nA,EUR,Case\nB,EUR,case\n',
    });
    await typed(cwd, ['run', '.', '-q']);
    const found = async (...words: string[]) => (await typed(cwd, ['list', ...words, '--output', 'csv'])).stdout;
    expect((await found('products', '--where', 'group=case')).trimEnd().split('\n')).toEqual([
      expect.any(String),
      expect.stringMatching(/^product,\w+,B,/),
    ]);
    expect((await found('groups', '--where', 'name=Case')).trimEnd().split('\n')).toHaveLength(2);
  });

  it('writes negative numbers of CSV as numbers, and texts that begin like one as texts', async () => {
    const cwd = folder({ 'products.csv': 'sku,currency,stock,badge\nA,EUR,-5,-5\n' });
    await typed(cwd, ['products', 'products.csv', '-q']);
    const { stdout } = await typed(cwd, ['list', 'products', '--output', 'csv']);
    const [names = [], cells = []] = stdout.split('\n').map((line) => line.split(','));
    const of = (name: string) => cells[names.indexOf(name)];
    expect([of('stock'), of('badge')]).toEqual(['-5', "'-5"]);
  });

  it('--limit 0 shows nothing, and does not say that there is nothing', async () => {
    const { stderr } = await list('products', '--limit', '0');
    expect(stderr).toBe('');
    expect((await typedHere(['search', 'phone', '--limit', '0', '--db', db])).stderr).toBe('');
  });

  it.each([
    ['products', '--where', 'colour=red'],
    ['products', '--where', 'categry=Cases'],
    ['products', '--where', 'draft'],
    ['products', '--where', 'price=cheap'],
    ['products', '--where', 'stock=some'],
    ['products', '--status', 'activatd'],
    ['characteristics', '--where', 'values=x'],
    ['products', '--changed-since', 'yesterday'],
    ['products', '--limit', '-1'],
    ['prodcts'],
  ])('refuses %s %s %s', async (...args) => {
    const { code, stdout, stderr } = await list(...args.filter((arg) => arg !== undefined));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
  });

  it('lists a remote page by page', async () => {
    const given: GivenServer = await givenServer();
    try {
      const batches = Array.from({ length: 7 }, (_, i) =>
        Array.from({ length: 40 }, (__, j) =>
          rawEntry({ sku: `P${i * 40 + j}`, currency: 'EUR', status: j < 20 ? 'draft' : 'activated' }),
        ),
      );
      for await (const _ of given.catalog.importBatches(resourceCalled('product'), batches));
      const args = ['list', 'products', '--remote', given.server.url, '--output', 'ndjson'];
      const { stdout, code } = await typedHere([...args, '--status', 'draft'], { CATALOG_API_KEY: given.key });
      expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 140]);
      expect((await typedHere(args, { CATALOG_API_KEY: 'cik_wrong' })).code).toBe(4);
    } finally {
      await given.stop();
    }
  });
});
