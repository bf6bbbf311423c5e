// Another process writes: reads go on, and a batch that waits too long is answered 503 and leaves nothing behind.
import { expect, it } from 'vitest';
import { CatalogError } from '../../../src/core/errors.js';
import { failureOf } from '../../../src/http/protocol.js';
import { openDatabase } from '../../../src/store/sqlite/database.js';
import { allowed } from '../../tier.js';
import { givenServer } from './given-server.js';

const product = '/v1/product/import';
const batch = { items: [{ sku: 'A', currency: 'EUR' }] };

it("a writer that waits for another process's lock never blocks reads, and gets through once it is free", async () => {
  const given = await givenServer();
  const other = openDatabase(given.file, true);
  other.exec('BEGIN IMMEDIATE');
  const waiting = given.post(product, batch);
  let slowest = 0;
  for (let i = 0; i < 20; i++) {
    const began = performance.now();
    expect((await given.get(`${product}?sku=A`)).status).toBe(404);
    slowest = Math.max(slowest, performance.now() - began);
  }
  other.exec('ROLLBACK');
  other.close();
  expect((await waiting).body.response.created).toBe(1);
  // Far below any time-out of a lock: the wait is not spent in the event loop.
  expect(slowest).toBeLessThan(allowed(1000));
  await given.stop();
});

it('a batch that waits past the time-out is answered 503 busy with Retry-After, and nothing of it is kept', async () => {
  const given = await givenServer({ lockTimeout: 200 });
  const other = openDatabase(given.file, true);
  other.exec('BEGIN IMMEDIATE');
  const sending = { headers: { 'idempotency-key': 'k' } };
  const { status, headers, body } = await given.post(product, batch, sending);
  expect([status, body.response.error, headers['retry-after']]).toEqual([503, 'busy', '1']);
  other.exec('ROLLBACK');
  other.close();
  expect((await given.get(`${product}?sku=A`)).status).toBe(404);
  expect((await given.post(product, batch, sending)).body.response.created).toBe(1);
  await given.stop();
});

it('a failure of the store is answered with its status, and details only in the log', () => {
  const answered = (['catalog_locked', 'catalog_full', 'interrupted', 'catalog_unusable'] as const).map((code) => {
    const { status, error, message } = failureOf(new CatalogError(code, '/secret/path.db is bad'));
    expect(message).not.toContain('secret');
    return [status, error];
  });
  expect(answered).toEqual([
    [503, 'busy'],
    [507, 'storage_full'],
    [503, 'shutting_down'],
    [503, 'catalog_unavailable'],
  ]);
  expect(failureOf(new Error('SELECT * FROM x')).message).toBe('An unexpected error occurred.');
});

it('an unexpected error is answered with a bare 500 and logged with the request id', async () => {
  const given = await givenServer();
  await given.catalog.close();
  const { status, headers, body } = await given.get(`${product}?sku=A`, { headers: { 'x-request-id': 'broken' } });
  expect([status, body.response.message, headers['x-request-id']]).toEqual([
    500,
    'An unexpected error occurred.',
    'broken',
  ]);
  expect((await given.get('/livez')).status).toBe(200);
  await given.server.stop();
  const line =
    given.log
      .join('')
      .split('\n')
      .find((one) => one.includes('"broken"')) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({ level: 'error', status: 500, details: expect.stringContaining('not open') });
});
