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
    expect(Object.keys(record)).toHaveLength(27);
  });

  it('is recognised by sku, which compares exactly', () => {
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

  it('an import never brings a deleted product back: it stays deleted, is told, and its other fields are applied', () => {
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
  it('is kept on creation, never changed by a later import, which says so', () => {
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

describe('grades', () => {
  const grades = (...list: Item[]) => product({ grades: list });

  it.each([['new'], ['like_new'], ['very_good'], ['good'], ['poor']])('%s is a grade', (grade) => {
    expect(given().line('product', grades({ grade })).action).toBe('created');
  });

  it('each at most once', () => {
    expect(
      problemsOf(given().line('product', grades({ grade: 'new' }, { grade: 'good' }, { grade: 'new' })))[0],
    ).toContain('duplicate_entry');
  });

  it('price is the lowest grade price and stock the sum of the grades’ stock', () => {
    const shop = given().has(
      'product',
      grades({ grade: 'new', price: '9.90', stock: 2 }, { grade: 'good', price: '7.50', stock: 3 }),
    );
    expect(read(shop)).toMatchObject({ price: '7.50', stock: 5 });
  });

  it('a top-level price or stock sent with grades is not applied, and the item’s notice says so', () => {
    const shop = given();
    const line = shop.line('product', { ...grades({ grade: 'new', price: 9, stock: 2 }), price: 1, stock: 100 });
    expect(line.action).toBe('created');
    expect(noticed(line)).toEqual(['price_ignored', 'stock_ignored']);
    expect(read(shop)).toMatchObject({ price: '9.00', stock: 2 });
  });

  it('nor when the product already has listed grades', () => {
    const shop = given().has('product', grades({ grade: 'new', price: 9, stock: 2 }));
    const line = shop.line('product', { sku: 'A', price: 1, stock: 100 });
    expect(line.action).toBe('unchanged');
    expect(noticed(line)).toEqual(['price_ignored', 'stock_ignored']);
    expect(noticed(shop.line('product', { sku: 'A', stock: 100 }))).toEqual(['stock_ignored']);
    expect(read(shop)).toMatchObject({ price: '9.00', stock: 2 });
  });

  it('over listed grades with status activated', () => {
    const shop = given().has(
      'product',
      grades({ grade: 'new', price: 9, stock: 2 }, { grade: 'poor', price: 1, stock: 50, status: 'suspended' }),
    );
    expect(read(shop)).toMatchObject({ price: '9.00', stock: 2 });
  });

  it('all listed ones if none is activated', () => {
    const shop = given().has(
      'product',
      grades(
        { grade: 'new', price: 9, stock: 2, status: 'suspended' },
        { grade: 'poor', price: 1, stock: 5, status: 'suspended' },
      ),
    );
    expect(read(shop)).toMatchObject({ price: '1.00', stock: 7 });
  });

  it('a grade that was left out counts no longer', () => {
    const shop = given().has(
      'product',
      grades({ grade: 'new', price: 9, stock: 2 }, { grade: 'poor', price: 1, stock: 5 }),
    );
    shop.has('product', { sku: 'A', grades: [{ grade: 'new' }] });
    expect(read(shop)).toMatchObject({ price: '9.00', stock: 2 });
  });

  it('a grade without price or stock counts in the other sum only', () => {
    const shop = given().has(
      'product',
      grades({ grade: 'new', stock: 2 }, { grade: 'poor', price: 3 }, { grade: 'good', price: 4, stock: 5 }),
    );
    expect(read(shop)).toMatchObject({ price: '3.00', stock: 7 });
  });

  it('no listed grade with a price: the price stays', () => {
    const shop = given().has('product', product({ price: 8, stock: 1 }));
    shop.has('product', { sku: 'A', grades: [{ grade: 'new', stock: 4 }] });
    expect(read(shop)).toMatchObject({ price: '8.00', stock: 4 });
  });

  it('[] leaves price and stock as they were until they are sent, in the same item too', () => {
    const shop = given().has('product', grades({ grade: 'new', price: 9, stock: 2 }));
    const other = shop.copy();
    shop.has('product', { sku: 'A', grades: [] });
    expect(read(shop)).toMatchObject({ price: '9.00', stock: 2 });
    expect(shop.line('product', { sku: 'A', price: 5, stock: 1 })).toMatchObject({ action: 'updated', notice: [] });
    expect(read(shop)).toMatchObject({ price: '5.00', stock: 1 });
    const line = other.line('product', { sku: 'A', grades: [], price: 6 });
    expect(noticed(line)).toEqual(['entries_deactivated']);
    expect(read(other)).toMatchObject({ price: '6.00', stock: 2 });
  });

  it("'' clears a grade's price", () => {
    const shop = given().has('product', grades({ grade: 'new', price: 9 }, { grade: 'good', price: 5 }));
    shop.has('product', { sku: 'A', grades: [{ grade: 'new' }, { grade: 'good', price: '' }] });
    expect(read(shop)['price']).toBe('9.00');
  });

  it('a change of a grade alone updates the product', () => {
    const shop = given().has('product', grades({ grade: 'new', price: 9 }, { grade: 'good', price: 5, stock: 1 }));
    expect(shop.line('product', { sku: 'A', grades: [{ grade: 'new', price: 10 }, { grade: 'good' }] }).action).toBe(
      'updated',
    );
    expect(
      shop.line('product', { sku: 'A', grades: [{ grade: 'good' }, { grade: 'new', price: '10.00' }] }).action,
    ).toBe('unchanged');
  });
});

describe('attributes', () => {
  const shop = () =>
    given().has(
      'attribute',
      { name: 'Capacity', values: [{ label: '64 GB' }, { label: '128 GB' }, { label: '1 TB', status: 'suspended' }] },
      { name: 'Material' },
      { name: 'Note' },
    );
  const send = (it: Given, ...attributes: Item[]) => it.line('product', product({ attributes }));
  const stored = (it: Given) =>
    it
      .table('product_attribute')
      .filter(({ listed }) => listed === 1)
      .map(({ value }) => value)
      .sort();

  it('the characteristic is named by identifier or name, case-insensitive', () => {
    const it = shop();
    expect(send(it, { type: it.id('attribute', 'Material'), value: 'wood' }).action).toBe('created');
    expect(send(it, { type: 'MATERIAL', value: 'wood' }).action).toBe('unchanged');
  });

  it('an unknown one is reference_not_found, another resource’s identifier reference_wrong_type', () => {
    expect(problemsOf(send(shop(), { type: 'Size', value: '1' }))).toEqual(['reference_not_found attributes[0].type']);
    expect(send(shop(), { type: 'attr_none', value: '1' }).code).toBe('reference_not_found');
    expect(send(shop(), { type: 'atvl_1', value: '1' }).code).toBe('reference_wrong_type');
  });

  it('value is required', () => {
    expect(problemsOf(send(shop(), { type: 'Material' }))).toEqual(['field_required attributes[0].value']);
    expect(send(shop(), { type: 'Material', value: '' }).code).toBe('field_required');
  });

  it('only the characteristics named are updated, and the product’s other characteristics are kept', () => {
    const it = shop();
    send(it, { type: 'Material', value: 'wood' }, { type: 'Note', value: 'old' });
    expect(send(it, { type: 'Note', value: 'new' })).toMatchObject({ action: 'updated', notice: [] });
    expect(stored(it)).toEqual(['new', 'wood']);
    expect(it.line('product', { sku: 'A', attributes: [] }).action).toBe('unchanged');
    expect(stored(it)).toEqual(['new', 'wood']);
  });

  it('the entries that name one characteristic replace its values; several entries are several values', () => {
    const it = shop();
    send(it, { type: 'Material', value: 'wood' }, { type: 'Material', value: 'steel' });
    expect(stored(it)).toEqual(['steel', 'wood']);
    expect(send(it, { type: 'Material', value: 'wood' }, { type: 'Material', value: 'steel' }).action).toBe(
      'unchanged',
    );
    expect(send(it, { type: 'Material', value: 'glass' }).action).toBe('updated');
    expect(stored(it)).toEqual(['glass']);
  });

  it('when the characteristic has a list of values, it must be an active one of them', () => {
    expect(send(shop(), { type: 'Capacity', value: '64 GB' }).action).toBe('created');
    for (const value of ['256 GB', '1 TB']) {
      expect(problemsOf(send(shop(), { type: 'Material', value: 'x' }, { type: 'Capacity', value }))).toEqual([
        'attribute_value_not_listed attributes[1].value',
      ]);
    }
    const it = shop().has('attribute', { name: 'Capacity', values: [{ label: '128 GB' }] });
    expect(send(it, { type: 'Capacity', value: '64 GB' }).code).toBe('attribute_value_not_listed');
  });

  it('the nearest active value is named', () => {
    expect(send(shop(), { type: 'Capacity', value: '128 BG' }).reason).toMatch(/nearest.*128 GB/);
    expect(send(shop(), { type: 'Capacity', value: '1 TB' }).reason).not.toMatch(/nearest.*1 TB/);
  });

  it('case-insensitive, kept in the list’s spelling', () => {
    const it = shop();
    send(it, { type: 'Capacity', value: '64 gb' });
    expect(stored(it)).toEqual(['64 GB']);
    expect(send(it, { type: 'Capacity', value: '64 Gb' }).action).toBe('unchanged');
  });

  it('a characteristic whose list is empty again has no closed list', () => {
    const it = shop().has('attribute', { name: 'Capacity', values: [] });
    expect(send(it, { type: 'Capacity', value: 'anything' }).action).toBe('created');
  });

  it('a characteristic all of whose values are suspended accepts none', () => {
    const it = shop().has('attribute', { name: 'Note', values: [{ label: 'x', status: 'suspended' }] });
    expect(send(it, { type: 'Note', value: 'x' }).code).toBe('attribute_value_not_listed');
  });

  it('unit and position are kept when they are not sent', () => {
    const it = shop();
    send(it, { type: 'Material', value: '5', unit: 'mm', position: 3 });
    expect(send(it, { type: 'Material', value: '5' }).action).toBe('unchanged');
    expect(send(it, { type: 'Material', value: '5', unit: 'cm' }).action).toBe('updated');
  });

  it('attribute_out_of_scope: the scope is a category that is neither the product’s nor above it', () => {
    const it = given().has(
      'category',
      { name: 'Top' },
      { name: 'Mid', parent: 'Top' },
      { name: 'Leaf', parent: 'Mid' },
      { name: 'Else' },
    );
    it.has('attribute', { name: 'Scoped', scope: 'category', scope_ident: it.id('category', 'Mid') });
    const codes = (category: string) =>
      noticed(
        it.copy().line(
          'product',
          product({
            category: category && it.id('category', category),
            attributes: [{ type: 'Scoped', value: '1' }],
          }),
        ),
      );
    expect(codes('Mid')).toEqual([]);
    expect(codes('Leaf')).toEqual([]);
    expect(codes('Top')).toEqual(['attribute_out_of_scope']);
    expect(codes('Else')).toEqual(['attribute_out_of_scope']);
    expect(codes('')).toEqual(['attribute_out_of_scope']);
  });

  it('attribute_out_of_scope: the scope is another product', () => {
    const it = given().has('product', product());
    it.has('attribute', { name: 'Own', scope: 'product', scope_ident: it.id('product', 'A') });
    expect(it.line('product', product({ attributes: [{ type: 'Own', value: '1' }] })).notice).toEqual([]);
    const other = it.line('product', { ...product({ attributes: [{ type: 'Own', value: '1' }] }), sku: 'B' });
    expect(other.action).toBe('created');
    expect(noticed(other)).toEqual(['attribute_out_of_scope']);
  });
});

describe('media', () => {
  const send = (it: Given, ...media: Item[]) => it.line('product', product({ media }));
  const cover = (it: Given) =>
    it
      .table('product_media')
      .filter(({ is_main }) => is_main === 1)
      .map(({ file }) => file);

  it('the same file twice is duplicate_entry', () => {
    expect(send(given(), { file: 'file_1' }, { file: 'file_1' }).code).toBe('duplicate_entry');
  });

  it('at most one cover: is_main true twice in a list is refused', () => {
    expect(problemsOf(send(given(), { file: 'file_1', is_main: true }, { file: 'file_2', is_main: true }))).toEqual([
      'main_media_repeated media[1].is_main',
    ]);
  });

  it('is_main sent true on one photo takes it from the stored one', () => {
    const it = given();
    send(it, { file: 'file_1', is_main: true }, { file: 'file_2' });
    expect(cover(it)).toEqual(['file_1']);
    expect(send(it, { file: 'file_1' }, { file: 'file_2', is_main: true }).action).toBe('updated');
    expect(cover(it)).toEqual(['file_2']);
  });

  it('is_main absent from a stored photo is kept; false takes it away', () => {
    const it = given();
    send(it, { file: 'file_1', is_main: true }, { file: 'file_2' });
    expect(send(it, { file: 'file_1' }, { file: 'file_2' }).action).toBe('unchanged');
    expect(cover(it)).toEqual(['file_1']);
    send(it, { file: 'file_1', is_main: false }, { file: 'file_2' });
    expect(cover(it)).toEqual([]);
  });

  it('the form of a file is checked while none is known, the file itself once some are', () => {
    expect(problemsOf(send(given(), { file: 'photo.jpg' }))).toEqual(['field_format media[0].file']);
    expect(send(given(), { file: 'prod_1' }).code).toBe('reference_wrong_type');
    const it = given().has('files', { id: 'file_1' });
    expect(send(it, { file: 'file_1' }).action).toBe('created');
    expect(problemsOf(send(it, { file: 'file_1' }, { file: 'file_2' }))).toEqual(['reference_not_found media[1].file']);
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
    expect(shop().line('product', children, { dryRun: true })).toMatchObject({ action: 'unchanged', notice: [] });
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
        'attributes[Material].value',
        'media[file_1].status',
      ]),
    );
  });
});
