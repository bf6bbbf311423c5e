// Customer reviews.
import { describe, expect, it } from 'vitest';
import { type Given, given, type Item, noticed, problemsOf } from '../../given.js';

const shop = (): Given =>
  given()
    .has('customers', { external_id: 'c1' }, { external_id: 'c2' })
    .has(
      'orders',
      { external_id: 'o1', created_at: 1_600_000_000, items: [{ external_id: 'l1' }, { external_id: 'l2' }] },
      { external_id: 'o2', created_at: 1_650_000_000, items: [{ external_id: 'm1' }] },
    )
    .has('product', { sku: 'A', currency: 'EUR' });
const review = (fields: Item = {}) => ({
  external_id: 'r1',
  customer_external_id: 'c1',
  product_sku: 'A',
  rating: 5,
  ...fields,
});
const read = (it: Given) => it.read('product_review', 'r1');

describe('a review', () => {
  it('reads with exactly the members of the specification', () => {
    const it = shop().has(
      'product_review',
      review({ order_external_id: 'o1', order_item_external_id: 'l1', name: 'Ann', text: 'Good', lang: 'eng' }),
    );
    expect(read(it)).toEqual({
      id: expect.stringMatching(/^prvw_/),
      object: 'product_review',
      external_id: 'r1',
      status: 'pending',
      customer: expect.stringMatching(/^cust_/),
      order: expect.stringMatching(/^ordr_/),
      order_item: 'l1',
      product: it.id('product', 'A'),
      product_sku: 'A',
      name: 'Ann',
      rating: 5,
      text: 'Good',
      lang: 'eng',
      created_at: 1_600_000_000,
      updated_at: expect.any(Number),
    });
  });

  it('order, order_item and product are empty when the review is not linked to one', () => {
    expect(read(shop().has('product_review', review({ product_sku: 'B' })))).toMatchObject({
      order: '',
      order_item: '',
      product: '',
      product_sku: 'B',
      name: '',
      text: '',
      lang: '',
    });
  });

  it('is recognized by external_id, exactly, and found by identifier too', () => {
    const it = shop().has('product_review', review());
    expect(it.line('product_review', review({ external_id: 'R1' })).action).toBe('created');
    expect(it.line('product_review', review({ rating: 4 }))).toMatchObject({ action: 'updated', external_id: 'r1' });
    expect(it.find('product_review', { id: it.id('product_review', 'r1') })).toMatchObject({ rating: 4 });
  });

  it.each([['external_id'], ['customer_external_id'], ['product_sku'], ['rating']])(
    '%s is required in every item',
    (field) => {
      const { [field]: _, ...item } = review() as Item;
      expect(problemsOf(shop().line('product_review', item))).toEqual([`field_required ${field}`]);
      expect(
        shop()
          .has('product_review', review())
          .line('product_review', { ...item, status: 'deleted' }).code,
      ).toBe('field_required');
    },
  );

  it.each([[0], [6], [-1]])('rating is from 1 to 5: %i', (rating) => {
    expect(shop().line('product_review', review({ rating })).code).toBe('field_out_of_range');
  });

  it.each([['5'], [4.5], [true]])('rating is a whole number: %j', (rating) => {
    expect(shop().line('product_review', review({ rating })).code).toBe('field_type');
  });

  it.each([['external_id'], ['name']])('%s is up to 50 characters, which are code points', (field) => {
    expect(shop().line('product_review', review({ [field]: '🚲'.repeat(50) })).action).toBe('created');
    expect(shop().line('product_review', review({ [field]: '🚲'.repeat(51) })).code).toBe('field_too_long');
  });
});

describe('external_id is unique within the batch', () => {
  it('a second item with the same external_id is refused, also when the first was', () => {
    const report = shop().send('product_review', [
      review(),
      review({ rating: 1 }),
      review({ external_id: 'r2', rating: 9 }),
      review({ external_id: ' r2 ' }),
    ]);
    expect(report.data.map(({ code }) => code)).toEqual([
      null,
      'duplicate_in_batch',
      'field_out_of_range',
      'duplicate_in_batch',
    ]);
    expect(report.data.flatMap(noticed)).toEqual([]);
  });

  it('in another batch it is an update', () => {
    const reports = shop().sendBatches('product_review', [[review()], [review({ rating: 1 })]]);
    expect(reports.map(({ data }) => data[0]?.action)).toEqual(['created', 'updated']);
  });
});

