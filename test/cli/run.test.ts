import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execFileSync } from '../child.js';
import { demo, folder, typed } from './typed.js';

interface OneReport {
  readonly resource: string;
  readonly file: string;
  readonly created: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly data: readonly { readonly code: string | null; readonly action: string; readonly line: number }[];
}

function runOf(stdout: string): {
  readonly data: readonly OneReport[];
  readonly total: number;
  readonly stopped?: string;
} {
  return JSON.parse(stdout).response;
}

describe('run', () => {
  it('imports the demo shop in import order, the shop’s own first; running it again reports everything unchanged', async () => {
    const cwd = folder();
    const first = await typed(cwd, ['run', demo, '--output', 'json', '--report', 'all', '-q']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const reports = runOf(first.stdout).data;
    const order = [...new Set(reports.map(({ resource }) => resource))];
    expect(order.slice(-5)).toEqual(['attribute', 'category', 'product_group', 'product', 'product_review']);
    expect(order.slice(0, 6).sort()).toEqual(['brand', 'customer', 'file', 'order', 'page', 'warranty']);
    expect(reports.reduce((sum, { refused }) => sum + refused, 0)).toBe(0);
    const again = runOf((await typed(cwd, ['run', demo, '--output', 'json', '--report', 'all', '-q'])).stdout).data;
    for (const [i, report] of again.entries()) {
      expect(report, report.file).toMatchObject({ created: 0, updated: 0, refused: reports[i]?.refused });
      expect(report.unchanged).toBe((reports[i]?.created ?? 0) + (reports[i]?.unchanged ?? 0));
    }
  });

  it('a path that is not a folder: 5', async () => {
    const cwd = folder({ 'products.csv': 'sku,currency\nA,EUR\n' });
    expect(await typed(cwd, ['run', 'nowhere'])).toMatchObject({
      code: 5,
      stderr: 'error: nowhere: folder not found.\n',
    });
    const file = await typed(cwd, ['run', 'products.csv']);
    expect(file).toMatchObject({ code: 5, stderr: expect.stringContaining('is a file, and no folder') });
  });

  it('across a folder, a dry run knows what earlier files would create', async () => {
    const cwd = folder();
    const dry = runOf((await typed(cwd, ['run', demo, '-n', '--output', 'json', '--report', 'all', '-q'])).stdout);
    expect(existsSync(join(cwd, 'catalog.db'))).toBe(false);
    const real = runOf((await typed(cwd, ['run', demo, '--output', 'json', '--report', 'all', '-q'])).stdout);
    const told = (run: typeof dry) =>
      run.data.map(({ file, data }) => [file, data.map(({ action, code }) => [action, code])]);
    expect(told(dry)).toEqual(told(real));
  });

  it('what systems and spreadsheets leave in a folder is no part of a delivery', async () => {
    const cwd = folder({ 'products.csv': 'sku,currency\nA,EUR\n' });
    for (const name of ['~$products.xlsx', 'Thumbs.db', 'desktop.ini', '.DS_Store', '._products.csv'])
      writeFileSync(join(cwd, name), 'x');
    mkdirSync(join(cwd, 'archive.2025'));
    mkdirSync(join(cwd, 'products'));
    expect(await typed(cwd, ['run', '.', '-q', '--db', join(folder(), 'shop.db')])).toMatchObject({ code: 0 });
  });

  it('a folder or pipe that is named like a file of a resource: 2, before anything starts', async () => {
    for (const make of [
      (path: string) => mkdirSync(path),
      (path: string) => execFileSync('mkfifo', [path]),
      (path: string) => symlinkSync('/dev/zero', path),
    ]) {
      const cwd = folder({ 'characteristics.csv': 'name\nSize\n' });
      make(join(cwd, 'products.csv'));
      const { code, stderr } = await typed(cwd, ['run', '.']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('products.csv is not a file')]);
      expect(existsSync(join(cwd, 'catalog.db'))).toBe(false);
    }
  });

  it('a name without a resource is an error before anything is imported; sub-folders and dot files are left alone', async () => {
    const cwd = folder();
    const shop = folder({
      '1-categories.csv': 'name\nPhones\n',
      '20_PRODUCTS.eu.v2.csv': 'sku,currency\nA,EUR\n',
      '.hidden': '',
    });
    mkdirSync(join(shop, 'produkts'));
    const good = await typed(cwd, ['run', shop]);
    expect(good.code).toBe(0);
    expect(good.stdout).toMatch(/all +2 /);
    writeFileSync(join(shop, '3-produkts.csv'), 'sku,currency\nB,EUR\n');
    const bad = await typed(cwd, ['run', shop, '--db', 'other.db']);
    expect(bad).toMatchObject({ code: 2, stdout: '' });
    expect(bad.stderr).toContain('3-produkts.csv (products?)');
    expect(existsSync(join(cwd, 'other.db'))).toBe(false);
  });

  it('several files of one resource go in name order', async () => {
    const cwd = folder();
    const row = (name: string) => `sku,currency,name\nA,EUR,${name}\n`;
    const shop = folder({ 'products.10.csv': row('ten'), 'products.2.csv': row('two'), 'product.1.csv': row('one') });
    const { stdout } = await typed(cwd, ['run', shop, '--output', 'json']);
    expect(runOf(stdout).data.map(({ file }) => file.slice(shop.length + 1))).toEqual([
      'product.1.csv',
      'products.2.csv',
      'products.10.csv',
    ]);
    expect(JSON.parse((await typed(cwd, ['get', 'product', '--sku', 'A'])).stdout).name).toBe('ten');
  });

  it('a file that is broken ends the run with what was reported before, closed properly', async () => {
    const cwd = folder();
    const shop = folder({
      'categories.csv': 'name\nPhones\n',
      'groups.json': '[{"name": "G"},',
      'products.csv': 'sku\nA\n',
    });
    const { code, stdout } = await typed(cwd, ['run', shop, '--output', 'json', '--report-file', 'r.json']);
    expect(code).toBe(5);
    expect(runOf(stdout)).toMatchObject({
      data: [{ created: 1 }, { created: 1, stopped: 'input_unreadable' }],
      total: 2,
      stopped: 'input_unreadable',
    });
    expect(runOf(readFileSync(join(cwd, 'r.json'), 'utf8')).data).toHaveLength(2);
  });

  it('--max-refused counts over the whole folder', async () => {
    const cwd = folder();
    const shop = folder({
      'categories.csv': 'name,status\nA,x\n',
      'groups.csv': 'name,status\nA,x\n',
      'products.csv': 'sku,currency\nA,EUR\n',
    });
    const { code, stdout } = await typed(cwd, ['run', shop, '--max-refused', '1', '--output', 'json']);
    expect(code).toBe(8);
    expect(runOf(stdout)).toMatchObject({ data: [{ refused: 1 }, { refused: 0, stopped: 'guard_stopped' }], total: 1 });
  });
});
