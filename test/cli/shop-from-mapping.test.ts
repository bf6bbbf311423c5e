// A mapping that feeds the shop's side of a local catalog, before what refers to it.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deriveIdentifier } from '../../src/source/mapping/values/derive-identifier.js';
import { folder, typedHere } from './typed.js';

const feed =
  'sku,brand,image,customer,order,stars\nA,Acme Ltd,https://x.y/img/a.jpg,K1,O1,5\nB,Bodo,https://x.y/img/b.jpg?v=2,K1,O2,4\nC,ACME LTD,,K2,O3,3\n';
const map = `
import:
  - to: reviews
    fields: { external_id: sku, customer_external_id: customer, order_external_id: order, product_sku: sku, rating: stars }
  - to: products
    fields:
      sku: sku
      currency: { value: EUR }
      brand: { column: brand, identifier: "brand_" }
      media: { entry: { file: { column: image, identifier: "file_" } } }
  - { to: orders, once: first, fields: { external_id: order, created_at: { value: 1700000000 } } }
  - { to: customers, once: first, fields: { external_id: customer } }
  - { to: files, once: first, keep: { of: image, empty: false }, fields: { id: { column: image, identifier: "file_" }, name: image } }
  - { to: brands, once: first, fields: { id: { column: brand, identifier: "brand_" }, name: brand } }
`;

describe('sections to: files, brands, customers, orders', () => {
  it('are imported before the records that refer to them, whatever their order, and a second run changes nothing', async () => {
    const cwd = folder({ 'feed.csv': feed, 'map.yaml': map });
    const run = async () => {
      const args = ['run', join(cwd, 'feed.csv'), '--map', join(cwd, 'map.yaml'), '--db', join(cwd, 'a.db')];
      const { stdout, stderr, code } = await typedHere([...args, '--output', 'json']);
      expect({ code, refused: stderr.match(/[1-9]\d* refused/g) }).toEqual({ code: 0, refused: null });
      const reports: { resource: string; created: number; unchanged: number }[] = JSON.parse(stdout).response.data;
      return reports.map(({ resource, created, unchanged }) => `${resource} ${created} ${unchanged}`);
    };
    const first = await run();
    expect(first.slice(0, 4).sort()).toEqual(['brand 2 0', 'customer 2 0', 'file 2 0', 'order 3 0']);
    expect(first.slice(4)).toEqual(['product 3 0', 'product_review 3 0']);
    expect((await run()).every((counts) => / 0 \d$/.test(counts))).toBe(true);
    const product = JSON.parse((await typedHere(['get', 'product', '--sku', 'C', '--db', join(cwd, 'a.db')])).stdout);
    expect(product.brand).toBe(deriveIdentifier('Acme Ltd', 'brand_'));
  });

  it('can be loaded one by one', async () => {
    const cwd = folder({ 'feed.csv': feed, 'map.yaml': map });
    const load = (kind: string) => {
      const files = [join(cwd, 'feed.csv'), '--map', join(cwd, 'map.yaml'), '--db', join(cwd, 'a.db')];
      return typedHere(['shop', 'load', kind, ...files, '--output', 'ndjson', '--report', 'all']);
    };
    const brands = await load('brands');
    expect([brands.code, brands.stdout.match(/"action":"\w+"/g)]).toEqual([0, Array(2).fill('"action":"created"')]);
    expect(await load('pages')).toMatchObject({ code: 2, stderr: expect.stringContaining('and no pages') });
  });

  it('for a remote they are left out, with a note', async () => {
    const cwd = folder({ 'feed.csv': feed, 'map.yaml': 'import: [{ to: brands, fields: { id: brand } }]' });
    const args = ['run', join(cwd, 'feed.csv'), '--map', join(cwd, 'map.yaml'), '--remote', 'http://127.0.0.1:9'];
    const { code, stderr } = await typedHere(args);
    expect(code).toBe(2);
    expect(stderr).toContain('holds only data of the shop, which a remote has itself');
  });

  it('a resource that does not exist is named with the nearest', async () => {
    const cwd = folder({ 'feed.csv': feed, 'map.yaml': 'import: [{ to: brandz, fields: { id: brand } }]' });
    const { stderr } = await typedHere([
      'run',
      join(cwd, 'feed.csv'),
      '--map',
      join(cwd, 'map.yaml'),
      '--db',
      join(cwd, 'a.db'),
    ]);
    expect(stderr).toContain('"brandz" is not a resource. Did you mean brands?');
  });
});

describe('the identifier of a text', () => {
  it('is the same for the same name in any case, and differs for another address', () => {
    expect(deriveIdentifier('Ärzte & Co', 'brand_')).toMatch(/^brand_arzte-co-[0-9a-f]{16}$/);
    expect(deriveIdentifier('ACME', 'b_')).toBe(deriveIdentifier(' acme ', 'b_'));
    expect(deriveIdentifier('https://x.y/a/1.jpg', 'file_')).not.toBe(deriveIdentifier('https://x.y/b/1.jpg', 'file_'));
    expect(deriveIdentifier('https://x.y/A.jpg', 'file_')).not.toBe(deriveIdentifier('https://x.y/a.jpg', 'file_'));
    expect(deriveIdentifier('東京', 'file_')).toMatch(/^file_[0-9a-f]{16}$/);
    expect(deriveIdentifier('x'.repeat(500), 'file_').length).toBeLessThanOrEqual(64);
  });
});
