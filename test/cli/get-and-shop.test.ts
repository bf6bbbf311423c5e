import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes, failureExitCodes, signalExitCodes } from '../../src/cli/exit-codes.js';
import { folder, products, typed } from './typed.js';

describe('get', () => {
  it('prints the read shape as indented JSON; the key goes before --id', async () => {
    const cwd = folder({ 'feed.csv': products(2) });
    await typed(cwd, ['products', 'feed.csv']);
    const { code, stdout, stderr } = await typed(cwd, ['get', 'product', '--sku', 'S-1']);
    expect([code, stderr]).toEqual([0, '']);
    const record = JSON.parse(stdout);
    expect(stdout).toBe(`${JSON.stringify(record, null, 2)}\n`);
    expect(record).toMatchObject({ object: 'product', sku: 'S-1', price: '1.50', currency: 'EUR' });
    const byId = await typed(cwd, ['get', 'products', '--id', record.id]);
    expect(JSON.parse(byId.stdout)).toEqual(record);
    const both = await typed(cwd, ['get', 'product', '--external-id', 'S-0', '--id', record.id]);
    expect(JSON.parse(both.stdout).sku).toBe('S-0');
    const table = await typed(cwd, ['get', 'product', '--sku', 'S-1', '--output', 'table']);
    expect(table.stdout).toMatch(/^price +1\.50$/m);
    expect(table.stdout).toMatch(/^updated_at +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d$/m);
  });

  it('reads by a key or an identifier without an option, and a category by its path', async () => {
    const cwd = folder({
      'feed.csv': products(2),
      'categories.csv': 'name,parent\nHome,\nPhones,Home\nA > B,Phones\n',
    });
    await typed(cwd, ['products', 'feed.csv']);
    await typed(cwd, ['categories', 'categories.csv']);
    const get = async (...args: string[]) => JSON.parse((await typed(cwd, ['get', ...args])).stdout);
    const record = await get('product', 'S-1');
    expect(record.sku).toBe('S-1');
    expect(await get('product', record.id)).toEqual(record);
    const phones = await get('category', 'Phones');
    for (const path of ['home > phones', 'Home > Phones'])
      for (const typedPath of [[path], ['--name', path]]) expect(await get('category', ...typedPath)).toEqual(phones);
    expect((await get('category', 'A > B')).parent).toBe(phones.id);
    const moved = await typed(cwd, ['get', 'category', 'Office > Phones']);
    expect([moved.code, moved.stderr]).toEqual([9, expect.stringContaining('"Phones" is stored as "Home > Phones"')]);
    expect((await typed(cwd, ['get', 'category', 'Home > Nothing'])).code).toBe(9);
    expect((await typed(cwd, ['get', 'product', 'S-1', '--sku', 'S-0'])).code).toBe(2);
  });

  it('without a selector: 2; on a catalog that does not exist: 7, and none is created', async () => {
    const cwd = folder();
    expect((await typed(cwd, ['get', 'product'])).code).toBe(2);
    const wrong = await typed(cwd, ['get', 'product', '--name', 'x']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('--sku');
    const missing = await typed(cwd, ['get', 'product', '--sku', 'x']);
    expect(missing.code).toBe(7);
    expect(missing.stderr).toContain('catalog.db');
    expect(existsSync(join(cwd, 'catalog.db'))).toBe(false);
  });
});

describe('shop', () => {
  it('load imports the records that reviews refer to, with the same report', async () => {
    const cwd = folder({
      'customers.csv': 'external_id\nC-1\n',
      'orders.ndjson': '{"external_id":"O-1","created_at":1700000000,"items":[{"external_id":"L-1"}]}\n',
      'reviews.csv':
        'external_id,customer_external_id,product_sku,rating,order_external_id,order_item_external_id\nR-1,C-1,A,5,O-1,L-1\nR-2,C-2,A,5,,\n',
    });
    const loaded = await typed(cwd, ['shop', 'load', 'customers', 'customers.csv']);
    expect([loaded.code, loaded.stderr]).toEqual([
      0,
      expect.stringContaining('Z shop load customers customers.csv: started'),
    ]);
    expect((await typed(cwd, ['runs'])).stdout).toMatch(/shop load customers customers\.csv *$/m);
    expect((await typed(cwd, ['shop', 'load', 'order', 'orders.ndjson'])).stdout).toContain('1 created');
    const { code, stdout } = await typed(cwd, ['reviews', 'reviews.csv']);
    expect(code).toBe(3);
    expect(stdout).toMatch(/1 created.*1 refused/);
    expect(stdout).toContain('customer_not_found');
    expect((await typed(cwd, ['shop', 'load', 'custmers', 'customers.csv'])).stderr).toContain('customers?');
  });

  it('loads into no other catalog than the one that CATALOG_REMOTE names', async () => {
    const cwd = folder({ 'customers.csv': 'external_id\nC-1\n' });
    const env = { CATALOG_REMOTE: 'http://127.0.0.1:9' };
    const { code, stderr } = await typed(cwd, ['shop', 'load', 'customers', 'customers.csv'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('CATALOG_REMOTE names http://127.0.0.1:9')]);
    expect(existsSync(join(cwd, 'catalog.db'))).toBe(false);
  });

  it('delete-product: an import never restores it, a read still finds it', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    await typed(cwd, ['products', 'feed.csv']);
    expect((await typed(cwd, ['shop', 'delete-product', 'S-0'])).code).toBe(0);
    const { code, stdout } = await typed(cwd, ['products', 'feed.csv', '--set', 'status=activated']);
    expect(code).toBe(0);
    expect(stdout).toContain('status_ignored');
    expect(JSON.parse((await typed(cwd, ['get', 'product', '--sku', 'S-0'])).stdout).status).toBe('deleted');
  });
});

describe('explain', () => {
  it('prints meaning and remedy of a code, for refusals and notices', async () => {
    const refusal = await typed(folder(), ['explain', 'reference_not_found']);
    expect(refusal.code).toBe(0);
    expect(refusal.stdout).toMatch(
      /^reference_not_found: Reference not found\n[\s\S]*refused[\s\S]*What to do: Import/,
    );
    expect((await typed(folder(), ['explain', 'slug_adjusted'])).stdout).toContain('accepted');
  });

  it('prints meaning and remedy of every exit code that a command ends with', async () => {
    const codes = [...Object.values(exitCodes), ...Object.values(failureExitCodes), ...Object.values(signalExitCodes)];
    for (const code of codes) {
      const { stdout } = await typed(folder(), ['explain', `${code}`]);
      expect(stdout).toMatch(new RegExp(`^Exit code ${code}: [^]+What to do: `));
    }
    expect(JSON.parse((await typed(folder(), ['explain', '9', '--output', 'json'])).stdout)).toMatchObject({
      object: 'exit_code',
      code: 9,
    });
    expect((await typed(folder(), ['explain', '10'])).code).toBe(9);
  });
});
