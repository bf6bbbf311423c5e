// Each field by itself, and which code it has.
import { describe, expect, it } from 'vitest';
import { given, noticed, problemsOf } from '../../given.js';

const product = (fields: Record<string, unknown>) => ({ sku: 'A', currency: 'EUR', ...fields });
const code = (fields: Record<string, unknown>) => given().line('product', product(fields)).code;

describe('values that are not items', () => {
  it.each([[null], [5], ['text'], [true], [[]], [[{ sku: 'A' }]], [undefined]])(
    'an item that is not an object is refused: %j',
    (item) => {
      expect(given().line('product', item)).toMatchObject({
        action: 'refused',
        code: 'item_not_object',
        external_id: '',
        id: null,
      });
    },
  );
});

describe('a field that is absent or null is not sent', () => {
  it('null on a new record takes the stated default', () => {
    const shop = given().has('product', product({ status: null, name: null, grades: null, attributes: null }));
    expect(shop.read('product', 'A')).toMatchObject({ status: 'draft', name: 'A' });
  });

  it('null on an existing record keeps the stored value, as absence does', () => {
    const shop = given().has('product', product({ name: 'Lamp', price: '10', stock: 3, description: 'bright' }));
    const before = shop.read('product', 'A');
    expect(shop.line('product', { sku: 'A', name: null, price: null, stock: null, description: null }).action).toBe(
      'unchanged',
    );
    expect(shop.line('product', { sku: 'A' }).action).toBe('unchanged');
    expect(shop.read('product', 'A')).toEqual(before);
  });

  it('a required field that is null is missing', () => {
    expect(given().line('product', { sku: null, currency: 'EUR' })).toMatchObject({ code: 'field_required' });
    expect(given().line('category', {})).toMatchObject({ code: 'field_required', external_id: '' });
  });

  it('a key that is invalid under its alias is not reported as missing too', () => {
    const line = given().line('product', { external_id: 'é'.repeat(96), currency: 'EUR' });
    expect(problemsOf(line)).toEqual(['field_too_long external_id']);
  });

  it('stated defaults apply on creation only', () => {
    const shop = given()
      .has('product', product({ status: 'activated' }))
      .has('product', { sku: 'A' });
    expect(shop.read('product', 'A')['status']).toBe('activated');
    shop.has('category', { name: 'C', status: 'suspended', position: 4 }).has('category', { name: 'C' });
    expect(shop.read('category', 'C')).toMatchObject({ status: 'suspended', position: 4 });
  });
});

describe("'' clears an optional text or reference field, and price, price_compare and weight", () => {
  it('clears texts and references', () => {
    const shop = given().has('category', { name: 'C' });
    shop.has(
      'product',
      product({ description: 'd', ean: '1', badge: 'b', category: shop.id('category', 'C'), brand: 'b1' }),
    );
    expect(
      shop.line('product', { sku: 'A', description: '', ean: '', badge: '', category: '', brand: '' }).action,
    ).toBe('updated');
    expect(shop.read('product', 'A')).toMatchObject({ description: '', ean: '', badge: '', category: '', brand: '' });
  });

  it('clears the amounts', () => {
    const shop = given().has('product', product({ price: 5, price_compare: 6, weight: 7 }));
    shop.has('product', { sku: 'A', price: '', price_compare: '', weight: '' });
    expect(shop.read('product', 'A')).toMatchObject({ price: '0.00', price_compare: '', weight: '' });
  });
});

describe('an unknown field of an item never vanishes silently', () => {
  it('the item is accepted and a notice field_ignored names it', () => {
    const line = given().line('product', product({ colour: 'red' }));
    expect(line.action).toBe('created');
    expect(line.notice).toEqual([expect.objectContaining({ code: 'field_ignored', field: 'colour' })]);
  });

  it('an unknown field of an entry is named by its path', () => {
    const line = given().line('product', product({ grades: [{ grade: 'new', colour: 'red' }] }));
    expect(line.notice).toEqual([expect.objectContaining({ code: 'field_ignored', field: 'grades[0].colour' })]);
  });

  it.each([
    ['x'.repeat(80), 'x'.repeat(80)],
    ['x'.repeat(81), `${'x'.repeat(79)}…`],
    [`${'x'.repeat(78)}😀${'x'.repeat(9)}`, `${'x'.repeat(78)}…`],
  ])('the name of one, %s, is given up to 80 characters, and no half of one', (name, shown) => {
    const line = given().line('product', product({ [name]: 1 }));
    expect(line.notice).toEqual([expect.objectContaining({ code: 'field_ignored', field: shown })]);
  });

  it('id, object, shared, created_at and updated_at are unknown fields where the write table lacks them', () => {
    const shop = given().has('attribute', { name: 'Capacity', values: [{ label: '64' }] });
    const line = shop.line('attribute', shop.read('attribute', 'Capacity'));
    expect(line.action).toBe('unchanged');
    expect(noticed(line)).toEqual(['field_ignored']);
    expect(line.notice[0]).toMatchObject({ field: '', message: expect.stringMatching(/^6 members /) });
    for (const name of ['created_at', 'id', 'object', 'shared', 'updated_at', 'values[0].id'])
      expect(line.notice[0]?.message).toContain(JSON.stringify(name));
  });

  it('__proto__ and constructor are unknown fields like others and touch nothing', () => {
    const item = JSON.parse('{"sku":"A","currency":"EUR","__proto__":{"name":"x"},"constructor":1,"toString":2}');
    const line = given().line('product', item);
    expect(line.action).toBe('created');
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(line.notice[0]?.message).toContain(JSON.stringify(name));
    expect(({} as Record<string, unknown>)['name']).toBeUndefined();
  });
});

