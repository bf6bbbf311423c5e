// A currency sign or code beside the amount of a product that is sent without its currency is compared with the stored one.
import { readFileSync, writeFileSync } from 'node:fs';
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

  it('is refused as well where a later row of the record has it', async () => {
    const cwd = folder({
      'stored.csv': 'sku,currency,price\nA,EUR,1\nB,EUR,1\nC,EUR,1\n',
      'feed.csv': 'no,p,t\nA,5.00,x\nA,5.00 $,x\nB,5.00 €,x\nB,4.00 $,x\nC,5.00 $,x\nC,4.00 €,x\n',
      'last.yaml': 'to: products\nonce: merge\nfields: { sku: no, price: { column: p, aggregate: last }, tag: t }\n',
      'min.yaml': 'to: products\nonce: merge\nfields: { sku: no, price: { column: p, aggregate: min }, tag: t }\n',
      'same.csv': 'no,p,t\nA,5.00,x\nA,5.00 $,x\nB,5.00 €,x\nB,5.00,x\n',
      'merge.yaml': 'to: products\nonce: merge\nfields: { sku: no, price: p, tag: t }\n',
      'first.yaml': 'to: products\nonce: first\nfields: { sku: no, price: p, tag: t }\n',
    });
    const type = typing(cwd, remote);
    await type('products', join(cwd, 'stored.csv'));
    const tried = async (feed: string, name: string) =>
      outcomes((await type('products', join(cwd, feed), '--map', join(cwd, name), '--dry-run')).stdout);
    expect(await tried('feed.csv', 'last.yaml')).toEqual(['A currency_mismatch', 'B currency_mismatch', 'C updated']);
    const none = ['A currency_mismatch', 'B currency_mismatch', 'C currency_mismatch'];
    expect(await tried('feed.csv', 'min.yaml')).toEqual(none);
    expect(await tried('same.csv', 'merge.yaml')).toEqual(['A currency_mismatch', 'B updated']);
    expect(await tried('same.csv', 'first.yaml')).toEqual(['A currency_mismatch', 'B updated']);
  });

  it('is compared with the currency that the rows of the record agree on', async () => {
    const cwd = folder({
      'map.yaml':
        'to: products\nonce: merge\nfields: { sku: no, currency: { column: c, aggregate: first }, price: { column: p, aggregate: min } }\n',
      'feed.csv': 'no,c,p\nX,EUR,5 €\nX,USD,4 $\nY,EUR,5 €\nY,,4 €\nZ,EUR,5 €\nZ,,4 $\n',
    });
    const { stdout } = await typing(cwd, remote)('products', join(cwd, 'feed.csv'), '--map', join(cwd, 'map.yaml'));
    expect(outcomes(stdout)).toEqual(['X currency_mismatch', 'Y created', 'Z currency_mismatch']);
  });

  it.each([
    ['rows', 'rows: no\nfields: { sku: no, price: p, weight: w }', 'R1,5 USD,x\nR2,5 EUR,x\nR3,5 EUR,1\n'],
    [
      'rows and a currency',
      'rows: no\nset: { currency: EUR }\nfields: { sku: no, price: p, weight: w }',
      'R1,5 USD,x\n',
    ],
    ['once', 'once: merge\nfields: { sku: no, price: p, weight: w }', 'R1,5,1\nR1,5 USD,2\nR2,5 EUR,1\nR2,5 EUR,2\n'],
  ])('is compared when the record is refused for another field and comes back: %s', async (_, rule, rows) => {
    const cwd = folder({
      'stored.csv': 'sku,currency,price\nR1,EUR,1\nR2,EUR,1\nR3,EUR,1\n',
      'map.yaml': `to: products\n${rule}\n`,
      'feed.csv': `no,p,w\n${rows}`,
    });
    const type = typing(cwd, remote);
    await type('products', join(cwd, 'stored.csv'));
    const refused = join(cwd, 'refused.ndjson');
    await type('products', join(cwd, 'feed.csv'), '--map', join(cwd, 'map.yaml'), '--refused-file', refused);
    const corrected = readFileSync(join(cwd, 'refused.items.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.stringify({ ...JSON.parse(line), _unread: '', weight: '1' }));
    writeFileSync(join(cwd, 'corrected.ndjson'), `${corrected.join('\n')}\n`);
    const { stdout } = await type('products', join(cwd, 'corrected.ndjson'));
    expect(outcomes(stdout)).toEqual(['R1 currency_mismatch', ...(corrected.length > 1 ? ['R2 updated'] : [])]);
  });
});
