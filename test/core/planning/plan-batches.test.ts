// A batch: order, isolation, lines and counts. Decisions 1.2, 1.3, 1.5.
import { describe, expect, it } from 'vitest';
import { refusals } from '../../../src/core/diagnostics/refusal-codes.js';
import { unreadableEntry } from '../../../src/core/entry.js';
import { given, noticed, problemsOf } from '../../given.js';
import { shopWith } from './planned-batches.js';

const lamp = { sku: 'LAMP', currency: 'EUR', name: 'Lamp', price: '10.00' };

describe('items are processed in order', () => {
  it('each sees what the earlier ones of its batch did', () => {
    const shop = given();
    const report = shop.send('category', [{ name: 'Phones' }, { name: 'Cases', parent: 'Phones' }]);
    expect(report.data.map(({ action }) => action)).toEqual(['created', 'created']);
    expect(shop.read('category', 'Cases')['parent']).toBe(shop.id('category', 'Phones'));
  });

  it('parents are sent before their children: a child before its parent is refused', () => {
    const report = given().send('category', [{ name: 'Cases', parent: 'Phones' }, { name: 'Phones' }]);
    expect(report.data.map(({ code, action }) => code ?? action)).toEqual(['reference_not_found', 'created']);
  });

  it('an earlier batch of the same transaction is seen too', () => {
    const shop = given();
    const reports = shop.sendBatches('category', [[{ name: 'Phones' }], [{ name: 'Cases', parent: 'Phones' }]]);
    expect(reports.map(({ created }) => created)).toEqual([1, 1]);
  });

  it('a record sent twice in a batch is created, then updated or unchanged, and the second line says so', () => {
    const shop = given();
    const report = shop.send('product', [lamp, { ...lamp, price: '12.00' }, { ...lamp, price: '12.00' }]);
    expect(report.data.map(({ action }) => action)).toEqual(['created', 'updated', 'unchanged']);
    expect(report.data.map(noticed)).toEqual([[], ['repeated_in_batch'], ['repeated_in_batch']]);
    expect(new Set(report.data.map(({ id }) => id)).size).toBe(1);
    expect(shop.read('product', 'LAMP')['price']).toBe('12.00');
  });

  it('repeated_in_batch: an earlier item was accepted for the same record, whatever its spelling', () => {
    const report = given().send('category', [{ name: 'ÉCRAN' }, { name: 'écran' }]);
    expect(report.data.map(noticed)).toEqual([[], ['repeated_in_batch']]);
  });

  it('a repetition of a refused item is not reported', () => {
    const report = given().send('product', [{ ...lamp, price: 'x' }, lamp]);
    expect(report.data.map(noticed)).toEqual([[], []]);
    expect(report.data.map(({ action }) => action)).toEqual(['refused', 'created']);
  });

  it('the same record in two batches is no repetition', () => {
    const reports = given().sendBatches('product', [[lamp], [lamp]]);
    expect(reports.flatMap(({ data }) => data.map(noticed))).toEqual([[], []]);
  });
});

describe('a refused item changes nothing and stops nothing', () => {
  it('nothing of it is stored, and the items around it are', () => {
    const shop = given().has('product', { ...lamp, grades: [{ grade: 'new', price: 5, stock: 1 }] });
    const before = shop.rows();
    const report = shop.send('product', [
      { sku: 'LAMP', name: 'Other', grades: [{ grade: 'good', price: 1 }], media: [{ file: 'file_1' }], weight: 'x' },
    ]);
    expect(report.refused).toBe(1);
    expect(shop.rows()).toEqual(before);
    const mixed = shop.send('product', [{ sku: 'B' }, { sku: 'C', currency: 'EUR' }]);
    expect(mixed.data.map(({ action }) => action)).toEqual(['refused', 'created']);
  });

  it('what a refused item would have saved is not seen by later ones', () => {
    const report = given().send('category', [
      { name: 'Phones', position: 'x' },
      { name: 'Cases', parent: 'Phones' },
    ]);
    expect(report.data.map(({ code }) => code)).toEqual(['field_type', 'reference_not_found']);
  });
});

