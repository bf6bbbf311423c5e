// How bodies come in: bounded, charged to a budget, cut short where they are refused, and never answered by a reset.
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowed } from '../../tier.js';
import { type GivenServer, givenServer } from './given-server.js';

const product = '/v1/product/import';
const json = 'Content-Type: application/json\r\n';
const batch = (sku: string) => JSON.stringify({ items: [{ sku, currency: 'EUR' }] });

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
});
afterAll(() => given.stop());

const head = (headers: string, key = given.key) =>
  `POST ${product} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${json}${headers}\r\n`;

interface Upload {
  readonly answer: string;
  /** Bytes that were sent before the connection was gone. */
  readonly sent: number;
  readonly milliseconds: number;
}

/** Sends a header and then a body without end, as fast as it is taken. Returns what was received until the connection was closed. */
function uploadForEver(start: string): Promise<Upload> {
  const piece = Buffer.alloc(64 * 1024, ' ');
  const began = performance.now();
  return new Promise((resolve) => {
    let answer = '';
    let sent = 0;
    const socket = connect({ port: Number(new URL(given.server.url).port), host: '127.0.0.1', allowHalfOpen: true });
    function sendMore(): void {
      while (!socket.destroyed && socket.write(piece)) sent += piece.length;
    }
    socket.on('connect', () => {
      socket.write(start);
      sendMore();
    });
    socket.on('drain', sendMore);
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve({ answer, sent, milliseconds: performance.now() - began }));
  });
}

describe('a refused upload is aborted, and its sender still gets the response', () => {
  const length = 'Content-Length: 10000000000\r\n';
  const chunked = 'Transfer-Encoding: chunked\r\n';
  const endless = 'FFFFFFFF\r\n';

  it.each([
    ['401', () => head('Content-Length: 15000000\r\n', 'wrong')],
    ['401', () => head(chunked, 'wrong') + endless],
    ['401', () => head(length, 'wrong')],
    ['413', () => head(length)],
    ['413', () => head(chunked) + endless],
    ['404', () => `POST /nowhere HTTP/1.1\r\nHost: x\r\n${length}\r\n`],
    ['405', () => `PUT ${product} HTTP/1.1\r\nHost: x\r\n${length}\r\n`],
    ['415', () => head(`Content-Encoding: br\r\n${length}`)],
    ['200', () => `GET /livez HTTP/1.1\r\nHost: x\r\n${length}\r\n`],
  ])('with %s', async (status, start) => {
    const { answer, sent, milliseconds } = await uploadForEver(start());
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toHaveProperty('response');
    // The longest body, and what the network's buffers hold.
    expect(sent).toBeLessThan(40_000_000);
    expect(milliseconds).toBeLessThan(allowed(10_000));
  });

  it('with 403 and 429', async () => {
    const { text } = await given.keys.create({ name: 'r', scopes: ['product:read'], expiresAt: null });
    expect((await uploadForEver(head(length, text))).answer).toMatch(/^HTTP\/1.1 403 /);
    const slow = await givenServer({ limits: { rate: 1, authFailures: 1 } });
    const mine = given;
    given = slow;
    try {
      const answers = [];
      for (let i = 0; i < 3; i++) answers.push((await uploadForEver(head(length, 'wrong'))).answer.slice(9, 12));
      expect(answers).toEqual(['401', '429', '429']);
    } finally {
      given = mine;
      await slow.stop();
    }
  });

  it('and a connection whose whole request had come is kept', async () => {
    const body = batch('kept');
    const bad = head(`Content-Length: ${body.length}\r\n`, 'wrong') + body;
    const good = head(`Connection: close\r\nContent-Length: ${body.length}\r\n`) + body;
    const text = await given.raw(bad + good);
    expect(text).toContain('HTTP/1.1 401');
    expect(text).toContain('HTTP/1.1 200 OK');
  });
});

