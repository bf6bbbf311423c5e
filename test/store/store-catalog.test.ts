// A catalog on a store: what an import may leave out, and what is kept of it.
import { expect, it, vi } from 'vitest';
import type { Batch, ImportOptions } from '../../src/core/catalog.js';
import { rawEntry } from '../../src/core/entry.js';
import { changeTable } from '../../src/core/ledger/run-tables.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { dryRunStore } from '../../src/store/dry-run-store.js';
import { recordPostedRun } from '../../src/store/ledger/posted-runs.js';
import { type Item, resourceCalled } from '../given.js';
import { shopOn } from './ledger-shop.js';
import { memoryStore } from './memory-store.js';

const products = resourceCalled('products');

it('tells whether anything was committed, if its store does', async () => {
  const store = memoryStore();
  const catalog = storeCatalog(store);
  const before = catalog.changeCount?.();
  for await (const _ of catalog.importBatches(products, [[rawEntry({ sku: 'A', currency: 'EUR' })]]));
  expect(before).toEqual(expect.any(Number));
  expect(catalog.changeCount?.()).toBeGreaterThan(before as number);
  const { changeCount: _, ...silent } = store;
  expect(storeCatalog(silent)).not.toHaveProperty('changeCount');
});

it('an import writes, tells no changes and compares lists; a dry run does not compare them unless it is asked to', async () => {
  const catalog = storeCatalog(memoryStore());
  const lineOf = async (item: Item, options?: ImportOptions) => {
    const sent = [[rawEntry({ sku: 'A', currency: 'EUR', ...item })]];
    const lines = [];
    for await (const { dry_run, data } of catalog.importBatches(products, sent, options))
      for (const { action, changes, notice } of data)
        lines.push({ dry_run, action, changes, notice: notice.map(({ code }) => code) });
    return lines[0];
  };
  const grades = (price: number) => ({ grades: [{ grade: 'new', price }] });
  expect(await lineOf(grades(1))).toMatchObject({ dry_run: false, action: 'created', notice: [] });
  const updated = await lineOf(grades(2));
  expect(updated).toMatchObject({ action: 'updated', notice: [] });
  expect(updated?.changes ?? []).toEqual([]);
  expect((await lineOf(grades(3), { diff: true }))?.changes).not.toEqual([]);
  expect(await lineOf(grades(3))).toMatchObject({ action: 'unchanged', notice: [] });
  expect(await lineOf(grades(3), { dryRun: true })).toMatchObject({ dry_run: true, notice: ['lists_not_compared'] });
  for (const more of [{ comparesLists: true }, { diff: true }])
    expect(await lineOf(grades(3), { dryRun: true, ...more })).toMatchObject({ action: 'unchanged', notice: [] });
});

it.each([
  [true, 1],
  [false, 2],
])('batches are read ahead of a remote store unless an import may be stopped: %s', async (mayStop, expected) => {
  const store = memoryStore();
  const catalog = storeCatalog({ ...store, pace: { mostItems: 40, longest: 1000, isRemote: true } });
  let read = 0;
  async function* batches(): AsyncGenerator<Batch> {
    for (; read < 5; ) {
      read++;
      yield Array.from({ length: 40 }, (_, i) => rawEntry({ sku: `P-${read}-${i}`, currency: 'EUR' }));
    }
  }
  for await (const _ of catalog.importBatches(products, batches(), mayStop ? { accept: () => true } : {})) break;
  expect(read).toBe(expected);
});

it('a batch that is applied once is told by the lines that it came from', async () => {
  const { store, ledger } = shopOn(memoryStore());
  const posted = { owner: 'o', user: 'u', token: 't', feed: '' };
  const recorder = recordPostedRun(posted, { resource: 'product', file: '' });
  const receipt = { owner: 'o', key: 'k', fingerprint: 'f', textOf: () => 'text' };
  const batch = ['A', 'B'].map((sku) => rawEntry({ sku, currency: 'EUR' }));
  const importOnce = storeCatalog(store, { recorder }).importOnce;
  expect(await importOnce(products, batch, { linesOf: () => [17, 42] }, receipt)).toMatchObject({ created: 2 });
  const told: unknown[] = [];
  const [run] = await ledger.runs();
  if (run !== undefined)
    for await (const some of ledger.changes(run)) told.push(...some.map(({ key, line }) => [key, line]));
  expect(told).toEqual([
    ['A', 17],
    ['B', 42],
  ]);
});

it('of a run without history no change is kept', async () => {
  const { store, ledger } = shopOn(memoryStore());
  const open = await ledger.begin({ feed: '', detail: { command: 'products', files: [], unrecorded: true } });
  const recorder = open.addFile({ file: 'a', resource: 'product' });
  const batches = [[rawEntry({ sku: 'A', currency: 'EUR' })]];
  for await (const { created } of storeCatalog(store, { recorder }).importBatches(products, batches))
    expect(created).toBe(1);
  expect(await store.readAll(changeTable)).toEqual([]);
  expect(await ledger.runs()).toMatchObject([{ chunks: 0 }]);
});

it('a dry run writes nothing, whatever it is given', async () => {
  const base = memoryStore();
  const dry = storeCatalog(dryRunStore(base, memoryStore()));
  for (const expected of ['created', 'unchanged'])
    for await (const { data } of dry.importBatches(products, [[rawEntry({ sku: 'A', currency: 'EUR' })]], {
      dryRun: true,
    }))
      expect(data.map(({ action }) => action)).toEqual([expected]);
  expect(await storeCatalog(base).read(products, { key: 'A' })).toBeUndefined();
});

it.each([
  [true, []],
  [false, ['compare_above_lowest']],
])(
  'imports without history are runs of their own, those of a dry run (%s) are one: what prices were before it counts',
  async (dryRun, expected) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_764_000_000_000 });
    const base = memoryStore();
    const catalog = storeCatalog(dryRun ? dryRunStore(base, memoryStore()) : base);
    const noticesOf = async (target: typeof catalog, item: Item, options: ImportOptions) => {
      vi.setSystemTime(Date.now() + 3_600_000);
      const found: string[] = [];
      for await (const { data } of target.importBatches(products, [[rawEntry({ sku: 'A', ...item })]], options))
        found.push(...data.flatMap(({ notice }) => notice.map(({ code }) => code)));
      return found;
    };
    await noticesOf(storeCatalog(base), { currency: 'EUR', status: 'activated', price: '100.00' }, {});
    expect(await noticesOf(catalog, { price: '80.00' }, { dryRun })).toEqual([]);
    expect(await noticesOf(catalog, { price: '70.00', price_compare: '90.00' }, { dryRun })).toEqual(expected);
    vi.useRealTimers();
  },
);
