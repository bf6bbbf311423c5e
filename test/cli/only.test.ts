// `--only update` and `--only create` as they are typed: what is left out, and where it is told.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { givenServer } from '../http/server/given-server.js';
import { folder, typed } from './typed.js';

const erp = 'sku,currency,price,stock\nA,EUR,1,1\nB,EUR,1,1\n';

interface Shown {
  readonly lines: readonly string[];
  readonly counts: string;
  readonly warnings: readonly Record<string, unknown>[];
  readonly code: number;
  readonly stderr: string;
}

/** A shop with two products, and what an import of it reports. */
async function shop(files: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}) {
  const cwd = folder({ 'erp.csv': erp, ...files });
  const run = (...args: readonly string[]) => typed(cwd, args, { env });
  await run('products', 'erp.csv', '--feed', 'erp');
  return {
    cwd,
    run,
    async report(...args: readonly string[]): Promise<Shown> {
      const { stdout, ...told } = await run(...args, '--output', 'ndjson', '--report', 'all');
      const all = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const { created, updated, unchanged, refused, total, warnings = [] } = all.at(-1);
      const lines = all.filter(({ action }) => action !== undefined);
      return {
        ...told,
        lines: lines.map(({ external_id: key, action, id, code, notice }) =>
          [key, action, id === null ? 'null' : 'id', code ?? notice.map((one: { code: string }) => one.code).join()]
            .join(' ')
            .trim(),
        ),
        counts: `${created}+${updated}+${unchanged}+${refused}=${total}`,
        warnings,
      };
    },
    async skus(): Promise<string> {
      const { stdout } = await run('list', 'products', '--output', 'ndjson');
      const all = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return all
        .map(({ sku, stock }) => `${sku}:${stock}`)
        .sort()
        .join(' ');
    },
  };
}

const stock = 'sku,stock\nA,5\nX,5\nB,1\nY,many\nX,6\n';

