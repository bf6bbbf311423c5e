// A large file is read by a thread that also hashes its items: the same hashes as of the importing thread.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSqlite } from '../../src/store/sqlite/driver.js';
import { typedAsProcess } from './started.js';

const folder = mkdtempSync(path.join(tmpdir(), 'hashed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rows = 2000;

function feed(price: number): string {
  const lines = Array.from(
    { length: rows },
    (_, i) =>
      `S-${i},${'a long text – '.repeat(10 + 10 * (i % 30))}${i},EUR,${i === 1500 ? price : 5}.00,${i % 7},Möbel`,
  );
  return ['sku,description,currency,price,stock,tag', ...lines, ''].join('\n');
}

/** Which item was applied to each product last. */
function applied(): readonly unknown[] {
  const database = openSqlite(path.join(folder, 'c.db'), { readonly: true });
  try {
    return database.prepare('SELECT sku, applied_high, applied_low FROM product ORDER BY seq').raw().all();
  } finally {
    database.close();
  }
}

it('items of a large file are recognized on standard input, and those of standard input in a large file', async () => {
  writeFileSync(path.join(folder, 'large.csv'), feed(5));
  const importing = async (file: string, input = ''): Promise<readonly unknown[]> => {
    const { code, stderr } = await typedAsProcess(folder, ['products', file, '--db', 'c.db'], { input });
    expect(code, stderr).toBe(0);
    return applied();
  };
  const first = await importing('large.csv');
  expect(first).toHaveLength(rows);
  // An unchanged item that is not the one applied last would replace a quarter of these.
  expect(await importing('-', feed(5))).toEqual(first);
  const other = await importing('-', feed(6));
  expect(other.filter((row, i) => String(row) !== String(first[i]))).toHaveLength(1);
  expect(await importing('large.csv')).toEqual(first);
});
