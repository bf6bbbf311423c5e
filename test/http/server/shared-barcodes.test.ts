// One barcode on two products of a request: a notice of the later one, as in a file.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GivenServer, givenServer } from './given-server.js';

let server: GivenServer;
beforeAll(async () => {
  server = await givenServer();
});
afterAll(() => server.stop());

it('a barcode of another product of the request is told, in each form that its number has', async () => {
  const items = [
    { sku: 'A-1', currency: 'EUR', ean: '036000291452' },
    { sku: 'A-2', currency: 'EUR', ean: '0036000291452' },
    { sku: 'A-1', ean: '036000291452' },
    { sku: 'A-3', currency: 'WRONG', ean: '036000291452' },
    { sku: 'A-4', currency: 'EUR', ean: '' },
    { sku: 'A-5', currency: 'EUR', ean: '' },
    null,
    { sku: 'A-6', currency: 'EUR', ean: 36000291452 },
    { sku: ' A-7', currency: 'EUR', ean: '0 36000-291452' },
  ];
  const told = { code: 'barcode_shared', field: 'ean' };
  const message = (ean: string) => `"${ean}" is the barcode of another product, too, as item 0 of this batch.`;
  for (const dry of [{ dry_run: true }, {}, {}]) {
    const { status, body } = await server.post('/v1/product/import', { items, ...dry });
    expect(status).toBe(200);
    const { data } = body.response as { data: { index: number; notice: { code: string }[] }[] };
    const found = data.flatMap(({ index, notice }) =>
      notice.filter(({ code }) => code === told.code).map((one) => [index, one]),
    );
    expect(found).toEqual([
      [1, { ...told, message: message('0036000291452') }],
      [8, { ...told, message: message('0 36000-291452') }],
    ]);
  }
});

it('names the line in the file of the client, where it sent the lines of its items', async () => {
  const items = ['B-1', 'B-2', 'B-3'].map((sku) => ({
    sku,
    currency: 'EUR',
    ean: sku === 'B-2' ? '' : '4006381333931',
  }));
  const told = async (lines: string) => {
    const headers = { 'Catalog-Run': 'lines', 'Catalog-Lines': lines };
    const { body } = await server.post('/v1/product/import', { items, dry_run: true }, { headers });
    const { data } = body.response as { data: { notice: { code: string; message: string }[] }[] };
    return data[2]?.notice.find(({ code }) => code === 'barcode_shared')?.message;
  };
  expect(await told('7,9,12')).toBe('"4006381333931" is the barcode of another product, too, on line 7.');
  expect(await told('7-99')).toBe('"4006381333931" is the barcode of another product, too, as item 0 of this batch.');
});

it('categories have no barcodes', async () => {
  const { body } = await server.post('/v1/category/import', {
    items: [
      { name: 'A', ean: '1' },
      { name: 'B', ean: '1' },
    ],
  });
  expect(JSON.stringify(body)).not.toContain('barcode_shared');
});
