// Guards of an import into a remote, as they are typed: a dry run of the remote is judged before anything is written there,
// measured by what the feed listed there the last time.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { product } from '../../../src/core/resources/product.js';
import { folder, type Typed, typedHere } from '../../cli/typed.js';
import { type GivenServer, givenServer } from '../server/given-server.js';
import { answerJson, oddRemote, reportOn } from './odd-remote.js';

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
});
afterAll(() => given.stop());

/** A feed of 100 products; `price` gives the price of each, and `leaves` those that it leaves out. */
function feed(
  prefix: string,
  price: (i: number) => string = () => '5.00',
  leaves: (i: number) => boolean = () => false,
) {
  const rows = Array.from({ length: 100 }, (_, i) => (leaves(i) ? '' : `${prefix}${i},EUR,${price(i)}\n`));
  return `sku,currency,price\n${rows.join('')}`;
}

interface Night {
  readonly write: (content: string) => void;
  readonly type: (...args: string[]) => Promise<Typed & { readonly posts: number }>;
}

/** A folder with a feed, and how it is sent; `posts` counts the requests that the remote received. */
function nights(url = given.server.url): Night {
  const cwd = folder();
  const file = join(cwd, 'erp.csv');
  const env = { CATALOG_API_KEY: given.key, XDG_STATE_HOME: join(cwd, 'state') };
  return {
    write: (content) => writeFileSync(file, content),
    async type(...args) {
      const earlier = await given.metric('catalog_http_requests_total');
      const told = await typedHere(
        ['products', file, '--remote', url, '--feed', 'erp', '--report', 'none', ...args],
        env,
      );
      return { ...told, posts: (await given.metric('catalog_http_requests_total')) - earlier };
    },
  };
}

const stored = (key: string) => given.catalog.read(product, { key });

describe('guards of an import into a remote', () => {
  it('stop it before anything is written, with the figures, the offenders and the command that continues', async () => {
    const night = nights();
    night.write(feed('A'));
    expect((await night.type()).code).toBe(0);
    night.write(
      feed(
        'A',
        (i) => (i < 40 ? '500.00' : '5.00'),
        (i) => i >= 70,
      ),
    );
    const stopped = await night.type();
    expect(stopped.code).toBe(8);
    expect(stopped.stderr).toContain('erp: stopped by a guard; nothing was written.');
    expect(stopped.stderr).toContain('--max-price-change: 40 would change in price too much, 40 % of 100');
    expect(stopped.stderr).toContain('line 2: A0: price 5.00 → 500.00');
    expect(stopped.stderr).toContain('… and 20 more');
    expect(stopped.stderr).toContain('--max-missing: 30 are missing, 30 % of 100');
    expect(stopped.stderr).toMatch(/\n {4}A70\n/);
    expect(stopped.stderr).toMatch(
      /go on with:\n {2}catalog-import products .*--max-missing off --max-price-change off\n/,
    );
    expect(await stored('A0')).toMatchObject({ price: '5.00' });
    const goneOn = await night.type('--max-missing', 'off', '--max-price-change', 'off');
    expect(goneOn.code).toBe(0);
    expect(await stored('A0')).toMatchObject({ price: '500.00' });
    // What was accepted is the measure of the next night.
    const next = await night.type();
    expect(next).toMatchObject({ code: 0 });
    expect(next.stderr).toContain('erp: within its guards');
  });

  it('a first run is exempt but for its rows, and a run that was stopped never becomes the measure', async () => {
    const night = nights();
    night.write('sku,currency,price\n');
    expect((await night.type()).code).toBe(8);
    night.write(feed('B'));
    expect((await night.type('--min-rows', '101')).code).toBe(8);
    expect(await stored('B0')).toBeUndefined();
    expect((await night.type('--max-created', '1%')).code).toBe(0);
    night.write(feed('B', undefined, (i) => i >= 50));
    for (let i = 0; i < 2; i++) expect((await night.type()).stderr).toContain('50 % of 100');
    expect((await night.type('--dry-run')).code).toBe(8);
    expect((await night.type('--limit', '99', '--max-missing', 'off')).code).toBe(0);
    expect((await night.type()).stderr).toContain('50 % of 100');
  });

  it('stop a column that was renamed, by what the last run sent, also where all rows are known already', async () => {
    for (const option of [[], ['--changed-only']]) {
      const night = nights();
      night.write(feed('R'));
      expect((await night.type(...option)).code).toBe(0);
      night.write(feed('R').replace('price', 'net'));
      const { code, stderr } = await night.type(...option);
      expect(stderr).toContain('price: 100 values fewer, 100 % of 100');
      expect(code).toBe(8);
    }
  });

  it('with --changed-only are judged by the same copy, and ask the remote for what changed only', async () => {
    const night = nights();
    night.write(feed('C'));
    expect((await night.type('--changed-only')).code).toBe(0);
    const same = await night.type('--changed-only');
    // The keys that the feed lists, and no item.
    expect(same).toMatchObject({ code: 0, posts: 1 });
    night.write(feed('C', (i) => (i < 10 ? '50.00' : '5.00')));
    const stopped = await night.type('--changed-only');
    expect(stopped).toMatchObject({ code: 8, posts: 1 });
    expect(stopped.stderr).toContain('10 would change in price too much, 10 % of 100');
    expect(await stored('C0')).toMatchObject({ price: '5.00' });
    const goneOn = await night.type('--changed-only', '--max-price-change', 'off');
    expect(goneOn.code).toBe(0);
    expect(await stored('C0')).toMatchObject({ price: '50.00' });
  });

  it('where the keys of the feed cannot be stored, nothing is sent, and the file is named', async () => {
    const cwd = folder({ 'erp.csv': feed('N'), state: 'a file' });
    const env = { CATALOG_API_KEY: given.key, XDG_STATE_HOME: join(cwd, 'state') };
    const target = ['--remote', given.server.url, '--feed', 'erp'];
    const { code, stderr } = await typedHere(['products', join(cwd, 'erp.csv'), ...target], env);
    expect(code).toBe(2);
    expect(stderr).toMatch(/The lock of the feed, \S+\.lock, cannot be written/);
    expect(await stored('N0')).toBeUndefined();
  });

  it('a share of refused rows stops it as well', async () => {
    const night = nights();
    night.write(feed('D'));
    await night.type();
    night.write(feed('D', (i) => (i < 9 ? 'none' : '6.00')));
    const stopped = await night.type('--max-refused', '5%');
    expect(stopped.code).toBe(8);
    expect(stopped.stderr).toContain('--max-refused: 9 would be refused');
    expect(await stored('D50')).toMatchObject({ price: '5.00' });
  });

  it('refuse a remote that does not report changes', async () => {
    const odd = await oddRemote((asked, answer) => {
      const { data, ...report } = reportOn(asked);
      const updated = (data as Record<string, unknown>[]).map((line) => ({ ...line, action: 'updated' }));
      const counts = { created: 0, updated: updated.length };
      answerJson(answer, 200, { code: 200, title: 'OK', response: { ...report, data: updated, ...counts } });
    });
    try {
      const night = nights(odd.url);
      night.write(feed('E'));
      expect((await night.type()).code).toBe(0);
      const blind = await night.type();
      expect(blind.code).toBe(2);
      expect(blind.stderr).toContain('The remote does not report which fields would change');
      expect((await night.type('--max-price-change', 'off')).code).toBe(0);
    } finally {
      await odd.stop();
    }
  });
});
