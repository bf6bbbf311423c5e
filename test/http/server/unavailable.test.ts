// The catalog is removed or replaced under a running server: nothing is acknowledged that nobody will find again.
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { type GivenServer, givenServer } from './given-server.js';

const product = '/v1/product/import';
const batch = (sku: string) => ({ items: [{ sku, currency: 'EUR' }] });
const parts = ['', '-wal', '-shm'];

let given: GivenServer;
afterEach(() => given.stop());

async function expectUnavailable(): Promise<void> {
  const { status, headers, body } = await given.post(product, batch('late'));
  expect([status, body.response.error]).toEqual([503, 'catalog_unavailable']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(body.response.message).not.toContain('/');
  await expect.poll(() => given.log.join('')).toContain('was removed or replaced while it was open');
}

it('a change after the catalog was removed is answered 503 catalog_unavailable, with a log line that names the file', async () => {
  given = await givenServer();
  expect((await given.post(product, batch('A'))).body.response.created).toBe(1);
  for (const part of parts) rmSync(given.file + part);
  await expectUnavailable();
  const line = given.log
    .join('')
    .split('\n')
    .find((one) => one.includes('catalog_unavailable'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    level: 'error',
    status: 503,
    details: expect.stringContaining(given.file),
  });
});

it('so is one where another catalog was put in its place, and reads and /readyz soon report it too', async () => {
  given = await givenServer();
  await given.post(product, batch('A'));
  copyFileSync(given.file, `${given.file}.other`);
  renameSync(`${given.file}.other`, given.file);
  await expectUnavailable();
  await expect.poll(async () => (await given.get(`${product}?sku=A`)).status).toBe(503);
  expect((await given.get('/readyz', { key: '' })).body.response.error).toBe('catalog_unavailable');
  expect((await given.get('/livez', { key: '' })).status).toBe(200);
});

it('so is one where only the log was removed', async () => {
  given = await givenServer();
  await given.post(product, batch('A'));
  rmSync(`${given.file}-wal`);
  await expectUnavailable();
});

it('continues when the same file is back', async () => {
  given = await givenServer();
  await given.post(product, batch('A'));
  for (const part of parts) renameSync(given.file + part, `${given.file}.away${part}`);
  await expectUnavailable();
  for (const part of parts) renameSync(`${given.file}.away${part}`, given.file + part);
  expect((await given.post(product, batch('B'))).body.response.created).toBe(1);
  expect((await given.get(`${product}?sku=A`)).status).toBe(200);
});
