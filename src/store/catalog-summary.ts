// Summarizes a catalog: the records of each resource by status, and the time of their last change. Works on any store,
// by a scan.
import type { Resource } from '../core/resource.js';
import type { Table } from '../core/rows/table.js';
import { rowPages } from './row-pages.js';
import type { Store } from './store.js';

/** The records of one resource. */
export interface ResourceSummary {
  readonly resource: Resource;
  readonly count: number;
  /** By status, the most frequent first. */
  readonly byStatus: Readonly<Record<string, number>>;
  /** When one of them last changed, in Unix seconds; undefined if there are none. */
  readonly lastChange: number | undefined;
}

/** Counts the records of resources. Each page is consistent in itself; memory does not grow with the catalog. */
export async function summarizeCatalog(
  store: Store,
  resources: readonly Resource[],
): Promise<readonly ResourceSummary[]> {
  const summaries: ResourceSummary[] = [];
  for (const resource of resources) summaries.push(await summarize(store, resource));
  return summaries;
}

async function summarize(store: Store, resource: Resource): Promise<ResourceSummary> {
  const table = resource.tables[0] as Table;
  const statuses = new Map<string, number>();
  let count = 0;
  let lastChange: number | undefined;
  for await (const rows of rowPages(store, table)) {
    for (const { status, updated_at } of rows) {
      statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
      lastChange = Math.max(lastChange ?? 0, Number(updated_at));
    }
    count += rows.length;
  }
  const byStatus = Object.fromEntries([...statuses].sort(([, a], [, b]) => b - a));
  return { resource, count, byStatus, lastChange };
}
