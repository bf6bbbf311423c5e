// Products: own fields, grades, characteristic values, photos.
import { describe, expect, it } from 'vitest';
import { type Given, given, type Item, noticed, problemsOf } from '../../given.js';

const product = (fields: Item = {}) => ({ sku: 'A', currency: 'EUR', ...fields });
const read = (shop: Given) => shop.read('product', 'A');

describe('a product', () => {
  it('has the stated defaults and reads as specified', () => {
    const record = read(given().has('product', product()));
    expect(record).toEqual({
      object: 'product',
      id: expect.stringMatching(/^prod_/),
      sku: 'A',
      status: 'draft',
      name: 'A',
      description: '',
      ean: '',
      category: '',
      group: '',
      brand: '',
      warranty: '',
      condition: '',
      price: '0.00',
      price_compare: '',
      currency: 'EUR',
      weight: '',
      stock: 0,
      stock_threshold: 0,
      slug: 'a',
      seo_title: '',
      seo_description: '',
      seo_image: '',
      badge: '',
      tag: '',
      note: '',
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
  });

  it('is recognized by sku, which compares exactly', () => {
    const shop = given().has('product', product());
    expect(shop.line('product', { ...product(), sku: 'a' })).toMatchObject({ action: 'created', external_id: 'a' });
    expect(shop.line('product', { sku: 'A' })).toMatchObject({ action: 'unchanged', id: shop.id('product', 'A') });
  });

  it('external_id is accepted as an alias of sku', () => {
    const shop = given();
    expect(shop.line('product', { external_id: ' A ', currency: 'EUR' })).toMatchObject({
      action: 'created',
      external_id: 'A',
    });
    expect(shop.line('product', { external_id: 'A', sku: 'A' })).toMatchObject({ action: 'unchanged', notice: [] });
    expect(shop.line('product', { external_id: 'A', sku: null })).toMatchObject({
      action: 'unchanged',
      external_id: 'A',
    });
  });

  it('sku and external_id that differ are refused as field_format', () => {
    expect(given().line('product', product({ external_id: 'B' }))).toMatchObject({
      code: 'field_format',
      external_id: 'A',
    });
  });

  it('what was read can be sent back and changes nothing', () => {
    const shop = given().has('category', { name: 'C' }).has('product_group', { name: 'G' });
    shop.has(
      'product',
      product({
        category: shop.id('category', 'C'),
        group: shop.id('product_group', 'G'),
        price: '12.5',
        price_compare: 13,
        weight: '1.250',
        stock: 4,
        condition: 'good',
        slug: 'my-lamp',
        created_at: 1_600_000_000,
      }),
    );
    expect(shop.line('product', read(shop))).toMatchObject({ action: 'unchanged' });
  });

  it('currency is required for a new product, and only for a new one', () => {
    expect(problemsOf(given().line('product', { sku: 'A' }))).toEqual(['currency_required currency']);
    expect(given().line('product', { sku: 'A', currency: '' }).code).toBe('currency_required');
    expect(given().has('product', product()).line('product', { sku: 'A', price: 2 }).action).toBe('updated');
    expect(problemsOf(given().line('product', { sku: 'A', currency: 'EURO' }))).toEqual(['field_format currency']);
  });

  it("name defaults to the SKU; '' means the SKU", () => {
    const shop = given().has('product', product({ name: 'Lamp' }));
    shop.has('product', { sku: 'A', name: '' });
    expect(read(shop)['name']).toBe('A');
    expect(read(given().has('product', product({ name: '' })))['name']).toBe('A');
  });

  it('a price that was never set is unchanged when 0.00 is sent back as it was read', () => {
    const shop = given().has('product', product());
    expect(shop.line('product', { sku: 'A', price: '0.00' }).action).toBe('unchanged');
    shop.has('product', { sku: 'A', price: 0 }, { sku: 'A', price: 5 });
    expect(shop.line('product', { sku: 'A', price: '' }).action).toBe('updated');
    expect(shop.line('product', { sku: 'A', price: 0 }).action).toBe('unchanged');
  });

  it('the currency of a known product is kept, and cannot be cleared', () => {
    const shop = given().has('product', product());
    expect(shop.line('product', { sku: 'A', currency: '' })).toMatchObject({
      code: 'currency_required',
      reason: 'currency is empty. Use a code such as EUR, or leave it out to keep the stored one.',
    });
  });

  it('price reads as "0.00" when it was never set', () => {
    const shop = given().has('product', product());
    expect(read(shop)).toMatchObject({ price: '0.00', price_compare: '', weight: '' });
    expect(shop.line('product', { sku: 'A', price: '' }).action).toBe('unchanged');
  });
});

describe('status', () => {
  it.each([['draft'], ['activated'], ['suspended']])('%s can be sent', (status) => {
    expect(read(given().has('product', product({ status })))['status']).toBe(status);
  });

  it('deleted cannot be sent', () => {
    expect(given().line('product', product({ status: 'deleted' })).code).toBe('field_not_allowed_value');
  });

  it('an import never brings a deleted product back: it stays deleted with a notice, and its other fields are applied', () => {
    const shop = given().has('product', product({ price: 1, status: 'activated' }));
    shop.deleteProduct('A');
    const line = shop.line('product', { sku: 'A', status: 'activated', price: 2 });
    expect(line.action).toBe('updated');
    expect(noticed(line)).toEqual(['status_ignored']);
    expect(read(shop)).toMatchObject({ status: 'deleted', price: '2.00' });
    expect(shop.line('product', { sku: 'A', price: 2 })).toMatchObject({ action: 'unchanged', notice: [] });
  });

  it('a read still returns a deleted product with status deleted', () => {
    const shop = given().has('product', product());
    shop.deleteProduct('A');
    expect(shop.find('product', { key: 'A' })).toMatchObject({ status: 'deleted' });
  });
});

describe('created_at', () => {
  it('is kept on creation, never changed by a later import, with a notice', () => {
    const shop = given().has('product', product({ created_at: 1_500_000_000 }));
    expect(read(shop)['created_at']).toBe(1_500_000_000);
    const line = shop.line('product', { sku: 'A', created_at: 1_400_000_000 });
    expect(line.action).toBe('unchanged');
    expect(noticed(line)).toEqual(['created_at_ignored']);
    expect(shop.line('product', { sku: 'A', created_at: 1_500_000_000 }).notice).toEqual([]);
    expect(read(shop)['created_at']).toBe(1_500_000_000);
  });
});

describe('references', () => {
  it('category and group are identifiers and must exist', () => {
    const shop = given().has('category', { name: 'C' }).has('product_group', { name: 'G' });
    const category = shop.id('category', 'C');
    const group = shop.id('product_group', 'G');
    expect(shop.line('product', product({ category, group })).action).toBe('created');
    expect(read(shop)).toMatchObject({ category, group });
    expect(problemsOf(shop.line('product', product({ category: group, group: category })))).toEqual([
      'reference_wrong_type category',
      'reference_wrong_type group',
    ]);
    expect(shop.line('product', product({ category: 'cate_none' })).code).toBe('reference_not_found');
    expect(shop.line('product', product({ group: 'prgr_none' })).code).toBe('reference_not_found');
    expect(shop.line('product', product({ category: 'C' })).code).toBe('reference_not_found');
  });

  it('brand and warranty: the form while none is known, the record once some are', () => {
    expect(given().line('product', product({ brand: 'acme', warranty: '2y' })).action).toBe('created');
    expect(given().line('product', product({ brand: 'ac me' })).action).toBe('refused');
    const shop = given().has('brands', { id: 'acme', name: 'Acme' });
    expect(shop.line('product', product({ brand: 'acme' })).action).toBe('created');
    expect(shop.line('product', product({ brand: 'acne' })).code).toBe('reference_not_found');
    expect(shop.line('product', product({ warranty: '2y' })).action).toBe('updated');
  });
});

describe('a dry run of products', () => {
  const shop = () =>
    given()
      .has('attribute', { name: 'Material' })
      .has(
        'product',
        product({
          name: 'Lamp',
          grades: [{ grade: 'new', price: 5, stock: 1 }],
          media: [{ file: 'file_1' }],
          attributes: [{ type: 'Material', value: 'wood' }],
        }),
      );
  const children = {
    sku: 'A',
    grades: [{ grade: 'good', price: 9, stock: 9 }],
    media: [{ file: 'file_2' }],
    attributes: [{ type: 'Material', value: 'steel' }],
  };

  it('compares own fields; grades, attributes and media are checked but not compared', () => {
    const unchanged = shop().line('product', children, { dryRun: true });
    expect([unchanged.action, noticed(unchanged)]).toEqual(['unchanged', ['lists_not_compared']]);
    expect(noticed(shop().line('product', { sku: 'A' }, { dryRun: true }))).toEqual([]);
    const compared = shop().line('product', children, { dryRun: true, comparesLists: true });
    expect([compared.action, compared.changes]).toEqual(['updated', undefined]);
    expect(shop().line('product', { ...children, name: 'Other' }, { dryRun: true }).action).toBe('updated');
    expect(shop().line('product', { ...children, media: [{ file: 'x' }] }, { dryRun: true }).code).toBe('field_format');
    expect(shop().line('product', { ...children, grades: [{ grade: 'bad' }] }, { dryRun: true }).action).toBe(
      'refused',
    );
    expect(shop().line('product', children)).toMatchObject({ action: 'updated' });
  });

  it('a top-level price and stock are own fields', () => {
    const it = given().has('product', product({ price: 5 }));
    expect(it.line('product', { sku: 'A', price: 6 }, { dryRun: true }).action).toBe('updated');
  });

  it('with diff everything is compared, and the action is the real run’s', () => {
    const dry = shop().line('product', children, { dryRun: true, diff: true });
    const real = shop().line('product', children, { diff: true });
    expect(dry).toEqual({ ...real });
    expect(dry.action).toBe('updated');
    expect(noticed(dry)).toEqual(['entries_deactivated', 'entries_deactivated']);
    expect(dry.changes?.map(({ field }) => field)).toEqual(
      expect.arrayContaining([
        'price',
        'stock',
        'grades[new].status',
        'grades[good].price',
        'attributes[Material=wood].value',
        'attributes[Material=steel].value',
        'media[file_1].status',
      ]),
    );
  });
});
