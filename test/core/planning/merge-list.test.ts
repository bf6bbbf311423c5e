import { describe, expect, it } from 'vitest';
import type { Task } from '../../../src/core/planning/item-task.js';
import { type ListedRow, type ListRules, mergeList } from '../../../src/core/planning/merge-list.js';
import { type Given, given, type Item, noticed } from '../../given.js';

interface ListCase {
  readonly resource: string;
  readonly field: string;
  readonly table: string;
  readonly column: string;
  item(entries: readonly Item[] | undefined): Item;
  entry(n: number): Item;
  key(n: number): string;
}

const grades = ['new', 'like_new', 'very_good', 'good', 'poor'];

const lists: ListCase[] = [
  {
    resource: 'attribute',
    field: 'values',
    table: 'characteristic_value',
    column: 'label',
    item: (values) => ({ name: 'Capacity', ...(values && { values }) }),
    entry: (n) => ({ label: `v${n}` }),
    key: (n) => `v${n}`,
  },
  {
    resource: 'product_group',
    field: 'axes',
    table: 'product_group_axis',
    column: 'name',
    item: (axes) => ({ name: 'G', ...(axes && { axes }) }),
    entry: (n) => ({ source: 'custom', name: `a${n}` }),
    key: (n) => `a${n}`,
  },
  {
    resource: 'product',
    field: 'grades',
    table: 'product_grade',
    column: 'grade',
    item: (list) => ({ sku: 'A', currency: 'EUR', ...(list && { grades: list }) }),
    entry: (n) => ({ grade: grades[n] }),
    key: (n) => grades[n] as string,
  },
  {
    resource: 'product',
    field: 'media',
    table: 'product_media',
    column: 'file',
    item: (media) => ({ sku: 'A', currency: 'EUR', ...(media && { media }) }),
    entry: (n) => ({ file: `file_${n}` }),
    key: (n) => `file_${n}`,
  },
];

describe.each(lists)('$field of $resource', (list) => {
  const entries = (...numbers: number[]) => numbers.map(list.entry);
  const send = (shop: Given, sent: readonly Item[] | undefined) => shop.line(list.resource, list.item(sent));
  /** Every stored entry as `key:status`, `-` behind it where it was left out of the set. */
  const stored = (shop: Given) =>
    shop
      .table(list.table)
      .map((row) => `${row[list.column]}:${row['status']}${row['listed'] === 1 ? '' : '-'}`)
      .sort();

  it('missing entries are added, as activated', () => {
    const shop = given();
    expect(send(shop, entries(0)).action).toBe('created');
    const line = send(shop, entries(0, 1));
    expect(line).toMatchObject({ action: 'updated', notice: [] });
    expect(stored(shop)).toEqual([`${list.key(0)}:activated`, `${list.key(1)}:activated`].sort());
  });

  it('entries left out of the list are deactivated, and a notice says which list and how many', () => {
    const shop = given();
    send(shop, entries(0, 1, 2));
    const line = send(shop, entries(1));
    expect(line.action).toBe('updated');
    expect(line.notice).toEqual([expect.objectContaining({ code: 'entries_deactivated', field: list.field })]);
    expect(line.notice[0]?.message).toMatch(/\b2\b/);
    expect(stored(shop)).toEqual(
      [`${list.key(0)}:suspended-`, `${list.key(1)}:activated`, `${list.key(2)}:suspended-`].sort(),
    );
  });

  it('the same shorter list again is unchanged and deactivates nothing', () => {
    const shop = given();
    send(shop, entries(0, 1));
    send(shop, entries(1));
    expect(send(shop, entries(1))).toMatchObject({ action: 'unchanged', notice: [] });
  });

  it('[] deactivates all', () => {
    const shop = given();
    send(shop, entries(0, 1));
    const line = send(shop, []);
    expect(line.action).toBe('updated');
    expect(noticed(line)).toContain('entries_deactivated');
    expect(stored(shop)).toEqual([`${list.key(0)}:suspended-`, `${list.key(1)}:suspended-`].sort());
    expect(send(shop, [])).toMatchObject({ action: 'unchanged', notice: [] });
  });

  it('when the list is omitted, or null, the stored set is left untouched', () => {
    const shop = given();
    send(shop, entries(0, 1));
    const before = shop.rows();
    expect(send(shop, undefined).action).toBe('unchanged');
    expect(shop.line(list.resource, { ...list.item(undefined), [list.field]: null }).action).toBe('unchanged');
    expect(shop.rows()).toEqual(before);
  });

  it('listed again without a status, an unlisted entry becomes activated again, under its identifier', () => {
    const shop = given();
    send(shop, entries(0, 1));
    const before = shop.table(list.table).find((row) => row[list.column] === list.key(0));
    send(shop, entries(1));
    expect(send(shop, entries(0, 1)).action).toBe('updated');
    expect(stored(shop)).toEqual([`${list.key(0)}:activated`, `${list.key(1)}:activated`].sort());
    expect(shop.table(list.table)).toHaveLength(2);
    expect(shop.table(list.table).find((row) => row[list.column] === list.key(0))?.['id']).toBe(before?.['id']);
  });

  it('the order of the list alone is not change, unless it is the photos’', () => {
    const shop = given();
    send(shop, entries(0, 1, 2));
    expect(send(shop, entries(2, 0, 1)).action).toBe(list.field === 'media' ? 'updated' : 'unchanged');
  });

  it('the same entry twice refuses the item', () => {
    const line = send(given(), entries(0, 1, 0));
    expect(line.code).toBe('duplicate_entry');
    expect(line.reason).toContain(`${list.field}[2]`);
    const again = send(given(), entries(0, 0, 0));
    expect(
      [again.reason, ...again.notice.map(({ message }) => message)].map((told) => /as \w+\[\d\]/.exec(`${told}`)?.[0]),
    ).toEqual([`as ${list.field}[0]`, `as ${list.field}[0]`]);
  });

  it('a refused entry refuses the item with all its entries', () => {
    const shop = given();
    send(shop, entries(0));
    const before = shop.rows();
    expect(send(shop, [...entries(1), { ...list.entry(2), position: 'x', status: 'x' }]).action).toBe('refused');
    expect(shop.rows()).toEqual(before);
  });
});