describe('JSON types are strict on the wire', () => {
  it.each([
    ['stock', '5'],
    ['stock', true],
    ['stock', 1.5],
    ['stock', [5]],
    ['name', 5],
    ['name', {}],
    ['status', 1],
    ['price', true],
    ['price', []],
    ['category', 7],
    ['created_at', '2020-01-01'],
    ['grades', {}],
    ['grades', 'new'],
    ['grades', ['new']],
    ['media', [{ file: 'file_1', is_main: 'yes' }]],
    ['media', [{ file: 'file_1', is_main: 1 }]],
    ['sku', 5],
  ])('a wrong JSON type, or a fraction where an integer is due, is field_type: %s %j', (field, value) => {
    expect(code({ [field]: value })).toBe('field_type');
  });
});

describe('text', () => {
  it.each([['a\0b'], ['\ud800'], ['x\udfffy'], ['\udc00\ud800']])(
    'a NUL or a lone surrogate refuses the item: %j',
    (value) => {
      expect(code({ name: value })).toBe('invalid_text');
      expect(code({ sku: value })).toBe('invalid_text');
      expect(code({ category: value })).toBe('invalid_text');
      expect(code({ attributes: [{ type: value, value: 'x' }] })).toBe('invalid_text');
    },
  );

  it('a pair of surrogates is text', () => {
    expect(given().line('product', product({ name: '🚲' })).action).toBe('created');
  });

  it('keys lose surrounding white space', () => {
    const shop = given().has('product', { sku: ' \u00a0A\t', currency: 'EUR' });
    expect(shop.read('product', 'A')['sku']).toBe('A');
    shop.has('category', { name: ' C ' }).has('product_group', { name: ' G ' });
    shop.has('attribute', { name: ' Capacity ', values: [{ label: ' 64 ' }] });
    expect(shop.read('category', 'C')['name']).toBe('C');
    expect(shop.read('product_group', 'G')['name']).toBe('G');
    expect(shop.read('attribute', 'Capacity')).toMatchObject({ name: 'Capacity', values: [{ label: '64' }] });
    expect(shop.line('product', { sku: 'A', attributes: [{ type: ' Capacity ', value: '64' }] }).action).toBe(
      'updated',
    );
  });

  it('other text is stored as sent', () => {
    const text = '  two\r\n lines\t ';
    const shop = given().has('product', product({ name: text, description: text, note: text }));
    expect(shop.read('product', 'A')).toMatchObject({ name: text, description: text, note: text });
  });

  it.each([['sku'], ['name']])('an empty key after trimming is field_required: %s', (field) => {
    const resource = field === 'sku' ? 'product' : 'category';
    expect(given().line(resource, { [field]: ' \t ', currency: 'EUR' })).toMatchObject({
      action: 'refused',
      code: 'field_required',
      external_id: '',
    });
  });

  it('an empty label, type or file is field_required, with its path', () => {
    expect(problemsOf(given().line('attribute', { name: 'C', values: [{ label: ' ' }] }))).toEqual([
      'field_required values[0].label',
    ]);
    expect(
      problemsOf(given().line('product', product({ attributes: [{ type: '', value: 'x' }, { type: 'T' }] }))),
    ).toEqual(expect.arrayContaining(['field_required attributes[0].type', 'field_required attributes[1].value']));
    expect(code({ media: [{ position: 1 }] })).toBe('field_required');
    expect(code({ media: [{ file: '' }] })).toBe('field_required');
    expect(code({ grades: [{ price: 1 }] })).toBe('field_required');
  });
});

