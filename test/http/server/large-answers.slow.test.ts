// What comes in and goes out is bounded, too: a record of 6 MB takes 36 as JSON.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawEntry } from '../../../src/core/entry.js';
import { product } from '../../../src/core/resources/product.js';
import { byteBudget } from '../../../src/http/server/admission/byte-budget.js';
import { entityTag, measurePieces } from '../../../src/http/server/reads/entity-tag.js';
import { jsonPieces, textLength } from '../../../src/http/server/reads/json-pieces.js';
import { anyCharacter } from '../../any-character.js';
import { allowed } from '../../tier.js';
import { type GivenServer, givenServer } from './given-server.js';

let given: GivenServer;
const large = '\u0001'.repeat(1024 * 1024);
const texts = ['description', 'seo_description', 'badge', 'tag', 'note', 'ean'];
beforeAll(async () => {
  given = await givenServer();
  const members = Object.fromEntries(texts.map((name) => [name, large]));
  const items = ['A', 'B', 'C', 'D'].map((sku) => ({ sku, currency: 'EUR', ...(sku !== 'C' && members) }));
  const batches = items.map((item) => [rawEntry(item)]);
  for await (const { data } of given.catalog.importBatches(product, batches)) expect(data[0]?.reason).toBeNull();
});
afterAll(() => given.stop());

describe('JSON in pieces', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 30 }),
    fc
      .tuple(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 9000 }))
      .map(([part, times]) => part.repeat(times)),
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    ),
  })).value;

  it('is the JSON, in pieces of which none is long', () => {
    fc.assert(
      fc.property(value, (one) => {
        const pieces = [...jsonPieces(one)];
        expect(pieces.join('')).toBe(JSON.stringify(one));
        expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(130_000);
        expect(textLength(one)).toBeLessThanOrEqual(JSON.stringify(one).length);
      }),
      { numRuns: 60 },
    );
  });
});

it('lets others have their turn while large JSON is made', async () => {
  let longest = 0;
  let isDone = false;
  const others = (async () => {
    while (!isDone) {
      const began = performance.now();
      await new Promise((resolve) => setImmediate(resolve));
      longest = Math.max(longest, performance.now() - began);
    }
  })();
  const record = Object.fromEntries(texts.map((name) => [name, large]));
  const wanted = () => true;
  const measured = await Promise.all([1, 2, 3].map(() => measurePieces(jsonPieces(record), wanted)));
  isDone = true;
  await others;
  const text = JSON.stringify(record);
  const own = { etag: entityTag(text), bytes: Buffer.byteLength(text) };
  expect(measured).toEqual([own, own, own]);
  expect(await measurePieces(jsonPieces(record), () => false)).toBeUndefined();
  expect(longest).toBeLessThan(allowed(50));
});

describe('a budget', () => {
  it('gives each holder at most a quarter, but for what one request alone needs', () => {
    const budget = byteBudget(1000);
    const [one, two, three] = [budget.reserve(['a', 'k']), budget.reserve(['b', 'k']), budget.reserve(['c'])];
    expect(one.grow(700)).toBe(true);
    expect(two.grow(1)).toBe(false);
    expect(budget.hasRoom(1, ['a'])).toBe(false);
    expect(three.grow(250)).toBe(true);
    expect(three.grow(51)).toBe(false);
    one.release();
    expect(two.grow(250)).toBe(true);
    expect(budget.reserve(['d', 'k']).grow(1)).toBe(false);
    two.release();
    three.release();
    expect(budget.used()).toBe(0);
  });
});