describe.each(lists.filter(({ field }) => field !== 'media'))('status of an entry of $field', (list) => {
  const send = (shop: Given, ...sent: Item[]) => shop.line(list.resource, list.item(sent));
  const status = (shop: Given, n: number) =>
    shop.table(list.table).find((row) => row[list.column] === list.key(n))?.['status'];

  it('a listed entry keeps its status when it is listed again without one', () => {
    const shop = given();
    send(shop, { ...list.entry(0), status: 'suspended' }, list.entry(1));
    expect(status(shop, 0)).toBe('suspended');
    expect(send(shop, list.entry(0), list.entry(1)).action).toBe('unchanged');
    expect(status(shop, 0)).toBe('suspended');
  });

  it('a sent status is applied, also to an entry listed again', () => {
    const shop = given();
    send(shop, list.entry(0), list.entry(1));
    send(shop, list.entry(1));
    send(shop, { ...list.entry(0), status: 'suspended' }, list.entry(1));
    expect(status(shop, 0)).toBe('suspended');
    expect(send(shop, { ...list.entry(0), status: 'activated' }, list.entry(1)).action).toBe('updated');
    expect(status(shop, 0)).toBe('activated');
  });

  it('an entry sent as suspended is part of the set: listed again without a status it stays suspended', () => {
    const shop = given();
    send(shop, { ...list.entry(0), status: 'suspended' });
    expect(send(shop, { ...list.entry(0), status: 'suspended' }, list.entry(1)).notice).toEqual([]);
    expect(status(shop, 0)).toBe('suspended');
  });
});

describe('positions', () => {
  const positions = (shop: Given, table: string, column: string) =>
    Object.fromEntries(shop.table(table).map((row) => [row[column], row['position']]));

  it('when omitted the value goes last, after the highest position of the new set, in the list’s order', () => {
    const shop = given().has('attribute', {
      name: 'C',
      values: [{ label: 'a' }, { label: 'b', position: 7 }, { label: 'c' }],
    });
    expect((shop.read('attribute', 'C')['values'] as Item[]).map(({ label }) => label)).toEqual(['b', 'a', 'c']);
    const { a, b, c } = positions(shop, 'characteristic_value', 'label') as Record<string, number>;
    expect(b).toBe(7);
    expect(a).toBeGreaterThan(7);
    expect(c).toBeGreaterThan(a as number);
  });

  it('a new value follows the stored ones, at any place in the list', () => {
    const shop = given().has('attribute', { name: 'C', values: [{ label: 'a' }, { label: 'b' }] });
    shop.has('attribute', { name: 'C', values: [{ label: 'new' }, { label: 'a' }, { label: 'b' }] });
    expect((shop.read('attribute', 'C')['values'] as Item[]).map(({ label }) => label)).toEqual(['a', 'b', 'new']);
  });

  it('values without any position keep the list’s order', () => {
    const shop = given().has('attribute', { name: 'C', values: [{ label: 'z' }, { label: 'a' }, { label: 'm' }] });
    expect((shop.read('attribute', 'C')['values'] as Item[]).map(({ label }) => label)).toEqual(['z', 'a', 'm']);
  });

  it('axes without position go last too', () => {
    const shop = given().has('product_group', {
      name: 'G',
      axes: [
        { source: 'custom', name: 'a' },
        { source: 'custom', name: 'b', position: 3 },
      ],
    });
    expect((shop.read('product_group', 'G')['axes'] as Item[]).map(({ name }) => name)).toEqual(['b', 'a']);
  });

  it('photos without a position take their index', () => {
    const shop = given().has('product', {
      sku: 'A',
      currency: 'EUR',
      media: [{ file: 'file_a' }, { file: 'file_b', position: 9 }, { file: 'file_c' }],
    });
    expect(positions(shop, 'product_media', 'file')).toEqual({ file_a: 0, file_b: 9, file_c: 2 });
    shop.has('product', { sku: 'A', media: [{ file: 'file_c' }, { file: 'file_a' }, { file: 'file_b' }] });
    expect(positions(shop, 'product_media', 'file')).toEqual({ file_c: 0, file_a: 1, file_b: 2 });
  });
});

