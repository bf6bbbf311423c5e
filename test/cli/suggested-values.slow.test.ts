// The mapping that inspect writes where values say that a member is not what its name says: `false` for no value, codes that
// describe nothing, the type of a number that names no characteristic, amounts in millionths, keys that a database counts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from './typed.js';

/** Barcodes with right check digits. */
const barcodes = ['4006381333931', '4006381333948', '4006381333955', '4006381333962', '4006381333979', '4006381333986'];

/** The records of six products. @param more what each has besides */
const sixProducts = (more: (i: number) => object): string =>
  JSON.stringify(barcodes.map((_, i) => ({ sku: `A-${i}`, title: `Lamp no ${i}`, currency: 'EUR', ...more(i) })));

/** The mapping that is suggested for a file, in a folder of its own. */
async function suggested(name: string, content: string) {
  const cwd = folder({ [name]: content });
  const at = (file: string) => join(cwd, file);
  await typedHere(['inspect', at(name), '--write-map', at('map.yaml')]);
  return { at, yaml: readFileSync(at('map.yaml'), 'utf8') };
}

/** The products that it makes. */
async function imported(name: string, content: string) {
  const { at, yaml } = await suggested(name, content);
  const run = await typedHere(['run', at(name), '--map', at('map.yaml'), '--db', at('c.db')]);
  const { stdout } = await typedHere(['export', 'products', '--db', at('c.db')]);
  const products = stdout.split('\n').flatMap((line): Record<string, unknown>[] => (line ? [JSON.parse(line)] : []));
  return { yaml, code: run.code, products };
}

describe('false among texts is no value', () => {
  const records = sixProducts((i) => ({
    price: '9.50',
    barcode: i % 3 === 0 ? false : barcodes[i],
    description: false,
    active: i > 0,
  }));

  it('in barcodes, and in a description that no record has', async () => {
    const { code, products } = await imported('feed.json', records.replaceAll('"active"', '"checked"'));
    expect(code).toBe(0);
    expect(products.map(({ ean }) => ean)).toEqual(barcodes.map((one, i) => (i % 3 === 0 ? '' : one)));
    expect(products.map(({ description }) => description)).toEqual(barcodes.map(() => ''));
  });

  it('in a key that a question names', async () => {
    const { yaml } = await suggested('feed.json', records.replaceAll('"sku":"A-3"', '"sku":false'));
    expect(yaml).toContain('sku: { column: "sku", map: { "false": "" }, else: keep }');
    expect(yaml).toContain('1 record has none');
  });

  it('and a value where true is the other one', async () => {
    const { yaml } = await suggested('feed.json', records);
    expect(yaml).toContain('map: { "false": suspended, "true": activated }');
  });
});

it.each(['contentLanguage', 'contentUnit'])('a code that all records share describes nothing: %s', async (member) => {
  const { yaml } = await suggested(
    'feed.json',
    sixProducts(() => ({ price: '9.50', [member]: 'en' })),
  );
  expect(yaml).not.toContain('description:');
});

describe('the type of a value names no characteristic', () => {
  it('in an attribute', async () => {
    const items = barcodes.map(
      (code, i) => `<item nr="A-${i}"><pid type="ean">${code}</pid><title>Lamp ${i}</title></item>`,
    );
    const { yaml } = await suggested('feed.xml', `<shop>${items.join('\n')}</shop>`);
    expect(yaml).not.toContain('attributes');
    expect(yaml).toContain('ean: "pid"');
  });

  it('in a member', async () => {
    const { yaml } = await suggested(
      'feed.json',
      sixProducts((i) => ({ size: { '@type': 'QuantitativeValue', value: i } })),
    );
    expect(yaml).not.toContain('attributes');
  });

  it('but does where there are several', async () => {
    const specs = [
      { type: 'Colour', value: 'red' },
      { type: 'Size', value: 'L' },
    ];
    const { products } = await imported(
      'feed.json',
      sixProducts(() => ({ price: '9.50', specs })),
    );
    expect(products[0]).toMatchObject({ attributes: specs });
  });
});

it('an object with a price is no list of characteristics', async () => {
  const { yaml } = await suggested(
    'feed.json',
    sixProducts(() => ({ orderDetails: { unit: 'C62', unitPrice: '9.50' } })),
  );
  expect(yaml).not.toContain('attributes');
});

it.each([
  ['millionths', 19_990_000, '-6'],
  ['hundredths', 1999, '-2'],
])('a question says that whole amounts may be %s', async (parts, amount, shift) => {
  const { yaml } = await suggested(
    'feed.json',
    sixProducts((i) => ({ price: { value: amount + i * 10 * amount } })),
  );
  expect(yaml).toContain(`may be ${parts}: shift: ${shift}`);
});

describe('codes with letters are asked about beside a key', () => {
  it.each([
    ['that counts the records', 'no', (i: number) => i + 1],
    ['of a database', 'goods_id', (i: number) => 10_000 + i * 7],
    ['that is a path', 'name', (i: number) => `accounts/1/products/${i}`],
  ])('%s', async (_, member, key) => {
    const records = barcodes.map((__, i) => ({
      [member]: key(i),
      goods_sn: `EC-${90 - i}`,
      title: `Lamp no ${i}`,
      price: '9.50',
    }));
    const { yaml } = await suggested('feed.json', JSON.stringify(records));
    expect(yaml).toMatch(new RegExp(`sku: \\?.*\\n.*"${member}".*\\n.*"goods_sn"`));
  });

  it.each([
    ['numbers of a maker', 'mpn', (i: number) => `EC-${i}`],
    ['digests', 'digest', (i: number) => `${i}bc4de5f60718293`],
    ['images', 'front', (i: number) => `front-${i}.jpg`],
  ])('and %s are not', async (_, member, code) => {
    const records = barcodes.map((__, i) => ({ id: 100 + i, [member]: code(i), title: `Lamp no ${i}`, price: '9.50' }));
    const { yaml } = await suggested('feed.json', JSON.stringify(records));
    expect(yaml).toContain('sku: "id"');
  });
});