describe('customer, order, line', () => {
  it('customers are always checked', () => {
    expect(problemsOf(shop().line('product_review', review({ customer_external_id: 'cx' })))).toEqual([
      'customer_not_found customer_external_id',
    ]);
    expect(given().line('product_review', review()).code).toBe('customer_not_found');
  });

  it('a named order that does not exist refuses the review', () => {
    expect(problemsOf(shop().line('product_review', review({ order_external_id: 'ox' })))).toEqual([
      'order_not_found order_external_id',
    ]);
  });

  it('order_item_external_id is a line of that order', () => {
    expect(
      problemsOf(shop().line('product_review', review({ order_external_id: 'o1', order_item_external_id: 'm1' }))),
    ).toEqual(['order_item_not_found order_item_external_id']);
    expect(
      shop().line('product_review', review({ order_external_id: 'o2', order_item_external_id: 'm1' })).action,
    ).toBe('created');
  });

  it('order_item_external_id needs order_external_id in the same item', () => {
    const it = shop().has('product_review', review({ order_external_id: 'o1' }));
    expect(problemsOf(it.line('product_review', review({ order_item_external_id: 'l1' })))).toEqual([
      'order_item_without_order order_item_external_id',
    ]);
  });

  it("a stored order is kept when it is not sent and cleared by ''", () => {
    const it = shop().has('product_review', review({ order_external_id: 'o1', order_item_external_id: 'l1' }));
    expect(it.line('product_review', review()).action).toBe('unchanged');
    expect(it.line('product_review', review({ order_external_id: '' })).action).toBe('updated');
    expect(read(it)).toMatchObject({ order: '', order_item: '' });
  });

  it('a line of the former order is removed when the order changes', () => {
    const it = shop().has('product_review', review({ order_external_id: 'o1', order_item_external_id: 'l1' }));
    it.has('product_review', review({ order_external_id: 'o2' }));
    expect(read(it)['order_item']).toBe('');
  });

  it('with diff another customer and another order are listed', () => {
    const it = shop().has('product_review', review({ order_external_id: 'o1', order_item_external_id: 'l1' }));
    const before = read(it);
    const sent = review({ customer_external_id: 'c2', order_external_id: 'o2' });
    expect(it.line('product_review', sent, { diff: true }).changes).toEqual([
      { field: 'customer', from: before['customer'], to: read(it)['customer'] },
      { field: 'order', from: before['order'], to: read(it)['order'] },
      { field: 'order_item', from: 'l1', to: '' },
    ]);
  });
});

describe('product_sku', () => {
  it('an SKU not yet in the catalog is accepted, the review is kept with the SKU only, and a notice says so', () => {
    const it = shop();
    const line = it.line('product_review', review({ product_sku: 'B' }));
    expect(line.action).toBe('created');
    expect(noticed(line)).toEqual(['product_unknown']);
    expect(read(it)).toMatchObject({ product: '', product_sku: 'B' });
  });

  it('product is looked up whenever the review is read, so it appears once the SKU is imported', () => {
    const it = shop()
      .has('product_review', review({ product_sku: 'B' }))
      .has('product', { sku: 'B', currency: 'EUR' });
    expect(read(it)['product']).toBe(it.id('product', 'B'));
    expect(it.line('product_review', review({ product_sku: 'B' }))).toMatchObject({ action: 'unchanged', notice: [] });
  });
});

describe('status', () => {
  it('pending is the default for a new review only', () => {
    const it = shop()
      .has('product_review', review({ status: 'published' }))
      .has('product_review', review());
    expect(read(it)['status']).toBe('published');
  });

  it('a new review cannot be deleted', () => {
    expect(problemsOf(shop().line('product_review', review({ status: 'deleted' })))).toEqual([
      'review_not_imported status',
    ]);
  });

  it.each([['pending'], ['published'], ['rejected'], ['deleted']])('from %s every other status is reached', (from) => {
    for (const to of ['pending', 'published', 'rejected', 'deleted']) {
      const it = shop()
        .has('product_review', review())
        .has('product_review', review({ status: from }));
      expect(it.line('product_review', review({ status: to })).action).toBe(from === to ? 'unchanged' : 'updated');
      expect(read(it)['status']).toBe(to);
    }
  });

  it('a deleted review is still returned by a read', () => {
    const it = shop()
      .has('product_review', review())
      .has('product_review', review({ status: 'deleted' }));
    expect(it.find('product_review', { key: 'r1' })).toMatchObject({ status: 'deleted' });
  });
});

describe('lang', () => {
  it.each([['eng'], ['deu'], ['tlh'], ['und']])('%s is an ISO 639-3 code', (lang) => {
    expect(shop().line('product_review', review({ lang })).action).toBe('created');
  });

  it.each([
    ['en', 'field_format'],
    ['english', 'field_format'],
    ['e1g', 'field_format'],
    ['qqq', 'field_not_allowed_value'],
    ['ger', 'field_not_allowed_value'],
  ])('%s is refused as %s', (lang, code) => {
    expect(shop().line('product_review', review({ lang })).code).toBe(code);
  });

  it("'' clears it", () => {
    const it = shop()
      .has('product_review', review({ lang: 'eng' }))
      .has('product_review', review({ lang: '' }));
    expect(read(it)['lang']).toBe('');
  });
});

describe('created_at', () => {
  it('when omitted the order’s date is used, without order the current time', () => {
    expect(read(shop().has('product_review', review({ order_external_id: 'o1' })))['created_at']).toBe(1_600_000_000);
    const it = shop().has('product_review', review());
    expect(read(it)['created_at']).toBe(read(it)['updated_at']);
  });

  it('is never changed by a later import, with a notice', () => {
    const it = shop().has('product_review', review({ created_at: 1_500_000_000 }));
    const line = it.line('product_review', review({ created_at: 1_500_000_001 }));
    expect(line.action).toBe('unchanged');
    expect(noticed(line)).toEqual(['created_at_ignored']);
    it.has('product_review', review({ order_external_id: 'o1' }));
    expect(read(it)['created_at']).toBe(1_500_000_000);
  });
});
