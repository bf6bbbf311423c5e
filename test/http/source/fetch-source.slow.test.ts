// A source by its address arrives whole, or not at all: each lie and each accident of a server, with what is told of it.
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shownAddress } from '../../../src/core/text/mask-credentials.js';
import { fetchSource, type SourceRequest } from '../../../src/http/source/fetch-source.js';
import { sourceAddress } from '../../../src/http/source/source-address.js';
import { freePort } from '../../free-port.js';
import { allowed } from '../../tier.js';
import { cutAt, type FeedServer, givenFeedServer as given } from './feed-server.js';

const body = Buffer.from(Array.from({ length: 4_000 }, (_, i) => `S-${i},Product ${i}\n`).join(''));
const base64 = (algorithm: string, bytes: Buffer = body) => createHash(algorithm).update(bytes).digest('base64');

const limits = { bytes: 1 << 20, total: 5_000, idle: 1_000, pauses: [5, 5] };

async function fetched({ url }: Pick<FeedServer, 'url'>, path = '/feed.csv', more: Partial<SourceRequest> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-import-fetch-'));
  let files = 0;
  const found = await fetchSource({
    url: new URL(path, url),
    ca: undefined,
    env: {},
    limits,
    signal: new AbortController().signal,
    open() {
      const file = join(folder, String(files++));
      const descriptor = openSync(file, 'wx');
      return { path: file, write: (bytes) => void writeSync(descriptor, bytes), close: () => closeSync(descriptor) };
    },
    ...more,
  });
  return { ...found, content: found.path === undefined ? undefined : readFileSync(found.path) };
}

const unreadable = (message: string | RegExp) => ({
  code: 'input_unreadable',
  message: expect.stringMatching(message),
});

