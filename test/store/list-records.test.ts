// Pages of records: of all, and of those changed since a time.
import { describe, expect, it } from 'vitest';
import { newProduct, productTable } from '../../src/core/resources/product-table.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { listRecords } from '../../src/store/list-records.js';
import { recordPages } from '../../src/store/record-pages.js';
import { rowPages } from '../../src/store/row-pages.js';
import { isLastPage, longBytes, pageBytes, type Store } from '../../src/store/store.js';
import { resourceCalled } from '../given.js';
import { memoryStore } from './memory-store.js';

const products = resourceCalled('products');

/** A store with so many products; what each changed last is given by its place. Its scans end some time. */
function withProducts(count: number, changedAt: (place: number) => number = () => 1): Store {
  const store = memoryStore();
  const one = { ...newProduct('A', 'prod_', 1), currency: 'EUR' };
  const rows = Array.from({ length: count }, (_, i) => {
    return { ...one, sku: `P${i}`, id: `prod_${String(i).padStart(5, '0')}`, updated_at: changedAt(i) };
  });
  let scans = 0;
  return {
    ...store,
    async scan(_, { after, limit }, plan) {
      if (++scans > 100) throw new Error('it does not end');
      const from = after === undefined ? 0 : Number(after.slice(5)) + 1;
      return store.read((draft) => plan(rows.slice(from, from + limit) as never, draft));
    },
  };
}

describe('a page of records', () => {
  it.each([
    [99, ['P3', 'P640', 'P1300']],
    [100, ['P3', 'P640']],
    [101, ['P640']],
    [102, []],
  ])('has those that changed at %d or later, however far apart they are', async (updatedSince, expected) => {
    const times = new Map([
      [3, 100],
      [640, 101],
      [1300, 99],
    ]);
    const store = withProducts(1700, (place) => times.get(place) ?? 1);
    const { records, next } = await listRecords(store, products, { updatedSince, limit: 5 });
    expect([records.map(({ sku }) => sku), next]).toEqual([expected, undefined]);
    const found: unknown[] = [];
    for (let after: string | undefined, isEnd = false; !isEnd; ) {
      const page = await listRecords(store, products, {
        updatedSince,
        limit: 1,
        ...(after !== undefined && { after }),
      });
      found.push(...page.records.map(({ sku }) => sku));
      after = page.next;
      isEnd = after === undefined;
      // A page is full before it ends.
      expect(page.records.length + Number(isEnd)).toBeGreaterThan(0);
    }
    expect(found).toEqual(expected);
  });

  it('ends with the 20,000th row where few of very many changed', async () => {
    const store = withProducts(20_001);
    const request = { updatedSince: 2, limit: 10 };
    expect(await listRecords(store, products, request)).toEqual({ records: [], next: 'prod_19999' });
    const last = await listRecords(store, products, { ...request, after: 'prod_19999' });
    expect(last).toEqual({ records: [], next: undefined });
  });
});

describe('page by page', () => {
  it.each([0, 1, 250, 251, 1001, 2000])('all of %d records come, each once', async (count) => {
    const store = withProducts(count);
    const expected = Array.from({ length: count }, (_, i) => `P${i}`);
    const read: unknown[] = [];
    for await (const records of recordPages(storeCatalog(store), products)) {
      expect(records).not.toEqual([]);
      read.push(...records.map(({ sku }) => sku));
    }
    expect(read).toEqual(expected);
    const rows: unknown[] = [];
    for await (const some of rowPages(store, productTable)) rows.push(...some.map(({ sku }) => sku));
    expect(rows).toEqual(expected);
  });
});

describe('a page of rows', () => {
  const row = (description: string) => ({ ...newProduct('A', 'prod_0', 1), description });
  const others = longBytes(productTable, row(''));

  it('is the last one if it has fewer than its limit, and no more than a megabyte of texts', () => {
    expect(others).toBeLessThan(100);
    const isLast = (description: string, limit = 10) => isLastPage(productTable, [row(description)], { limit });
    expect([isLast('', 2), isLast('', 1)]).toEqual([true, false]);
    expect(isLast('x'.repeat(pageBytes - others))).toBe(true);
    expect(isLast('x'.repeat(pageBytes - others + 1))).toBe(false);
    // It counts bytes, up to the bound at least.
    expect(isLast(`€${'x'.repeat(pageBytes - others - 3)}`)).toBe(true);
    expect(isLast(`€${'x'.repeat(pageBytes - others - 2)}`)).toBe(false);
    expect(isLast(`€${'x'.repeat(pageBytes - others - 1)}`)).toBe(false);
    expect(isLast('€'.repeat(pageBytes / 2))).toBe(false);
  });
});