it('barcodes that could be the key are the barcode as well', async () => {
  const lines = barcodes.map((code, i) => ({
    line: { id: i + 1 },
    supplier_pid: `UB-${i}`,
    standard: { id: code },
    price: '9.50',
  }));
  const { yaml } = await suggested('feed.json', JSON.stringify(lines));
  expect(yaml).toMatch(/sku: \?/);
  expect(yaml).toContain('ean: "standard.id"');
});

it.each([
  ['standard_rate', [19.5, 250.75], true],
  ['vat_rate', [19.5, 250.75], false],
  ['rate', [19.5, 7.25], false],
])('an amount called a rate is asked about where no price is: %s of %s', async (member, rates, isAsked) => {
  const { yaml } = await suggested(
    'feed.json',
    sixProducts((i) => ({ stock: i, [member]: rates[i % 2] })),
  );
  expect(yaml.includes('price: ?')).toBe(isAsked);
});

describe('a weight', () => {
  const asked = /weight: \?/;
  it.each([
    ['with its unit beside it', () => ({ weight: { value: 450, unit: 'GRAM' } }), '{ "GRAM": 0.001 }'],
    ['with the code of its unit', () => ({ weight: { value: 450, unitCode: 'GRM' } }), '{ "GRM": 0.001 }'],
    ['with an unknown unit', () => ({ weight: { value: 450, unit: 'stone' } }), asked],
    ['before and after a change', (i: number) => ({ old: { weight_g: i + 1 }, now: { weight_g: i + 2 } }), asked],
    ['of something else, too', (i: number) => ({ suggest: { weight: i }, weight_kg: i + 0.5 }), 'weight: "weight_kg"'],
    ['of something else as deep', (i: number) => ({ suggest: { weight: i }, item: { weight_kg: i + 0.5 } }), asked],
    [
      'of a product, and of its parcel',
      (i: number) => ({ itemWeight: i, shippingWeight: i + 1 }),
      'weight: "itemWeight"',
    ],
    [
      'and the same elsewhere',
      (i: number) => ({ weight_g: i, flat: { weight_g: i } }),
      '{ column: "weight_g", shift: -3 }',
    ],
  ])('%s', async (_, weights, expected) => {
    const { yaml } = await suggested(
      'feed.json',
      sixProducts((i) => ({ price: '9.50', ...weights(i) })),
    );
    expect(yaml).toEqual(
      typeof expected === 'string' ? expect.stringContaining(expected) : expect.stringMatching(expected),
    );
  });

  it('in an attribute has its own unit', async () => {
    const items = barcodes.map(
      (code, i) =>
        `<item nr="A-${i}"><ean>${code}</ean><title>Lamp ${i}</title><BoxWeight unit="kg">2</BoxWeight><ItemWeight unit="g">${450 + i}</ItemWeight></item>`,
    );
    const { yaml } = await suggested('feed.xml', `<shop>${items.join('\n')}</shop>`);
    expect(yaml).toContain(
      'weight: { column: "ItemWeight", number: true, times: { column: "ItemWeight@unit", map: { "g": 0.001 } } }',
    );
  });
});

it('what has no value is of no other type of a database', async () => {
  const items = barcodes.map((code, i) => ({
    sku: { S: `A-${i}` },
    title: { S: `Lamp no ${i}` },
    price: { N: '9.50' },
    stock: { N: String(i) },
    ean: i % 2 === 0 ? { S: code } : { NULL: true },
  }));
  const { yaml } = await suggested('feed.json', JSON.stringify(items));
  for (const field of ['sku: "sku.S"', 'name: "title.S"', 'price: "price.N"', 'stock: "stock.N"'])
    expect(yaml).toContain(field);
});

it('variants with keys of their own are no amounts of one product', async () => {
  const { yaml } = await suggested(
    'feed.json',
    JSON.stringify(
      barcodes.map((_, i) => ({
        ...{ id: i, title: `Lamp no ${i}`, currency: 'EUR' },
        variants: ['S', 'M'].map((size) => ({ size, sku: `A-${i}-${size}`, price: '9.50' })),
      })),
    ),
  );
  expect(yaml).not.toContain('[size=');
  expect(yaml).toContain('sku: "variants[].sku"');
});

it('entries are told apart by a word, where they have one', async () => {
  const { yaml } = await suggested(
    'feed.json',
    sixProducts((i) => ({
      prices: ['Default', 'MSRP'].map((use, at) => ({ amount: 9.5 + i + at, useID: at + 1, use })),
    })),
  );
  expect(yaml).toContain('"prices[use=Default].amount"');
});

it('children are asked for what their parents leave empty', async () => {
  const { yaml } = await suggested(
    'feed.json',
    sixProducts((i) => ({ price: null, children: [{ sku: `A-${i}-1`, price: '9.50' }] })),
  );
  expect(yaml).toMatch(/price: \?.*\n.*"children\[\]\.price"/);
});

it('a key that is marked as found is no key', async () => {
  const { yaml } = await suggested(
    'feed.json',
    sixProducts((i) => ({ price: '9.50', _highlightResult: { sku: { value: `<em>A-${i}</em>` } } })),
  );
  expect(yaml).toContain('sku: "sku"');
});