describe('a field absent from an entry that is stored is kept', () => {
  it('hex, position, status and description of a value', () => {
    const value = { label: 'Red', hex: '#ff0000', position: 4, status: 'activated', description: 'hot' };
    const shop = given().has('attribute', { kind: 'colour', values: [value] });
    expect(shop.line('attribute', { kind: 'colour', values: [{ label: 'Red' }] }).action).toBe('unchanged');
    expect(shop.read('attribute', 'Colour')['values']).toEqual([expect.objectContaining(value)]);
  });

  it('price, stock and status of a grade', () => {
    const shop = given().has('product', {
      sku: 'A',
      currency: 'EUR',
      grades: [{ grade: 'good', price: '7.00', stock: 3, status: 'suspended' }],
    });
    expect(shop.line('product', { sku: 'A', grades: [{ grade: 'good' }] }).action).toBe('unchanged');
    expect(shop.table('product_grade')).toMatchObject([{ price: 700, stock: 3, status: 'suspended' }]);
  });

  it('a grade that was left out keeps its price and stock for when it is listed again', () => {
    const shop = given().has('product', {
      sku: 'A',
      currency: 'EUR',
      grades: [{ grade: 'good', price: '7.00', stock: 3 }],
    });
    shop.has('product', { sku: 'A', grades: [{ grade: 'new', price: '9.00' }] });
    shop.has('product', { sku: 'A', grades: [{ grade: 'good' }] });
    expect(shop.read('product', 'A')).toMatchObject({ price: '7.00', stock: 3 });
  });

  it('changed entries are corrected', () => {
    const shop = given().has('attribute', { kind: 'colour', values: [{ label: 'Red', hex: 'ff0000' }] });
    expect(shop.line('attribute', { kind: 'colour', values: [{ label: 'Red', hex: 'ee0000' }] }).action).toBe(
      'updated',
    );
    expect(shop.read('attribute', 'Colour')['values']).toMatchObject([{ hex: '#ee0000' }]);
  });

  it('a label in other letters is corrected: that is an update', () => {
    const shop = given().has('attribute', { name: 'C', values: [{ label: 'Red' }] });
    expect(shop.line('attribute', { name: 'C', values: [{ label: 'RED' }] })).toMatchObject({
      action: 'updated',
      notice: [],
    });
    expect(shop.read('attribute', 'C')['values']).toMatchObject([{ label: 'RED' }]);
    expect(shop.table('characteristic_value')).toHaveLength(1);
  });
});

describe('limits of lists', () => {
  const values = (n: number, from = 0) => Array.from({ length: n }, (_, i) => ({ label: `v${i + from}` }));
  const axes = (n: number) => Array.from({ length: n }, (_, i) => ({ source: 'custom', name: `a${i}` }));

  it('400 values per characteristic: one more refuses the item, not the batch', () => {
    const report = given().send('attribute', [
      { name: 'A', values: values(400) },
      { name: 'B', values: values(401) },
    ]);
    expect(report.data.map(({ action, code }) => code ?? action)).toEqual(['created', 'too_many_entries']);
    expect(report.data[1]?.reason).toContain('401');
    expect(report.data[1]?.reason).toContain('400');
  });

  it('20 axes per group', () => {
    const report = given().send('product_group', [
      { name: 'A', axes: axes(20) },
      { name: 'B', axes: axes(21) },
    ]);
    expect(report.data.map(({ action, code }) => code ?? action)).toEqual(['created', 'too_many_entries']);
  });

  it('unlisted entries do not count towards limits', () => {
    const shop = given().has('attribute', { name: 'A', values: values(400) });
    expect(shop.line('attribute', { name: 'A', values: values(400, 400) })).toMatchObject({ action: 'updated' });
  });

  it.each([
    [3_999, []],
    [4_000, ['too_many_kept']],
  ])('of %i entries that a record keeps, one more is refused where 4,000 are there', (kept, problems) => {
    const row = (position: number) => ({ label: `${position}`, status: 'activated', listed: 1, position });
    const refused: string[] = [];
    const task = { refuse: (code: string) => refused.push(code) } as Partial<Task> as Task;
    const rules: ListRules<ReturnType<typeof row> & ListedRow, { label: string; status?: string }> = {
      ...{ field: 'values', word: 'label', positions: 'last' },
      keyOf: ({ label }) => label,
      keyOfRow: ({ label }) => label,
      create: () => row(-1),
      correct: (stored) => stored,
    };
    const stored = Array.from({ length: kept }, (_, i) => row(i));
    const merged = mergeList(task, rules, { record: 'r', stored, entries: [{ label: 'new' }] });
    expect(refused).toEqual(problems);
    expect(merged).toHaveLength(kept + 1);
  });
});
