// Product groups and their selector axes.
import { describe, expect, it } from 'vitest';
import { type Given, given, type Item, noticed, problemsOf } from '../../given.js';

const shop = (): Given => given().has('attribute', { name: 'Capacity' }, { name: 'Material' });
const group = (...axes: Item[]) => ({ name: 'G', axes });
const axes = (it: Given) => it.read('product_group', 'G')['axes'] as Item[];

describe('a group', () => {
  it('is recognized by name, which compares exactly', () => {
    const it = given().has('product_group', { name: 'Lamps' });
    expect(it.line('product_group', { name: 'lamps' }).action).toBe('created');
    expect(it.line('product_group', { name: 'Lamps', status: 'suspended' })).toMatchObject({
      action: 'updated',
      external_id: 'Lamps',
    });
  });

  it('reads with exactly the members of the specification', () => {
    const it = shop().has('product_group', group({ attribute: 'capacity' }));
    expect(it.read('product_group', 'G')).toEqual({
      object: 'product_group',
      id: expect.stringMatching(/^prgr_/),
      name: 'G',
      status: 'activated',
      axes: [
        {
          id: expect.stringMatching(/^pgax_/),
          name: '',
          kind: 'pill',
          source: 'characteristic',
          attribute: it.id('attribute', 'Capacity'),
          price_mode: '',
          position: expect.any(Number),
          status: 'activated',
        },
      ],
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
  });

  it('what was read can be sent back and changes nothing', () => {
    const it = shop().has(
      'product_group',
      group(
        { attribute: 'Capacity' },
        { source: 'grade' },
        { source: 'custom', name: 'Length', kind: 'list', price_mode: 'diff' },
      ),
    );
    expect(it.line('product_group', it.read('product_group', 'G')).action).toBe('unchanged');
  });

  it('is found by identifier too', () => {
    const it = shop().has('product_group', group());
    expect(it.find('product_group', { id: it.id('product_group', 'G') })).toMatchObject({ name: 'G' });
    expect(it.find('product_group', { id: 'prgr_none' })).toBeUndefined();
  });

  it('reads return all axes, each with its status, in display order', () => {
    const it = shop().has(
      'product_group',
      group({ attribute: 'Capacity', position: 5 }, { source: 'grade', position: 1 }),
    );
    it.has('product_group', group({ source: 'grade' }));
    expect(axes(it).map(({ source, status }) => [source, status])).toEqual([
      ['grade', 'activated'],
      ['characteristic', 'suspended'],
    ]);
  });
});

describe('the source of an axis', () => {
  it('attribute is required when source is characteristic, the default', () => {
    expect(problemsOf(shop().line('product_group', group({})))).toEqual(['axis_attribute_required axes[0].attribute']);
    expect(shop().line('product_group', group({ source: 'characteristic', attribute: '' })).code).toBe(
      'axis_attribute_required',
    );
  });

  it('a characteristic is named by identifier or name, and is one axis under both', () => {
    const it = shop();
    const id = it.id('attribute', 'Capacity');
    it.has('product_group', group({ attribute: id }));
    expect(it.line('product_group', group({ attribute: 'CAPACITY' })).action).toBe('unchanged');
    expect(it.line('product_group', group({ attribute: 'Capacity' }, { attribute: id })).code).toBe('duplicate_entry');
  });

  it('an unknown characteristic is reference_not_found, another resource’s identifier reference_wrong_type', () => {
    expect(problemsOf(shop().line('product_group', group({ attribute: 'Colour' })))).toEqual([
      'reference_not_found axes[0].attribute',
    ]);
    expect(shop().line('product_group', group({ attribute: 'attr_none' })).code).toBe('reference_not_found');
    expect(shop().line('product_group', group({ attribute: 'cate_1' })).code).toBe('reference_wrong_type');
  });

  it.each([[{ source: 'grade' }], [{ source: 'custom', name: 'L' }]])(
    'an axis with attribute on a non-characteristic source is refused: %j',
    (axis) => {
      expect(problemsOf(shop().line('product_group', group({ ...axis, attribute: 'Capacity' })))).toEqual([
        'axis_attribute_not_allowed axes[0].attribute',
      ]);
      expect(shop().line('product_group', group({ ...axis, attribute: '' })).action).toBe('created');
    },
  );

  it('name is required when source is custom', () => {
    expect(problemsOf(shop().line('product_group', group({ source: 'custom' })))).toEqual([
      'axis_name_required axes[0].name',
    ]);
    expect(shop().line('product_group', group({ source: 'custom', name: ' ' })).code).toBe('axis_name_required');
  });

  it("name of another source: '' counts as not sent, anything else is reported as ignored", () => {
    expect(shop().line('product_group', group({ attribute: 'Capacity', name: '' })).notice).toEqual([]);
    const it = shop();
    const line = it.line(
      'product_group',
      group({ attribute: 'Capacity', name: 'Size' }, { source: 'grade', name: 'Grade' }),
    );
    expect(noticed(line)).toEqual(['field_ignored']);
    expect(line.notice[0]?.message).toContain('"axes[0].name", "axes[1].name"');
    expect(axes(it).map(({ name }) => name)).toEqual(['', '']);
  });

  it('at most one grade axis per group', () => {
    const line = shop().line(
      'product_group',
      group({ source: 'grade' }, { attribute: 'Capacity' }, { source: 'grade', kind: 'list' }),
    );
    expect(line.code).toBe('grade_axis_repeated');
    expect(line.reason).toContain('axes[2]');
  });

  it('an entry that is not an object has one problem', () => {
    const line = shop().line('product_group', { name: 'G', axes: [null, 'grade'] });
    expect(problemsOf(line)).toEqual(['field_type axes[0]', 'field_type axes[1]']);
  });

  it('a custom axis is recognized by its name, apart from a characteristic of that name', () => {
    const it = shop();
    expect(
      it.line('product_group', group({ attribute: 'Capacity' }, { source: 'custom', name: 'Capacity' })).action,
    ).toBe('created');
    expect(axes(it)).toHaveLength(2);
    const other = given();
    expect(
      other.line('product_group', group({ source: 'custom', name: 'L' }, { source: 'custom', name: 'L' })).code,
    ).toBe('duplicate_entry');
  });
});

describe('kind and price mode of an axis', () => {
  const any = {
    pill: ['none', ''],
    swatch: ['none', ''],
    card: ['price', 'from', 'diff', 'none', ''],
    list: ['price', 'from', 'diff', 'none', ''],
  };
  const modes = ['price', 'from', 'diff', 'none', ''];

  for (const [kind, accepted] of Object.entries(any)) {
    it(`${kind} axes accept only ${accepted.map((mode) => mode || "''").join(', ')}`, () => {
      for (const price_mode of modes) {
        const line = shop().line('product_group', group({ attribute: 'Capacity', kind, price_mode }));
        expect(`${price_mode}: ${line.code}`).toBe(
          `${price_mode}: ${accepted.includes(price_mode) ? null : 'axis_price_mode_not_allowed'}`,
        );
      }
    });
  }

  it('a grade axis is card or list, card by default', () => {
    const it = shop().has('product_group', group({ source: 'grade' }));
    expect(axes(it)).toMatchObject([{ kind: 'card' }]);
    for (const kind of ['pill', 'swatch']) {
      expect(problemsOf(shop().line('product_group', group({ source: 'grade', kind })))).toEqual([
        'axis_kind_not_allowed axes[0].kind',
      ]);
    }
    expect(shop().line('product_group', group({ source: 'grade', kind: 'list' })).action).toBe('created');
  });

  it.each([['card'], ['list']])('a grade axis does not accept from: %s', (kind) => {
    for (const price_mode of modes) {
      const line = shop().line('product_group', group({ source: 'grade', kind, price_mode }));
      expect(line.code).toBe(price_mode === 'from' ? 'axis_price_mode_not_allowed' : null);
    }
  });

  it('a pill axis is the default, so a price mode alone is refused', () => {
    const line = shop().line(
      'product_group',
      group({ attribute: 'Material' }, { attribute: 'Capacity', price_mode: 'from' }),
    );
    expect(problemsOf(line)).toEqual(['axis_price_mode_not_allowed axes[1].price_mode']);
    expect(line.reason).toMatch(/none/);
  });

  it('rules apply to the merged axis: a kind sent for a stored price mode, and vice versa', () => {
    const it = shop().has('product_group', group({ attribute: 'Capacity', kind: 'list', price_mode: 'diff' }));
    expect(it.line('product_group', group({ attribute: 'Capacity', kind: 'pill' })).code).toBe(
      'axis_price_mode_not_allowed',
    );
    expect(it.line('product_group', group({ attribute: 'Capacity', kind: 'pill', price_mode: 'none' })).action).toBe(
      'updated',
    );
    expect(it.line('product_group', group({ attribute: 'Capacity', price_mode: 'diff' })).code).toBe(
      'axis_price_mode_not_allowed',
    );
    expect(it.line('product_group', group({ attribute: 'Capacity', kind: 'card', price_mode: 'diff' })).action).toBe(
      'updated',
    );
    expect(it.line('product_group', group({ attribute: 'Capacity', price_mode: 'from' })).action).toBe('updated');
  });

  it('a kind, price mode, position and status absent from a stored axis are kept', () => {
    const axis = { attribute: 'Capacity', kind: 'list', price_mode: 'diff', position: 4, status: 'suspended' };
    const it = shop().has('product_group', group(axis));
    expect(it.line('product_group', group({ attribute: 'Capacity' })).action).toBe('unchanged');
    expect(axes(it)).toMatchObject([{ kind: 'list', price_mode: 'diff', position: 4, status: 'suspended' }]);
  });

  it('several invalid axes are reported at once', () => {
    const line = shop().line(
      'product_group',
      group(
        { attribute: 'Capacity', price_mode: 'diff' },
        { source: 'custom' },
        { source: 'grade', kind: 'pill' },
        { attribute: 'X' },
      ),
    );
    expect(problemsOf(line).sort()).toEqual([
      'axis_kind_not_allowed axes[2].kind',
      'axis_name_required axes[1].name',
      'axis_price_mode_not_allowed axes[0].price_mode',
      'reference_not_found axes[3].attribute',
    ]);
    expect(noticed(line)).toHaveLength(3);
  });
});
