// The evidence of prices over HTTP: the notice of an import, what `include` adds to reads, and both by the command line with a remote.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, typed } from '../../cli/typed.js';
import { type GivenServer, givenServer } from './given-server.js';

const path = '/v1/product/import';
const lowest = { lowest_price_30d: '79.00', lowest_price_30d_known_days: 0, reduced_since: expect.any(Number) };
let server: GivenServer;
beforeAll(async () => {
  server = await givenServer();
  for (const price of ['89.00', '79.00']) await post([{ sku: 'LAMP', currency: 'EUR', status: 'activated', price }]);
});
afterAll(() => server.stop());

/** Posts items, and returns the notices of each by their codes. */
async function post(items: readonly object[], more: object = {}): Promise<readonly (readonly string[])[]> {
  const { status, body } = await server.post(path, { items, ...more });
  expect(status).toBe(200);
  return body.response.data.map(({ notice }: { notice: readonly { code: string }[] }) =>
    notice.map(({ code }) => code),
  );
}

/** Types a command with the server as its remote. */
const type = (cwd: string, ...args: readonly string[]) =>
  typed(cwd, args, { env: { CATALOG_REMOTE: server.server.url, CATALOG_API_KEY: server.key, CATALOG_DB: undefined } });

describe('compare_above_lowest', () => {
  it('is told in a dry run, at the import, and at each repetition of it', async () => {
    const items = [{ sku: 'LAMP', price: '59.00', price_compare: '99.00' }];
    for (const more of [{ dry_run: true }, {}, {}]) expect(await post(items, more)).toEqual([['compare_above_lowest']]);
    expect((await server.get(`${path}?sku=LAMP&include=lowest_price_30d`)).body.response).toMatchObject(lowest);
  });

  it('has the same words by the command line with a remote, also in a dry run', async () => {
    const cwd = folder({ 'sale.csv': 'sku,price,price_compare\nLAMP,59.00,99.00\n' });
    const words = '"99.00" is above 79.00, the lowest price of the 30 days before the reduction (0 of them are known).';
    for (const args of [
      ['products', 'sale.csv'],
      ['products', 'sale.csv', '--dry-run', '--diff'],
    ]) {
      const { code, stdout, stderr } = await type(cwd, ...args, '--output', 'ndjson');
      expect(code, stderr).toBe(0);
      expect(stdout).toContain(JSON.stringify(words));
    }
  });

  it('goes by what was there before the batch, where items of it have the same SKU', async () => {
    await post([{ sku: 'CHAIR', currency: 'EUR', status: 'activated', price: '100.00' }]);
    const [sold, reduced] = [{ price: '80.00' }, { price: '60.00', price_compare: '100.00' }];
    const items = [sold, reduced].map((item) => ({ sku: 'CHAIR', ...item }));
    const told = [[], ['repeated_in_batch']];
    for (const more of [{ dry_run: true }, {}]) expect(await post(items, more)).toEqual(told);
    const made = [{ price: '80.00', currency: 'EUR', status: 'activated' }, reduced].map((item) => ({
      sku: 'DESK',
      ...item,
    }));
    expect(await post(made)).toEqual(told);
    const { stdout } = await type(folder(), 'list', 'products', '--include', 'lowest_price_30d', '--output', 'json');
    expect(JSON.parse(stdout)).toMatchObject([
      { sku: 'LAMP', ...lowest },
      { sku: 'CHAIR', lowest_price_30d: '100.00' },
      { sku: 'DESK', lowest_price_30d: '' },
    ]);
  });

  it.each([
    ['one request', [3]],
    ['a request each', [1, 1, 1]],
  ])('goes by what was there before the run, where its rows have the same SKU: %s', async (name, sizes) => {
    const sku = `TABLE-${sizes.length}`;
    await post([{ sku, currency: 'EUR', status: 'activated', price: '100.00' }]);
    const rows = ['80.00', '70.00', '60.00'].map((price) => ({ sku, price, price_compare: '90.00' }));
    const sent = { headers: { 'catalog-run': name.replaceAll(' ', '-') } };
    const told: string[] = [];
    for (const size of sizes) {
      const { body } = await server.post(path, { items: rows.splice(0, size) }, sent);
      for (const { notice } of body.response.data) told.push(...notice.map(({ code }: { code: string }) => code));
    }
    expect(told).not.toContain('compare_above_lowest');
    const evidence = (await server.get(`${path}?sku=${sku}&include=lowest_price_30d`)).body.response;
    expect(evidence).toMatchObject({ lowest_price_30d: sizes.length === 1 ? '100.00' : '70.00' });
    // Without a run a request is one of its own.
    expect((await post([{ sku, price: '50.00', price_compare: '90.00' }])).flat()).toEqual(['compare_above_lowest']);
  });
});

describe('--include with a remote', () => {
  it.each([
    ['get', 'product', 'LAMP'],
    ['list', 'products', '--where', 'sku=LAMP'],
  ])('%s %s', async (...args) => {
    const { code, stdout, stderr } = await type(folder(), ...args, '--include', 'lowest_price_30d', '--output', 'json');
    expect([code, stderr]).toEqual([0, '']);
    expect([JSON.parse(stdout)].flat()).toMatchObject([lowest]);
  });
});
