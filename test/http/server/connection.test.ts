// What never becomes a request is answered in the envelope, too.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/store/sqlite/database.js';
import { allowed } from '../../tier.js';
import { settled } from '../../until.js';
import { type GivenServer, givenServer } from './given-server.js';
import { schemaFault } from './schema-check.js';

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
});
afterAll(() => given.stop());

/** Status and error word of a bare answer, which must be an envelope of its own. */
function read(text: string): [status: number, error: string] {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const status = Number(head.slice(9, 12));
  expect(head).toMatch(/^HTTP\/1\.1 /);
  expect(head.toLowerCase()).toContain('x-request-id: ');
  expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
  const json = JSON.parse(body);
  expect(schemaFault('GET', 'none', status, json)).toBe('');
  return [status, json.response.error];
}

const auth = () => `Authorization: Bearer ${given.key}\r\n`;
const post = (headers: string, body = '') =>
  `POST /v1/product/import HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${auth()}${headers}\r\n${body}`;

describe('a connection', () => {
  it.each<readonly [what: string, bytes: string, status: number, error: string]>([
    ['garbage', 'hello\r\n\r\n', 400, 'malformed_request'],
    ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'malformed_request'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['no Host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    ['a header with a NUL', 'GET /livez HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n', 400, 'malformed_request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['two Hosts', 'GET /livez HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    ['an empty Host', 'GET /livez HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    ...['a b', 'a/b', 'x@y', 'a:b', '[::1', '"x"', 'x, y', 'a#b', 'x:80:90'].map(
      (host) =>
        [
          `the Host ${host}`,
          `GET /livez HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
          400,
          'malformed_request',
        ] as const,
    ),
    [
      'two keys',
      `GET /livez HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\nConnection: close\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ...['HTTP/2.0', 'HTTP/3.0', 'HTTP/0.9', 'HTTP/1.7', 'HTTP/1', 'FTP/1.1', 'http/1.1'].map(
      (version) =>
        [version, `GET /livez ${version}\r\nHost: x\r\nConnection: close\r\n\r\n`, 400, 'malformed_request'] as const,
    ),
    ...['gzip, chunked', 'gzip', 'deflate, gzip', 'identity, chunked', 'x'].map(
      (coding) =>
        [
          `the transfer coding ${coding}`,
          `POST /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
          501,
          'unsupported_transfer_coding',
        ] as const,
    ),
    [
      'header lines beyond 16 KiB',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(17_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
  ])('with %s is answered in the envelope', async (_what, bytes, status, error) => {
    expect(read(await given.raw(bytes))).toEqual([status, error]);
  });

  it.each([
    ['GET', '/v1/product/import?sku=NONE', 404, 'product_not_found'],
    ['PUT', '/v1/product/import', 405, 'method_not_allowed'],
    ['GET', '?x=1', 400, 'invalid_parameter'],
  ])('with %s to the whole address with %s is answered as to the path', async (method, path, status, error) => {
    for (const origin of ['http://127.0.0.1', 'HTTPS://shop.example:8080'])
      expect(
        read(await given.raw(`${method} ${origin}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${auth()}\r\n`)),
      ).toEqual([status, error]);
  });

  it('with broken chunks of a body is answered in the envelope', async () => {
    const text = await given.raw(post('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n', 'zz\r\n'));
    expect(read(text)).toEqual([400, 'malformed_request']);
  });

  it('with an unknown Expect header is served as if it had none', async () => {
    const body = '{"items":[]}';
    const head = `Content-Type: application/json\r\nExpect: tea\r\nContent-Length: ${body.length}\r\n`;
    expect(await given.raw(post(head, body))).toContain('HTTP/1.1 200 OK');
  });

  it('without a request does not keep the server from stopping', async () => {
    const fresh = await givenServer();
    const { port } = new URL(fresh.server.url);
    let answered = '';
    const sockets = ['', 'GET /livez HTTP/1.1\r\nHost'].map((start) => {
      const socket = connect(Number(port), '127.0.0.1', () => start && socket.write(start));
      socket.on('data', (data) => {
        answered += data;
      });
      return socket.on('error', () => {});
    });
    await settled('the connections', Promise.all(sockets.map((socket) => once(socket, 'connect'))));
    // It comes after them.
    expect((await fresh.get('/livez')).status).toBe(200);
    const began = performance.now();
    await fresh.stop();
    expect(performance.now() - began).toBeLessThan(allowed(5000));
    // Nor does it stop only once the time for a request is over.
    expect(answered).not.toContain('408');
    for (const socket of sockets) socket.destroy();
  });

  it('is served with any valid Host header', async () => {
    for (const host of ['x', 'a.example:8080', '127.0.0.1:1', '[::1]:8080', 'xn--bcher-kva.example', 'under_score']) {
      const text = await given.raw(`GET /livez HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect([host, text.slice(0, 15)]).toEqual([host, 'HTTP/1.1 200 OK']);
    }
    expect(await given.raw('GET /livez HTTP/1.0\r\n\r\n')).toContain(' 200 OK');
  });

  it('that fails before it has a request has a line in the log and is counted', async () => {
    const fresh = await givenServer();
    const { port } = new URL(fresh.server.url);
    await fresh.raw('hello\r\n\r\n');
    await fresh.raw(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(17_000)}\r\n\r\n`);
    const begun = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /livez HT';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(begun));
    socket.once('data', () => socket.resetAndDestroy());
    await expect
      .poll(async () => {
        const all = await fresh.server.metrics();
        return all.find(({ name }) => name === 'catalog_http_connection_failures_total')?.values;
      })
      .toEqual([
        { labels: { fault: 'malformed' }, value: 1 },
        { labels: { fault: 'headers_too_large' }, value: 1 },
        { labels: { fault: 'reset' }, value: 1 },
      ]);
    await fresh.stop();
    const lines = fresh.log
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ path }) => path === undefined);
    expect(lines).toMatchObject([
      { level: 'info', status: 400, address: '127.0.0.1', error: 'connection_malformed' },
      { level: 'info', status: 431, address: '127.0.0.1', error: 'connection_headers_too_large' },
      { level: 'info', status: 0, address: '127.0.0.1', error: 'connection_reset' },
    ]);
  });

  it('that closes before its response is logged, and its batch is not lost for others', async () => {
    const fresh = await givenServer();
    const other = openDatabase(fresh.file, true);
    other.exec('BEGIN IMMEDIATE');
    const body = '{"items":[{"sku":"left","currency":"EUR"}]}';
    const head = `POST /v1/product/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${fresh.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(Number(new URL(fresh.server.url).port), '127.0.0.1', () => socket.write(head + body));
    await expect.poll(() => fresh.metric('catalog_http_requests_in_flight')).toBe(1);
    socket.destroy();
    await expect.poll(() => fresh.log.join('')).toContain('"error":"client_closed"');
    other.exec('ROLLBACK');
    other.close();
    await expect.poll(() => fresh.metric('catalog_http_bytes_held')).toBe(0);
    await fresh.stop();
  });

  it('that closes in the middle of a body affects no other', async () => {
    const { port } = new URL(given.server.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(post('Content-Type: application/json\r\nContent-Length: 1000\r\n', '{"items":'));
    await expect.poll(() => given.metric('catalog_http_requests_in_flight')).toBe(1);
    socket.destroy();
    expect((await given.get('/readyz')).status).toBe(200);
    await expect.poll(() => given.metric('catalog_http_requests_in_flight')).toBe(0);
    expect(given.log.join('')).not.toContain('"status":500');
  });
});
