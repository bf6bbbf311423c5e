// --to and --bom of export and template: a file that spreadsheets read as UTF-8, and that imports like one without the mark.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, products, typed } from './typed.js';

const mark = '\ufeff';

async function catalogFolder(): Promise<string> {
  const cwd = folder({ 'feed.csv': `${products(3)}Ü-1,Größe,EUR,1.00,1\n` });
  expect((await typed(cwd, ['products', 'feed.csv'])).code).toBe(0);
  return cwd;
}

describe('--to and --bom', () => {
  it('the ending of the file gives its form, where none is typed', async () => {
    const cwd = folder({ 'feed.csv': products(2) });
    await typed(cwd, ['products', 'feed.csv']);
    for (const name of ['p.csv', 'p.json', 'p.ndjson', 'p.JSON', 'p.txt']) {
      expect((await typed(cwd, ['export', 'products', '--to', name])).code).toBe(0);
      expect((await typed(cwd, ['template', 'products', '--to', `t-${name}`, '-q'])).code).toBe(0);
      const form = name === 'p.txt' ? ['--format', 'ndjson'] : [];
      expect((await typed(cwd, ['products', name, ...form])).stdout).toContain('2 unchanged');
    }
    expect(JSON.parse(readFileSync(join(cwd, 't-p.json'), 'utf8'))).toHaveLength(1);
    expect(readFileSync(join(cwd, 't-p.csv'), 'utf8')).toMatch(/^sku,/);
    await typed(cwd, ['export', 'products', '--output', 'json', '--to', 'typed.csv']);
    expect(JSON.parse(readFileSync(join(cwd, 'typed.csv'), 'utf8'))).toHaveLength(2);
  });

  it.each(['csv', 'ndjson', 'json'])('export as %s has the mark, and imports as before', async (form) => {
    const cwd = await catalogFolder();
    const plain = await typed(cwd, ['export', 'products', '--output', form]);
    const name = `products.${form}`;
    const written = await typed(cwd, ['export', 'products', '--output', form, '--bom', '--to', name]);
    expect([written.code, written.stdout, written.stderr]).toEqual([0, '', '']);
    expect(readFileSync(join(cwd, name), 'utf8')).toBe(mark + plain.stdout);
    expect((await typed(cwd, ['products', name])).stdout).toContain('0 created, 0 updated, 4 unchanged, 0 refused');
    expect((await typed(cwd, ['export', './all', '--output', form, '--bom'])).code).toBe(0);
    expect(readFileSync(join(cwd, 'all', name), 'utf8')).toBe(mark + plain.stdout);
    expect((await typed(cwd, ['run', 'all'])).stdout).toContain('0 created, 0 updated, 4 unchanged, 0 refused');
  });

  it.each(['csv', 'json'])('a template as %s has the mark, and imports as before', async (form) => {
    const cwd = folder();
    const name = `products.${form}`;
    const written = await typed(cwd, ['template', 'products', '--output', form, '--bom', '--to', name, '-q']);
    expect([written.code, written.stdout, written.stderr]).toEqual([0, '', '']);
    expect(readFileSync(join(cwd, name), 'utf8').startsWith(mark)).toBe(true);
    expect((await typed(cwd, ['products', name])).stdout).toContain('1 created');
  });

  it('stdout has the mark, too', async () => {
    const { stdout } = await typed(folder(), ['template', 'products', '--bom', '-q']);
    expect(stdout.startsWith(`${mark}sku,`)).toBe(true);
  });

  it('overwrite neither the catalog nor a key, and leave nothing of what failed', async () => {
    const cwd = await catalogFolder();
    mkdirSync(join(cwd, 'a-folder'));
    const before = readdirSync(cwd).sort();
    for (const args of [
      ['export', 'products', '--to', 'catalog.db'],
      ['export', 'products', '--to', './catalog.db-wal'],
      ['template', 'products', '--to', 'catalog.db'],
      ['export', 'products', '--to', 'a-folder'],
      ['export', 'products', '--to', 'none/products.csv'],
      ['export', './out', '--to', 'products.csv'],
    ]) {
      const { code, stderr } = await typed(cwd, args);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining('--to')]);
      expect(readdirSync(cwd).sort()).toEqual(before);
    }
    expect((await typed(cwd, ['info'])).code).toBe(0);
  });
});
