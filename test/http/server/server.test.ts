// The ten endpoints and their errors: the rules and the specification's tables, over real HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../../src/core/resources/index.js';
import { pathOf } from '../../../src/http/protocol.js';
import { docsPaths } from '../../../src/http/server/docs-routes.js';
import { openApi } from '../../../src/http/server/openapi/openapi.js';
import { allScopes, type GivenServer, givenServer } from './given-server.js';

const product = '/v1/product/import';
const endpoints = [
  ['/v1/attribute/import', 'attribute', 'name', 'Characteristic not found.', 25],
  ['/v1/category/import', 'category', 'name', 'Category not found.', 50],
  ['/v1/product-group/import', 'product_group', 'name', 'Product group not found.', 50],
  [product, 'product', 'sku', 'Product not found.', 40],
  ['/v1/product-review/import', 'product_review', 'external_id', 'Product review not found.', 250],
] as const;

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
});
afterAll(() => given.stop());

describe.each(endpoints)('%s', (path, name, key, notFound, limit) => {
  it('reports an empty batch with zeros and the resource of the specification', async () => {
    const { status, body } = await given.post(path, { items: [] });
    expect(status).toBe(200);
    expect(body).toEqual({
      code: 200,
      title: 'OK',
      response: {
        object: 'list',
        resource: name,
        dry_run: false,
        data: [],
        created: 0,
        updated: 0,
        unchanged: 0,
        refused: 0,
        total: 0,
      },
    });
  });

  it('answers 400 with the sentence of the specification when neither key nor id is given', async () => {
    for (const query of ['', '?', `?${key}=`, `?${key}=&id=`, '?other=1']) {
      const { status, body } = await given.get(path + query);
      expect(status).toBe(400);
      const message = `Missing required parameter: ${key}.`;
      expect(body.response).toMatchObject({ object: 'error', error: 'missing_parameter', message, param: key });
    }
  });

  it('answers 404 with the sentence of the specification, naming the parameter', async () => {
    for (const param of [key, 'id']) {
      const { status, body } = await given.get(`${path}?${param}=nope`);
      expect(status).toBe(404);
      expect(body.title).toBe('Not Found');
      expect(body.response).toMatchObject({ error: `${name}_not_found`, message: notFound, param });
    }
  });

  it('accepts the limit of items and answers 413 to one more, writing nothing', async () => {
    const items = Array.from({ length: limit + 1 }, () => ({}));
    const { status, body } = await given.post(path, { items });
    expect(status).toBe(413);
    expect(body.response.error).toBe('batch_too_large');
    expect(body.response.message).toBe(`items holds ${limit + 1} entries; at most ${limit} are accepted.`);
    expect((await given.post(path, { items: items.slice(1) })).body.response.total).toBe(limit);
  });

  it('needs the scope of the endpoint, and writing does not imply reading', async () => {
    for (const [right, method] of [
      ['read', 'POST'],
      ['write', 'GET'],
    ] as const) {
      const others = allScopes.filter((scope) => scope !== `${name}:${right === 'read' ? 'write' : 'read'}`);
      const { text } = await given.keys.create({ name: 'part', scopes: others, expiresAt: null });
      const missing = `${name}:${right === 'read' ? 'write' : 'read'}`;
      const { status, headers, body } = await given.call(method, `${path}?${key}=x`, { key: text });
      expect(status).toBe(403);
      expect(body.response.message).toBe(`This API key lacks the scope ${missing}.`);
      expect(headers['www-authenticate']).toBe(
        `Bearer realm="catalog-import", error="insufficient_scope", scope="${missing}"`,
      );
    }
  });

  it('answers another method with 405 and Allow, and OPTIONS with what there is', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE', 'PURGE']) {
      const { status, headers, body } = await given.call(method, path);
      expect([method, status]).toEqual([method, 405]);
      expect(headers.allow).toBe('GET, HEAD, OPTIONS, POST');
      expect(body.response.error).toBe('method_not_allowed');
    }
    const options = await given.call('OPTIONS', path, { key: '' });
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  });
});