describe('what arrives whole', () => {
  it('with its state, and without anything that was not asked for', async () => {
    const server = await given((_, answer) =>
      answer.writeHead(200, { etag: '"1"', 'last-modified': 'Tue, 24 Nov 2026 08:00:00 GMT' }).end(body),
    );
    const found = await fetched(server);
    expect(found.content).toEqual(body);
    expect(found).toMatchObject({ etag: '"1"', modified: 'Tue, 24 Nov 2026 08:00:00 GMT' });
    expect(server.asked[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' });
    expect(server.asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('after answers that pass, such as 503', async () => {
    const server = await given(({ nth }, answer) => (nth < 2 ? answer.writeHead(503).end() : answer.end(body)));
    expect((await fetched(server)).content).toEqual(body);
  });

  it('after the time for which the server asks, where that is within the bound', async () => {
    const times: number[] = [];
    const server = await given(({ nth }, answer) => {
      times.push(performance.now());
      return nth === 0 ? answer.writeHead(429, { 'retry-after': '1' }).end() : answer.end(body);
    });
    expect((await fetched(server)).content).toEqual(body);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(950);
    const busy = await given((_, answer) => answer.writeHead(503, { 'retry-after': '86400' }).end());
    await expect(fetched(busy)).rejects.toThrow(/ answered 503, and asks to wait 86400 s; nothing was imported\.$/);
    expect(busy.asked).toHaveLength(1);
  });

  it.each(['Content-Digest', 'Repr-Digest'])('with the right %s', async (name) => {
    const value = `sha-512=:${base64('sha512')}:, sha-256=:${base64('sha256')}:, unknown=:eA==:`;
    const server = await given((_, answer) => answer.writeHead(200, { [name]: value }).end(body));
    expect((await fetched(server)).content).toEqual(body);
  });

  it('with the right Content-MD5, which has no name in front of it', async () => {
    const server = await given((_, answer) => answer.writeHead(200, { 'content-md5': base64('md5') }).end(body));
    expect((await fetched(server)).content).toEqual(body);
  });

  it('is not fetched where nothing is newer', async () => {
    const server = await given((_, answer) => answer.writeHead(304, { 'last-modified': 'later' }).end());
    const found = await fetched(server, '/feed.csv', { known: { etag: '"1"', modified: 'then' } });
    expect(found).toMatchObject({ path: undefined, etag: '"1"', modified: 'later' });
    expect(server.asked[0]?.headers['if-none-match']).toBe('"1"');
    await fetched(server, '/feed.csv', { known: { modified: 'then' } });
    expect(server.asked[1]?.headers['if-modified-since']).toBe('then');
  });
});

describe('what was cut', () => {
  const length = { 'content-length': body.length };

  it('is continued once where the ETag is strong', async () => {
    const server = await given(({ headers, nth }, answer) => {
      if (nth === 0) return cutAt(answer.writeHead(200, { ...length, etag: '"1"' }), body, 30_000);
      const start = Number(/\d+/.exec(headers.range ?? '')?.[0]);
      return answer
        .writeHead(206, { etag: '"1"', 'content-range': `bytes ${start}-${body.length - 1}/${body.length}` })
        .end(body.subarray(start));
    });
    expect((await fetched(server)).content).toEqual(body);
    expect(server.asked[1]?.headers).toMatchObject({ range: expect.stringMatching(/^bytes=\d+-$/), 'if-range': '"1"' });
    expect(server.asked).toHaveLength(2);
  });

  it.each([
    ['the server sends it whole', (answer: ServerResponse) => answer.writeHead(200, { etag: '"2"' }).end(body)],
    [
      'the server sends the rest of another one',
      (answer: ServerResponse) =>
        answer.writeHead(206, { etag: '"2"', 'content-range': 'bytes 30000-9/10' }).end('other'),
    ],
    [
      'the server sends another part',
      (answer: ServerResponse) => answer.writeHead(206, { 'content-range': 'bytes 5-9/10' }).end('other'),
    ],
    ['the server knows no such part', (answer: ServerResponse) => answer.writeHead(503).end()],
  ])('is begun again where %s', async (_, second) => {
    const server = await given(({ nth }, answer) => {
      if (nth === 0) return cutAt(answer.writeHead(200, { ...length, etag: '"1"' }), body, 30_000);
      return nth === 1 ? second(answer) : answer.writeHead(200, { etag: '"2"' }).end(body);
    });
    expect((await fetched(server)).content).toEqual(body);
  });

  it.each([
    ['a part of the rest', (start: number) => [start + 10, body.length]],
    ['the rest of a file of another length', (start: number) => [start + 10, start + 10]],
    ['a part of the rest, without its length', (start: number) => [start + 10, '*']],
  ])('is begun again where the server sends %s', async (_, rangeFrom) => {
    const server = await given(({ headers, nth }, answer) => {
      if (nth === 0) return cutAt(answer.writeHead(200, { ...length, etag: '"1"' }), body, 30_000);
      const start = Number(/\d+/.exec(headers.range ?? '')?.[0]);
      if (Number.isNaN(start)) return answer.writeHead(200, { ...length, etag: '"1"' }).end(body);
      const [end, total] = rangeFrom(start) as [number, unknown];
      answer.writeHead(206, { etag: '"1"', 'content-range': `bytes ${start}-${end - 1}/${total}` });
      return answer.end(body.subarray(start, end));
    });
    expect((await fetched(server)).content).toEqual(body);
    expect(server.asked).toHaveLength(3);
  });

  it.each([{ etag: 'W/"1"' }, { etag: '"1"', 'accept-ranges': 'none' }, {}])(
    'is begun again with %j',
    async (headers) => {
      const server = await given(({ nth }, answer) =>
        nth === 0 ? cutAt(answer.writeHead(200, { ...length, ...headers }), body, 30_000) : answer.end(body),
      );
      expect((await fetched(server)).content).toEqual(body);
      expect(server.asked[1]?.headers).not.toHaveProperty('range');
    },
  );

  it.each([
    ['by its length', (answer: ServerResponse) => cutAt(answer.writeHead(200, length), body, 100)],
    ['in a chunk', (answer: ServerResponse) => cutAt(answer.writeHead(200), body, 100)],
    ['before its header', (answer: ServerResponse) => answer.destroy()],
  ])('again and again is a failure: %s', async (_, behave) => {
    const server = await given((_, answer) => behave(answer));
    await expect(fetched(server)).rejects.toMatchObject(unreadable(/closed the connection|could not be reached/));
    expect(server.asked).toHaveLength(3);
  });
});

describe('what is refused', () => {
  it.each([
    ['a wrong Content-Digest', { 'content-digest': `sha-256=:${base64('sha256', Buffer.from('x'))}:` }],
    ['a wrong Content-MD5', { 'content-md5': base64('md5', Buffer.from('x')) }],
    ['a wrong Digest', { digest: `SHA-256=${base64('sha256', Buffer.from('x'))}` }],
    [
      'a wrong one of two',
      { 'repr-digest': `sha-256=:${base64('sha256')}:, sha-512=:${base64('sha512', Buffer.from('x'))}:` },
    ],
  ])('%s', async (_, headers) => {
    const server = await given((_, answer) => answer.writeHead(200, headers).end(body));
    await expect(fetched(server)).rejects.toMatchObject(unreadable('arrived damaged'));
  });

  it('more than its bound, announced or not, and without an end', async () => {
    const endless = await given((_, answer) => {
      // From Node 26 on an answer whose reader has left is not destroyed at once, and says so in its callbacks.
      const more = (error?: Error | null): void => void (error || answer.destroyed || answer.write(body, more));
      more();
    });
    await expect(fetched(endless)).rejects.toMatchObject(unreadable('has more than 1048576 bytes'));
    const announced = await given((_, answer) => answer.writeHead(200, { 'content-length': 1 << 21 }).write('a'));
    await expect(fetched(announced)).rejects.toMatchObject(unreadable('has more than'));
  });

  it('what comes too slowly: without a byte, or for too long', async () => {
    const silent = await given(() => undefined);
    const quick = { ...limits, idle: 100 };
    await expect(fetched(silent, '/', { limits: quick })).rejects.toMatchObject(unreadable(/./));
    const dribbling = await given((_, answer) => {
      const timer = setInterval(() => answer.write('a'), 20);
      answer.on('close', () => clearInterval(timer));
    });
    const short = { ...limits, total: 300 };
    await expect(fetched(dribbling, '/', { limits: short })).rejects.toMatchObject(unreadable('within 0.3 s'));
  });

  it.each([
    [401, 'key_refused'],
    [403, 'key_refused'],
    [404, 'input_unreadable'],
    [204, 'input_unreadable'],
    [206, 'input_unreadable'],
    [304, 'input_unreadable'],
    [500, 'input_unreadable'],
  ])('an answer %i: %s', async (status, code) => {
    const server = await given((_, answer) => answer.writeHead(status).end());
    await expect(fetched(server)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`answered ${status}`),
    });
  });

  it('a server that is not there', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await expect(fetched({ url })).rejects.toMatchObject(unreadable('refused the connection'));
  });

  it('at a signal, within a second', async () => {
    const server = await given((_, answer) => answer.write('a'));
    const stop = new AbortController();
    setTimeout(() => stop.abort('SIGTERM'), 100);
    const began = performance.now();
    await expect(fetched(server, '/', { signal: stop.signal })).rejects.toMatchObject({
      code: 'interrupted',
      cause: 'SIGTERM',
    });
    expect(performance.now() - began).toBeLessThan(100 + allowed(1000));
  });
});

describe('redirects', () => {
  it('are followed within the origin, with the credentials', async () => {
    const server = await given(({ path }, answer) =>
      path === '/feed.csv' ? answer.writeHead(302, { location: 'there?x=1' }).end() : answer.end(body),
    );
    expect((await fetched(server, '/feed.csv', { authorization: 'Bearer t' })).content).toEqual(body);
    expect(server.asked[1]).toMatchObject({ path: '/there?x=1', headers: { authorization: 'Bearer t' } });
  });

  it('are not followed to another origin, which hears nothing', async () => {
    const other = await given((_, answer) => answer.end(body));
    const server = await given((_, answer) => answer.writeHead(307, { location: `${other.url}/a?token=secret` }).end());
    const failure = fetched(server, '/feed.csv', { authorization: 'Bearer t' });
    await expect(failure).rejects.toMatchObject(
      unreadable(/redirects to .*\?token=…, and only redirects within one origin/),
    );
    await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
    expect(other.asked).toEqual([]);
  });

  it('end', async () => {
    const server = await given((_, answer) => answer.writeHead(301, { location: '/again' }).end());
    await expect(fetched(server)).rejects.toMatchObject(unreadable('more than 5 times'));
    expect(server.asked).toHaveLength(6);
  });
});

describe('an address', () => {
  it.each([
    ['https://user:secret@x.example/a', 'contains a user or a password'],
    ['http://x.example/a', 'in clear text'],
    ['ftp://x.example/a', 'is not an address that can be fetched'],
    ['https://', 'is not an address'],
  ])('%s is refused', (word, message) => {
    expect(() => sourceAddress(word, false)).toThrow(message);
    expect(() => sourceAddress(word, false)).not.toThrow('secret');
  });

  it.each(['https://10.0.0.1/a', 'http://localhost/a', 'http://127.0.0.1:8080/a', 'http://[::1]/a'])(
    '%s is accepted',
    (word) => {
      expect(sourceAddress(word, false).href).toBe(word);
    },
  );

  it('is shown without what may be a secret', () => {
    expect(shownAddress('https://u:p@x.example/a.csv?token=abc&flag&b=#part')).toBe(
      'https://x.example/a.csv?token=…&…&b=…',
    );
    expect(shownAddress('postgres://u:p@db.example/shop?schema=erp&password=abc&sslmode=require')).toBe(
      'postgres://db.example/shop?schema=erp&password=…&sslmode=require',
    );
    expect(sourceAddress('http://x.example/a#part', true).href).toBe('http://x.example/a');
  });
});
