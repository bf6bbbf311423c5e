// Names with values inside records: which lists are characteristics, and which names are columns of products.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const titles = ['Red kettle', 'Oak table', 'Desk lamp', 'Steel cup'];
const json = (recordOf: (i: number) => object) =>
  suggested(JSON.stringify(titles.map((_, i) => recordOf(i))), 'f.json');
const product = (i: number) => ({ sku: `A-${i}`, name: titles[i], price: 9.5 + i, currency: 'EUR' });

/** Where the characteristics of products have their names and values. */
async function readFrom(more: (i: number) => object): Promise<string | undefined> {
  const { yaml } = await json((i) => ({ ...product(i), ...more(i) }));
  return /each: \{ (?:parallel|columns): (\{.*?\}), skip/.exec(yaml)?.[1];
}

const colour = { label: 'Colour', value: 'red' };
const size = { label: 'Size', value: '10' };
const byWord = '{ name: "specs[].label", value: "specs[].value" }';
const byValues = '{ name: "specs[].foo", value: "specs[].bar" }';

describe('a list of names and values has characteristics', () => {
  it.each([
    [
      'by words, next to other members',
      () => [
        { ...colour, unit: '' },
        { ...size, unit: 'cm' },
      ],
      byWord,
    ],
    [
      'by the plainest words',
      () => [
        { title: 'A', text: 'a', ...colour },
        { title: 'B', text: 'b', ...size },
      ],
      byWord,
    ],
    ['in one object', () => colour, byWord],
    ['where some records have none', (i: number) => (i === 2 ? [] : [colour, size]), byWord],
    ['where some values are empty', (i: number) => [{ ...colour, value: i === 0 ? null : 'red' }, size], byWord],
    ['where one record has something else', (i: number) => (i === 1 ? ['a'] : [colour, size]), byWord],
    ['of 60 letters', () => [{ ...colour, value: 'r'.repeat(60) }, size], byWord],
    [
      'where the word of the value is not known',
      () => [
        { label: 'Colour', wert: 'red' },
        { label: 'Size', wert: '10' },
      ],
      '{ name: "specs[].label", value: "specs[].wert" }',
    ],
    [
      'where the word of the name is not known',
      () => [
        { foo: 'Colour', value: 'red', unit: '' },
        { foo: 'Size', value: '10', unit: 'cm' },
      ],
      '{ name: "specs[].foo", value: "specs[].value" }',
    ],
    [
      'where neither is known, in either order',
      () => [
        { bar: '10', foo: 'Colour' },
        { bar: '12', foo: 'Size' },
      ],
      byValues,
    ],
    [
      'of names of which one has a digit',
      () => [
        { foo: 'USB 3', bar: 'red' },
        { foo: 'Colour', bar: '10' },
      ],
      byValues,
    ],
  ])('%s', async (_, specs, expected) => {
    expect(await readFrom((i) => ({ specs: specs(i) }))).toBe(expected);
  });

  it('inside objects', async () => {
    expect(await readFrom(() => ({ details: { more: { specs: [colour, size] } } }))).toBe(
      '{ name: "details.more.specs[].label", value: "details.more.specs[].value" }',
    );
  });
});

it('a list that is read is not said to fill nothing', async () => {
  const { yaml } = await json((i) => ({ ...product(i), specs: [colour, size] }));
  expect(yaml).not.toContain('Columns that fill nothing yet');
});

describe('a list of names and values has no characteristics', () => {
  it.each([
    [
      'of three members without known words',
      () => [
        { foo: 'Colour', bar: 'red', baz: 'x' },
        { foo: 'Size', bar: '1', baz: 'y' },
      ],
    ],
    ['where an entry lacks its name', () => [{ foo: 'Colour', bar: 'red' }, { foo: 'Size', bar: '10' }, { bar: '1' }]],
    [
      'where an entry lacks its value',
      () => [
        { ...colour, x: 1 },
        { label: 'Size', x: 2 },
      ],
    ],
    ['where an unknown value is missing', () => [{ foo: 'Colour', bar: 'red' }, { foo: 'Size' }]],
    ['with an entry that is null', () => [colour, null]],
    [
      'of codes',
      () => [
        { foo: 'A1', bar: 'red' },
        { foo: 'B2', bar: '10' },
      ],
    ],
    [
      'of numbers for names',
      () => [
        { foo: 'Colour', bar: 'red' },
        { foo: '10', bar: '20' },
      ],
    ],
    ['of numbers for some names', (i: number) => [colour, { ...size, label: i === 0 ? 7 : 'Size' }]],
    ['where a record has a name twice', (i: number) => [colour, { ...size, label: i === 1 ? 'Colour' : 'Size' }]],
    ['of more than 60 letters', (i: number) => [{ ...colour, value: 'r'.repeat(i === 0 ? 61 : 60) }, size]],
    ['of objects', (i: number) => [{ ...colour, value: i === 0 ? { a: 1 } : 'red' }, size]],
    ['of addresses', () => [colour, { ...size, value: 'https://x.de' }]],
  ])('%s', async (_, specs: (i: number) => unknown) => {
    expect(await readFrom((i) => ({ specs: specs(i) }))).toBeUndefined();
  });

  it('where neither words nor the path say so', async () => {
    const sizes = [
      { foo: 'Small', bar: '10' },
      { foo: 'Large', bar: '12' },
    ];
    expect(await readFrom(() => ({ sizes }))).toBeUndefined();
  });

  it('inside entries of another list', async () => {
    expect(await readFrom(() => ({ blocks: [{ specs: [colour, size] }] }))).toBeUndefined();
  });
});

describe('amounts of money among them', () => {
  it.each([
    ['with decimals in some records', 'Cost', ['4.50', '5', '6', '7'], true],
    ['of whole numbers below a cost', 'Cost', ['4', '5', '6', '7'], false],
    ['of which some are words', 'Special price', ['4.50', 'low', '6', '7'], false],
    ['that are all empty', 'Special price', ['', '', '', ''], false],
  ] as const)('%s are left out: %s of %j: %j', async (_, label, values, isLeftOut) => {
    const { yaml } = await json((i) => ({ ...product(i), specs: [colour, { label, value: values[i] }] }));
    expect(yaml.includes(`without amounts of money: ${label}`)).toBe(isLeftOut);
    expect(yaml).toContain(`each: { parallel: ${byWord}`);
  });
});

describe('an object of characteristics', () => {
  const columns = '{ "custom_fields.Colour": "Colour", "custom_fields.Size": "Size" }';
  const fields = { Colour: 'red', Size: '10' };
  it.each([
    ['is read by its members', () => ({ custom_fields: fields }), columns],
    ['may be a list in some records', (i: number) => ({ custom_fields: i === 0 ? [] : fields }), columns],
    ['may be null', (i: number) => ({ attributes_list: ['a'], custom_fields: i === 1 ? null : fields }), columns],
    ['is no list', () => ({ custom_fields: [] }), undefined],
    ['is no number', () => ({ option_count: 3 }), undefined],
    ['has no amounts', () => ({ custom_fields: { Colour: 'red', 'Dealer price': '1.50' } }), undefined],
    [
      'has no long texts, and another one may be one',
      (i: number) => ({ custom_fields: { Story: i === 1 ? 'x'.repeat(80) : 'y' }, options: { Size: '10' } }),
      '{ "options.Size": "Size" }',
    ],
  ])('%s', async (_, more, expected) => {
    expect(await readFrom(more)).toBe(expected);
  });
});

describe('elements of names and values', () => {
  it.each([
    ['by the plainest word', '<c label="Colour">red</c><c label="Size">10</c>', '"c@label", value: "c"'],
    ['with a text', '<param name="Colour">red</param><param name="Size">10</param>', '"param@name", value: "param"'],
    [
      'with a value, next to another attribute',
      '<param lang="de" name="Colour" value="red"/><param lang="de" name="Size" value="10"/>',
      '"param@name", value: "param@value"',
    ],
    ['by their values', '<param n="Colour" val="red"/><param n="Size" val="10"/>', '"param@n", value: "param@val"'],
    [
      'of which some have a text',
      '<param name="Colour" value="x">red</param><param name="Size" value="y"/>',
      '"param@name", value: "param"',
    ],
  ])('%s', async (_, elements, expected) => {
    const item = (title: string, i: number) => `<p><sku>A-${i}</sku><name>${title}</name>${elements}</p>`;
    const { yaml } = await suggested(`<all>${titles.map(item).join('')}</all>`, 'f.xml');
    expect(yaml).toContain(`each: { parallel: { name: ${expected} }`);
  });

  it('are none where neither words nor the path say so', async () => {
    const item = (title: string, i: number) =>
      `<p><sku>A-${i}</sku><name>${title}</name><c n="Colour" val="red"/><c n="Size" val="10"/></p>`;
    const { yaml } = await suggested(`<all>${titles.map(item).join('')}</all>`, 'f.xml');
    expect(yaml).not.toContain('each:');
  });
});

describe('names of columns', () => {
  const entriesOf = (i: number): [string, unknown][] => [
    ['Artikelnummer', `M-${i}`],
    ['Bezeichnung', titles[i]],
    ['Preis', `${i + 3},50`],
  ];
  const columnsOf = (more: (i: number) => [string, unknown][], some = (_: number) => true) =>
    json((i) => ({
      merkmale: [...entriesOf(i), ...more(i)]
        .filter(([name]) => name === 'Artikelnummer' || some(i))
        .map(([name, wert]) => ({ name, wert })),
    }));
  const all = {
    ...{ sku: 'merkmale[name=Artikelnummer].wert', name: 'merkmale[name=Bezeichnung].wert' },
    price: 'merkmale[name=Preis].wert',
  };

  it('may lack in some records, whose rows would be refused', async () => {
    const { fields, yaml } = await columnsOf(
      () => [],
      (i) => i !== 1,
    );
    expect(fields).toEqual(all);
    expect(yaml).toContain('# skip: { of: "merkmale[name=Artikelnummer].wert", empty: true }   # 1 record has none');
  });

  it('are none where one is a number', async () => {
    const records = titles.map((_, i) => ({
      merkmale: [...entriesOf(i), ['10', 'x']].map(([foo, bar]) => ({ foo, bar })),
    }));
    expect((await suggested(JSON.stringify(records), 'f.json')).fields).toEqual({});
  });

  it('have no signs of paths', async () => {
    const { fields } = await columnsOf((i) => [
      ['Bestand [Stk]', i + 2],
      ['Gewicht=kg', 1.5],
    ]);
    expect(fields).toEqual(all);
  });

  it.each([
    [60, all],
    [61, {}],
  ])('%i of them: %j', async (count, expected) => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const names = letters.flatMap((one) => letters.map((other) => `Q${one}${other}`)).slice(0, count - 3);
    const { fields } = await columnsOf(() => names.map((name) => [name, 'x']));
    expect(fields).toEqual(expected);
  });
});
