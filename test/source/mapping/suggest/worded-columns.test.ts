// Categories that are found by a word within their headers.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const feed = (header: string, rows: readonly string[]): string =>
  [`SKU;Name;Preis;${header}`, ...rows.map((row, i) => `A-${i};Sand Nr ${i};1,50;${row}`)].join('\n');

/** The column of the category, or those that may be it; undefined without any. */
async function categoryOf(header: string, rows: readonly string[]) {
  const { fields, asked } = await suggested(feed(header, rows));
  return fields['category'] ?? (asked['category'] && Object.keys(asked['category']));
}

describe('a column with a word for categories is the category', () => {
  it.each([
    ['where records share its values', 'Subgrupo', ['rot', 'rot', 'blau'], 'Subgrupo'],
    ['in scripts that write words together', '商品分类名', ['红色', '红色', '蓝色'], '商品分类名'],
    ['but not where all have their own', 'Subgrupo', ['rot', 'grün', 'blau'], undefined],
    ['one of two with the same values', 'Subgrupo;Metakategorie', ['rot;rot', 'rot;rot', 'blau;blau'], 'Subgrupo'],
    [
      'but not where one says more',
      'Subgrupo;Meine Kategorie',
      ['rot;rot', 'rot;rot', 'blau;blau'],
      ['Subgrupo', 'Meine Kategorie'],
    ],
  ] as const)('%s', async (_, header, rows, category) => {
    expect(await categoryOf(header, rows)).toEqual(category);
  });
});

describe('next to a category another column may be it', () => {
  it.each([
    ['where it has more values', ['rot;klein', 'rot;groß', 'blau;mittel', 'rot;klein'], ['Familia', 'Subgrupo']],
    [
      'where the category is empty in some records',
      ['rot;klein', 'grün;klein', ';mittel', 'rot;klein'],
      ['Familia', 'Subgrupo'],
    ],
    ['not where it has as many', ['rot;klein', 'rot;klein', 'blau;mittel', 'rot;klein'], 'Familia'],
    ['not where it has fewer', ['rot;klein', 'grün;klein', 'blau;mittel', 'rot;klein'], 'Familia'],
  ] as const)('%s', async (_, rows, category) => {
    expect(await categoryOf('Familia;Subgrupo', rows)).toEqual(category);
  });
});

it.each([
  [['Audio/Video', 'Bed/Bath', 'Audio/Video'], ['Kategorie']],
  [['Audio/Video', 'Home > Bed', 'Bed/Bath'], ['Kategorie']],
  [['Audio/Video > TV', 'Home > Bed', 'Bed/Bath'], 'Kategorie'],
  [['Audio', 'Bed', 'Audio'], 'Kategorie'],
])('values that may be paths are asked about: %s', async (values, category) => {
  expect(await categoryOf('Kategorie', values)).toEqual(category);
});

describe('a question says what to write for lists, and for texts of a table that look like them not', () => {
  const section = (fields: string) =>
    `needs before the products the section { to: categories, skip: { of: "Subgrupo", empty: true }, once: first, fields: { name: ${fields} } }; `;
  const records = ['rot', 'blau', 'rot', 'blau'].map((colour, i) => ({
    ...{ SKU: `A-${i}`, Name: `Sand Nr ${i}`, Preis: 1.5, 'Meine Kategorie': colour },
    Subgrupo: [['Home', 'Pans'], ['Home']][i % 2],
  }));

  it.each([
    [
      'JSON',
      JSON.stringify(records),
      'feed.json',
      `write { column: "Subgrupo", take: first }; ${section('{ column: "Subgrupo", take: first }')}`,
    ],
    [
      'a table',
      feed('Subgrupo;Meine Kategorie', ['["Home"];rot', '["Pans"];blau', '["Home"];rot']),
      'feed.csv',
      section('"Subgrupo"'),
    ],
  ])('of %s', async (_, content, name, remark) => {
    const { asked } = await suggested(content, name);
    expect(asked['category']?.['Subgrupo']?.startsWith(remark)).toBe(true);
  });
});
