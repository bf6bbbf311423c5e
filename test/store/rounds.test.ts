// How often the items of a batch are decided: once, as what they refer to is asked for and loaded before.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Catalog } from '../../src/core/catalog.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { openCatalog } from '../../src/store/open.js';
import { type Item, resourceCalled } from '../given.js';
import { folder, imported, inBatches } from './given.js';
import { memoryStore } from './memory-store.js';

/** Imports items, none of which may be refused, and counts how often one was decided. */
async function decisions(catalog: Catalog, word: string, items: readonly Item[]): Promise<number> {
  const resource = resourceCalled(word);
  let decided = 0;
  const counting: typeof resource = {
    ...resource,
    decide(task) {
      decided++;
      resource.decide(task);
    },
  };
  for await (const report of catalog.importBatches(counting, inBatches(word, items)))
    expect(report.data.filter(({ action }) => action === 'refused')).toEqual([]);
  return decided;
}

const many = (count: number, make: (i: number) => Item): Item[] => Array.from({ length: count }, (_, i) => make(i));

/** Feeds in which every item refers to other records than the one before, by whatever it can. */
const feeds = {
  characteristics: many(120, (i) => ({
    name: `Characteristic ${i}`,
    values: [{ label: `Value ${i}`, link_label: 'more', link_page: `page-${i}` }],
  })),
  categories: many(300, (i) => ({
    name: `Category ${i}`,
    image: `file_${i}`,
    seo_image: `file_${i + 1}`,
    warranty: `warranty-${i}`,
  })),
  groups: many(120, (i) => ({
    name: `Group ${i}`,
    axes: [{ source: 'characteristic', attribute: `Characteristic ${i}` }],
  })),
  products: many(300, (i) => ({
    sku: `SKU-${i}`,
    name: `Product ${i}`,
    currency: 'EUR',
    brand: `brand-${i}`,
    warranty: `warranty-${i}`,
    seo_image: `file_${i}`,
    grades: [{ grade: 'new', price: i }],
    attributes: [{ type: `Characteristic ${i % 120}`, value: `Value ${i % 120}` }],
    media: [{ file: `file_${i + 2}` }, { file: `file_${i + 3}` }],
  })),
  reviews: many(300, (i) => ({
    external_id: `R-${i}`,
    customer_external_id: `C-${i}`,
    product_sku: `SKU-${i}`,
    rating: 5,
    order_external_id: `O-${i}`,
    order_item_external_id: `O-${i}-1`,
  })),
} as const;

async function withShop(name: string): Promise<Catalog> {
  const catalog = await openCatalog({ file: join(folder, name), create: true });
  const named = (prefix: string) => many(400, (i) => ({ id: `${prefix}${i}`, name: `${i}` }));
  await imported(catalog, 'files', named('file_'));
  await imported(catalog, 'brands', named('brand-'));
  await imported(catalog, 'warranties', named('warranty-'));
  await imported(catalog, 'pages', named('page-'));
  const customers = many(400, (i) => ({ external_id: `C-${i}` }));
  const orders = many(400, (i) => ({ external_id: `O-${i}`, items: [{ external_id: `O-${i}-1` }] }));
  await imported(catalog, 'customers', customers);
  await imported(catalog, 'orders', orders);
  return catalog;
}

it('an item is decided once, whatever of the shop and the catalog it refers to, new or changed; a product that is the same, never', async () => {
  const catalog = await withShop('rounds.db');
  for (const time of ['new', 'known', 'changed']) {
    for (const [word, items] of Object.entries(feeds)) {
      const sent: readonly Item[] =
        time === 'changed' && word === 'products' ? items.map((item) => ({ ...item, note: 'changed' })) : items;
      const expected = time === 'known' && word === 'products' ? 0 : items.length;
      expect({ time, word, decided: await decisions(catalog, word, sent) }).toEqual({ time, word, decided: expected });
    }
  }
  await catalog.close();
});

it('the same while the catalog has no records of the shop', async () => {
  const catalog = await openCatalog({ file: join(folder, 'no-shop.db'), create: true });
  const { characteristics, categories, products } = feeds;
  for (const [word, items] of Object.entries({ characteristics, categories, products }))
    expect({ word, decided: await decisions(catalog, word, items) }).toEqual({ word, decided: items.length });
  await catalog.close();
});

it('the same for products that share their names, whose slugs have numbers', async () => {
  const catalog = storeCatalog(memoryStore());
  for (const file of ['A', 'B', 'C']) {
    const items = many(300, (i) => ({ sku: `${file}-${i}`, name: `T-Shirt ${i % 60}`, currency: 'EUR' }));
    expect({ file, decided: await decisions(catalog, 'products', items) }).toEqual({ file, decided: items.length });
  }
  const slugs = new Set<unknown>();
  for (const file of ['A', 'B', 'C'])
    for (const i of [7, 67, 127, 187, 247])
      slugs.add((await catalog.read(resourceCalled('products'), { key: `${file}-${i}` }))?.['slug']);
  expect([...slugs]).toEqual(['t-shirt-7', ...Array.from({ length: 14 }, (_, i) => `t-shirt-7-${i + 2}`)]);
});