describe('a read', () => {
  const sku = 'Öl & Gas +1';
  beforeAll(() => given.post(product, { items: [{ sku, currency: 'EUR', price: '12.5' }] }));

  it('finds a product by sku, by its alias external_id, and by id, and answers with the envelope', async () => {
    const bySku = await given.get(`${product}?sku=${encodeURIComponent(sku)}`);
    expect(bySku.body).toMatchObject({ code: 200, title: 'OK', response: { object: 'product', sku, price: '12.50' } });
    const { id } = bySku.body.response;
    for (const query of [
      `external_id=${encodeURIComponent(sku)}`,
      `id=${id}`,
      `sku=&id=${id}`,
      'sku=%C3%96l+%26+Gas+%2B1',
    ])
      expect((await given.get(`${product}?${query}`)).body.response.id).toBe(id);
  });

  it('lets the key take precedence over id', async () => {
    const { id } = (await given.get(`${product}?sku=${encodeURIComponent(sku)}`)).body.response;
    expect((await given.get(`${product}?id=${id}&sku=nope`)).status).toBe(404);
  });

  it('refuses a parameter that it does not know, and a POST any, writing nothing', async () => {
    const get = await given.get('/v1/product/import?sku=x&include_all=1');
    expect([get.status, get.body.response.param]).toEqual([400, 'include_all']);
    for (const param of ['dry_run', 'diff', 'x']) {
      const { status, body } = await given.post(`/v1/product/import?${param}=true`, {
        items: [{ sku: 'QUERY', currency: 'EUR' }],
      });
      expect([status, body.response.error, body.response.param]).toEqual([400, 'invalid_parameter', param]);
    }
    expect((await given.get('/v1/product/import?sku=QUERY')).status).toBe(404);
  });

  it('is refused with a parameter that it does not know at every address', async () => {
    const described = Object.entries(openApi(resources)['paths'] as Readonly<Record<string, object>>);
    const routes = [
      ...described.flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase(), path])),
      ...docsPaths.map((path) => ['GET', path]),
    ] as [string, string][];
    for (const [method, path] of [...routes, ...routes.map(([, path]) => ['HEAD', path] as const)]) {
      const key = resources.find((resource) => pathOf(resource) === path)?.key;
      const needed = key === undefined || method === 'POST' ? '' : `${key}=x&`;
      const { status, body } = await given.call(method, `${path}?${needed}%5f=1732700000`, {
        ...(method === 'POST' && { body: { items: [] }, headers: { 'content-type': 'application/json' } }),
      });
      expect([method, path, status]).toEqual([method, path, 400]);
      if (method !== 'HEAD') expect(body.response).toMatchObject({ error: 'invalid_parameter', param: '_' });
      if (method === 'HEAD' && key === undefined) expect((await given.call('HEAD', `${path}?&`)).status).toBe(200);
    }
  });

  it('refuses a repeated parameter and a query that is not UTF-8', async () => {
    for (const query of ['sku=a&sku=b', 'sku=a&%73ku=b', 'sku=a&x=1&x=2', 'sku=%ff', 'sku=%e2%82', 'sku=%']) {
      const { status, body } = await given.get(`${product}?${query}`);
      expect([query, status, body.response.error]).toEqual([query, 400, 'invalid_parameter']);
    }
  });

  it('answers HEAD like GET, without the body', async () => {
    const { status, headers, body } = await given.call('HEAD', `${product}?sku=${encodeURIComponent(sku)}`);
    expect([status, body]).toEqual([200, undefined]);
    expect(Number(headers['content-length'])).toBeGreaterThan(300);
    expect((await given.call('HEAD', product, { key: '' })).status).toBe(401);
  });

  it('still finds a deleted product, with status deleted', async () => {
    await given.post(product, { items: [{ sku: 'gone', currency: 'EUR' }] });
    await given.catalog.deleteProduct('gone');
    expect((await given.get(`${product}?sku=gone`)).body.response.status).toBe('deleted');
  });
});

