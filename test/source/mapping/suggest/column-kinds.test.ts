import { expect, it } from 'vitest';
import { profilesOf } from '../../../../src/source/inspection/column-profile.js';
import { choicesOf, countsRows } from '../../../../src/source/mapping/suggest/column-kinds.js';
import { suggested } from '../../suggested.js';

/** The values of a column that a person can choose from, where it has so many different ones. */
function choices(count: number): number | undefined {
  const [column] = profilesOf(Array.from({ length: 2 * count }, (_, i) => ['status', `v${i % count}`, i] as const));
  return column && choicesOf(column)?.length;
}

it('the values of a column are judged by only where all are known', () => {
  expect([choices(50), choices(51)]).toEqual([50, undefined]);
});

it.each([
  ['pages of products', ['https://x.de/1', 'https://x.de/2', 'https://x.de/3'], 'Adresse'],
  ['photos', ['https://x.de/1.jpg', 'https://x.de/2.PNG', 'https://x.de/3.jpeg'], undefined],
  [
    'photos of which one has no ending',
    ['https://x.de/1.jpg', 'https://x.de/image?id=2', 'https://x.de/3.webp'],
    undefined,
  ],
] as const)(
  'where nothing else tells records apart their addresses are the key, unless of photos: %s',
  async (_, urls, key) => {
    const rows = urls.map((url, i) => `${url};${['Red cup', 'Blue pot', 'Tea tin'][i]};1${i},50`);
    const { fields } = await suggested(['Adresse;Titel;Preis', ...rows].join('\n'));
    expect(fields['sku']).toBe(key);
  },
);

it.each([
  [['1', '2', '3'], true],
  [['0', '1', '2'], true],
  [['2', '3', '4'], false],
  [['1', 'R2', '3'], false],
  [['R1', 'R2', 'R3'], false],
])('a column of %s counts the rows: %s', (values, counts) => {
  const [column] = profilesOf(values.map((value, i) => ['nr', value, i] as const));
  expect(column && countsRows(column)).toBe(counts);
});
