// A pattern that no shell replaced: the files that match are imported in the order of their names.
import { describe, expect, it } from 'vitest';
import { folder, products, typed } from '../typed.js';

describe('a pattern in place of a file', () => {
  it.each(['*.csv', 'pro*', './p?oducts.csv', 'PRODUCTS.*'])('%s is the one file that matches', async (pattern) => {
    const cwd = folder({ 'products.csv': products(2), '.products.csv': 'x', '~$products.csv': 'x', 'other.txt': 'x' });
    const { code, stdout } = await typed(cwd, ['products', pattern]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 created')]);
    expect(stdout).toContain('products.csv');
    expect((await typed(cwd, ['plan', 'products', pattern, '--out', 'a.plan'])).code).toBe(0);
  });

  it('that several files match imports each of them, in the order in which run imports them', async () => {
    const cwd = folder({ 'b-10.csv': products(3), 'b-2.csv': products(2), 'a.tsv': 'x', '._b-3.csv': 'x' });
    const { code, stdout } = await typed(cwd, ['products', 'B-*.csv']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/b-2\.csv.*2 created.*b-10\.csv.*1 created/s)]);
  });

  it('that several files match is refused where a command takes one', async () => {
    const cwd = folder({ 'b.csv': products(1), 'a.csv': products(1) });
    for (const command of [
      ['inspect', '*.csv'],
      ['plan', 'products', '*.csv', '--out', 'a.plan'],
    ])
      expect(await typed(cwd, command)).toEqual({
        code: 2,
        stdout: '',
        stderr: 'error: *.csv matches 2 files: a.csv, b.csv. Name one of them.\n',
      });
  });

  it('that no file matches is not found, and a file of this name comes first', async () => {
    const cwd = folder({ 'a+b.csv': products(1) });
    expect(await typed(cwd, ['products', '*.tsv'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('error: *.tsv: file not found.'),
    });
    expect((await typed(cwd, ['products', 'none/*.csv'])).code).toBe(5);
    expect((await typed(cwd, ['products', 'aab*.csv'])).code).toBe(5);
    const named = folder({ '*.csv': products(1), 'a.csv': products(2) });
    expect((await typed(named, ['products', '*.csv'])).stdout).toContain('1 created');
  });

  it('is the file itself where it is named as well', async () => {
    const cwd = folder({ 'a.csv': products(1) });
    expect((await typed(cwd, ['products', 'a.csv', '*.csv'])).stderr).toContain('a.csv is named twice');
  });
});