describe('an import', () => {
  it('reports line by line with exactly the members of the specification', async () => {
    const { status, body } = await given.post(product, { items: [{ sku: 'n1', currency: 'EUR' }, 5] });
    expect(status).toBe(200);
    const [created, refused] = body.response.data;
    const members = ['index', 'external_id', 'action', 'id', 'code', 'title', 'reason', 'notice'];
    expect(Object.keys(created)).toEqual(members);
    expect(created).toMatchObject({ index: 0, external_id: 'n1', action: 'created', code: null });
    expect(created.id).toMatch(/^prod_[0-9a-z]{26}$/);
    expect(refused).toMatchObject({ index: 1, external_id: '', action: 'refused', id: null, code: 'item_not_object' });
    expect(body.response).toMatchObject({ created: 1, refused: 1, total: 2, dry_run: false });
  });

  it('writes nothing in a dry run, and echoes the flag', async () => {
    const { body } = await given.post(product, { items: [{ sku: 'dry', currency: 'EUR' }], dry_run: true });
    expect(body.response).toMatchObject({ dry_run: true, created: 1 });
    expect(body.response.data[0].id).toBeNull();
    expect((await given.get(`${product}?sku=dry`)).status).toBe(404);
  });

  it('contains the changes with diff', async () => {
    await given.post(product, { items: [{ sku: 'd', currency: 'EUR', price: 10 }] });
    const { body } = await given.post(product, { items: [{ sku: 'd', price: 12 }], diff: true });
    expect(body.response.data[0].changes).toEqual([{ field: 'price', from: '10.00', to: '12.00' }]);
  });

  it('ignores unknown members beside items, and names of prototype members', async () => {
    const text = '{"__proto__":{"dry_run":true},"constructor":1,"x":{"y":1},"items":[],"items":[]}';
    expect((await given.post(product, text)).body.response.dry_run).toBe(false);
    expect(({} as Record<string, unknown>)['dry_run']).toBeUndefined();
  });

  it.each([
    ['', 'invalid_json', 'The body is empty.'],
    ['{', 'invalid_json', 'The body is not JSON.'],
    [Buffer.from([0x22, 0xff, 0x22]), 'invalid_json', 'The body is not UTF-8.'],
    [`{"items":[{"sku":${'['.repeat(14)}${']'.repeat(14)}}]}`, 'invalid_json', 'The body is nested deeper than 16.'],
    ['['.repeat(100_000), 'invalid_json', 'The body is nested deeper than 16.'],
    ['[]', 'invalid_parameter', 'The body is not an object. Use {"items": [...]}.'],
    ['null', 'invalid_parameter', 'The body is not an object. Use {"items": [...]}.'],
    ['{}', 'missing_parameter', 'Missing required parameter: items.'],
    ['{"items":null}', 'missing_parameter', 'Missing required parameter: items.'],
    ['{"items":{}}', 'invalid_parameter', 'items is not an array.'],
    ['{"items":[],"dry_run":"yes"}', 'invalid_parameter', 'dry_run is not a boolean.'],
    ['{"items":[],"diff":1}', 'invalid_parameter', 'diff is not a boolean.'],
  ])('answers 400 to the body %j', async (body, error, message) => {
    const answer = await given.post(product, body);
    expect(answer.status).toBe(400);
    expect(answer.body.response).toMatchObject({ error, message });
  });

  it('brackets in a text are none, wherever an escaped quote is in a long body', async () => {
    for (const at of [-3, -2, -1, 0, 1, 2]) {
      const before = '{"items":[{"sku":"LONG","currency":"EUR","note":"';
      const filled = before + 'n'.repeat(2 * 65_536 + at - before.length);
      const { status, body } = await given.post(product, `${filled}\\"${'['.repeat(30)}"}]}`);
      expect([at, status, body.response.refused]).toEqual([at, 200, 0]);
    }
  });

  it('accepts nesting of 16, brackets within texts not counted', async () => {
    const deep = `{"items":[{"sku":"${'['.repeat(50)}\\"{","x":${'['.repeat(13)}${']'.repeat(13)},"currency":"EUR"}]}`;
    expect((await given.post(product, deep)).body.response.created).toBe(1);
  });

  it('needs Content-Type application/json, parameters allowed, and no coding but gzip', async () => {
    const body = '{"items":[]}';
    for (const type of ['text/plain', 'application/jsonx', 'application/json+x', 'multipart/form-data', '']) {
      const answer = await given.post(product, body, { headers: { 'content-type': type } });
      expect([type, answer.status, answer.body.response.error]).toEqual([type, 415, 'unsupported_content_type']);
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON ;x=y', 'application/json;'])
      expect((await given.post(product, body, { headers: { 'content-type': type } })).status).toBe(200);
    for (const charset of ['UTF-8', '"utf-8"', 'utf8', '"UTF8"']) {
      const type = `application/json;Charset=${charset}`;
      expect([type, (await given.post(product, body, { headers: { 'content-type': type } })).status]).toEqual([
        type,
        200,
      ]);
    }
    for (const charset of [
      'utf-16',
      '"UTF-16LE"',
      'iso-8859-1',
      'windows-1252',
      'us-ascii',
      'utf-7',
      'x',
      '"utf-8, utf-16"',
    ]) {
      const type = `application/json; charset=${charset}`;
      const answer = await given.post(product, body, { headers: { 'content-type': type } });
      expect([type, answer.status, answer.body.response.error]).toEqual([type, 415, 'unsupported_content_type']);
    }
    for (const coding of ['br', 'deflate', 'gzip, gzip', 'gzip, br']) {
      const coded = await given.post(product, body, { headers: { 'content-encoding': coding } });
      expect([coding, coded.status, coded.body.response.error]).toEqual([coding, 415, 'unsupported_content_encoding']);
      expect(coded.headers['accept-encoding']).toBe('gzip');
    }
    expect((await given.post(product, body, { headers: { 'content-encoding': 'identity' } })).status).toBe(200);
  });

  it('answers 413 to a body of more objects than its items can hold, before it is parsed', async () => {
    const { status, body } = await given.post(product, `{"items":[{"x":[${'{},'.repeat(200_000)}0]}]}`);
    expect([status, body.response.error]).toEqual([413, 'body_too_large']);
  });

  it('answers 413 to a body beyond the limit of the endpoint', async () => {
    const { status, body } = await given.post(product, ' '.repeat(17_000_000));
    expect([status, body.response.error]).toEqual([413, 'body_too_large']);
  });
});

describe('every answer', () => {
  it('checks in the order route, method, key, scope, content type, JSON, envelope, items', async () => {
    const bad = { key: '', body: '{', headers: { 'content-type': 'text/plain' } };
    expect((await given.call('POST', '/v1/nothing', bad)).body.response.error).toBe('route_not_found');
    expect((await given.call('PUT', product, bad)).body.response.error).toBe('method_not_allowed');
    expect((await given.call('POST', product, bad)).body.response.error).toBe('missing_api_key');
    const { text } = await given.keys.create({ name: 'r', scopes: ['product:read'], expiresAt: null });
    expect((await given.call('POST', product, { ...bad, key: text })).body.response.error).toBe('insufficient_scope');
    const { key: _, ...known } = bad;
    expect((await given.call('POST', product, known)).body.response.error).toBe('unsupported_content_type');
    expect((await given.post(product, '{')).body.response.error).toBe('invalid_json');
    const long = { items: new Array(41).fill(0), dry_run: 1 };
    expect((await given.post(product, long)).body.response.error).toBe('batch_too_large');
  });

  it('has the envelope also where there is no route, or the address cannot be decoded', async () => {
    for (const path of [
      '/docs/',
      '/docs/..%2findex.html',
      '/docs/LICENSE',
      '/v1',
      '/v2/product/import',
      '/v1/product/import/',
      '/v1/%zz',
      '/v1/Product/import',
    ]) {
      const { status, body } = await given.get(path);
      expect([path, status, body.response.error]).toEqual([path, 404, 'route_not_found']);
    }
  });

  it('echoes a valid X-Request-Id and generates one otherwise', async () => {
    const sent = async (id: string) => {
      const { headers, body } = await given.get('/nope', { headers: { 'x-request-id': id } });
      expect(body.response.request_id).toBe(headers['x-request-id']);
      return headers['x-request-id'];
    };
    expect(await sent('my-id:1')).toBe('my-id:1');
    for (const id of ['a b', 'x'.repeat(129), `${given.key}`, '"'])
      expect(await sent(id)).toMatch(/^req_[0-9a-f]{32}$/);
  });

  it('never shows a key, and is one JSON line of the log', async () => {
    await given.get(`/${given.key}?k=${given.key}`, { headers: { 'x-request-id': 'told' } });
    await expect.poll(() => given.log.join('')).toContain('"told"');
    const text = given.log.join('');
    expect(text).not.toContain(given.key.slice(13));
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.find((line) => line.request_id === 'told')).toMatchObject({
      method: 'GET',
      path: '/cik_[redacted]',
      status: 404,
      error: 'route_not_found',
      address: '127.0.0.1',
    });
  });
});