describe('the limits of texts', () => {
  /** A text of exactly n bytes, of characters of one to four bytes. */
  const bytes = (n: number, unit = 'é') => {
    const text = unit.repeat(Math.floor(n / Buffer.byteLength(unit)));
    return text + 'x'.repeat(n - Buffer.byteLength(text));
  };

  it.each([
    ['attribute', 'name', 190, {}],
    ['attribute', 'unit', 30, { name: 'C' }],
    ['category', 'name', 190, {}],
    ['category', 'seo_title', 190, { name: 'C' }],
    ['category', 'reference', 190, { name: 'C' }],
    ['product_group', 'name', 190, {}],
    ['product', 'sku', 190, { currency: 'EUR' }],
    ['product', 'name', 190, { sku: 'A', currency: 'EUR' }],
    ['product', 'condition', 20, { sku: 'A', currency: 'EUR' }],
    ['product', 'seo_title', 190, { sku: 'A', currency: 'EUR' }],
  ])('%s %s holds up to %i bytes', (resource, field, limit, item) => {
    for (const unit of ['x', 'é', '€', '🚲']) {
      const exact = bytes(limit, unit);
      expect(given().line(resource, { ...item, [field]: exact }).action).toBe('created');
      const line = given().line(resource, { ...item, [field]: `${exact}y` });
      expect(line).toMatchObject({ action: 'refused', code: 'field_too_long' });
      expect(line.reason).toContain(`${field}: `);
      expect(line.reason).toContain(`${limit + 1} bytes long; the limit is ${limit} bytes.`);
    }
  });

  it('value label, axis name, attribute value hold up to 190 bytes, attribute unit up to 50', () => {
    const shop = given().has('attribute', { name: 'T' });
    const cases: [string, (text: string) => Record<string, unknown>, number][] = [
      ['attribute', (label) => ({ name: 'C', values: [{ label }] }), 190],
      ['product_group', (name) => ({ name: 'G', axes: [{ source: 'custom', name }] }), 190],
      ['product', (value) => product({ attributes: [{ type: 'T', value }] }), 190],
      ['product', (unit) => product({ attributes: [{ type: 'T', value: 'v', unit }] }), 50],
    ];
    for (const [resource, item, limit] of cases) {
      expect(shop.copy().line(resource, item(bytes(limit)))).toMatchObject({ action: 'created' });
      expect(shop.copy().line(resource, item(bytes(limit + 1)))).toMatchObject({ code: 'field_too_long' });
    }
  });

  it('a value description holds up to 500 characters, which are code points', () => {
    const line = (n: number) =>
      given().line('attribute', { name: 'C', values: [{ label: 'x', description: '🚲'.repeat(n) }] });
    expect(line(500).action).toBe('created');
    expect(line(501)).toMatchObject({ code: 'field_too_long' });
    expect(line(501).reason).toMatch(/^values\[0\]\.description: .*501 characters long; the limit is 500 characters/);
  });

  it('a limit holds for the trimmed key', () => {
    expect(given().line('category', { name: ` ${'x'.repeat(190)} ` }).action).toBe('created');
  });
});

describe('closed lists of words', () => {
  it.each([
    ['product', { sku: 'A', currency: 'EUR', status: 'activatd' }, 'status', 'activated'],
    ['product', { sku: 'A', currency: 'EUR', grades: [{ grade: 'like_nwe' }] }, 'grades[0].grade', 'like_new'],
    ['attribute', { name: 'C', kind: 'color' }, 'kind', 'colour'],
    ['attribute', { name: 'C', scope: 'Category' }, 'scope', 'category'],
    ['product_group', { name: 'G', axes: [{ source: 'grades' }] }, 'axes[0].source', 'grade'],
  ])(
    'for a value outside a closed list the reason names the nearest allowed one: %s %j',
    (resource, item, field, nearest) => {
      const line = given().line(resource, item);
      expect(line).toMatchObject({ action: 'refused', code: 'field_not_allowed_value' });
      expect(line.reason).toContain(`${field}: `);
      expect(line.reason).toMatch(new RegExp(`Did you mean "${nearest}"`));
    },
  );

  it("'' is not a word of a list", () => {
    expect(code({ status: '' })).toBe('field_not_allowed_value');
  });
});

describe('codes of the environment', () => {
  it.each([
    ['EU', 'field_format'],
    ['EURO', 'field_format'],
    ['€', 'field_format'],
    ['E1R', 'field_format'],
    ['XQZ', 'field_not_allowed_value'],
    ['DEM', 'field_not_allowed_value'],
  ])(
    'malformed currency is field_format, well-formed but non-existent is field_not_allowed_value: %s',
    (currency, expected) => {
      expect(code({ currency })).toBe(expected);
    },
  );

  it('lower-case currencies are accepted and kept in upper case', () => {
    const shop = given().has('product', { sku: 'A', currency: 'eur' });
    expect(shop.read('product', 'A')['currency']).toBe('EUR');
    expect(shop.line('product', { sku: 'A', currency: 'eUr' }).action).toBe('unchanged');
  });

  it.each([['EUR'], ['USD'], ['CHF'], ['JPY'], ['INR'], ['ZWG'], ['SLE']])(
    '%s is a current ISO 4217 code',
    (currency) => {
      expect(code({ currency })).toBeNull();
    },
  );
});
