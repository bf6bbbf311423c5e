// Items that can only be unchanged are recognized, and others never; what random steps do, store/recognition-contract.ts shows.
import { describe, expect, it } from 'vitest';
import { validatedEntry } from '../../../../src/core/entry.js';
import { prevalidator } from '../../../../src/core/fields/prevalidation.js';
import { hashItem } from '../../../../src/core/planning/recognition/fingerprint.js';
import { productTable } from '../../../../src/core/resources/product-table.js';
import { noticed, resourceCalled } from '../../../given.js';
import { type Shop, shopWith } from '../planned-batches.js';

const item = (fields: Readonly<Record<string, unknown>> = {}) => ({ sku: 'A', currency: 'EUR', ...fields });
const { fields } = resourceCalled('products');

/** Sends items one after the other: the action or code of each, with a star where it was recognized. */
async function outcomes(shop: Shop, ...items: readonly unknown[]): Promise<string[]> {
  const found: string[] = [];
  for (const one of items) {
    const before = shop.decided();
    const { data } = await shop.send('products', [one]);
    found.push(`${data[0]?.code ?? data[0]?.action}${shop.decided() === before ? '*' : ''}`);
  }
  return found;
}

describe('an item is recognized', () => {
  it('where it is the one applied last, and nothing else changed the record', async () => {
    const shop = await shopWith();
    const [old, dear] = [item({ price: '5.00' }), item({ price: '6.00' })];
    expect(await outcomes(shop, old, old, dear, dear, old)).toEqual([
      ...['created', 'unchanged*', 'updated', 'unchanged*', 'updated'],
    ]);
  });

  it('not once one with other entries of its lists was applied', async () => {
    const shop = await shopWith();
    const files = [{ file: 'file_1' }, { file: 'file_2' }];
    const [one, other] = [item({ media: files.slice(1) }), item({ media: files })];
    await outcomes(shop, one, one);
    const { updated_at: before } = await shop.product('A');
    expect(await outcomes(shop, other)).toEqual(['updated']);
    const { updated_at: after } = await shop.product('A');
    expect(Number(after)).toBeGreaterThan(Number(before));
    expect(await outcomes(shop, other, one)).toEqual(['unchanged*', 'updated']);
  });

  it('not where a characteristic changed on which it depends', async () => {
    const shop = await shopWith();
    const size = (...labels: string[]) => ({ name: 'Size', values: labels.map((label) => ({ label })) });
    await shop.send('characteristics', [size('S', 'M')]);
    const small = item({ attributes: [{ type: 'Size', value: 'S' }] });
    expect(await outcomes(shop, small, small)).toEqual(['created', 'unchanged*']);
    await shop.send('characteristics', [size('M')]);
    expect(await outcomes(shop, small)).toEqual(['attribute_value_not_listed']);
  });

  it('not where the shop has got what it refers to, also beside items that refer to nothing', async () => {
    const shop = await shopWith();
    const batch = [item({ brand: 'b' }), { ...item(), sku: 'B' }];
    await shop.send('products', batch);
    const before = shop.decided();
    await shop.send('products', batch);
    expect(shop.decided()).toBe(before);
    await shop.send('brands', [{ id: 'other' }]);
    const { data } = await shop.send('products', batch);
    expect(data.map(({ code, action }) => code ?? action)).toEqual(['reference_not_found', 'unchanged']);
  });

  it('by the hash that its source made, where it made one', async () => {
    const shop = await shopWith();
    const checked = (price: string) => prevalidator(fields)(item({ price })) ?? {};
    expect(await outcomes(shop, validatedEntry(checked('5.00')), validatedEntry(checked('6.00')))).toEqual([
      'created',
      'updated',
    ]);
    const { itemKey = { high: 0, low: 0 } } = await shop.plan('products', [[]]);
    const hashed = (price: string) => {
      const { high, low } = hashItem(itemKey, fields, checked(price));
      return validatedEntry(checked(price), high, low);
    };
    expect(await outcomes(shop, hashed('6.00'), hashed('5.00'), hashed('5.00'))).toEqual([
      ...['unchanged*', 'updated', 'unchanged*'],
    ]);
  });
});

it('a dry run that does not compare lists says so of every item', async () => {
  const shop = await shopWith();
  const sent = item({ grades: [{ grade: 'new', price: '5.00' }] });
  await outcomes(shop, sent, sent);
  const { data } = await shop.send('products', [sent], { dryRun: true, comparesLists: false });
  expect(data.map(noticed)).toEqual([['lists_not_compared']]);
});

describe('where feeds are ranked, an item of one is decided again', () => {
  async function feeds(...order: string[]) {
    const shop = await shopWith({ order });
    /** Sends an item of a feed. @returns whether it was decided */
    return async (feed: string, fields: Readonly<Record<string, unknown>>) => {
      const before = shop.decided();
      await shop.run(feed).send('products', [item(fields)]);
      return shop.decided() > before;
    };
  }

  it('once what another one offers is different, and not where that stays the same', async () => {
    const sends = await feeds('high', 'low');
    const high = () => sends('high', { name: 'h' });
    await high();
    expect(await high()).toBe(false);
    for (const name of ['l', 'l']) {
      await sends('low', { name });
      expect(await high()).toBe(false);
    }
    await sends('low', {});
    expect(await high()).toBe(true);
    expect(await high()).toBe(false);
  });

  it('once a feed above it offers anything, whatever is above that', async () => {
    const sends = await feeds('high', 'middle', 'low');
    await sends('low', { name: 'n' });
    expect(await sends('low', { name: 'n' })).toBe(false);
    await sends('middle', { name: 'n' });
    expect(await sends('low', { name: 'n' })).toBe(true);
  });
});

it('the fingerprint of an item has 64 bits', async () => {
  const shop = await shopWith();
  await shop.send('products', [item(), { ...item(), sku: 'B' }]);
  const halves = (await shop.rows(productTable)).flatMap((row) => [row['applied_high'], row['applied_low']]);
  expect(new Set([...halves, 0]).size).toBe(5);
});
