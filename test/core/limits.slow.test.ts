// What an item may hold and what is reported of it: large items that are legal bodies cost time linear in
// their bytes, and no answer outgrows its request.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Line } from '../../src/core/import-report.js';
import type { Task } from '../../src/core/planning/item-task.js';
import { checkKept } from '../../src/core/planning/merge-list.js';
import { given, noticed, problemsOf } from '../given.js';
import { allowed, isFast, isFull, repetitions } from '../tier.js';

const product = (fields: Record<string, unknown> = {}) => ({ sku: 'A', currency: 'EUR', ...fields });
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe('too_many_entries refuses the item before its entries are looked at', () => {
  it.each([
    ['product', 'attributes', 500],
    ['product', 'media', 250],
    ['product', 'grades', 20],
    ['attribute', 'values', 400],
    ['product_group', 'axes', 20],
  ])('%s.%s: at most %i', (resource, field, most) => {
    const key = resource === 'product' ? product() : { name: 'N' };
    const item = (count: number) => ({ ...key, [field]: times(count, () => 1) });
    expect(problemsOf(given().line(resource, item(most + 1)))).toEqual([`too_many_entries ${field}`]);
    expect(given().line(resource, item(most)).code).toBe('field_type');
  });
});

describe('a text without a limit of its own has 1 MiB', () => {
  it.each([
    ['product', 'description'],
    ['product', 'note'],
    ['category', 'seo_description'],
    ['product_review', 'text'],
  ])('%s.%s', (resource, field) => {
    const codes = (text: string) => problemsOf(given().line(resource, { ...product(), name: 'N', [field]: text }));
    expect(codes('x'.repeat(2 ** 20))).not.toContain(`field_too_long ${field}`);
    expect(codes('x'.repeat(2 ** 20 + 1))).toContain(`field_too_long ${field}`);
    expect(codes('é'.repeat(2 ** 19 + 1))).toContain(`field_too_long ${field}`);
  });
});

describe('of one item at most 20 problems and 20 notices are reported', () => {
  it('then one more_omitted counts the rest', () => {
    const line = given().line('product', product({ attributes: times(30, () => ({})) }));
    expect([line.code, ...noticed(line)]).toEqual([...times(20, () => 'field_required'), 'more_omitted']);
    expect(line.notice.at(-1)).toMatchObject({ field: '', message: expect.stringMatching(/^40 more problems /) });
  });

  it('exactly 20 are reported without it', () => {
    const line = given().line('product', product({ attributes: times(10, () => ({})) }));
    expect([line.code, ...noticed(line)]).toEqual(times(20, () => 'field_required'));
  });

  it('problems of validation and decision count together, and so do notices of an accepted item', () => {
    const shop = given().has('category', { name: 'C' }).has('attribute', { name: 'A' });
    shop.has('attribute', { name: 'Own', scope: 'category', scope_ident: shop.id('category', 'C') });
    const refused = times(40, (i) => (i % 2 === 0 ? {} : { type: `none ${i}`, value: 'x' }));
    const line = shop.line('product', product({ attributes: refused }));
    expect(line.notice.at(-1)?.message).toMatch(/^40 more problems /);
    const noted = shop.line('product', product({ attributes: times(25, (i) => ({ type: 'Own', value: `${i}` })) }));
    expect(noted.action).toBe('created');
    expect(noticed(noted)).toEqual([...times(20, () => 'attribute_out_of_scope'), 'more_omitted']);
    expect(noted.notice.at(-1)?.message).toMatch(/^5 more notices /);
  });
});

describe('field_ignored is one notice per item', () => {
  it('how many members, and the first ten by name', () => {
    const members = Object.fromEntries(times(1000, (i) => [`m${i}`, 1]));
    const line = given().line('product', product({ ...members, grades: [{ grade: 'new', colour: 'red' }] }));
    expect(noticed(line)).toEqual(['field_ignored']);
    const { field, message } = line.notice[0] ?? { field: '-', message: '' };
    expect(field).toBe('');
    expect(message).toMatch(/^1001 members /);
    for (let i = 0; i < 10; i++) expect(message).toContain(`"m${i}"`);
    expect(message).not.toContain('"m10"');
  });

  it('a name of any length is shortened', () => {
    const line = given().line('product', product({ ['x'.repeat(100_000)]: 1 }));
    expect(JSON.stringify(line).length).toBeLessThan(1000);
  });
});

describe('changes', () => {
  it('are 20 an item, then more_omitted', () => {
    const grades = ['new', 'like_new', 'good', 'fair', 'poor']
      .slice(0, 3)
      .map((grade) => ({ grade, price: 1, stock: 1 }));
    const attributes = Array.from({ length: 20 }, (_, i) => ({ type: 'Size', value: `${i}` }));
    const shop = given().has('attribute', { name: 'Size' });
    const line = shop.line('product', product({ grades, attributes }), { diff: true });
    expect(line.changes).toHaveLength(20);
    expect(line.notice.at(-1)).toMatchObject({ code: 'more_omitted', message: expect.stringMatching(/more changes/) });
  });

  it('have texts cut at 500 characters, and not within one', () => {
    const shop = given().has('product', product({ description: 'x' }));
    const { changes } = shop.line('product', product({ description: '🚲'.repeat(600) }), { diff: true });
    expect(changes).toEqual([{ field: 'description', from: 'x', to: `${'🚲'.repeat(499)}…` }]);
    const whole = '🚲'.repeat(500);
    const again = shop.line('product', product({ description: whole }), { diff: true });
    expect(again.changes?.[0]?.to).toBe(whole);
  });
});

