// What `get` returns can be sent back as an item: nothing changes, and nothing is said but which members are read-only.
import { describe, expect, it } from 'vitest';
import { type Given, given } from '../given.js';

/** One record of every resource, with as many of its fields filled as can be. */
function shop(): Given {
  const filled = given()
    .has(
      'characteristic',
      { name: 'Size', unit: 'cm', position: 3, values: [{ label: 'S', description: 'small' }, { label: 'M' }] },
      { kind: 'colour', values: [{ label: 'Red', hex: '#ff0000' }] },
    )
    .has(
      'category',
      { name: 'Home', description: 'd', seo_title: 't', status: 'suspended' },
      { name: 'Kitchen', parent: 'Home', reference: 'r', image: 'file_1', seo_image: 'file_2', warranty: 'w' },
    )
    .has('group', {
      name: 'G',
      axes: [
        { attribute: 'Size', kind: 'card', price_mode: 'diff' },
        { source: 'grade' },
        { source: 'custom', name: 'Own', status: 'suspended' },
      ],
    });
  const [category, group] = [filled.id('category', 'Kitchen'), filled.id('group', 'G')];
  const own = { brand: 'b', warranty: 'w', seo_image: 'file_1', badge: 'x', tag: 'y', note: 'z', created_at: 5 };
  return filled.has(
    'product',
    { sku: 'full', currency: 'EUR', name: 'F', category, group, price: 12, price_compare: 15, weight: '1.5', ...own },
    { sku: 'bare', currency: 'EUR' },
  );
}

describe('a record sent back as it was read is unchanged', () => {
  it.each([
    ['characteristic', 'Size'],
    ['characteristic', 'Colour'],
    ['category', 'Home'],
    ['category', 'Kitchen'],
    ['group', 'G'],
    ['product', 'full'],
    ['product', 'bare'],
  ])('%s %s', (resource, key) => {
    const catalog = shop();
    const before = catalog.rows();
    const read = catalog.read(resource, key);
    const line = catalog.line(resource, read, { diff: true });
    expect(line).toMatchObject({ action: 'unchanged', code: null, changes: [] });
    expect(line.notice.map(({ code }) => code)).toEqual(['field_ignored']);
    // Without what only reads have, there is nothing to say.
    const { object, id, shared, updated_at, ...item } = read;
    const { created_at: _, ...others } = item;
    const without = (entries: unknown) =>
      (entries as readonly Record<string, unknown>[]).map(({ id: _id, ...entry }) => entry);
    const lists = Object.entries(item).filter(([, value]) => Array.isArray(value));
    const written = { ...(resource === 'product' ? item : others) };
    for (const [name, entries] of lists) Object.assign(written, { [name]: without(entries) });
    expect(catalog.line(resource, written)).toMatchObject({ action: 'unchanged', notice: [] });
    expect(catalog.rows()).toEqual(before);
  });
});
