// A currency sign or code beside the amount of a product that is sent without its currency is compared with the stored one.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GivenServer, givenServer } from '../http/server/given-server.js';
import { outcomes } from './outcomes.js';
import { folder, typedHere } from './typed.js';

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
});
afterAll(() => given.stop());

const map = 'to: products\nfields: { sku: no, name: { column: name, optional: true }, price: p }\n';

function typing(cwd: string, remote: boolean) {
  const env = { CATALOG_API_KEY: given.key, XDG_STATE_HOME: join(cwd, 'state') };
  const target = remote ? ['--remote', given.server.url] : ['--db', join(cwd, 'c.db')];
  return (...args: readonly string[]) => typedHere([...args, ...target, '--output', 'ndjson', '--report', 'all'], env);
}

describe.each([
  ['a local catalog', false],
  ['a remote', true],
])('%s: an amount without a currency of its record', (_, remote) => {
  it('is refused where it names a currency other than the stored one, in a dry run as well', async () => {
    const cwd = folder({
      'stored.csv': 'sku,currency,price\nE1,EUR,1\nE2,EUR,1\nE3,EUR,1\nU1,USD,1\nU2,USD,1\n',
      'map.yaml': map,
      'feed.csv': 'no,p\nE1,5 USD\nE2,€ 5\nE3,5\nU1,$5\nU2,5 kr\nNEW,5 EUR\n',
    });
    const type = typing(cwd, remote);
    await type('products', join(cwd, 'stored.csv'));
    const feed = ['products', join(cwd, 'feed.csv'), '--map', join(cwd, 'map.yaml')];
    const expected = [
      'E1 currency_mismatch',
      'E2 updated',
      'E3 updated',
      'U1 updated',
      'U2 currency_mismatch',
      'NEW currency_required',
    ];
    const tried = await type(...feed, '--dry-run');
    expect(outcomes(tried.stdout)).toEqual(expected);
    const done = await type(...feed);
    expect(outcomes(done.stdout)).toEqual(expected);
    expect(done.stdout).toContain(
      'price: column \\"p\\": \\"5 USD\\" names USD, and the currency of the product is EUR. Correct the amount',
    );
  });

  it('also after category names and with `once`', async () => {
    const cwd = folder({
      'categories.csv': 'name\nHome\n',
      'stored.csv': 'sku,currency,price\nM1,EUR,1\nM2,EUR,1\n',
      'map.yaml':
        'to: products\nonce: merge\nfields: { sku: no, price: { column: p, aggregate: first }, category: { value: Home }, tag: { column: t, aggregate: first } }\n',
      'first.yaml':
        'to: products\nonce: first\nfields: { sku: no, price: { column: p, aggregate: first }, category: { value: Home } }\n',
      'feed.csv': 'no,p,t\nM1,5 USD,a\nM1,6 EUR,b\nM2,7 EUR,a\nM2,8 USD,b\n',
    });
    const type = typing(cwd, remote);
    await type('categories', join(cwd, 'categories.csv'));
    await type('products', join(cwd, 'stored.csv'));
    for (const name of ['map.yaml', 'first.yaml']) {
      const { stdout } = await type('products', join(cwd, 'feed.csv'), '--map', join(cwd, name), '--dry-run');
      expect(outcomes(stdout)).toEqual(['M1 currency_mismatch', 'M2 updated']);
    }
  });
});
