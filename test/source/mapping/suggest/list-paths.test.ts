// Paths through members that are lists in some records.
import { expect, it } from 'vitest';
import { withListPaths, withNamesOfCategories } from '../../../../src/source/mapping/suggest/list-paths.js';
import { columnOf, columnsOf } from './profiles.js';

it('what is a list in some records is read as one in all of them', () => {
  const columns = columnsOf({
    offer: ['[{"price":1}]', 'none', ''],
    'offer.price': ['', '', '2'],
    price: ['1', '', ''],
  });
  expect(withListPaths(columns).map(({ name }) => name)).toEqual(['offer', 'offer[].price', 'price']);
});

it('columns without lists stay as they are', () => {
  const columns = columnsOf({ offer: ['{"price":1}', ''], 'offer.price': ['', '2'] });
  expect(withListPaths(columns)).toBe(columns);
});

const categories = columnOf('categories', ['[{"id":1}]', '[{"id":2}]']);

it('the names of categories are a column of their own, whatever member they are in', () => {
  const first = [
    { categories: [{ id: '1', title: 'Cups' }, null, { title: 7 }, { id: '2', title: 'Pots' }] },
    { categories: [] },
    { categories: 'none' },
  ];
  const [, named, ...more] = withNamesOfCategories([categories], first);
  expect(named).toMatchObject({ name: 'categories[].title', values: ['Cups', 'Pots'], filled: 2 });
  expect(more).toEqual([]);
});

it('categories without names, or in another column, are none', () => {
  const other = columnOf('tags', ['[{"name":"a"}]']);
  const first = [{ categories: [1, { id: '1' }], tags: [{ name: 'a' }] }];
  expect(withNamesOfCategories([categories, other], first)).toEqual([categories, other]);
});