it('what is masked of a path neither ends nor forges a line of the log', async () => {
  const path = '/password=","status":200,"a":"&https://u:SECRET@h/';
  await given.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: forged\r\nConnection: close\r\n\r\n`);
  await expect.poll(() => given.log.join('')).toContain('"forged"');
  const line =
    given.log
      .join('')
      .split('\n')
      .find((one) => one.includes('"forged"')) ?? '';
  expect(JSON.parse(line)).toMatchObject({ request_id: 'forged', status: 404 });
  expect(line).not.toContain('SECRET');
});

describe('health', () => {
  it('answers /livez, /readyz and /openapi.json without a key', async () => {
    for (const path of ['/livez', '/readyz'])
      expect((await given.get(path, { key: '' })).body.response.object).toBe('health');
    const { body } = await given.get('/openapi.json', { key: '' });
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths)).toHaveLength(2 * resources.length + 4);
    const { docs, openapi } = (await given.get('/', { key: '' })).body.response;
    expect([docs, openapi]).toEqual(['/docs', '/openapi.json']);
    for (const path of [docs, openapi]) expect((await given.call('HEAD', path, { key: '' })).status).toBe(200);
  });

  it('answers / with a page for a browser, whose links are there, and with JSON for a program', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const page = await fetch(new URL('/', given.server.url), { headers: { accept } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('vary')).toContain('accept');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const links = [...(await page.text()).matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path);
    expect(links).toEqual(['docs', 'openapi.json', 'livez', 'readyz']);
    for (const path of links) expect((await given.call('HEAD', `/${path}`, { key: '' })).status).toBe(200);
    for (const programs of ['*/*', 'application/json']) {
      const json = await fetch(new URL('/', given.server.url), { headers: { accept: programs } });
      expect(await json.json()).toMatchObject({ response: { object: 'service' } });
    }
  });
});
