// The same items sent again over HTTP are recognized as unchanged, and reported as if each had been decided.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqlite } from '../../../src/store/sqlite/driver.js';
import { type GivenServer, givenServer } from './given-server.js';

const path = '/v1/product/import';
const price = (i: number) => ({ currency: 'EUR', price: `${i}.50` });
const items: readonly unknown[] = [
  { sku: 'PLAIN', name: 'Amber lamp', ...price(1) },
  { sku: 'ЛАМПА', name: 'Лампа', stock: 3, weight: '0.25', ...price(2) },
  { sku: 'LISTS', ...price(3), attributes: [{ type: 'Size', value: '9' }], media: [{ file: 'file_1', is_main: true }] },
  { sku: 'GRADED', currency: 'EUR', grades: [{ grade: 'new', price: 5, stock: 2 }], stock: 9 },
  { sku: 'NAMED TWICE', name: 'Amber lamp', ...price(5) },
  { sku: 'BRANDED', brand: 'brand-1', seo_image: 'file_2', ...price(6) },
  { sku: 'UNKNOWN MEMBER', colour: 'red', ...price(7) },
  { sku: 'REFUSED', currency: 'EUR', price: '-1' },
  'no item',
];

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
  await given.post('/v1/attribute/import', { items: [{ name: 'Size' }] });
});
afterAll(() => given.stop());

/** Does something to the catalog behind the back of the server. */
function tamper(sql: string): void {
  const database = openSqlite(given.file, {});
  database.exec(sql);
  database.close();
}

const forget = 'UPDATE product SET applied_high = 0, applied_low = 0, applied_epoch = 0';

it.each([
  ['as it is', {}],
  ['as a dry run', { dry_run: true }],
  ['with differences', { diff: true }],
])('a body that is sent again has the lines of one whose items are decided: %s', async (_, options) => {
  await given.post(path, { items });
  const recognized = await given.post(path, { items, ...options });
  tamper(forget);
  const decided = await given.post(path, { items, ...options });
  expect(recognized.status).toBe(200);
  expect(recognized.body.response.data).toHaveLength(items.length);
  expect(recognized.body.response).toMatchObject({ unchanged: 7, refused: 2 });
  expect(recognized.body).toEqual(decided.body);
});

it('recognizes an item without reading its record, and only the item that was applied last', async () => {
  const sent = { sku: 'SEEN', name: 'As sent', ...price(1) };
  const post = async (item: unknown): Promise<string> =>
    (await given.post(path, { items: [item] })).body.response.data[0].action;
  expect(await post(sent)).toBe('created');
  tamper("UPDATE product SET name = 'changed behind its back' WHERE sku = 'SEEN'");
  expect(await post(sent)).toBe('unchanged');
  expect(await post({ ...sent, stock: 1 })).toBe('updated');
  expect(await post({ ...sent, stock: 1 })).toBe('unchanged');
  // Without the stock it is another item, which is decided: it leaves the stock as it is.
  expect(await post(sent)).toBe('unchanged');
  expect((await given.get(`${path}?sku=SEEN`)).body.response).toMatchObject({ name: 'As sent', stock: 1 });
});