describe('report lines', () => {
  it('an accepted line has exactly the members of the specification', () => {
    const line = given().line('product', lamp);
    expect(line).toEqual({
      index: 0,
      external_id: 'LAMP',
      action: 'created',
      id: expect.stringMatching(/^prod_/),
      code: null,
      title: null,
      reason: null,
      notice: [],
    });
    expect(Object.keys(line)).toEqual(['index', 'external_id', 'action', 'id', 'code', 'title', 'reason', 'notice']);
  });

  it('code is a stable word, title its fixed words, reason `path: value and fault. Remedy.`', () => {
    const line = given().line('product', { ...lamp, weight: 'heavy' });
    expect(line.code).toBe('field_format');
    expect(line.title).toBe(refusals.field_format.title);
    expect(line.reason).toMatch(/^weight: "heavy" .+\. .+\.$/);
  });

  it('the value is cut at 60 characters in a reason', () => {
    const line = given().line('product', { ...lamp, status: 'x'.repeat(500) });
    expect(line.reason?.length).toBeLessThan(200);
    expect(line.reason).toContain('xxx…');
  });

  it('control characters of a value do not reach a reason', () => {
    const line = given().line('product', { ...lamp, status: '\u001b[31mred\u0007\u009b\u202e' });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(line.reason).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it('all problems of an item are reported at once: the first on the line, the others as notices', () => {
    const line = given().line('product', {
      sku: 'LAMP',
      currency: 'EURO',
      price: '1.234',
      stock: '5',
      status: 'live',
      grades: [{ grade: 'mint' }, { grade: 'good', price: -1 }],
    });
    expect(line.notice.every((entry) => Object.keys(entry).sort().join() === 'code,field,message')).toBe(true);
    expect(problemsOf(line).sort()).toEqual(
      [
        'field_format currency',
        'field_decimals price',
        'field_type stock',
        'field_not_allowed_value status',
        'field_not_allowed_value grades[0].grade',
        'field_out_of_range grades[1].price',
      ].sort(),
    );
  });

  it('problems of the item itself and of its references are reported together', () => {
    const line = given().line('product', { ...lamp, price: 'x', category: 'cate_none', group: 'cate_1' });
    expect(problemsOf(line).sort()).toEqual([
      'field_format price',
      'reference_not_found category',
      'reference_wrong_type group',
    ]);
  });

  it('on a refused line id is the matched record’s or null', () => {
    const shop = given().has('product', lamp);
    expect(shop.line('product', { sku: 'LAMP', price: 'x' }).id).toBe(shop.id('product', 'LAMP'));
    expect(shop.line('product', { sku: 'B', currency: 'EUR', price: 'x' }).id).toBeNull();
    expect(shop.line('product', { price: 'x' })).toMatchObject({ id: null, external_id: '' });
  });

  it('external_id echoes what was sent, trimmed; a record under another spelling keeps its name', () => {
    const shop = given().has('category', { name: 'Écran' });
    const line = shop.line('category', { name: ' ÉCRAN ' });
    expect(line).toMatchObject({ action: 'unchanged', external_id: 'ÉCRAN', id: shop.id('category', 'Écran') });
    expect(shop.read('category', 'écran')['name']).toBe('Écran');
  });

  it('a key of another type has no external_id', () => {
    expect(given().line('product', { sku: 5, currency: 'EUR' })).toMatchObject({ external_id: '', code: 'field_type' });
  });

  it('an unreadable record of a file takes its place among the lines', () => {
    const report = given().send('product', [
      lamp,
      unreadableEntry({ code: 'row_shape', field: '', message: '7 cells; the header has 6' }, 'B'),
      unreadableEntry({ code: 'item_not_json', field: '', message: 'no JSON' }, ''),
      { sku: 'C', currency: 'EUR' },
    ]);
    expect(report.data.map(({ index, external_id, code }) => [index, external_id, code])).toEqual([
      [0, 'LAMP', null],
      [1, 'B', 'row_shape'],
      [2, '', 'item_not_json'],
      [3, 'C', null],
    ]);
    expect(report.data[1]).toMatchObject({
      action: 'refused',
      id: null,
      title: refusals.row_shape.title,
      reason: '7 cells; the header has 6',
      notice: [],
    });
  });
});

describe('the report', () => {
  it('counts created, updated, unchanged and refused, and echoes dry_run', () => {
    const shop = given().has('product', lamp, { sku: 'B', currency: 'EUR' });
    const items = [{ ...lamp, price: 11 }, { sku: 'B' }, { sku: 'C', currency: 'EUR' }, { sku: 'D' }, 5];
    expect(shop.copy().send('product', items, { dryRun: true })).toMatchObject({ dry_run: true, total: 5, refused: 2 });
    const report = shop.send('product', items);
    expect(report).toMatchObject({
      object: 'list',
      resource: 'product',
      dry_run: false,
      created: 1,
      updated: 1,
      unchanged: 1,
      refused: 2,
      total: 5,
    });
    expect(report.data.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
  });

  it('an empty list is a report of zeros', () => {
    expect(given().send('product', [])).toEqual({
      object: 'list',
      resource: 'product',
      dry_run: false,
      data: [],
      created: 0,
      updated: 0,
      unchanged: 0,
      refused: 0,
      total: 0,
    });
  });

  it.each([['attribute'], ['category'], ['product_group'], ['product'], ['product_review']])(
    'names the resource %s',
    (name) => {
      expect(given().send(name, []).resource).toBe(name);
    },
  );
});

describe('unchanged means not one stored value differs', () => {
  it('nothing is written and updated_at stays', () => {
    const shop = given().has('product', lamp);
    const before = shop.rows();
    expect(shop.line('product', lamp).action).toBe('unchanged');
    expect(shop.rows()).toEqual(before);
  });

  it('an update moves updated_at and keeps created_at', () => {
    const shop = given().has('product', lamp);
    const { created_at, updated_at } = shop.read('product', 'LAMP') as Record<string, number>;
    shop.has('product', { sku: 'LAMP', price: 3 });
    const after = shop.read('product', 'LAMP') as Record<string, number>;
    expect(after['created_at']).toBe(created_at);
    expect(after['updated_at']).toBeGreaterThan(updated_at as number);
  });
});

it('a report that is not accepted ends the plan before its batch', async () => {
  const shop = await shopWith();
  const batches = [[lamp], [{ ...lamp, sku: 'B' }], [{ ...lamp, sku: 'C' }]];
  let left = 1;
  const planned = await shop.plan('products', batches, { accept: () => left-- > 0 });
  expect([planned.reports.length, planned.stopped]).toEqual([1, true]);
  expect(await shop.product('B')).toEqual({});
  const whole = await shop.plan('products', batches, { accept: () => true });
  expect(whole.reports.map(({ created, unchanged }) => [created, unchanged])).toEqual([
    [0, 1],
    [1, 0],
    [1, 0],
  ]);
  expect(whole.stopped).toBe(false);
});
