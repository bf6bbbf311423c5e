// Characteristics and their closed lists of values.
import { describe, expect, it } from 'vitest';
import { given, type Item, noticed, problemsOf } from '../../given.js';

const colour = (...values: Item[]) => ({ kind: 'colour', values });
const red = { label: 'Red', hex: '#FF0000' };

describe('recognized by name, case-insensitive', () => {
  it('sending a new name creates a new record; it never renames an existing one', () => {
    const shop = given().has('attribute', { name: 'Capacity' });
    expect(shop.line('attribute', { name: 'Size' }).action).toBe('created');
    expect(shop.line('attribute', { name: 'CAPACITY' })).toMatchObject({
      action: 'unchanged',
      external_id: 'CAPACITY',
    });
    expect(shop.read('attribute', 'capacity')['name']).toBe('Capacity');
  });

  it('case-insensitive means Unicode: ÉCRAN, écran and its decomposed form are one', () => {
    const shop = given().has('attribute', { name: 'ÉCRAN' });
    expect(shop.line('attribute', { name: 'écran' }).action).toBe('unchanged');
    expect(shop.line('attribute', { name: 'e\u0301cran' }).action).toBe('unchanged');
    expect(shop.line('attribute', { name: 'ecran' }).action).toBe('created');
  });
});

describe('kind', () => {
  it('custom is the default', () => {
    expect(given().has('attribute', { name: 'A' }).read('attribute', 'A')).toMatchObject({
      object: 'attribute',
      kind: 'custom',
      unit: '',
      scope: 'catalog',
      scope_ident: '',
      position: 0,
      status: 'activated',
      shared: false,
      values: [],
    });
  });

  it('name is required except for kind colour, which needs none and is always named Colour', () => {
    expect(given().line('attribute', { unit: 'GB' })).toMatchObject({ code: 'field_required', external_id: '' });
    expect(given().line('attribute', { kind: 'custom' })).toMatchObject({ code: 'field_required' });
    const shop = given();
    expect(shop.line('attribute', colour(red))).toMatchObject({ action: 'created', external_id: 'Colour', notice: [] });
    expect(shop.read('attribute', 'Colour')).toMatchObject({ name: 'Colour', kind: 'colour' });
  });

  it('another name sent with kind colour is replaced by Colour, and a notice says so', () => {
    const shop = given();
    const line = shop.line('attribute', { name: 'Shade', ...colour(red) });
    expect(line).toMatchObject({ action: 'created', external_id: 'Colour' });
    expect(noticed(line)).toEqual(['name_replaced']);
    expect(shop.find('attribute', { key: 'Shade' })).toBeUndefined();
    expect(noticed(shop.line('attribute', { name: 'Colour', ...colour(red) }))).toEqual([]);
  });

  it('an item of kind colour is always the record called Colour, whatever name it carries', () => {
    const shop = given().has('attribute', colour(red), { name: 'Shade' });
    const line = shop.line('attribute', { name: 'Shade', ...colour(red) });
    expect(line.id).toBe(shop.id('attribute', 'Colour'));
    expect(line.action).toBe('unchanged');
  });

  it('a custom characteristic may be called Colour, with a notice', () => {
    const shop = given();
    const line = shop.line('attribute', { name: 'colour', values: [{ label: 'Red' }] });
    expect(line.action).toBe('created');
    expect(noticed(line)).toEqual(['custom_colour']);
    expect(noticed(shop.line('attribute', { name: 'colour' }))).toEqual([]);
  });

  it('the kind of an existing characteristic is never changed: a notice, and the stored kind’s rules apply', () => {
    const shop = given().has('attribute', { name: 'colour' });
    const line = shop.line('attribute', { kind: 'colour', name: 'Colour' });
    expect(noticed(line)).toEqual(['kind_ignored']);
    expect(line.action).toBe('unchanged');
    expect(shop.read('attribute', 'Colour')['kind']).toBe('custom');
    expect(shop.line('attribute', colour(red)).code).toBe('hex_not_allowed');
    const other = given().has('attribute', colour(red));
    expect(other.line('attribute', { name: 'Colour', kind: 'custom', values: [{ label: 'Blue' }] }).code).toBe(
      'hex_required',
    );
    expect(noticed(other.line('attribute', { name: 'Colour', kind: 'custom', values: [red] }))).toEqual([
      'kind_ignored',
    ]);
  });
});

describe('unit', () => {
  it('custom characteristics only', () => {
    expect(given().line('attribute', { ...colour(red), unit: 'nm' })).toMatchObject({ code: 'unit_not_allowed' });
    expect(given().has('attribute', { name: 'A', unit: 'GB' }).read('attribute', 'A')['unit']).toBe('GB');
  });

  it("'' on a colour characteristic counts as not sent, so that what was read can be sent back", () => {
    const shop = given().has('attribute', { ...colour(red), unit: '' });
    expect(shop.line('attribute', shop.read('attribute', 'Colour')).action).toBe('unchanged');
  });

  it('holds up to 30 bytes', () => {
    expect(given().line('attribute', { name: 'A', unit: `${'µ'.repeat(15)}` }).action).toBe('created');
    expect(given().line('attribute', { name: 'A', unit: `${'µ'.repeat(15)}m` }).code).toBe('field_too_long');
  });
});

