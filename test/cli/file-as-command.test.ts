// A file in place of a command, or named with another resource: the message names the command that is meant.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, products, typed } from './typed.js';

const reviews = 'external_id,customer_external_id,product_sku,rating,text\nR-1,C-1,S-1,5,good\n';

/** A folder with files of all kinds. */
function files(): string {
  const cwd = folder({
    'x.csv': products(2),
    'y.ndjson': '{"sku": "A", "currency": "EUR", "price": "1"}\n',
    'r.csv': reviews,
    '2 reviews.csv': 'Art;Text\n1;good\n',
    'odd.csv': 'Art;Text\n1;good\n',
  });
  mkdirSync(join(cwd, 'delivery'));
  return cwd;
}

describe('a file in place of a command', () => {
  it.each([
    [['x.csv'], 'x.csv looks like products. To import it: catalog-import products x.csv'],
    [
      ['import', 'x.csv'],
      'import is not a command. x.csv looks like products. To import it: catalog-import products x.csv',
    ],
    [['history'], 'history is not a command. Did you mean: catalog-import runs\n'],
    [['rollback', '3'], 'Did you mean: catalog-import undo …'],
    [['y.ndjson', '--dry-run'], 'catalog-import products y.ndjson'],
    [['r.csv'], 'catalog-import reviews r.csv'],
    [['2 reviews.csv'], "catalog-import reviews '2 reviews.csv'"],
    [['odd.csv'], 'Name what odd.csv holds (characteristics, categories, groups, products, reviews)'],
    [['delivery'], 'To import a folder: catalog-import run delivery'],
    [['import', 'products', 'x.csv'], 'Did you mean: catalog-import products x.csv'],
    [['import'], 'Name what the file holds'],
    [['nothing.csv'], "unknown command 'nothing.csv'"],
    [['prodcts'], 'Did you mean products?'],
  ])('%j is refused with the command that is meant', async (args, words) => {
    const cwd = files();
    const { code, stdout, stderr } = await typed(cwd, args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(words)]);
    expect(existsSync(join(cwd, 'catalog.db'))).toBe(false);
  });
});

describe('a file that is named with another resource', () => {
  it('is said to look like the one whose columns it has', async () => {
    const cwd = files();
    const { code, stderr } = await typed(cwd, ['reviews', 'x.csv']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('x.csv looks like products: try ')]);
    const other = await typed(cwd, ['products', 'odd.csv']);
    expect([other.code, other.stderr]).toEqual([2, expect.not.stringContaining('looks like')]);
  });
});
