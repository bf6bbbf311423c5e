// Characteristic values of a product: no whole set.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Given, given, type Item, noticed, problemsOf } from '../../given.js';

const product = (fields: Item = {}) => ({ sku: 'A', currency: 'EUR', ...fields });

const shop = () =>
  given().has(
    'attribute',
    { name: 'Capacity', values: [{ label: '64 GB' }, { label: '128 GB' }, { label: '1 TB', status: 'suspended' }] },
    { name: 'Material' },
    { name: 'Note' },
  );
const send = (it: Given, ...attributes: Item[]) => it.line('product', product({ attributes }));

describe('attributes', () => {
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
    expect(send(shop(), { type: 'Capacity', value: '128 BG' }).reason).toMatch(/Did you mean "128 GB"/);
    expect(send(shop(), { type: 'Capacity', value: '1 TB' }).reason).not.toMatch(/Did you mean "1 TB"/);
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

describe('several values of one characteristic', () => {
  it('are matched by value, and not by place: each keeps its unit and position', () => {
    const it = shop();
    send(it, { type: 'Material', value: 'a', unit: 'mm', position: 1 }, { type: 'Material', value: 'b', unit: 'cm' });
    expect(send(it, { type: 'Material', value: 'b' }, { type: 'Material', value: 'a' }).action).toBe('unchanged');
    expect(send(it, { type: 'Material', value: 'b' }).action).toBe('updated');
    expect(send(it, { type: 'Material', value: 'b', unit: 'cm' }).action).toBe('unchanged');
  });

  it('the same value twice is duplicate_entry, in any case where there is a list, letter by letter without one', () => {
    const twice = (type: string, ...values: string[]) =>
      problemsOf(send(shop(), ...values.map((value) => ({ type, value }))));
    expect(twice('Capacity', '64 GB', '64 gb')).toEqual(['duplicate_entry attributes[1].value']);
    expect(twice('Material', 'a', 'b', 'a')).toEqual(['duplicate_entry attributes[2].value']);
    expect(send(shop(), { type: 'Material', value: 'a' }, { type: 'Material', value: 'A' }).action).toBe('created');
  });

  it('changes name them by characteristic and value', () => {
    const it = shop();
    send(it, { type: 'Capacity', value: '64 GB', unit: 'x' });
    const changes = (...attributes: Item[]) =>
      it.line('product', product({ attributes }), { diff: true }).changes?.map(({ field, to }) => `${field} ${to}`);
    expect(changes({ type: 'Capacity', value: '64 GB', unit: 'y' })).toEqual(['attributes[Capacity=64 GB].unit y']);
    expect(changes({ type: 'Capacity', value: '128 GB' })).toEqual([
      'attributes[Capacity=64 GB].value ',
      'attributes[Capacity=64 GB].unit ',
      'attributes[Capacity=128 GB].value 128 GB',
      'attributes[Capacity=128 GB].unit ',
      'attributes[Capacity=128 GB].position 0',
    ]);
  });

  it('equal those of a naive model, whatever was sent before', () => {
    const entry = fc.record(
      {
        type: fc.constantFrom('Material', 'Capacity'),
        value: fc.constantFrom('64 GB', '64 gb', '128 GB', 'a'),
        unit: fc.constantFrom('', 'mm'),
        position: fc.integer({ min: 0, max: 2 }),
      },
      { requiredKeys: ['type', 'value'] },
    );
    fc.assert(
      fc.property(fc.array(fc.array(entry, { maxLength: 5 }), { maxLength: 6 }), (sent) => {
        const it = shop();
        let model = new Map<string, string>();
        for (const entries of sent) {
          const expected = modelled(model, entries);
          const line = send(it, ...entries);
          expect(line.action === 'refused').toBe(expected === undefined);
          if (line.action !== 'created' && expected !== undefined)
            expect(line.action).toBe(sameMap(model, expected) ? 'unchanged' : 'updated');
          if (expected !== undefined) model = expected;
          const rows = it.table('product_attribute').filter(({ listed }) => listed === 1);
          const names = new Map(it.table('characteristic').map(({ id, name }) => [id, name]));
          const now = rows.map(
            (row) =>
              [
                `${names.get(row['characteristic'] ?? '')}=${row['value']}`,
                `${row['unit']}/${row['position']}`,
              ] as const,
          );
          expect(new Map(now)).toEqual(model);
          expect(now).toHaveLength(model.size);
        }
      }),
      { numRuns: 300 },
    );
  });
});

interface Sent {
  readonly type: string;
  readonly value: string;
  readonly unit?: string;
  readonly position?: number;
}

/** What a product has after an item, as the rule reads; undefined where the item is refused. */
function modelled(before: ReadonlyMap<string, string>, entries: readonly Sent[]): Map<string, string> | undefined {
  const listed = ['64 GB', '128 GB'];
  const after = new Map(before);
  for (const key of before.keys()) if (entries.some(({ type }) => key.startsWith(`${type}=`))) after.delete(key);
  const seen = new Set<string>();
  for (const { type, value, unit, position } of entries) {
    const kept = type === 'Material' ? value : listed.find((label) => label.toLowerCase() === value.toLowerCase());
    const key = `${type}=${kept}`;
    if (kept === undefined || seen.has(key)) return undefined;
    seen.add(key);
    const [oldUnit, oldPosition] = before.get(key)?.split('/') ?? ['', '0'];
    after.set(key, `${unit ?? oldUnit}/${position ?? oldPosition}`);
  }
  return after;
}

function sameMap(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
