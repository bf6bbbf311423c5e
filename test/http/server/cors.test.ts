// Cross-origin requests: only where the operator named origins, whatever the answer is, and never with credentials.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GivenServer, givenServer } from './given-server.js';

const target = '/v1/product/import?sku=A';
const shop = 'https://shop.example';
const from = (origin: string, others: Readonly<Record<string, string>> = {}) => ({ headers: { origin, ...others } });
const corsHeaders = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'));

async function preflight(given: GivenServer, origin: string, path = '/v1/product/import') {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
  return given.call('OPTIONS', path, { key: '', ...from(origin, asked) });
}

describe('a server without allowed origins', () => {
  it('sends no CORS header', async () => {
    const given = await givenServer();
    for (const { headers } of [await given.get(target, from(shop)), await preflight(given, shop)]) {
      expect(corsHeaders(headers)).toEqual([]);
      expect(headers['vary']).toBeUndefined();
    }
    await given.stop();
  });
});

describe('a server with allowed origins', () => {
  let given: GivenServer;
  beforeAll(async () => {
    given = await givenServer({ cors: [shop, 'http://localhost:3000'] });
    await given.post('/v1/product/import', { items: [{ sku: 'A', currency: 'EUR' }] });
  });
  afterAll(() => given.stop());

  it('lets their pages read every answer, failures and 304 too, with its headers', async () => {
    const { headers } = await given.get(target, from(shop));
    const etag = String(headers['etag']);
    const answers = [
      await given.get(target, from('http://localhost:3000')),
      await given.get(target, from(shop, { 'if-none-match': etag })),
      await given.get(target, { key: '', ...from(shop) }),
      await given.get('/v1/product/import?sku=nobody', from(shop)),
      await given.get('/nowhere', from(shop)),
      await given.call('DELETE', target, from(shop)),
      await given.post('/v1/product/import', { items: [] }, from(shop)),
      await given.get('/openapi.json', from(shop)),
      await given.call('GET', '/%', from(shop)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 401, 404, 404, 405, 200, 200, 404]);
    for (const answer of answers) {
      expect([shop, 'http://localhost:3000']).toContain(answer.headers['access-control-allow-origin']);
      expect(answer.headers['access-control-expose-headers']).toContain('ETag');
      expect(answer.headers['vary']).toContain('Origin');
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  it('answers a preflight: the methods of the path, headers and maximum age', async () => {
    const { status, headers } = await preflight(given, shop);
    expect(status).toBe(204);
    expect(headers['access-control-allow-origin']).toBe(shop);
    expect(headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS, POST');
    expect(headers['access-control-max-age']).toBe('600');
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'])
      expect(headers['access-control-allow-headers']).toContain(name);
    const list = await preflight(given, shop, '/v1/product/list');
    expect(list.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS');
  });

  it('allows no other origin, however similar', async () => {
    for (const origin of [
      'https://shop.example.evil',
      'http://shop.example',
      'https://shop.example:8443',
      'null',
      shop.toUpperCase(),
    ]) {
      for (const { headers } of [await given.get(target, from(origin)), await preflight(given, origin)]) {
        expect(corsHeaders(headers), origin).toEqual([]);
        expect(headers['vary']).toBe('Origin');
      }
    }
  });

  it('with * allows all origins, without credentials', async () => {
    const open = await givenServer({ cors: ['*'] });
    for (const { headers } of [await open.get(target, from('https://any.example')), await preflight(open, 'null')]) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
    expect(corsHeaders((await open.get(target)).headers)).toEqual([]);
    await open.stop();
  });
});
