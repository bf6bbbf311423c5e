// A shop of products with its ledger, whose feeds are imported and undone without a command line.
import { expect, onTestFinished, vi } from 'vitest';
import { endFeedRun } from '../../src/cli/import/history/complete-feed.js';
import { rawEntry } from '../../src/core/entry.js';
import { hashNumber } from '../../src/core/ledger/recorded-change.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { type Ledger, ledgerOf } from '../../src/store/ledger/ledger.js';
import { feedRun } from '../../src/store/ledger/run-of-feed.js';
import type { OpenRun } from '../../src/store/ledger/runs.js';
import type { UndoResult } from '../../src/store/ledger/undo-runs.js';
import type { Store } from '../../src/store/store.js';
import { resourceCalled } from '../given.js';
import { memoryStore } from './memory-store.js';

export const products = resourceCalled('products');

export type Item = Readonly<Record<string, unknown>>;
/** What a feed lists: items by their SKU. */
export type Listed = Readonly<Record<string, Item>>;

export interface Shop {
  readonly store: Store;
  readonly ledger: Ledger;
  /** A complete run of a feed. @returns its number, and the notices of its lines by SKU */
  run(
    feed: string,
    listed: Listed,
    options?: { readonly suspends?: boolean },
  ): Promise<{ readonly run: number; readonly notices: Record<string, string[]> }>;
  /** Imports items without history. */
  unrecorded(listed: Listed): Promise<void>;
  /** Creates characteristics, without history. */
  characteristics(...names: readonly string[]): Promise<void>;
  /** Undoes runs. @returns the number of the undo, and its result */
  undo(...numbers: readonly number[]): Promise<{ readonly run: number } & UndoResult>;
  product(sku: string): Promise<Record<string, unknown>>;
}

/**
 * A shop on an empty store.
 * @param wait how long a run waits for another one of its feed, in milliseconds
 */
export function shopOn(store: Store, wait = 5000): Shop {
  const ledger = ledgerOf({ store, importing: (origin) => storeCatalog(store, origin) }, wait);
  const catalog = storeCatalog(store);

  async function importAll(feed: string, open: OpenRun, listed: Listed): Promise<Record<string, string[]>> {
    const notices: Record<string, string[]> = {};
    const recorder = open.addFile({ file: `${feed}.csv`, resource: 'product' });
    const target = storeCatalog(store, { recorder, ...(feed !== '' && { feed: feedRun(feed) }) });
    const batch = Object.entries(listed).map(([sku, item]) => rawEntry({ sku, ...item }));
    if (batch.length === 0) return notices;
    for await (const { data } of target.importBatches(products, [batch], { linesOf: () => batch.map((_, i) => i + 2) }))
      for (const { external_id: sku, action, code, notice } of data) {
        expect(action, String(code)).not.toBe('refused');
        notices[sku] = notice.map((one) => `${one.code} ${one.field}: ${one.message}`);
      }
    return notices;
  }

  return {
    store,
    ledger,
    async run(feed, listed, { suspends = false } = {}) {
      const flags = { feed, ...(suspends && { missing: 'suspend' as const }) };
      const open = await ledger.begin({ feed, detail: { command: 'products', files: [], options: flags } });
      const notices = await importAll(feed, open, listed);
      const keys = Float64Array.from(Object.keys(listed).map(hashNumber)).sort();
      const seen = { resource: products, keys, total: keys.length, untrusted: 0 };
      // Unlike an import, a run that lists nothing is complete here.
      const ended =
        feed === '' || keys.length === 0
          ? undefined
          : await endFeedRun(ledger, open, { command: 'products', flags: flags as never, runs: await ledger.runs() }, [
              seen,
            ]);
      if (keys.length === 0) await ledger.passOn(feed, open, seen, { runs: await ledger.runs() });
      await open.end({ state: 'done', exit: 0 }, ended?.keep);
      return { run: open.number, notices };
    },
    async unrecorded(listed) {
      const batch = Object.entries(listed).map(([sku, item]) => rawEntry({ sku, ...item }));
      for await (const { refused } of catalog.importBatches(products, [batch])) expect(refused).toBe(0);
    },
    async characteristics(...names) {
      const batch = names.map((name) => rawEntry(name === 'Colour' ? { kind: 'colour' } : { name }));
      for await (const { refused } of catalog.importBatches(resourceCalled('characteristics'), [batch]))
        expect(refused).toBe(0);
    },
    async undo(...numbers) {
      const runs = (await ledger.runs()).filter(({ number }) => numbers.includes(number));
      expect(runs).toHaveLength(numbers.length);
      const feed = runs.length === 1 ? (runs[0]?.feed ?? '') : '';
      const open = await ledger.begin({ feed, detail: { command: 'undo', files: [], undoes: numbers } });
      const result = await ledger.undo(numbers, open, new AbortController().signal);
      await open.end({ state: 'done', exit: 0 });
      return { run: open.number, ...result };
    },
    async product(sku) {
      const found = await catalog.read(products, { key: sku }, ['names', 'grades', 'attributes', 'media']);
      const { updated_at: _, created_at: __, id: ___, slug: ____, ...record } = found ?? {};
      return record;
    },
  };
}

/** A shop in memory, in which a day passes before each run. The clock is right again at the end of the test. */
export function nightlyShop(): Shop {
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const shop = shopOn(memoryStore());
  return {
    ...shop,
    run(...of) {
      now += 86_400_000;
      return shop.run(...of);
    },
  };
}
