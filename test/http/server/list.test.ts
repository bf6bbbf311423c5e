// GET /v1/<resource>/list: pages of records.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GivenServer, givenServer } from './given-server.js';

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
  for (let i = 0; i < 6; i++) {
    const items = Array.from({ length: 40 }, (_, j) => ({
      sku: `P-${i * 40 + j}`,
      currency: 'EUR',
      name: 'é'.repeat(9),
    }));
    await given.post('/v1/product/import', { items });
  }
});
afterAll(() => given.stop());

const path = '/v1/product/list';

/** Every SKU, page by page. */
async function all(query: string): Promise<{ readonly skus: string[]; readonly pages: number }> {
  const skus: string[] = [];
  for (let cursor: string | null = '', pages = 1; ; pages++) {
    const { status, body } = await given.get(`${path}?cursor=${cursor}&${query}`);
    expect(status).toBe(200);
    skus.push(...body.response.data.map(({ sku }: { sku: string }) => sku));
    cursor = body.response.next_cursor;
    if (cursor === null) return { skus, pages };
  }
}

describe('a list over HTTP', () => {
  it('returns every record once, at most `limit` a page, and null at the end', async () => {
    const expected = Array.from({ length: 240 }, (_, i) => `P-${i}`).sort();
    for (const [query, pages] of [
      ['', 3],
      ['limit=250', 1],
      ['limit=7', 35],
      ['limit=80', 4],
    ] as const) {
      const found = await all(query);
      expect(found.skus.sort(), query).toEqual(expected);
      expect(found.pages, query).toBe(pages);
    }
  });

  it('ends where nothing changed since, whatever form the time has', async () => {
    for (const since of ['4000000000', '2999-01-01', '2999-01-01T10:00:00Z'])
      expect(await all(`updated_since=${since}`), since).toEqual({ skus: [], pages: 1 });
    for (const since of ['0', '1d', '2020-02-29', '2020-01-01T10:00:00%2B02:00'])
      expect((await all(`limit=250&updated_since=${since}`)).skus, since).toHaveLength(240);
  });

  it('adds what include names', async () => {
    const { body } = await given.get(`${path}?limit=1&include=grades,media`);
    expect(body.response.data[0]).toMatchObject({ grades: [], media: [], category_name: '' });
    expect(body.response.data[0]).not.toHaveProperty('attributes');
    expect((await given.get(`${path}?limit=1`)).body.response.data[0]).not.toHaveProperty('grades');
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=251', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=-1', 'limit'],
    ['include=prices', 'include'],
    ['include=grades%20', 'include'],
    ['cursor=prod_nobody', 'cursor'],
    ['cursor=cate_1', 'cursor'],
    ["cursor=';--", 'cursor'],
    ['cursor=prod_%00', 'cursor'],
    [`cursor=prod_${'7'.repeat(26)}`, 'cursor'],
    ['updated_since=yesterday', 'updated_since'],
    ['updated_since=2026-02-30', 'updated_since'],
    ['updated_since=2026-01-01T25:00:00Z', 'updated_since'],
    ['updated_since=-1', 'updated_since'],
    ['limit=1&limit=2', 'limit'],
    ['page=2', 'page'],
    ['status=actvated', 'status'],
    ['price=cheap', 'price'],
    ['grades=x', 'grades'],
    ['=x', ''],
  ])('refuses %s', async (query, param) => {
    const { status, body } = await given.get(`${path}?${query}`);
    expect(status).toBe(400);
    expect(body.response).toMatchObject({ error: 'invalid_parameter', param });
  });

  it('contains only records with the values that are asked for', async () => {
    await given.post('/v1/category/import', { items: [{ name: 'Phones' }, { name: 'Empty' }] });
    const { id } = (await given.get('/v1/category/import?name=Phones')).body.response;
    const items = ['P-7', 'P-107', 'P-207'].map((sku) => ({ sku, category: id, price: '19.90', status: 'activated' }));
    await given.post('/v1/product/import', { items });
    const phones = ['P-107', 'P-207', 'P-7'];
    for (const query of ['category=phones', `category=${id}`, 'status=activated', 'price=19.9&category=PHONES']) {
      expect((await all(query)).skus.sort(), query).toEqual(phones);
      expect((await all(`limit=1&${query}`)).skus.sort(), query).toEqual(phones);
    }
    expect((await all('category=Empty')).skus).toEqual([]);
    expect((await all('sku=P-7&include=grades')).skus).toEqual(['P-7']);
    expect((await all('category=')).skus).toHaveLength(237);
    const { body } = await given.get(`${path}?category=phones&limit=1`);
    expect(body.response.data[0]).not.toHaveProperty('category_name');
  });

  it('shows and compares names of other records only for a key that may read them', async () => {
    const { text: key } = await given.keys.create({ name: 'n', scopes: ['product:read'], expiresAt: null });
    const one = '/v1/product/import?sku=P-1';
    const answers = (query: string) =>
      Promise.all([given.get(`${path}?limit=1&${query}`, { key }), given.get(`${one}&${query}`, { key })]);
    // The answers that others got do not reach it.
    for (let i = 0; i < 3; i++) await given.get(`${one}&include=grades`);
    for (const { status, body } of await answers('include=grades')) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain('category_name');
    }
    for (const query of ['include=names', 'include=grades,names', 'include=attributes'])
      for (const { status, body } of await answers(query))
        expect([status, body.response.error], query).toEqual([403, 'insufficient_scope']);
    expect((await given.get(`${path}?category=phones`, { key })).status).toBe(403);
    expect((await given.get(`${path}?category=cate_1`, { key })).status).toBe(200);
  });

  it('needs the scope to read, of the resource that is listed', async () => {
    const { text: writer } = await given.keys.create({
      name: 'w',
      scopes: ['product:write', 'category:read'],
      expiresAt: null,
    });
    expect((await given.get(path, { key: writer })).body.response).toMatchObject({ error: 'insufficient_scope' });
    expect((await given.get('/v1/category/list', { key: writer })).status).toBe(200);
    expect((await given.get(path, { key: '' })).status).toBe(401);
    expect((await given.call('POST', path, { body: {} })).status).toBe(405);
  });

  it('ends a page early rather than making a huge one', async () => {
    const description = 'x'.repeat(200_000);
    for (let i = 0; i < 3; i++) {
      const items = Array.from({ length: 10 }, (_, j) => ({ name: `C${i}${j}`, description }));
      await given.post('/v1/category/import', { items });
    }
    const { body } = await given.get('/v1/category/list?limit=250');
    expect(body.response.data.length).toBeLessThan(30);
    const rest: unknown[] = [...body.response.data];
    for (let cursor = body.response.next_cursor; cursor !== null; ) {
      const page = (await given.get(`/v1/category/list?limit=250&cursor=${cursor}`)).body.response;
      rest.push(...page.data);
      cursor = page.next_cursor;
    }
    expect(rest).toHaveLength(32);
  });
});
