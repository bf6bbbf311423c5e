// Slugs that are presumed to be free: nobody can tell from what is stored whether they were looked up.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slugSeries } from '../../../src/core/planning/slug.js';
import { newProduct, productTable } from '../../../src/core/resources/product-table.js';
import type { SavedRows } from '../../../src/core/rows/snapshot.js';
import type { Row, Table } from '../../../src/core/rows/table.js';
import { storeCatalog } from '../../../src/store/catalog.js';
import { memoryStore } from '../../../src/store/memory-store.js';
import { MustLock } from '../../../src/store/postgres/must-lock.js';
import { openPostgres } from '../../../src/store/postgres/open-postgres.js';
import { presumedSlugs } from '../../../src/store/postgres/presumed-slugs.js';
import type { Store } from '../../../src/store/store.js';
import type { Item } from '../../given.js';
import { missing, newTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { randomFrom } from '../../random.js';
import { imported } from '../given.js';

const taken = Object.assign(new Error('duplicate key value violates unique constraint'), { code: '23505' });

const product = (sku: string): Row => ({ ...newProduct(sku, `prod_${sku}`, 1), slug: sku });

const created = (count: number): ReadonlyMap<Table, SavedRows>[] => [
  new Map([
    [
      productTable as Table,
      { created: Array.from({ length: count }, (_, i) => product(`s-${i}`)), changed: new Map() },
    ],
  ]),
];

describe('a writer', () => {
  it('presumes slugs to be free once a thousand in a row were, and no others', () => {
    const slugs = presumedSlugs();
    slugs.decided(created(999), false);
    expect(slugs.lookups()).toBeUndefined();
    slugs.decided(created(1), false);
    expect(slugs.lookups()?.(productTable, 'slug')?.isAbsent('any')).toBe(true);
    expect(slugs.lookups()?.(productTable, 'sku')).toBeUndefined();
  });

  it('looks them up again once one got a number', () => {
    const slugs = presumedSlugs();
    slugs.decided(created(1000), false);
    slugs.decided([...created(40), new Map([[slugSeries as Table, { created: [], changed: new Map() }]])], true);
    expect(slugs.lookups()).toBeUndefined();
    slugs.decided(created(1000), false);
    expect(slugs.lookups()).toBeDefined();
  });

  it('needs four times as many after it was wrong, and is not wrong where something else failed', () => {
    const slugs = presumedSlugs();
    slugs.decided(created(1000), false);
    slugs.failed(new MustLock('another writer came between'));
    expect(slugs.lookups()).toBeDefined();
    slugs.failed(taken);
    slugs.decided(created(3999), false);
    expect(slugs.lookups()).toBeUndefined();
    slugs.decided(created(1), false);
    expect(slugs.lookups()).toBeDefined();
  });

  it('decides again what gives a slug up, which an item before may have taken', () => {
    const slugs = presumedSlugs();
    const before = product('a');
    const moved = [
      new Map([[productTable as Table, { created: [], changed: new Map([[{ ...before, slug: 'b' }, before]]) }]]),
    ];
    expect(() => slugs.decided(moved, true)).toThrow(MustLock);
    expect(() => slugs.decided(moved, false)).not.toThrow();
  });
});

/** Items that want slugs in several ways; each gets an index and the index of a known product. */
const kinds: Readonly<Record<string, (i: number, known: number) => Item[]>> = {
  'the name of a known product': (i, known) => [{ sku: `N-${i}`, name: `Lamp ${known}`, currency: 'EUR' }],
  'the name of a new product': (i) => [{ sku: `N-${i}`, name: `Chair ${i - 190}`, currency: 'EUR' }],
  'another slug for a known product': (i, known) => [{ sku: `L-${known}`, slug: `moved-${i}` }],
  'the slug of another known product': (i, known) => [{ sku: `L-${known}`, slug: `lamp-${(i * 7) % 1600}` }],
  'a slug that a product behind it gives up': (i, known) => [
    { sku: `N-${i}`, name: `Lamp ${known}`, currency: 'EUR' },
    { sku: `L-${known}`, slug: `left-${i}` },
  ],
  'a slug that a product before it gives up': (i, known) => [
    { sku: `L-${known}`, slug: `left-${i}` },
    { sku: `N-${i}`, name: `Lamp ${known}`, currency: 'EUR' },
  ],
};

describe.skipIf(missing !== undefined)(`an import${missing === undefined ? '' : `: ${missing}`}`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newTestDatabase();
  });
  afterAll(() => database.close());

  async function slugsOf(store: Store): Promise<ReadonlyMap<string, string>> {
    return new Map((await store.readAll(productTable)).map(({ sku, slug }) => [sku, slug]));
  }

  it.each(Object.keys(kinds))('gives the slugs of a store that looks each of them up: %s', async (kind) => {
    const address = database.address(`slugs_${Object.keys(kinds).indexOf(kind)}`);
    const expected = memoryStore();
    const store = await openPostgres({ address, lockTimeout: 60_000, create: true, patience: 0 });
    const random = randomFrom(7);
    const known = Array.from({ length: 1600 }, (_, i) => ({ sku: `L-${i}`, name: `Lamp ${i}`, currency: 'EUR' }));
    const items = Array.from({ length: 9000 }, (_, i) =>
      i % 1300 === 200
        ? (kinds[kind]?.(i, Math.floor(random() * 1600)) ?? [])
        : [{ sku: `N-${i}`, name: `Chair ${i}`, currency: 'EUR' }],
    );
    for (const feed of [known, items.flat()]) {
      await imported(storeCatalog(expected), 'products', feed);
      await imported(storeCatalog(store), 'products', feed);
    }
    const slugs = await slugsOf(store);
    await store.close();
    expect(slugs.size).toBeGreaterThan(9000);
    expect(slugs).toEqual(await slugsOf(expected));
  });
});
