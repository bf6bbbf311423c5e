// Plans batches on a store in memory as imports of feeds do: each call is a transaction.
import type { Report } from '../../../src/core/import-report.js';
import { type FeedSettings, noFeedSettings } from '../../../src/core/ledger/feed-ranking.js';
import { feedSettingsTable } from '../../../src/core/ledger/run-tables.js';
import type { ImportMode } from '../../../src/core/planning/item-task.js';
import { type PlanContext, type PlanResult, planBatches } from '../../../src/core/planning/plan-batches.js';
import type { FeedContext } from '../../../src/core/planning/ranking/rank-item.js';
import { viewRecord } from '../../../src/core/reading/record-view.js';
import type { Resource } from '../../../src/core/resource.js';
import type { Row, Table } from '../../../src/core/rows/table.js';
import { batchOf } from '../../entries.js';
import { resourceCalled } from '../../given.js';
import { memoryStore } from '../../store/memory-store.js';

/** A run of a feed, which may send in several transactions. */
interface Run {
  /** Imports items in one batch. */
  send(word: string, items: readonly unknown[], mode?: Partial<ImportMode>): Promise<Report>;
}

export interface Shop extends Run {
  /** @param context what differs from an import of a file */
  run(feed: string, context?: Partial<FeedContext> & { readonly id?: string }): Run;
  plan(word: string, batches: readonly (readonly unknown[])[], context?: Partial<PlanContext>): Promise<PlanResult>;
  product(sku: string): Promise<Readonly<Record<string, unknown>>>;
  settings(): Promise<FeedSettings>;
  rows(table: Table): Promise<readonly Row[]>;
  save(table: Table, ...rows: readonly Row[]): Promise<void>;
  /** How many items were decided so far. */
  decided(): number;
}

export async function shopWith(settings?: Partial<FeedSettings>): Promise<Shop> {
  const store = memoryStore();
  let now = 1_700_000_000;
  let decided = 0;
  let runs = 0;

  function counted(word: string): Resource {
    const resource = resourceCalled(word);
    return {
      ...resource,
      decide(task) {
        decided++;
        resource.decide(task);
      },
    };
  }

  const shop: Shop = {
    async plan(word, batches, { mode, ...context } = {}) {
      now += 60;
      const environment = { now, isLanguage: () => true, slugify: (text: string) => text.toLowerCase(), rules: 'test' };
      const planned = {
        environment,
        mode: { dryRun: false, diff: false, comparesLists: true, ...mode },
        ...context,
      };
      const perform = planned.mode.dryRun ? store.dryRun : store.write;
      return perform((draft) => planBatches(counted(word), batches.map(batchOf), draft, planned));
    },
    async send(word, items, mode) {
      const { reports } = await shop.plan(word, [items], { mode: mode as ImportMode });
      return reports[0] as Report;
    },
    run(feed, { id = String(++runs), ...context } = {}) {
      const sent = new Set<number>();
      const told: FeedContext = {
        ...{ feed, marksAll: false, lists: true },
        hasSent: (key) => sent.has(key),
        runOf: () => id,
        isSentSince: () => false,
        ...context,
      };
      return {
        async send(word, items, mode) {
          const result = await shop.plan(word, [items], { feed: told, mode: mode as ImportMode });
          for (const key of result.sent ?? []) sent.add(key);
          return result.reports[0] as Report;
        },
      };
    },
    product: (sku) => {
      const resource = resourceCalled('products');
      return store.read(function* (draft) {
        for (;;) {
          const row = resource.find({ key: sku }, draft);
          const view = row && viewRecord(resource, row, draft, { now });
          if (!draft.hasPending()) return view ?? {};
          yield;
        }
      });
    },
    async settings() {
      const [row] = await store.readAll(feedSettingsTable);
      return row === undefined ? noFeedSettings : (JSON.parse(row.settings) as FeedSettings);
    },
    rows: (table) => store.readAll(table),
    save: (table, ...rows) => store.save(new Map([[table, { created: rows as Row[], changed: new Map() }]])),
    decided: () => decided,
  };
  if (settings !== undefined) {
    const row = { id: 'feeds', settings: JSON.stringify({ ...noFeedSettings, ...settings }) };
    await shop.save(feedSettingsTable as Table, row);
  }
  return shop;
}
