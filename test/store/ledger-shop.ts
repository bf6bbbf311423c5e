// A shop of products with its ledger, whose feeds are imported and undone without a command line.
import { expect } from 'vitest';
import { rawEntry } from '../../src/core/entry.js';
import { hashNumber } from '../../src/core/ledger/recorded-change.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { feedRun } from '../../src/store/ledger/feed-run.js';
import { type Ledger, ledgerOf } from '../../src/store/ledger/ledger.js';
import type { OpenRun } from '../../src/store/ledger/runs.js';
import type { UndoResult } from '../../src/store/ledger/undo-run.js';
import type { Store } from '../../src/store/store.js';
import { resourceCalled } from '../given.js';

export const products = resourceCalled('products');

export type Item = Readonly<Record<string, unknown>>;
/** What a feed lists: items by their SKU. */
export type Listed = Readonly<Record<string, Item>>;

export interface Shop {
  readonly store: Store;
  readonly ledger: Ledger;
  /** A complete run of a feed. @returns its number, and the notices of its lines by SKU */
  run(feed: string, listed: Listed): Promise<{ readonly run: number; readonly notices: Record<string, string[]> }>;
  /** Undoes a run. @returns the number of the undo, and its result */
  undo(number: number): Promise<{ readonly run: number } & UndoResult>;
  product(sku: string): Promise<Record<string, unknown>>;
}

/** A shop on an empty store. */
export function shopOn(store: Store): Shop {
  const ledger = ledgerOf({ store, importing: (origin) => storeCatalog(store, origin) }, 5000);
  const catalog = storeCatalog(store);

  async function importAll(feed: string, open: OpenRun, listed: Listed): Promise<Record<string, string[]>> {
    const notices: Record<string, string[]> = {};
    const recorder = open.addFile({ file: `${feed}.csv`, resource: 'product' });
    const target = storeCatalog(store, { recorder, feed: feedRun(feed) });
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
    async run(feed, listed) {
      const open = await ledger.begin({ feed, detail: { command: 'products', files: [] } });
      const notices = await importAll(feed, open, listed);
      const keys = Float64Array.from(Object.keys(listed).map(hashNumber)).sort();
      const seen = { resource: products, keys, total: keys.length, untrusted: 0 };
      await ledger.passOn(feed, open, seen);
      const changes = [await ledger.compare(feed, seen)];
      await open.end({ state: 'done', exit: 0 }, (draft) =>
        ledger.planListings({ feed, run: open.number }, changes, draft),
      );
      return { run: open.number, notices };
    },
    async undo(number) {
      const undone = (await ledger.runs()).find((one) => one.number === number);
      if (undone === undefined) throw new Error(`there is no run ${number}`);
      const detail = { command: `undo ${number}`, files: [], undoes: number };
      const open = await ledger.begin({ feed: undone.feed, detail });
      const result = await ledger.undo(undone, open, new AbortController().signal);
      await open.end({ state: 'done', exit: 0 }, await ledger.relist(undone));
      return { run: open.number, ...result };
    },
    async product(sku) {
      const found = await catalog.read(products, { key: sku }, ['names', 'grades', 'attributes', 'media']);
      const { updated_at: _, created_at: __, id: ___, slug: ____, ...record } = found ?? {};
      return record;
    },
  };
}
