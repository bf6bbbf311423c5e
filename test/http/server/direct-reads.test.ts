// A read of one record is answered before Fastify sees it; the same path in another spelling goes through Fastify. Both
// ways have the same rules: each kind of request is sent by both, and everything that can be seen is compared.
import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../../src/core/resources/index.js';
import { pathOf } from '../../../src/http/protocol.js';
import { allScopes, type GivenServer, givenServer } from './given-server.js';

const product = '/v1/product/import';
/** The same path for the router, which decodes it, and another text for what looks at the target itself. */
const spelledOtherwise = (path: string) => path.replace('/import', '/%69mport');

interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly log: unknown;
  readonly counted: unknown;
}

let given: GivenServer;
let writeOnlyKey = '';
let revokedKey = '';
let expiredKey = '';
let etag = '';

beforeAll(async () => {
  given = await givenServer({ cors: ['https://shop.example'], trustedProxies: ['loopback'] });
  await given.post(product, { items: [{ sku: 'A', currency: 'EUR', price: '1.00', name: 'Grün ✓' }] });
  await given.post('/v1/category/import', { items: [{ name: 'Phones & more' }] });
  const { create, revoke } = given.keys;
  writeOnlyKey = (await create({ name: 'w', scopes: ['product:write'], expiresAt: null })).text;
  expiredKey = (await create({ name: 'e', scopes: allScopes, expiresAt: 1 })).text;
  const revoked = await create({ name: 'r', scopes: allScopes, expiresAt: null });
  await revoke(revoked.id);
  revokedKey = revoked.text;
  etag = String((await given.get(`${product}?sku=A`)).headers['etag']);
});
afterAll(() => given.stop());

/** How often requests of a route and status were counted. */
async function countOf(method: string, route: string, status: number): Promise<number> {
  const metric = (await given.server.metrics()).find(({ name }) => name === 'catalog_http_requests_total');
  const isIt = ({ labels }: { labels: Partial<Record<string, unknown>> }) =>
    labels['method'] === method && labels['route'] === route && labels['status'] === status;
  return metric?.values.find(isIt)?.value ?? 0;
}