describe('--only', () => {
  it('update makes no draft of an unknown SKU: the line is unchanged with a notice, and the report lists the keys', async () => {
    const it = await shop({ 'stock.csv': stock });
    const expected = {
      code: 3,
      lines: [
        'A updated id',
        'X unchanged null not_created',
        'B unchanged id',
        'Y refused null field_type',
        'X unchanged null not_created',
      ],
      counts: '0+1+3+1=5',
      warnings: expect.arrayContaining([
        expect.objectContaining({
          code: 'items_left_out',
          params: { resource: 'product', only: 'update', count: 2, keys: ['X', 'X'] },
        }),
      ]),
    };
    expect(await it.report('products', 'stock.csv', '--only', 'update', '--dry-run')).toMatchObject(expected);
    expect(await it.skus()).toBe('A:1 B:1');
    const { stderr, ...told } = await it.report('products', 'stock.csv', '--only', 'update');
    expect(told).toMatchObject(expected);
    expect(stderr).toContain('note items_left_out: product: 2 items left out (only update): X, X\n');
    expect(await it.skus()).toBe('A:5 B:1');
  });

  it('create leaves records that exist as they are', async () => {
    const it = await shop({ 'new.csv': 'sku,currency,stock\nA,EUR,9\nB,EUR,1\nC,EUR,9\nC,EUR,8\n' });
    const { lines } = await it.report('products', 'new.csv', '--only', 'create');
    expect(lines).toEqual([
      'A unchanged id not_updated',
      'B unchanged id',
      'C created id',
      'C unchanged id not_updated',
    ]);
    expect(await it.skus()).toBe('A:1 B:1 C:9');
    const again = await it.report('products', 'new.csv', '--only', 'create', '--on-duplicate', 'keep-last');
    expect(again.lines[3]).toBe('C unchanged id not_updated');
    expect(again.lines[2]).toContain('superseded');
  });

  it('is planned, and guards count what is left out as read', async () => {
    const it = await shop({ 'stock.csv': 'sku,stock\nA,5\nX,5\nY,5\nZ,5\n' });
    const planned = await it.report('plan', 'products', 'stock.csv', '--only', 'update', '--out', 'a.plan');
    expect([planned.code, planned.counts]).toEqual([0, '0+1+3+0=4']);
    expect(readFileSync(join(it.cwd, 'a.plan'), 'utf8')).not.toContain('"X"');
    expect((await it.report('apply', 'a.plan')).lines).toEqual(['A updated id']);
    // A second night that lists three more: without --only they would be created, which a guard limits.
    const night = [
      '--feed',
      'erp',
      '--only',
      'update',
      '--max-changed',
      'off',
      '--min-rows',
      '5',
      '--missing',
      'suspend',
    ];
    writeFileSync(join(it.cwd, 'stock.csv'), 'sku,stock\nA,6\nB,6\nX,5\nY,5\nZ,5\n');
    const { code, counts, warnings } = await it.report('products', 'stock.csv', ...night);
    expect([code, counts]).toEqual([0, '0+2+3+0=5']);
    expect(warnings.map((one) => one['code'])).toContain('items_left_out');
    // The feed lists what was left out: once it is created it is not missing, and later it is.
    writeFileSync(join(it.cwd, 'new.csv'), 'sku,currency\nX,EUR\n');
    await it.run('products', 'new.csv');
    writeFileSync(join(it.cwd, 'stock.csv'), 'sku,stock\nA,6\nB,6\n');
    const off = ['--max-missing', 'off', '--min-rows', '1', '--feed', 'erp', '--only', 'update'];
    await it.report('products', 'stock.csv', ...off);
    expect(JSON.parse((await it.run('missing', '--feed', 'erp', '--output', 'json')).stdout)).toMatchObject([
      { key: 'X' },
    ]);
  });

  it('counts for each file of a folder, and items that name what was left out are refused as ever', async () => {
    const it = await shop({});
    const dir = folder({
      'categories.csv': 'name,parent\nHome,\nLamps,Home\n',
      'products.csv': 'sku,category,stock\nA,Home,2\nX,,2\n',
    });
    const { lines, warnings } = await it.report('run', dir, '--only', 'update');
    expect(lines).toEqual([
      'Home unchanged null not_created',
      'Lamps refused null reference_not_found',
      'A refused id reference_not_found',
      'X unchanged null not_created',
    ]);
    expect(warnings.map(({ params }) => params)).toEqual([
      { resource: 'category', only: 'update', count: 1, keys: ['Home'] },
      { resource: 'product', only: 'update', count: 1, keys: ['X'] },
    ]);
  });

  it('may be in a profile, and in the defaults of a folder it may not', async () => {
    const it = await shop({ 'stock.csv': 'sku,stock\nX,5\n' });
    const config = join(it.cwd, 'catalog-import.yaml');
    writeFileSync(config, 'profiles: {stock: {only: update}}\n');
    expect((await it.report('products', 'stock.csv', '--profile', 'stock')).lines).toEqual([
      'X unchanged null not_created',
    ]);
    writeFileSync(config, 'defaults: {only: update}\n');
    expect((await it.run('products', 'stock.csv')).code).toBe(2);
    expect((await it.run('products', 'stock.csv', '--no-config', '--only', 'delete')).code).toBe(2);
  });

  it('may be set for a feed, of which a typed one is the exception', async () => {
    const it = await shop({ 'stock.csv': 'sku,stock,currency\nX,5,EUR\n' });
    const night = ['products', 'stock.csv', '--feed', 'stock'];
    expect((await it.run('feeds', 'set', 'stock', '--only', 'update')).stdout).toContain('stock may only update.');
    expect(JSON.parse((await it.run('feeds', '--output', 'json')).stdout)).toMatchObject([
      { feed: 'erp', only: null },
      { feed: 'stock', only: 'update' },
    ]);
    expect((await it.report(...night)).lines).toEqual(['X unchanged null not_created']);
    const planned = await it.report('plan', ...night, '--only', 'create', '--out', 'a.plan');
    expect(planned.counts).toBe('1+0+0+0=1');
    expect((await it.report('apply', 'a.plan')).lines).toEqual(['X created id']);
    expect((await it.run('feeds', 'set', 'stock', '--only', 'none')).stdout).not.toContain('only');
    expect((await it.run('feeds', 'set', 'stock')).code).toBe(2);
    writeFileSync(join(it.cwd, 'stock.csv'), 'sku,stock,currency\nY,5,EUR\n');
    expect((await it.report(...night, '--max-missing', 'off', '--max-created', 'off')).lines).toEqual(['Y created id']);
  });

  it('is sent to a remote, and what is left out there is sent again by --changed-only', async () => {
    const given = await givenServer();
    try {
      const env = { CATALOG_API_KEY: given.key, CATALOG_REMOTE: given.server.url, CATALOG_DB: undefined };
      const it = await shop({ 'stock.csv': 'sku,stock\nA,5\nX,5\n' }, { ...env, XDG_STATE_HOME: folder() });
      const night = ['products', 'stock.csv', '--only', 'update', '--changed-only', '--feed', 'stock'];
      const first = await it.report(...night);
      expect(first.lines).toEqual(['A updated id', 'X unchanged null not_created']);
      expect(first.warnings).toMatchObject([{ code: 'first_run' }, { code: 'items_left_out' }]);
      expect((await it.report(...night)).lines).toEqual(['A unchanged null not_sent', 'X unchanged null not_created']);
      writeFileSync(join(it.cwd, 'new.csv'), 'sku,currency\nX,EUR\n');
      await it.run('products', 'new.csv');
      expect((await it.report(...night)).lines).toEqual(['A unchanged null not_sent', 'X updated id']);
    } finally {
      await given.stop();
    }
  });
});
