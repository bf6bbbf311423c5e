// References to what the shop has outside this interface: files, brands, warranties, pages.
import { describe, expect, it } from 'vitest';
import { storeCatalog } from '../../../src/store/catalog.js';
import { given, problemsOf, resourceCalled } from '../../given.js';
import { imported } from '../../store/given.js';
import { memoryStore } from '../../store/memory-store.js';

describe('a reference to the shop', () => {
  const shop = given().has('files', { id: 'file_1' }).has('warranties', { id: 'w1' });

  it.each([
    ['image', 'file_1', 'created'],
    ['image', 'file_2', 'reference_not_found'],
    ['image', 'prod_1', 'reference_wrong_type'],
    ['image', 'file', 'field_format'],
    ['warranty', 'w1', 'created'],
    ['warranty', 'w2', 'reference_not_found'],
    ['warranty', 'file_1', 'reference_not_found'],
    ['warranty', 'w 1', 'field_format'],
    ['warranty', 'w'.repeat(190), 'reference_not_found'],
    ['warranty', 'w'.repeat(191), 'field_format'],
  ])('%s: %s', (field, value, outcome) => {
    const line = shop.copy().line('category', { name: 'Home', [field]: value });
    expect(line.code ?? line.action).toBe(outcome);
    if (line.code !== null) expect(problemsOf(line)).toEqual([`${outcome} ${field}`]);
  });

  it.each([
    ['file_2', 'created'],
    ['file', 'field_format'],
    ['prod_1', 'reference_wrong_type'],
  ])('while the shop has none of its kind only its form is checked: %s', (image, outcome) => {
    const line = given().line('category', { name: 'Home', image });
    expect(line.code ?? line.action).toBe(outcome);
  });
});

it('what a record refers to, and the shop does not have, is read as unresolved once the shop has records of that kind', async () => {
  const store = memoryStore();
  const catalog = storeCatalog(store);
  const categories = resourceCalled('categories');
  await imported(catalog, 'categories', [{ name: 'Home', image: 'file_1', seo_image: 'file_2', warranty: 'w1' }]);
  const unresolved = async () => (await catalog.read(categories, { key: 'Home' }, ['unresolved']))?.['unresolved'];
  expect(await unresolved()).toEqual([]);
  await imported(catalog, 'files', [{ id: 'file_1' }]);
  expect(await unresolved()).toEqual(['file_2']);
  await imported(catalog, 'files', [{ id: 'file_2' }]);
  expect(await unresolved()).toEqual([]);
});