interface Sending {
  readonly query: string;
  readonly path?: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** The line of a request in the log, of the many: the latest that has the identifier of its response. */
async function logLine({ 'x-request-id': id }: IncomingHttpHeaders): Promise<Record<string, unknown>> {
  const lines = () => given.log.filter((line) => line.includes(`"request_id":${JSON.stringify(id)}`));
  await expect.poll(() => lines().length).toBeGreaterThan(0);
  const [line = '{}'] = lines();
  given.log.length = 0;
  return JSON.parse(line);
}

/** Everything that a request shows, apart from what differs with each one: identifiers and times. */
async function seen(path: string, { query, key = given.key, headers, body }: Sending, route: string): Promise<Seen> {
  const sending = { key, ...(headers && { headers }), ...(body !== undefined && { body }) };
  const answer = await given.call('GET', path + query, sending);
  const { date, 'x-request-id': id, ratelimit, ...shown } = answer.headers;
  const line = await logLine(answer.headers);
  const { time: _time, ms, request_id: _id, path: logged, ...told } = line;
  expect(ms).toBeGreaterThanOrEqual(0);
  expect(logged).toBe(path);
  expect(date).toBeDefined();
  const text = answer.body === undefined ? undefined : JSON.stringify(answer.body).replaceAll(String(id), '<id>');
  const left = String(ratelimit).replace(/r=\d+/, 'r=<n>');
  const counted = await countOf('GET', route, answer.status);
  return { status: answer.status, headers: { ...shown, ratelimit: left }, body: text, log: told, counted };
}

const kinds: readonly (readonly [string, () => Sending])[] = [
  ['a record', () => ({ query: '?sku=A' })],
  ['a record that is cached', () => ({ query: '?sku=A' })],
  ['a record by its identifier, with details', () => ({ query: '?external_id=A&include=grades,media' })],
  ['an encoded name', () => ({ path: '/v1/category/import', query: '?name=Phones%20%26+more' })],
  ['an ETag that the client has', () => ({ query: '?sku=A', headers: { 'if-none-match': etag } })],
  ['an ETag of something else', () => ({ query: '?sku=A', headers: { 'if-none-match': '"x"' } })],
  ['a record that is not there', () => ({ query: '?sku=B' })],
  ['no parameter', () => ({ query: '?' })],
  ['an empty parameter', () => ({ query: '?sku=' })],
  ['a parameter that is given twice', () => ({ query: '?sku=A&sku=A' })],
  ['a parameter that is not UTF-8', () => ({ query: '?sku=%FF' })],
  ['an unknown detail', () => ({ query: '?sku=A&include=x' })],
  ['no key', () => ({ query: '?sku=A', key: '' })],
  ['another scheme than Bearer', () => ({ query: '?sku=A', key: '', headers: { authorization: 'Basic eA==' } })],
  ['an unknown key', () => ({ query: '?sku=A', key: `${given.key}x` })],
  ['a key without the scope', () => ({ query: '?sku=A', key: writeOnlyKey })],
  ['a revoked key', () => ({ query: '?sku=A', key: revokedKey })],
  ['an expired key', () => ({ query: '?sku=A', key: expiredKey })],
  ['a page of an allowed origin', () => ({ query: '?sku=A', headers: { origin: 'https://shop.example' } })],
  ['a page of another origin', () => ({ query: '?sku=A', headers: { origin: 'https://evil.example' } })],
  ['a client behind a proxy', () => ({ query: '?sku=A', headers: { 'x-forwarded-for': '1.2.3.4, 203.0.113.9' } })],
  ['an address with a port', () => ({ query: '?sku=A', headers: { 'x-forwarded-for': '[2001:db8::1]:8080' } })],
  ['a malformed Host', () => ({ query: '?sku=A', headers: { host: 'a b' } })],
  ['a body', () => ({ query: '?sku=A', body: '{}' })],
  ['a body of another type', () => ({ query: '?sku=A', body: 'x', headers: { 'content-type': 'text/plain' } })],
  ['an identifier of the client', () => ({ query: '?sku=A', headers: { 'x-request-id': 'mine' } })],
  ['an expectation', () => ({ query: '?sku=A', headers: { expect: '100-continue' } })],
  ['a connection that is to be closed', () => ({ query: '?sku=A', headers: { connection: 'close' } })],
];

describe('a read that is answered directly is answered as by Fastify', () => {
  it.each(kinds)('%s', async (_name, sendingOf) => {
    const sending = sendingOf();
    const { path = product } = sending;
    const { counted: before, ...direct } = await seen(path, sending, path);
    const { counted: after, ...routed } = await seen(spelledOtherwise(path), sending, path);
    expect(direct).toEqual(routed);
    // Both are counted under the same route.
    expect(after).toBe(Number(before) + 1);
  });

  it('for every resource', async () => {
    for (const resource of resources) {
      const path = pathOf(resource);
      const { counted: _, ...direct } = await seen(path, { query: `?${resource.key}=nobody` }, path);
      const { counted: __, ...routed } = await seen(spelledOtherwise(path), { query: `?${resource.key}=nobody` }, path);
      expect(direct).toEqual(routed);
      expect(direct.status).toBe(404);
    }
  });

  it('repeated headers, HTTP/1.0 and HTTP/2.0', async () => {
    const key = `Authorization: Bearer ${given.key}`;
    const requests = [
      (path: string) => `GET ${path}?sku=A HTTP/1.1\r\nHost: x\r\nHost: y\r\n${key}\r\nConnection: close\r\n\r\n`,
      (path: string) => `GET ${path}?sku=A HTTP/1.1\r\nHost: x\r\n${key}\r\n${key}\r\nConnection: close\r\n\r\n`,
      (path: string) => `GET ${path}?sku=A HTTP/1.1\r\n${key}\r\nConnection: close\r\n\r\n`,
      (path: string) => `GET ${path}?sku=A HTTP/1.0\r\n${key}\r\n\r\n`,
      (path: string) => `GET ${path}?sku=A HTTP/2.0\r\nHost: x\r\n${key}\r\n\r\n`,
    ];
    const varying = /^(?:date|x-request-id|ratelimit): .*\r\n|"request_id":"[^"]*"/gim;
    const statuses: unknown[] = [];
    for (const text of requests) {
      const [direct = '', routed = ''] = [
        await given.raw(text(product)),
        await given.raw(text(spelledOtherwise(product))),
      ];
      const sorted = (answer: string) => answer.replace(varying, '').split('\r\n').sort();
      expect(sorted(direct)).toEqual(sorted(routed));
      statuses.push(direct.slice(9, 12));
    }
    expect(statuses).toEqual(['400', '400', '400', '200', '400']);
  });
});

describe('responses that are written together', () => {
  it('keep their order on a connection with several requests, also beside those of Fastify', async () => {
    const one = (path: string, last = false) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${given.key}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    const targets = [
      [`${product}?sku=A`, '"sku":"A"'],
      [`${product}?sku=nobody`, 'product_not_found'],
      [`${spelledOtherwise(product)}?sku=A`, '"sku":"A"'],
      ['/livez', '"live"'],
      ['/v1/category/import?name=Phones%20%26+more', '"category"'],
      ['/nothing', 'route_not_found'],
    ] as const;
    const text = await given.raw(targets.map(([path], i) => one(path, i === targets.length - 1)).join(''));
    const bodies = text.split('HTTP/1.1 ').slice(1);
    expect(bodies.length).toBe(targets.length);
    for (const [i, [path, part]] of targets.entries())
      expect([path, bodies[i]]).toEqual([path, expect.stringContaining(part)]);
  });

  it('reach every one of many clients that ask at once, and one that left is logged', async () => {
    given.log.length = 0;
    const answers = await Promise.all(Array.from({ length: 100 }, () => given.get(`${product}?sku=A`)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.response.sku}`))).toEqual(new Set(['200 A']));
    const { port } = new URL(given.server.url);
    for (let i = 0; i < 20; i++) {
      const outgoing = request({ port, path: `${product}?sku=A`, headers: { authorization: `Bearer ${given.key}` } });
      outgoing.on('error', () => {}).on('socket', (socket) => socket.on('connect', () => socket.destroySoon()));
      outgoing.end();
    }
    await expect.poll(() => given.log.length).toBeGreaterThanOrEqual(100);
    expect((await given.get(`${product}?sku=A`)).status).toBe(200);
  });
});
