// How a suggestion reads categories and what else records refer to, and the sections that make it.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const names = ['Red kettle', 'Oak table', 'Desk lamp', 'Steel cup'];
const table = (header: string, values: readonly string[]) =>
  suggested(
    [`SKU;Name;Preis;${header}`, ...values.map((value, i) => `A-${i};${names[i]};${i + 3},50;${value}`)].join('\n'),
  );

/** How the field is filled, and the section before the products as one line. */
function linesIn(yaml: string, field: string) {
  const lines = yaml.split('\n').map((line) => line.replace(/ {3}#.*$/, '').trim());
  const from = lines.findIndex((line) => line.startsWith('- to: ') && line !== '- to: products');
  const to = lines.indexOf('- to: products');
  return {
    is: lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2),
    section: from === -1 ? undefined : lines.slice(from, to).join(' '),
  };
}

const skip = 'skip: { of: "Kategorie", empty: true }';
const named = (sign: string) =>
  `- to: categories ${skip} each: { path: "Kategorie", separator: "${sign}", name: { repeated: full } } once: first fields: { name: $name, parent: $parent }`;
const plain = `- to: categories ${skip} once: first fields: { name: "Kategorie" }`;
const listed = (sign: string) =>
  `- to: categories ${skip} each: { split: "Kategorie", by: "${sign}" } once: first fields: { name: $value }`;
const first = (sign: string) => `{ column: "Kategorie", split: "${sign}", take: first }`;
const path = (sign: string) => `{ column: "Kategorie", path: "${sign}" }`;

describe('categories', () => {
  it.each([
    ['names', ['Lampen', 'Töpfe', 'Lampen'], '"Kategorie"', plain],
    ['names with commas', ['Bed, Bath', 'Table, Chair', 'Bed, Bath'], '"Kategorie"', plain],
    ['names of which half have a slash', ['Audio/Video', 'Bad/Garten', 'Foto', 'Haus'], '"Kategorie"', plain],
    ['lists', ['Lampen, Töpfe', 'Töpfe, Betten', 'Lampen'], first(','), listed(',')],
    ['paths', ['Home > Lamps', 'Home > Pots', 'Home'], path('>'), named('>')],
    ['paths with blanks', ['Home | Lamps', 'Home | Pots'], path('|'), named('|')],
    ['paths of which one has three levels', ['Home|Lamps|Desk', 'Home|Pots'], path('|'), named('|')],
    ['three paths of one root', ['Home|Lamps', 'Home|Pots', 'Home|Rugs'], path('|'), named('|')],
    ['paths with slashes', ['Home/Lamps', 'Home/Pots'], path('/'), named('/')],
    [
      'lists of paths',
      ['Home > Lamps, Home > Pots', 'Home > Lamps', 'Home > Pots'],
      '{ column: "Kategorie", split: ",", take: first, path: ">" }',
      `- to: categories ${skip} each: { path: "Kategorie", separator: ">", list: ",", name: { repeated: full } } once: first fields: { name: $name, parent: $parent }`,
    ],
    ['identifiers', ['cate_12', 'cate_13', 'cate_12'], '"Kategorie"', undefined],
    ['some identifiers', ['cate_12', 'Lampen', 'cate_12'], '"Kategorie"', undefined],
  ] as const)('%s', async (_, values, is, section) => {
    expect(linesIn((await table('Kategorie', values)).yaml, 'category')).toEqual({ is, section });
  });

  it.each([
    ['two of one root', ['Home|Lamps', 'Home|Pots'], '|'],
    ['of several roots', ['Home|Lamps', 'Home|Pots', 'Garden|Rugs'], '|'],
    ['of which one has blanks', ['Home | Lamps', 'Home|Pots'], '|'],
    ['of which one has no levels', ['Audio/Video', 'Audio/Radio', 'Foto'], '/'],
    ['of which one begins as another ends', ['Home/Lamps', 'Home/Pots', 'Lamps/Rugs'], '/'],
  ] as const)('that may be paths are asked about: %s', async (_, values, sign) => {
    const { fields, asked } = await table('Kategorie', values);
    expect(fields).not.toHaveProperty('category');
    expect(asked['category']?.['Kategorie']).toContain(`names or lists with ${sign} in them`);
  });

  it('of JSON that are plain texts are taken as they are', async () => {
    const records = names.map((name, i) => ({
      sku: `A-${i}`,
      name,
      price: i + 3.5,
      Kategorie: i % 2 ? 'Lampen' : 'Töpfe',
    }));
    const { yaml } = await suggested(JSON.stringify(records), 'f.json');
    expect(linesIn(yaml, 'category')).toEqual({ is: '"Kategorie"', section: plain });
  });

  it('that are asked about are told how to be written, and what they need', async () => {
    const { asked } = await table('Main category;Sub category', ['A > B;Lamps', 'A > C;Pots', 'A > B;Lamps']);
    expect(asked['category']?.['Main category']).toMatch(
      /^write \{ column: "Main category", path: ">" \}; needs before the products the section \{ to: categories, /,
    );
    expect(asked['category']?.['Sub category']).toMatch(/^needs before the products the section \{ to: categories, /);
    const identifiers = await table('Main category;Sub category', ['cate_1;Lamps', 'cate_2;Pots', 'cate_1;Lamps']);
    expect(identifiers.asked['category']?.['Main category']).not.toContain('needs');
  });
});

it('files are made from their identifiers', async () => {
  const values = ['file_a1', 'file_b2', 'file_a1'];
  expect(linesIn((await table('seo_image', values)).yaml, 'seo_image')).toEqual({
    is: '"seo_image"',
    section: '- to: files skip: { of: "seo_image", empty: true } once: first fields: { id: "seo_image" }',
  });
});

describe('orders of reviews are made', () => {
  const reviews = (header: string, more: string) =>
    suggested(
      [`external_id;product_sku;rating;text;customer_external_id${header}`]
        .concat(
          names.map((name, i) =>
            `R${i};A-${i};${i + 1};I like the ${name};C-${i}${more}${i}`.slice(0, more === '' ? -1 : undefined),
          ),
        )
        .join('\n'),
      'reviews.csv',
    );

  it('where there are some', async () => {
    expect((await reviews(';order_external_id', ';O-')).yaml).toContain('- to: orders');
  });

  it('and not where there are none', async () => {
    const { yaml } = await reviews('', '');
    expect(yaml).toContain('- to: customers');
    expect(yaml).not.toContain('- to: orders');
  });
});
