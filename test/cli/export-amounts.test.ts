// `export`: a price or stock that a product had before it had grades, and that no grade has.
import { expect, it } from 'vitest';
import { folder, typed } from './typed.js';

const lines = (...items: readonly object[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('');

const files = {
  'products.ndjson': lines(
    ...['price', 'stock', 'both', 'neither'].map((sku) => ({ sku, currency: 'EUR', price: '10', stock: 4 })),
  ),
  'products.later.ndjson': lines(
    { sku: 'price', grades: [{ grade: 'new', stock: 3 }] },
    { sku: 'stock', grades: [{ grade: 'good', price: '7', status: 'suspended' }] },
    { sku: 'both', grades: [{ grade: 'poor' }, { grade: 'new', price: '5', stock: 1, status: 'suspended' }] },
    { sku: 'neither', grades: [{ grade: 'new', price: '7', stock: 2 }, { grade: 'good' }] },
  ),
};

const listed = async (cwd: string, db: string) =>
  (
    JSON.parse((await typed(cwd, ['list', 'products', '--db', db, '--output', 'json'])).stdout) as { sku: string }[]
  ).map(({ sku, ...record }) => [sku, ...['price', 'stock'].map((name) => record[name as never])]);

it.each(['ndjson', 'json', 'csv'])('of a folder keeps it: %s', async (form) => {
  const cwd = folder(files);
  await typed(cwd, ['run', '.', '-q', '--db', 'one.db']);
  expect(await listed(cwd, 'one.db')).toEqual([
    ['price', '10.00', 3],
    ['stock', '7.00', 4],
    ['both', '10.00', 4],
    ['neither', '7.00', 2],
  ]);
  expect((await typed(cwd, ['export', './out', '--output', form, '--db', 'one.db'])).stderr).toContain('4 products');
  expect((await typed(cwd, ['run', './out', '--db', 'one.db'])).stdout).toMatch(/all +0 +0 +7 +0 +7\n/);
  await typed(cwd, ['run', './out', '-q', '--db', 'two.db']);
  expect(await listed(cwd, 'two.db')).toEqual(await listed(cwd, 'one.db'));
});

it('of one resource has it, so that the import says that it does not apply', async () => {
  const cwd = folder(files);
  await typed(cwd, ['run', '.', '-q', '--db', 'one.db']);
  await typed(cwd, ['export', 'products', '--to', 'p.ndjson', '--db', 'one.db']);
  const { stdout } = await typed(cwd, ['products', 'p.ndjson', '--db', 'two.db', '--output', 'ndjson']);
  expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    created: 4,
    notices: { price_ignored: 2, stock_ignored: 2 },
  });
});