describe('a record of 6 MB of control characters', () => {
  it('is answered whole, with an ETag', async () => {
    const url = `${given.server.url}/v1/product/import?sku=A`;
    const headers = { authorization: `Bearer ${given.key}` };
    // Its bytes are counted: there is no need to parse them.
    const [answer] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const data of answer) bytes += (data as Buffer).length;
    expect(bytes).toBeGreaterThan(36_000_000);
    expect(Number(answer.headers['content-length'])).toBe(bytes);
    const known = { 'if-none-match': String(answer.headers.etag) };
    expect((await given.get('/v1/product/import?sku=A', { headers: known })).status).toBe(304);
  });

  it('is a page of its own in a list', async () => {
    const sizes: number[] = [];
    const skus: string[] = [];
    for (let cursor = ''; cursor !== 'null'; ) {
      const { body } = await given.get(`/v1/product/list?cursor=${cursor}`);
      sizes.push(body.response.data.length);
      skus.push(...body.response.data.map(({ sku, note }: { sku: string; note: string }) => sku + note.length));
      cursor = String(body.response.next_cursor);
    }
    expect(skus).toEqual([`A${large.length}`, `B${large.length}`, 'C0', `D${large.length}`]);
    expect(sizes).toEqual([1, 1, 1, 1]);
  });

  it('asked for again and again by clients that read nothing stops neither imports nor reads of others', async () => {
    const { text: other } = await given.keys.create({
      name: 'o',
      scopes: ['product:read', 'product:write'],
      expiresAt: null,
    });
    const { port, hostname } = new URL(given.server.url);
    const sockets = Array.from({ length: 12 }, () => {
      const socket = connect(Number(port), hostname)
        .pause()
        .on('error', () => {});
      socket.write(`GET /v1/product/import?sku=A HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${given.key}\r\n\r\n`);
      return socket;
    });
    await expect.poll(() => given.metric('catalog_http_bytes_held')).toBeGreaterThan(20_000_000);
    const held = await given.metric('catalog_http_bytes_held');
    expect(held).toBeLessThan(32 * 1024 * 1024);
    // The key has its share already, and is told so.
    const refused = await given.get('/v1/product/import?sku=B');
    expect([refused.status, refused.body.response.error]).toEqual([503, 'busy']);
    const items = [{ sku: 'SMALL', currency: 'EUR' }];
    expect((await given.post('/v1/product/import', { items })).status).toBe(200);
    expect((await given.get('/v1/product/import?sku=SMALL', { key: other })).status).toBe(200);
    // The server closes them after 10 s in which they took nothing.
    await expect.poll(() => given.metric('catalog_http_bytes_held')).toBe(0);
    for (const socket of sockets) socket.destroy();
  });
});

it('a POST of several items replaces at most 8 MiB of stored texts', async () => {
  const short = Object.fromEntries(texts.map((name) => [name, 'x']));
  const items = ['A', 'B'].map((sku) => ({ sku, currency: 'EUR', ...short }));
  const refused = await given.post('/v1/product/import', { items });
  expect([refused.status, refused.body.response.error]).toEqual([413, 'batch_too_large']);
  expect((await given.get('/v1/product/import?sku=A')).body.response.note).toBe(large);
  for (const item of items) {
    const { status, body } = await given.post('/v1/product/import', { items: [item] });
    expect([status, body.response.updated]).toEqual([200, 1]);
  }
});

/** Removes the catalog of the tests before, as the next one is as large. */
async function startAgain(): Promise<void> {
  await given.stop();
  given = await givenServer();
}

it('a POST loads at most 64 MiB of stored texts, and stores nothing where there are more', async () => {
  await startAgain();
  const text = 'x'.repeat(1024 * 1024);
  const members = Object.fromEntries(texts.slice(0, 5).map((name) => [name, text]));
  const skus = Array.from({ length: 13 }, (_, i) => `LONG-${i}`);
  const batches = skus.map((sku) => [rawEntry({ sku, currency: 'EUR', ...members })]);
  for await (const { data } of given.catalog.importBatches(product, batches)) expect(data[0]?.reason).toBeNull();
  const changed = skus.map((sku) => ({ sku, currency: 'EUR', stock: 7 }));
  const refused = await given.post('/v1/product/import', { items: changed });
  expect([refused.status, refused.body.response.error]).toEqual([413, 'batch_too_large']);
  expect((await given.get('/v1/product/import?sku=LONG-0')).body.response.stock).toBe(0);
  const { status, body } = await given.post('/v1/product/import', { items: changed.slice(1) });
  expect([status, body.response.updated]).toEqual([200, 12]);
});

it('takes a legal characteristic batch of 25 x 400 values, written as UTF-8', async () => {
  await startAgain();
  const values = Array.from({ length: 400 }, (_, i) => ({
    label: `${i} ${'x'.repeat(180)}`,
    description: '😀'.repeat(500),
  }));
  const sent = JSON.stringify({ items: Array.from({ length: 25 }, (_, i) => ({ name: `big ${i}`, values })) });
  expect(Buffer.byteLength(sent)).toBeGreaterThan(20_000_000);
  const { status, body } = await given.post('/v1/attribute/import', sent);
  expect(status).toBe(200);
  expect(body.response).toMatchObject({ created: 25, refused: 0 });
});
