// A mapping with a question imports nothing: a person has to answer it first.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from './typed.js';

const feed = 'no;Salgspris;Nettopris\nA;12,50;10,00\n';
const asking = `to: products
read: { decimal: "," }
fields:
  sku: no
  price: ?   # which one is it?
  #   "Salgspris": 100 % filled, 12.50 to 12.50; = 1.25 × Nettopris
  #   "Nettopris": 100 % filled, 10.00 to 10.00
  currency: { value: EUR }
`;

describe('an open question', () => {
  it.each([
    ['import', ['products', 'feed.csv', '--map', 'm.yaml', '--db', 'c.db', '--report-file', 'r.ndjson']],
    ['dry run', ['products', 'feed.csv', '--map', 'm.yaml', '--db', 'c.db', '--dry-run']],
    ['run', ['run', 'feed.csv', '--map', 'm.yaml', '--db', 'c.db']],
    ['plan', ['plan', 'products', 'feed.csv', '--map', 'm.yaml', '--db', 'c.db', '--out', 'p.plan']],
  ])('ends a %s before anything is written, and names field and candidates', async (_, args) => {
    const cwd = folder({ 'feed.csv': feed, 'm.yaml': asking });
    const { code, stderr } = await typedHere(args.map((arg) => (/\.\w+$/.test(arg) ? join(cwd, arg) : arg)));
    expect(code).toBe(2);
    expect(stderr).toContain(
      'line 5: price: "Salgspris": 100 % filled, 12.50 to 12.50; = 1.25 × Nettopris; "Nettopris"',
    );
    for (const name of ['c.db', 'r.ndjson', 'p.plan']) expect(existsSync(join(cwd, name))).toBe(false);
  });

  it.each([
    ['in a section', 'import:\n  - to: products\n    fields:\n      sku: ?\n'],
    ['in quotes', 'to: products\nfields: { sku: "?" }\n'],
    ['in JSON', '{ "to": "products", "fields": { "sku": "?" } }'],
    ['with a name in quotes', 'to: products\nfields:\n  "sku": ?\r\n'],
  ])('%s', async (_, map) => {
    const cwd = folder({ 'feed.csv': feed, 'm.yaml': map });
    const { code, stderr } = await typedHere(['products', join(cwd, 'feed.csv'), '--map', join(cwd, 'm.yaml')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/has open questions.*line \d: sku: no column is named/s);
  });

  it('is named without the comments that belong to something else', async () => {
    const map =
      'to: products\nfields:\n  sku: ?\n  #   "no": each value once\n# Columns that fill nothing yet:\n#   "x"\n';
    const cwd = folder({ 'feed.csv': feed, 'm.yaml': map });
    const { stderr } = await typedHere(['products', join(cwd, 'feed.csv'), '--map', join(cwd, 'm.yaml')]);
    expect(stderr).toMatch(/line 3: sku: "no": each value once\n$/);
  });

  it('that is answered is none, and other question marks stay what they are', async () => {
    const map = asking
      .replace('price: ?', 'price: Salgspris')
      .replace('sku: no', 'sku: { column: no, split: "?", take: first }');
    const cwd = folder({ 'feed.csv': feed, 'm.yaml': map });
    const args = ['products', join(cwd, 'feed.csv'), '--map', join(cwd, 'm.yaml'), '--db', join(cwd, 'c.db')];
    expect((await typedHere(args)).code).toBe(0);
  });
});
