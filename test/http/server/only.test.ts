// `only` beside `dry_run` in the body of an import.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GivenServer, givenServer } from './given-server.js';

const products = '/v1/product/import';
let server: GivenServer;
beforeAll(async () => {
  server = await givenServer();
});
afterAll(() => server.stop());

describe('only', () => {
  it('update creates nothing, and create changes nothing; either in a dry run, too', async () => {
    await server.post(products, { items: [{ sku: 'A', currency: 'EUR', stock: 1 }] });
    const items = [
      { sku: 'A', currency: 'EUR', stock: 2 },
      { sku: 'B', currency: 'EUR', stock: 2 },
      { sku: 'C', currency: 'EUR', stock: -1.5 },
    ];
    const report = async (body: object) => {
      const { data, ...counts } = (await server.post(products, { items, ...body })).body.response as {
        data: { action: string; id: string | null; notice: { code: string }[] }[];
        [count: string]: unknown;
      };
      const lines = data.map(({ action, id, notice }) => [action, id !== null, ...notice.map(({ code }) => code)]);
      return { lines, ...counts };
    };
    const refused = ['refused', false];
    for (const dry of [{ dry_run: true, diff: true }, { dry_run: true }, {}]) {
      expect(await report({ only: 'create', ...dry })).toMatchObject({
        lines: [['unchanged', true, 'not_updated'], ['created', !('dry_run' in dry)], refused],
        ...{ created: 1, updated: 0, unchanged: 1, refused: 1, total: 3 },
      });
    }
    items[1] = { sku: 'D', currency: 'EUR', stock: 2 };
    for (const dry of [{ dry_run: true }, {}])
      expect(await report({ only: 'update', ...dry })).toMatchObject({
        lines: [['updated', true], ['unchanged', false, 'not_created'], refused],
        ...{ created: 0, updated: 1, unchanged: 1, refused: 1, total: 3 },
      });
    expect((await server.get(`${products}?sku=D`)).status).toBe(404);
  });

  it.each(['delete', '', null, 1, ['update']])('%j is 400 invalid_parameter', async (only) => {
    const { status, body } = await server.post(products, { items: [], only });
    expect([status, body.response]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_parameter', param: 'only', message: 'only is not update or create.' }),
    ]);
  });

  it('is in the document of the interface', async () => {
    const { body } = await server.get('/openapi.json');
    expect(JSON.stringify(body)).toMatch(/"only":\{[^}]*"enum":\["update","create"\]/);
  });
});
