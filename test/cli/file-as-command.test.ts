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
    [
      ['r.csv', 'x.csv', '--dry-run'],
      'To import them: catalog-import products x.csv, then catalog-import reviews r.csv',
    ],
    [['run', 'x.csv', 'x.csv'], 'run imports one folder. To import them: catalog-import products x.csv x.csv'],
    [['import', 'products', 'x.csv'], 'Did you mean: catalog-import products x.csv'],
    [['import'], 'Name what the file holds'],
    [['nothing.csv'], "unknown command 'nothing.csv'"],
    [['prodcts'], 'Did you mean products?'],
    [['list', 'prodcts'], 'Did you mean products?'],
    [['get', 'A-001'], 'To name a product: catalog-import get product A-001\n'],
    [['why', 'A 1'], "catalog-import why product 'A 1'\n"],
    [['prices', 'A-001'], 'catalog-import prices product A-001\n'],
    [['runs', '1'], 'Did you mean catalog-import runs show 1?'],
    [['runs', 'delete', '--feed', 'erp'], 'Did you mean catalog-import runs forget --keep <time>?'],
    [['feeds', 'rm', 'x'], 'Did you mean catalog-import feeds retire x?'],
    [['feeds', 'x'], 'Did you mean catalog-import feeds?'],
    [['keys', 'delete', 'cik_1'], 'Did you mean catalog-import keys revoke cik_1?'],
    [
      ['keys', 'other'],
      'Did you mean catalog-import keys create, catalog-import keys list, catalog-import keys revoke?',
    ],
    [['undo', '1', '2'], 'Did you mean catalog-import undo?'],
    [['-d', 'x.db', 'list', 'products'], 'Did you mean catalog-import list products --db x.db?'],
    [['--dry-run', 'products', 'x.csv'], 'Did you mean catalog-import products x.csv --dry-run?'],
    [['list', 'products', '-d', 'x.db'], "'-d' (Did you mean --db?)"],
    [['products', '--file', 'x.csv'], "'--file' (Did you mean catalog-import products x.csv?)"],
    [['products', '--file=x.csv', '--dry-run'], "'--file' (Did you mean catalog-import products x.csv --dry-run?)"],
    [['get', 'product', '--key', 'A'], '(Did you mean catalog-import get product A?)'],
    [['help', 'products', '--limit'], '(catalog-import products --help shows the options'],
    [['keys', 'create', '--nosuch'], '(catalog-import keys create --help shows the options'],
  ])('%j is refused with the command that is meant', async (args, words) => {
    const cwd = files();
    const { code, stdout, stderr } = await typed(cwd, args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(words)]);
    expect(existsSync(join(cwd, 'catalog.db'))).toBe(false);
  });
});

it.each([
  [
    ['run', 'x.csv'],
    5,
    'x.csv is a file, and no folder. x.csv looks like products. To import it: catalog-import products x.csv\n',
  ],
  [['products', 'delivery'], 5, 'delivery is a folder. To import its files: catalog-import run delivery\n'],
  [['inspect', 'delivery'], 5, 'catalog-import run delivery\n'],
  [['restore', 'latest'], 7, 'There is no file latest. Name the file of a backup'],
])('%j ends with the command that is meant', async (args, expected, words) => {
  const { code, stderr } = await typed(files(), args);
  expect([code, stderr]).toEqual([expected, expect.stringContaining(words)]);
  expect(stderr.split('\n')).toHaveLength(2);
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