describe('an answer has at most 16 KiB for an item', () => {
  const bytes = (line: Line) => Buffer.byteLength(JSON.stringify(line));
  const most = 16 * 1024;
  const odd = fc.constantFrom('x', '\u0001', '\\', '"', '🚲', '\u2028', '日');
  const long = fc.tuple(odd, fc.integer({ min: 1, max: 2000 })).map(([letter, count]) => letter.repeat(count));

  it('whatever is in it, refused or accepted, with diff or without', () => {
    const item = fc.record({
      sku: fc.oneof(fc.constant('A'), long),
      currency: fc.oneof(fc.constant('EUR'), long),
      description: long,
      note: long,
      badge: long,
      tag: long,
      seo_description: long,
      ean: long,
      grades: fc.array(fc.record({ grade: long, price: long, status: long }), { maxLength: 20 }),
      attributes: fc.array(fc.record({ type: long, value: long, unit: long }), { maxLength: 60 }),
      media: fc.array(fc.record({ file: long, is_main: long }), { maxLength: 60 }),
    });
    const others = fc.dictionary(long, fc.constant(1), { maxKeys: 15 });
    fc.assert(
      fc.property(item, others, fc.boolean(), fc.boolean(), (fields, unknown, whole, diff) => {
        const shop = given();
        const { sku, currency, grades, attributes, media, ...texts } = fields;
        const sent = whole ? { ...unknown, ...fields } : { ...unknown, ...product(texts) };
        const line = shop.line('product', sent, { diff });
        expect(bytes(line)).toBeLessThanOrEqual(most);
        if (!whole) expect(line.action).toBe('created');
        expect(bytes(shop.line('product', { ...product(), note: 'other' }, { diff }))).toBeLessThanOrEqual(most);
      }),
      { numRuns: repetitions('ANSWERS', { fast: 50, moderate: 50, full: 1000 }) },
    );
  });

  it('the external_id of a refused item is cut at 500 characters', () => {
    const line = given().line('product', { sku: 'y'.repeat(5000) });
    expect(line).toMatchObject({ action: 'refused', code: 'field_too_long' });
    expect([...line.external_id]).toHaveLength(500);
  });
});

describe('work is linear in the bytes of the item', () => {
  /** The processor time of one item, at best of three where it is held to its figure. */
  function cost(resource: string, item: unknown): number {
    const tries = times(isFull ? 3 : 1, () => {
      const shop = given().has('attribute', { name: 'Capacity', values: times(400, (i) => ({ label: `value ${i}` })) });
      const began = process.cpuUsage();
      shop.line(resource, item);
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1000;
    });
    return Math.min(...tries);
  }

  const bodies: [name: string, resource: string, item: (size: number) => unknown][] = [
    ['empty entries', 'product', (n) => product({ attributes: times(Math.min(n, 500), () => ({})) })],
    ['the same file', 'product', (n) => product({ media: times(Math.min(n, 250), () => ({ file: 'file_1' })) })],
    ['unknown types', 'product', (n) => product({ attributes: times(n, (i) => ({ type: `t${i}`, value: 'x' })) })],
    [
      'unlisted values',
      'product',
      (n) => product({ attributes: times(500, (i) => ({ type: 'Capacity', value: `v${i}${'x'.repeat(n / 100)}` })) }),
    ],
    ['unknown members', 'product', (n) => product(Object.fromEntries(times(n, (i) => [`m${i}`, i])))],
    [
      'unknown members of entries',
      'product',
      (n) => product({ grades: [Object.fromEntries(times(n, (i) => [`m${i}`, i]))] }),
    ],
    [
      'labels that repeat',
      'attribute',
      (n) => ({ name: 'N', values: times(Math.min(n, 400), () => ({ label: 'x' })) }),
    ],
    [
      'labels of colours without hex',
      'attribute',
      (n) => ({ kind: 'colour', values: times(Math.min(n, 400), (i) => ({ label: `${i}` })) }),
    ],
    [
      'long texts',
      'product',
      (n) => product({ description: 'é'.repeat(n), currency: 'E'.repeat(n), weight: '1'.repeat(n) }),
    ],
    [
      'long words of a closed list',
      'product',
      (n) => product({ status: 'a'.repeat(n), grades: [{ grade: 'b'.repeat(n) }] }),
    ],
    ['a long key', 'product', (n) => product({ sku: `${'é'.repeat(n)}` })],
  ];

  it.each(bodies)('%s', (_, resource, item) => {
    cost(resource, item(1000));
    expect(cost(resource, item(20_000))).toBeLessThan(allowed(400));
    // An object of 200,000 members takes longer to make than to look at.
    expect(cost(resource, item(isFast ? 60_000 : 200_000))).toBeLessThan(allowed(1500));
  });
});

