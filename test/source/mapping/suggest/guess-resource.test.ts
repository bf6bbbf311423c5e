// Of which resource the records of a file are.
import { expect, it } from 'vitest';
import { guessResource } from '../../../../src/source/mapping/suggest/guess-resource.js';
import { known } from '../../suggested.js';
import { columnsOf } from './profiles.js';

type Table = Parameters<typeof columnsOf>[0];

const guess = (table: Table, signs: { readonly file?: string; readonly hasVariants?: boolean } = {}) => {
  const inspection = { columns: columnsOf(table) } as unknown as Parameters<typeof guessResource>[0];
  return guessResource(inspection, known, { file: '', hasVariants: false, ...signs });
};

const empty = ['', '', ''];
const names = ['Red cup', 'Blue pot', 'Tea tin'];
const codes = ['A-9', 'A-7', 'A-8'];
const amounts = ['10.50', '9.95', '7.00'];

it.each<[string, Table, string, Parameters<typeof guess>[1]?]>([
  ['keys and prices', { SKU: codes, Name: names, Price: amounts }, 'products'],
  [
    'keys and prices, next to empty columns of others',
    { SKU: codes, Name: names, Price: amounts, parent: empty, path: empty, level: empty, children: empty },
    'products',
  ],
  ['nothing that is known', { A: ['x', 'x', 'x'], B: ['y', 'y', 'y'] }, 'products'],
  ['names and parents', { name: names, parent: ['', 'Red cup', 'Red cup'] }, 'categories'],
  [
    'names with their values',
    { name: ['Colour', 'Size', 'Width'], values: ['red|blue', 'S|M', '1|2'], unit: ['', '', 'cm'] },
    'characteristics',
  ],
  [
    'names and hues',
    {
      Name: names,
      'Parent category': ['', 'Red cup', 'Red cup'],
      'Hex code': ['#ff0000', '#00ff00', '#0000ff'],
      RGB: ['255', '0', '1'],
    },
    'characteristics',
  ],
  [
    'names, parents and how many they have',
    { Nr: codes, Name: names, 'Parent category': ['', 'Red cup', 'Red cup'], Menge: ['12', '0', '3'] },
    'categories',
  ],
  ['ratings', { id: codes, rating: ['5', '3', '4'], title: names, text: names }, 'reviews'],
  ['notes from 1 to 5', { Nr: codes, Note: ['5', '3', '4'], Titel: names }, 'reviews'],
  ['notes from 1 to 5, next to prices', { Nr: codes, Note: ['5', '3', '4'], Titel: names, Preis: amounts }, 'products'],
  ['notes of other numbers', { Nr: codes, Note: ['5', '87', '4'], Titel: names }, 'products'],
  ['no stars', { Nr: codes, Stars: empty, Text: names }, 'products'],
  [
    'prices and stock in a language of which no word is known',
    { Κωδικός: codes, Τιμή: amounts, Απόθεμα: ['3', '0', '7'], unit: ['kg', 'g', 'kg'], option: names },
    'products',
  ],
  ['names in a file of categories', { Name: names }, 'categories', { file: 'dir/Kategorien.csv' }],
  ['names in a file of characteristics', { Name: names }, 'characteristics', { file: 'colors.csv' }],
  ['names in a file of products', { Name: names }, 'products', { file: 'products.csv' }],
  [
    'options with variants',
    { name: names, options: ['a', 'b', 'c'], values: ['1', '2', '3'] },
    'products',
    { hasVariants: true },
  ],
  ['options without variants', { name: names, options: ['a', 'b', 'c'], values: ['1', '2', '3'] }, 'characteristics'],
])('records with %s: %j are %s', (_, table, resource, signs) => {
  expect(guess(table, signs).resource).toBe(resource);
});

it('a key of its own name that is empty is no key', () => {
  const { own, matched } = guess({ sku: empty, Code: codes, name: names, price: amounts });
  expect(own.has('sku')).toBe(false);
  expect(matched.get('sku')).toMatchObject({ sure: { name: 'Code' } });
  const filled = guess({ sku: codes, name: names, price: amounts, brand: empty });
  expect(filled.own.get('sku')).toBe('sku');
});
