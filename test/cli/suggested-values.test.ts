// The mapping that inspect writes where values say that a member is not what its name says: `false` for no value, codes that
// describe nothing, the type of a number that names no characteristic, amounts in millionths.
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