describe('a batch that sends one record again and again', () => {
  /** The processor time of one batch in milliseconds, at best of three. */
  function costOf(resource: string, items: readonly unknown[]): number {
    const tries = times(3, () => {
      const shop = given().has('attribute', { name: 'Free' });
      const began = process.cpuUsage();
      shop.send(resource, items);
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1000;
    });
    return Math.min(...tries);
  }

  const batches: [name: string, resource: string, item: (key: string, i: number) => unknown, count: number][] = [
    [
      'other values each time',
      'attribute',
      (name, i) => ({ name, values: times(160, (j) => ({ label: `${i} ${j}` })) }),
      25,
    ],
    [
      'the same values in another order each time',
      'attribute',
      (name, i) => ({ name, values: times(400, (j) => ({ label: `${(i + j) % 400}`, position: j })) }),
      25,
    ],
    [
      'other photos each time',
      'product',
      (sku, i) => product({ sku, media: times(250, (j) => ({ file: `file_${i}x${j}` })) }),
      16,
    ],
    [
      'other characteristic values each time',
      'product',
      (sku, i) => product({ sku, attributes: times(100, (j) => ({ type: 'Free', value: `${i} ${j}` })) }),
      40,
    ],
  ];

  it.each(batches)('takes time by its bytes, as one of different records: %s', (_, resource, item, count) => {
    const different = costOf(
      resource,
      times(count, (i) => item(`N${i}`, i)),
    );
    expect(
      costOf(
        resource,
        times(count, (i) => item('N', i)),
      ),
    ).toBeLessThan(10 * different + 100);
  });
});

it('the search for what is meant costs little, however alike a list and what is sent are', () => {
  const shop = given().has('attribute', {
    name: 'Long',
    values: times(400, (i) => ({ label: `${'a'.repeat(172)} ${i}` })),
  });
  const value = (i: number, j: number) => `${'a'.repeat(170)}b${i} ${j}`;
  const items = times(40, (i) => product({ attributes: times(20, (j) => ({ type: 'Long', value: value(i, j) })) }));
  const began = process.cpuUsage();
  expect(shop.send('product', items).refused).toBe(40);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(allowed(600));
});

describe('too_many_kept refuses an item after which its record would remember too many entries', () => {
  it.each([
    ['attribute', 'values', 400, (i: number) => ({ name: 'N', values: times(400, (j) => ({ label: `${i} ${j}` })) })],
    ['product', 'media', 250, (i: number) => product({ media: times(250, (j) => ({ file: `file_${i}x${j}` })) })],
    [
      'product_group',
      'axes',
      20,
      (i: number) => ({ name: 'G', axes: times(20, (j) => ({ source: 'custom', name: `${i} ${j}` })) }),
    ],
  ] as const)('%s.%s: 4,000 entries', (resource, field, entries, item) => {
    const shop = given();
    const count = 4000 / entries;
    for (let i = 0; i < count; i++) expect(shop.line(resource, item(i)).action).not.toBe('refused');
    const before = shop.rows();
    expect(problemsOf(shop.line(resource, item(count)))).toEqual([`too_many_kept ${field}`]);
    expect(shop.rows()).toEqual(before);
    // What was there before can be sent again.
    expect(shop.line(resource, item(0)).action).toBe('updated');
  });

  it('attribute.values: 8 MiB of notes and links together', () => {
    const shop = given();
    const link = { link_label: 'x'.repeat(1024 * 1024), link_page: 'page-1' };
    const sent = (from: number) => ({ name: 'N', values: times(5, (i) => ({ label: `${from + i}`, ...link })) });
    expect(shop.line('attribute', sent(0)).action).toBe('created');
    expect(problemsOf(shop.line('attribute', sent(5)))).toEqual(['too_many_kept values']);
    expect(shop.line('attribute', sent(3)).action).toBe('updated');
    expect(shop.line('attribute', { name: 'N', values: [{ label: '0', link_label: '', link_page: '' }] }).action).toBe(
      'updated',
    );
  });

  it('product.attributes: of all characteristics together', () => {
    const shop = given().has('attribute', ...times(25, (i) => ({ name: `C${i}` })));
    const sent = (type: number) => product({ attributes: times(500, (j) => ({ type: `C${type}`, value: `${j}` })) });
    for (let i = 0; i < 8; i++) expect(shop.line('product', sent(i)).action).not.toBe('refused');
    expect(problemsOf(shop.line('product', sent(8)))).toEqual(['too_many_kept attributes']);
    expect(shop.line('product', sent(7)).action).toBe('unchanged');
  });

  it('a record with more entries than the limit accepts an item that adds none', () => {
    const refused: string[] = [];
    const task = { refuse: (code: string) => refused.push(code) } as Partial<Task> as Task;
    checkKept(task, 'media', 4_001, 0);
    expect(refused).toEqual([]);
    checkKept(task, 'media', 4_001, 1);
    expect(refused).toEqual(['too_many_kept']);
  });
});