describe('Expect: 100-continue is answered', () => {
  const expects = 'Expect: 100-continue\r\n';

  /** Sends a header, and the body once it is asked for. */
  function converse(start: string, body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = '';
      const socket = connect(Number(new URL(given.server.url).port), '127.0.0.1', () => socket.write(start));
      socket.on('data', (data) => {
        if (text === '' && data.toString('latin1').startsWith('HTTP/1.1 100')) socket.write(body);
        text += data.toString('latin1');
      });
      socket.on('close', () => resolve(text)).on('error', reject);
    });
  }

  it('by 100 Continue only where the body may come', async () => {
    const body = batch('expected');
    const length = `Connection: close\r\nContent-Length: ${body.length}\r\n`;
    const good = await converse(head(expects + length), body);
    expect(good).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/);
    expect(await converse(head(expects + length, 'wrong'), body)).toMatch(/^HTTP\/1.1 401 /);
    expect(await converse(head(`${expects}Content-Length: 99999999\r\n`), body)).toMatch(/^HTTP\/1.1 413 /);
    const { text } = await given.keys.create({ name: 'r', scopes: ['product:read'], expiresAt: null });
    expect(await converse(head(expects + length, text), body)).toMatch(/^HTTP\/1.1 403 /);
  });
});

describe('a gzip body', () => {
  const send = (body: Buffer) => given.post(product, body, { headers: { 'content-encoding': 'gzip' } });

  it('is unpacked, also where it is named x-gzip and where it has several members', async () => {
    const text = batch('packed');
    expect((await send(gzipSync(text))).body.response.created).toBe(1);
    const members = Buffer.concat([gzipSync(text.slice(0, 9)), gzipSync(text.slice(9))]);
    const again = await given.post(product, members, { headers: { 'content-encoding': 'X-GZIP' } });
    expect(again.body.response.unchanged).toBe(1);
  });

  it('has a bounded unpacked size: 413, however small it was', async () => {
    const bomb = gzipSync(Buffer.alloc(80_000_000, ' '));
    expect(bomb.length).toBeLessThan(1_000_000);
    const { status, body } = await send(bomb);
    expect([status, body.response.error]).toEqual([413, 'body_too_large']);
  });

  it('that is damaged or cut is a 400', async () => {
    const packed = gzipSync(batch('damaged'));
    const flipped = Buffer.from(packed);
    flipped[packed.length - 6] = (flipped[packed.length - 6] ?? 0) ^ 0xff;
    for (const bytes of [
      packed.subarray(0, packed.length - 4),
      flipped,
      Buffer.from(batch('plain')),
      Buffer.alloc(0),
    ]) {
      const { status, body } = await send(bytes);
      expect([status, body.response.message]).toEqual([400, 'The body is not valid gzip.']);
    }
    expect((await given.get(`${product}?sku=damaged`)).status).toBe(404);
  });
});

describe('the limit of bytes in flight', () => {
  it('answers 503 busy with Retry-After beyond it, and takes bodies again once others are done', async () => {
    const small = await givenServer({ bytesInFlight: 300_000 });
    const mine = given;
    given = small;
    try {
      const port = Number(new URL(small.server.url).port);
      // Only received bytes count, not announced ones.
      const slow = connect(port, '127.0.0.1', () => slow.write(`${head('Content-Length: 250000\r\n')}{"items":[`));
      await expect.poll(() => small.metric('catalog_http_bytes_held')).toBeGreaterThan(0);
      const fits = await small.post(product, batch('x'));
      expect(fits.status).toBe(200);
      slow.write(' '.repeat(200_000));
      await expect.poll(() => small.metric('catalog_http_bytes_held')).toBeGreaterThan(200_000);
      for (const body of [' '.repeat(100_000), gzipSync(Buffer.alloc(100_000, ' '))]) {
        const coding = Buffer.isBuffer(body) ? { 'content-encoding': 'gzip' } : {};
        const { status, headers, body: refused } = await small.post(product, body, { headers: coding });
        expect([status, refused.response.error, headers['retry-after']]).toEqual([503, 'busy', '1']);
      }
      expect((await small.get('/livez')).status).toBe(200);
      slow.destroy();
      await expect.poll(() => small.metric('catalog_http_bytes_held')).toBe(0);
      expect((await small.post(product, `${' '.repeat(200_000)}${batch('y')}`)).body.response.created).toBe(1);
      await expect.poll(() => small.metric('catalog_http_bytes_held')).toBe(0);
    } finally {
      given = mine;
      await small.stop();
    }
  });

  it('is charged the same for a body that arrives byte by byte', async () => {
    const body = Buffer.from(batch('bytewise'));
    const chunks = Array.from(body, (byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');
    const text = await given.raw(`${head('Connection: close\r\nTransfer-Encoding: chunked\r\n')}${chunks}0\r\n\r\n`);
    expect(text).toContain('"created":1');
  });
});
