// --verbose: what is done and how long it takes, on stderr, in a bounded number of lines.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GivenServer, givenServer } from '../../http/server/given-server.js';
import { folder, products, typed } from '../typed.js';

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
});
afterAll(() => given.stop());

const logOf = (stderr: string): string[] => stderr.split('\n').filter((line) => /^\[\d+\.\d{3} s\] /.test(line));

describe('--verbose', () => {
  it('tells version, configuration, options, each step with its duration, and the totals of a local import', async () => {
    const cwd = folder({ 'feed.csv': products(200), 'catalog-import.yaml': 'profiles: {shop: {db: shop.db}}\n' });
    const { code, stderr } = await typed(cwd, [
      'products',
      'feed.csv',
      '-v',
      '--profile',
      'shop',
      '--set',
      'status=activated',
    ]);
    const log = logOf(stderr).join('\n');
    expect(code).toBe(0);
    for (const step of [
      /catalog-import \d+\.\d+\.\d+, Node\.js v\d+/,
      /configuration file catalog-import\.yaml/,
      /--db shop\.db \(from the file\)/,
      /--set \["status=activated"\]/,
      /file opened feed\.csv \(\d+\.\d{3} s\)/,
      /catalog opened \(\d+\.\d{3} s\)/,
      /items checked and decided \(/,
      /rows written \(/,
      /transaction committed \(/,
      /200 items read|\d+ items read/,
      /done after \d+\.\d{3} s, of which start-up .*: .*decide .*save .*commit/,
      /processor time \d+\.\d{3} s, memory at most [\d,]+ MiB/,
    ])
      expect(log).toMatch(step);
  });

  it('tells each request to a remote with its status, and no key', async () => {
    const cwd = folder({ 'feed.csv': products(90, 500) });
    const env = { CATALOG_API_KEY: given.key };
    const { code, stderr } = await typed(cwd, ['products', 'feed.csv', '-v', '--remote', given.server.url], { env });
    expect(code).toBe(0);
    expect(
      logOf(stderr).filter((line) => /request POST \/v1\/product\/import: 200 \(/.test(line)).length,
    ).toBeGreaterThanOrEqual(3);
    expect(stderr).not.toContain(given.key);
    const wrong = { env: { CATALOG_API_KEY: 'cik_wrong' } };
    const refused = await typed(cwd, ['get', 'product', '--sku', 'A', '-v', '--remote', given.server.url], wrong);
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/request GET .*: 401 \(/)]);
    expect(refused.stderr).toMatch(/done after/);
  });

  it('stays short, however much is done, and is not there without it', async () => {
    const cwd = folder({ 'feed.csv': products(20_000) });
    const { stderr } = await typed(cwd, ['products', 'feed.csv', '--verbose', '--report', 'none']);
    expect(logOf(stderr).length).toBeLessThan(80);
    expect(logOf((await typed(cwd, ['get', 'product', '--sku', 'S-1'])).stderr)).toEqual([]);
  });
});