describe('hex', () => {
  it.each([['ff8800'], ['#ff8800'], ['#FF8800'], ['Ff8800']])(
    'six hexadecimal digits, with or without a leading #, kept as #rrggbb in lower case: %s',
    (hex) => {
      const shop = given().has('attribute', colour({ label: 'Orange', hex }));
      expect(shop.read('attribute', 'Colour')['values']).toMatchObject([{ hex: '#ff8800' }]);
    },
  );

  it.each([['#fff'], ['red'], ['#ff88001'], ['##ff8800'], ['ff 8800'], ['#ff880g']])(
    'malformed hex is field_format: %s',
    (hex) => {
      const line = given().line('attribute', colour({ label: 'Orange', hex }));
      expect(problemsOf(line)).toEqual(['field_format values[0].hex']);
    },
  );

  it('a hex sent on a characteristic of kind custom is refused', () => {
    const line = given().line('attribute', { name: 'A', values: [{ label: 'x' }, { label: 'y', hex: '#ffffff' }] });
    expect(problemsOf(line)).toEqual(['hex_not_allowed values[1].hex']);
    expect(given().line('attribute', { name: 'A', values: [{ label: 'x', hex: '' }] }).action).toBe('created');
  });

  it.each(['FFFFFF', '#FfFfFf'])('a refused hex is shown as it was sent: %s', (hex) => {
    const line = given().line('attribute', { name: 'A', values: [{ label: 'x', hex }] });
    expect(line.reason).toContain(`"${hex}"`);
  });

  it('a hex is required for the values of a colour characteristic', () => {
    expect(problemsOf(given().line('attribute', colour(red, { label: 'Blue' })))).toEqual([
      'hex_required values[1].hex',
    ]);
  });
});

describe('scope', () => {
  const shop = () => given().has('category', { name: 'Phones' }).has('product', { sku: 'A', currency: 'EUR' });

  it('scope_ident is required when scope is not catalog', () => {
    expect(problemsOf(shop().line('attribute', { name: 'A', scope: 'category' }))).toEqual([
      'scope_ident_required scope_ident',
    ]);
    expect(problemsOf(shop().line('attribute', { name: 'A', scope: 'product', scope_ident: '' }))).toEqual([
      'scope_ident_required scope_ident',
    ]);
  });

  it('scope_ident is not accepted for scope catalog', () => {
    const it = shop();
    const scope_ident = it.id('category', 'Phones');
    expect(it.line('attribute', { name: 'A', scope_ident }).code).toBe('scope_ident_not_allowed');
    expect(it.line('attribute', { name: 'A', scope: 'catalog', scope_ident: '' }).action).toBe('created');
  });

  it('scope_ident must be an existing category or product and match scope', () => {
    const it = shop();
    const category = it.id('category', 'Phones');
    const product = it.id('product', 'A');
    expect(it.line('attribute', { name: 'A', scope: 'category', scope_ident: category }).action).toBe('created');
    expect(it.line('attribute', { name: 'B', scope: 'product', scope_ident: product }).action).toBe('created');
    expect(it.read('attribute', 'B')).toMatchObject({ scope: 'product', scope_ident: product });
    expect(it.line('attribute', { name: 'C', scope: 'category', scope_ident: product }).code).toBe(
      'reference_wrong_type',
    );
    expect(it.line('attribute', { name: 'C', scope: 'product', scope_ident: category }).code).toBe(
      'reference_wrong_type',
    );
    expect(it.line('attribute', { name: 'C', scope: 'category', scope_ident: 'cate_none' }).code).toBe(
      'reference_not_found',
    );
    expect(it.line('attribute', { name: 'C', scope: 'category', scope_ident: 'Phones' }).code).toBe(
      'reference_not_found',
    );
  });

  it('scope back to catalog clears scope_ident', () => {
    const it = shop();
    it.has('attribute', { name: 'A', scope: 'category', scope_ident: it.id('category', 'Phones') });
    it.has('attribute', { name: 'A', scope: 'catalog' });
    expect(it.read('attribute', 'A')).toMatchObject({ scope: 'catalog', scope_ident: '' });
  });

  it('a stored scope and its record are kept when they are not sent', () => {
    const it = shop();
    const scope_ident = it.id('category', 'Phones');
    it.has('attribute', { name: 'A', scope: 'category', scope_ident });
    expect(it.line('attribute', { name: 'A' }).action).toBe('unchanged');
    expect(it.line('attribute', { name: 'A', scope: 'category' }).action).toBe('unchanged');
    expect(it.line('attribute', { name: 'A', scope: 'product' }).code).toBe('scope_ident_required');
    expect(it.read('attribute', 'A')).toMatchObject({ scope: 'category', scope_ident });
  });
});

describe('reading', () => {
  it('finds by name and by identifier, not by another’s', () => {
    const shop = given().has('attribute', { name: 'A' });
    expect(shop.find('attribute', { id: shop.id('attribute', 'A') })).toMatchObject({ name: 'A' });
    expect(shop.find('attribute', { key: 'B' })).toBeUndefined();
    expect(shop.find('attribute', { id: 'attr_none' })).toBeUndefined();
  });

  it('has exactly the members of the specification', () => {
    expect(Object.keys(given().has('attribute', { name: 'A' }).read('attribute', 'A'))).toEqual([
      'object',
      'id',
      'name',
      'kind',
      'unit',
      'scope',
      'scope_ident',
      'position',
      'status',
      'shared',
      'values',
      'created_at',
      'updated_at',
    ]);
  });
});
