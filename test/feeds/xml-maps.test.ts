// The mappings of XML feeds that are shipped, on a feed of each kind.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/core/resources/index.js';
import { readMapping } from '../../src/source/mapping/read-mapping.js';
import { openSource } from '../../src/source/open-source.js';

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));

async function itemsOf(feed: string, map: string): Promise<unknown[]> {
  const products = resources.find(({ command }) => command === 'products');
  const mapping = readMapping(join(fixtures, 'maps', map));
  const [section] = mapping.import;
  if (products === undefined || section === undefined) throw new Error('there are no products');
  const { read, tables } = mapping;
  const source = await openSource(products.fields, products.key, {
    file: join(fixtures, 'feeds', feed),
    ...(read.record && { record: read.record }),
    mapped: { name: map, place: 'the mapping', section, tables, read },
  });
  const items: unknown[] = [];
  for await (const { entries } of source.chunks)
    items.push(
      ...entries.map((entry) => (entry.kind === 'unreadable' ? entry.problem : JSON.parse(JSON.stringify(entry.item)))),
    );
  return items;
}

describe('the mapping of', () => {
  it('Google Merchant reads RSS, with and without its prefix', async () => {
    expect(await itemsOf('google-merchant.xml', 'google-merchant.yaml')).toEqual([
      {
        sku: 'TEA-1',
        name: 'Green tea, 100\u00a0g',
        description: 'Loose leaves',
        ean: '4006381333931',
        currency: 'EUR',
        price: '9.50',
        price_compare: '9.50',
        condition: 'new',
        status: 'activated',
      },
      { sku: 'CUP-1', name: 'Cup', currency: 'EUR', price: '10.00', price_compare: '12.00', status: 'activated' },
      { sku: 'POT-1', name: 'Pot', currency: 'EUR', price: '9.50', price_compare: '9.50', status: 'activated' },
    ]);
  });

  it('Google Merchant reads Atom', async () => {
    expect(await itemsOf('google-merchant-atom.xml', 'google-merchant-atom.yaml')).toMatchObject([
      { sku: 'TEA-1', name: 'Green tea', description: 'Loose leaves', price: '9.50', currency: 'EUR' },
    ]);
  });

  it('BMEcat reads the articles of 1.2 and the products of 2005', async () => {
    const drill = { sku: '10-4711', name: 'Bohrer 8 mm', ean: '4006381333931', price: '4.90', currency: 'EUR' };
    expect(await itemsOf('bmecat-1.2.xml', 'bmecat-1.2.yaml')).toEqual([{ ...drill, description: 'HSS, geschliffen' }]);
    expect(await itemsOf('bmecat-2005.xml', 'bmecat-2005.yaml')).toEqual([drill]);
  });

  it('any XML reads attributes and elements', async () => {
    expect(await itemsOf('generic.xml', 'xml.yaml')).toEqual([
      { sku: 'A-1', name: 'Tea', price: '9.50', currency: 'EUR', stock: 3 },
      { sku: 'A-2', name: 'Cup', price: '12', currency: 'EUR', stock: 0 },
    ]);
  });
});
