// What never becomes a request is answered in the envelope, too; and slow senders are not waited for.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  const json = JSON.parse(body);
  expect(schemaFault('GET', 'none', status, json)).toBe('');
  return [status, json.response.error];
}

const auth = () => `Authorization: Bearer ${given.key}\r\n`;
const post = (headers: string, body = '') =>
  `POST /v1/product/import HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${auth()}${headers}\r\n${body}`;

describe('a connection', () => {
  it.each([
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

  it('with broken chunks of a body is answered in the envelope', async () => {
    const text = await given.raw(post('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n', 'zz\r\n'));
    expect(read(text)).toEqual([400, 'malformed_request']);
  });

  it('with a foreign expectation is served as if it had none', async () => {
    const body = '{"items":[]}';
    const head = `Content-Type: application/json\r\nExpect: tea\r\nContent-Length: ${body.length}\r\n`;
    expect(await given.raw(post(head, body))).toContain('HTTP/1.1 200 OK');
  });

  it('that asks nothing does not keep the server from stopping', async () => {
    const fresh = await givenServer();
    const { port } = new URL(fresh.server.url);
    const sockets = ['', 'GET /livez HTTP/1.1\r\nHost'].map((start) => {
      const socket = connect(Number(port), '127.0.0.1', () => start && socket.write(start));
      return socket.on('error', () => {});
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = Date.now();
    await fresh.stop();
    expect(Date.now() - began).toBeLessThan(5000);
    for (const socket of sockets) socket.destroy();
  });

  it('that leaves in the middle of a body does no harm', async () => {
    const { port } = new URL(given.server.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(post('Content-Type: application/json\r\nContent-Length: 1000\r\n', '{"items":'));
        setTimeout(() => socket.destroy(), 50);
      });
      socket.on('close', () => resolve());
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect((await given.get('/readyz')).status).toBe(200);
    expect(given.server.metrics()['catalog_http_requests_in_flight']).toBe(0);
    expect(given.log.join('')).not.toContain('"status":500');
  });

  it('that dribbles its header is closed within 15 s with 408, and one that says nothing is closed, too', async () => {
    const { port } = new URL(given.server.url);
    const outcomes = await Promise.all(
      ['GET /livez HTTP/1.1\r\nHost: x\r\n', ''].map(
        (start) =>
          new Promise<[string, number]>((resolve) => {
            const began = Date.now();
            let text = '';
            const socket = connect(Number(port), '127.0.0.1', () => socket.write(start));
            const drip = setInterval(() => start && socket.writable && socket.write('A: b\r\n'), 500);
            socket.on('data', (data) => {
              text += data;
            });
            socket.on('error', () => {});
            socket.on('close', () => {
              clearInterval(drip);
              resolve([text, Date.now() - began]);
            });
          }),
      ),
    );
    for (const [, took] of outcomes) expect(took).toBeLessThan(15_000);
    expect(read(outcomes[0]?.[0] ?? '')).toEqual([408, 'request_timeout']);
  }, 30_000);
});
