// The mapping that inspect writes for a header set, with its questions answered, imports what the columns hold; with one that
// is open it imports nothing.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typed } from '../cli/typed.js';
import { readHeaderSet } from './header-set-values.js';
import { systemHeaderSets } from './system-header-sets.js';

/** What the owner answers: the column of a field, or the first of several; without one the field stays empty. */
function answered(mapping: string, columns: ReadonlyMap<string, string | undefined>): string {
  return mapping.replace(/^( *)(\w+): \?.*$/gm, (_, indent, field) => {
    const column = columns.get(field);
    return column === undefined ? '' : `${indent}${field}: ${JSON.stringify(column)}`;
  });
}

describe('run --set', () => {
  const files = { 'categories.csv': 'name\nTea\n', 'products.csv': 'sku,price\nA-1,5.00\n' };

  it('gives the value to the resources that have its field', async () => {
    const cwd = folder(files);
    expect(await typed(cwd, ['run', '.', '--set', 'currency=EUR', '--db', 'c.db'])).toMatchObject({ code: 0 });
    expect((await typed(cwd, ['get', 'product', 'A-1', '--db', 'c.db'])).stdout).toContain('EUR');
  });

  it('is refused where none of them has it', async () => {
    const cwd = folder(files);
    const { code, stderr } = await typed(cwd, ['run', '.', '--set', 'curency=EUR', '--db', 'c.db']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--set: "curency" is not a field')]);
    expect(existsSync(join(cwd, 'c.db'))).toBe(false);
  });
});

describe('an import with the mapping that inspect writes', () => {
  it.each(systemHeaderSets.map((line) => [line.split(' | ', 1)[0] ?? '', line] as const))('%s', async (_, line) => {
    const set = readHeaderSet(line, ',');
    const cwd = folder({ 'feed.csv': set.csv });
    await typed(cwd, ['inspect', 'feed.csv', '--write-map', 'map.yaml']);
    const mapping = readFileSync(join(cwd, 'map.yaml'), 'utf8');
    const asking = ['run', 'feed.csv', '--map', 'map.yaml', '--db', 'c.db'];
    const run = [...asking, '--set', 'currency=EUR'];
    if (/: \?/.test(mapping)) {
      expect(await typed(cwd, asking)).toMatchObject({ code: 2, stderr: expect.stringContaining('?') });
      expect(existsSync(join(cwd, 'c.db'))).toBe(false);
    }

    const columns = new Map([...[...set.open].map(([field, [first]]) => [field, first] as const), ...set.answers]);
    writeFileSync(join(cwd, 'map.yaml'), answered(mapping, columns));
    const imported = await typed(cwd, run);
    expect([imported.code, imported.stderr]).toEqual([0, expect.anything()]);
    const { stdout } = await typed(cwd, ['export', 'products', '--db', 'c.db']);
    const stored = stdout
      .trim()
      .split('\n')
      .map((text): Record<string, unknown> => JSON.parse(text));

    const [header = '', ...rows] = set.csv.trim().split('\n');
    const names = header.split(';');
    const cellOf = (row: string, field: string) => row.split(';')[names.indexOf(columns.get(field) ?? '')];
    for (const row of rows) {
      const record = stored.find(({ sku }) => sku === cellOf(row, 'sku'));
      expect(record).toMatchObject({ name: cellOf(row, 'name') });
      const [price, stock] = [cellOf(row, 'price'), cellOf(row, 'stock')];
      if (price !== undefined) expect(Number(record?.['price'])).toBe(Number(price.replace(',', '.')));
      if (stock !== undefined) expect(record?.['stock']).toBe(Number(stock));
    }
    expect(stored).toHaveLength(rows.length);
  });
});
