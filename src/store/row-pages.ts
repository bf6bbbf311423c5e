// All rows of a table, page by page. Each page is consistent in itself; memory does not grow with the table.
import type { Row, Table } from '../core/rows/table.js';
import { isLastPage, type PageRequest, type Store } from './store.js';

const pageSize = 1000;

/** @param table with a column `id` */
export async function* rowPages<R extends Row>(store: Store, table: Table<R>): AsyncGenerator<readonly R[]> {
  for (let after: string | undefined; ; ) {
    const page: PageRequest = { limit: pageSize, ...(after !== undefined && { after }) };
    const rows = await store.scan(table, page, given);
    yield rows;
    if (isLastPage(table, rows, page)) return;
    after = String(rows.at(-1)?.['id']);
  }
}

/** A plan that returns the rows of a scan. */
// biome-ignore lint/correctness/useYield: a plan yields only where something is pending
export function* given<R>(rows: readonly R[]): Generator<void, readonly R[]> {
  return rows;
}
