// A page of a store's records in their read shape: the rows after a given one, optionally those changed since a time.
import type { ListRequest, RecordPage } from '../core/catalog.js';
import type { ReadShape } from '../core/import-report.js';
import { type Included, viewRecord } from '../core/reading/record-view.js';
import type { Resource } from '../core/resource.js';
import type { Draft } from '../core/rows/snapshot.js';
import type { Row, Table } from '../core/rows/table.js';
import { isLastPage, type Store } from './store.js';

/** Rows scanned in one step if only changed ones are wanted: a server answers other requests in between. */
const rowsAtOnce = 500;
/** Maximum rows scanned for one page. If few of many changed, a page ends early, with a cursor. */
const mostRows = 20_000;

/** Rows of a page so far. */
interface Part {
  readonly records: readonly ReadShape[];
  /** The last row that was scanned; undefined if there was none. */
  readonly last: string | undefined;
  readonly isEnd: boolean;
}

/** Lists records of a resource page by page (`Catalog.list`). */
export async function listRecords(store: Store, resource: Resource, request: ListRequest): Promise<RecordPage> {
  const { limit, updatedSince } = request;
  const table = resource.tables[0] as Table;
  const records: ReadShape[] = [];
  const included = { include: request.include, now: Math.floor(Date.now() / 1000) };
  let after = request.after;
  for (let looked = 0; looked < mostRows; looked += rowsAtOnce) {
    const wanted = limit - records.length;
    const page = { limit: updatedSince === undefined ? wanted : rowsAtOnce, ...(after !== undefined && { after }) };
    const part = await store.scan(table, page, (rows, draft) =>
      viewRows(rows, { resource, included, updatedSince, wanted, isEnd: isLastPage(table, rows, page) }, draft),
    );
    records.push(...part.records);
    after = part.last ?? after;
    if (part.isEnd) return { records, next: undefined };
    if (records.length === limit) break;
  }
  return { records, next: after };
}

interface PageView {
  readonly resource: Resource;
  readonly included: Included;
  readonly updatedSince: number | undefined;
  /** How many records the page still takes. */
  readonly wanted: number;
  /** No row follows these. */
  readonly isEnd: boolean;
}

function* viewRows(
  rows: readonly Row[],
  { resource, included, updatedSince = 0, wanted, isEnd }: PageView,
  draft: Draft,
): Generator<void, Part> {
  const changed = updatedSince === 0 ? rows : rows.filter((row) => Number(row['updated_at']) >= updatedSince);
  const taken = changed.slice(0, wanted);
  // Rows after the last one that fits belong to the next page.
  const isCut = taken.length < changed.length;
  const last = (isCut ? taken : rows).at(-1)?.['id'];
  // The first record alone makes pending what all of them need, so that the others are viewed once, and not several
  // times.
  const [first] = taken;
  while (first !== undefined && asks(resource, first, draft, included)) yield;
  for (;;) {
    const records = taken.map((row) => viewRecord(resource, row, draft, included));
    if (!draft.hasPending())
      return { records, last: last === undefined ? undefined : String(last), isEnd: isEnd && !isCut };
    yield;
  }
}

/** Whether viewing a row leaves look-ups pending. */
function asks(resource: Resource, row: Row, draft: Draft, included: Included): boolean {
  viewRecord(resource, row, draft, included);
  return draft.hasPending();
}
