// Copies a whole catalog from one store to another: every row with its identifiers, page by page. An interrupted copy
// can be continued: existing rows are compared and skipped. At the end both sides are counted and digested.
import { createHash } from 'node:crypto';
import { apiKeyTable } from '../../core/api-key.js';
import { CatalogError } from '../../core/errors.js';
import {
  changeTable,
  feedSettingsTable,
  listingTable,
  offerTable,
  runSeries,
  runTable,
  suspensionTable,
} from '../../core/ledger/run-tables.js';
import { idempotencyTable } from '../../core/planning/idempotency-records.js';
import { slugSeries } from '../../core/planning/slug.js';
import { resources, shopResources } from '../../core/resources/index.js';
import { rowKey } from '../../core/rows/draft-state.js';
import type { Pending, RowSink, SavedRows } from '../../core/rows/snapshot.js';
import type { Row, Table } from '../../core/rows/table.js';
import { isLastPage, type Store } from '../store.js';
import { tableWords } from '../table-words.js';
import { untilLoaded } from '../until-loaded.js';

const pageSize = 500;

/** A summary of a table: its number of rows, and a digest that does not depend on their order. */
interface TableSum {
  count: number;
  readonly digest: Uint32Array;
}

export interface Copied {
  /** Rows by table, without empty tables. */
  readonly counts: ReadonlyMap<string, number>;
  /** How many existed already. */
  readonly present: number;
  /** 64 hexadecimal digits, equal for equal catalogs in any store. */
  readonly digest: string;
}

type Tallies = Map<string, TableSum>;

/** A page of records with their child rows, by table. */
type Page = ReadonlyMap<Table, readonly Row[]>;

function add(tallies: Tallies, { name, columns }: Table, row: Row): void {
  const tally = tallies.get(name) ?? { count: 0, digest: new Uint32Array(8) };
  tallies.set(name, tally);
  tally.count++;
  const hash = createHash('sha256')
    .update(JSON.stringify([name, ...columns.map((column) => row[column])]))
    .digest();
  // The sum of the digests, since another store returns rows in another order.
  for (let i = 0; i < 8; i++) tally.digest[i] = (tally.digest[i] as number) + hash.readUInt32LE(4 * i);
}

function digestOf(tallies: Tallies): string {
  const hash = createHash('sha256');
  for (const [name, { count, digest }] of [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${name} ${count} ${digest.join()}\n`);
  return hash.digest('hex');
}

/** Reads the records of a table page by page, each page on a consistent view. */
async function* pagesOf(store: Store, { records, parts }: RecordTables): AsyncGenerator<Page> {
  for (let after: string | undefined; ; ) {
    const page = { limit: pageSize, ...(after !== undefined && { after }) };
    const read: Page = await store.scan(records, page, (rows, draft) =>
      untilLoaded(draft, () => {
        const found = parts.map(
          (part) => [part, rows.flatMap((row) => draft.children(part, String(row['id'])))] as const,
        );
        return new Map<Table, readonly Row[]>([[records, rows], ...found]);
      }),
    );
    yield read;
    const rows = read.get(records) ?? [];
    if (isLastPage(records, rows, page)) return;
    after = String(rows.at(-1)?.['id']);
  }
}

/** The stored rows with the same identities as these, by identity. */
async function counterparts(store: Store, table: Table, rows: readonly Row[]): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>();
  if (rows.length === 0) return found;
  const keys = new Set(rows.map((row) => rowKey(table.id, row)));
  const pending: Pending = { rows: new Map([[table, new Map([['id', keys]])]]), children: new Map(), some: new Set() };
  const sink: RowSink = {
    missing: () => undefined,
    loaded: (_table, _lookup, _key, row) => void found.set(rowKey(table.id, row), row),
    loadedChildren: () => undefined,
    loadedSome: () => undefined,
    addHeads: () => undefined,
  };
  await store.load(pending, sink);
  return found;
}

/** Refuses a target that contains a row the source does not have, before anything is written. */
async function refuseOthers(from: Store, to: Store): Promise<void> {
  const refuse = (table: Table, row: Row): never => {
    throw new CatalogError(
      'usage',
      `The catalog to copy into has other ${tableWords(table.name)} already, such as ${row[table.id[0] ?? '']}. Copy into an empty one.`,
    );
  };
  const check = async (table: Table, rows: readonly Row[]): Promise<void> => {
    const known = await counterparts(from, table, rows);
    for (const row of rows) {
      const own = known.get(rowKey(table.id, row));
      if (own === undefined || !table.same(own, row)) refuse(table, row);
    }
  };
  for (const tables of recordTables)
    for await (const page of pagesOf(to, tables)) for (const [table, rows] of page) await check(table, rows);
  for (const table of bookkeepingTables) await check(table, await to.readAll(table));
}

/** Writes the rows of a page that do not exist yet. */
async function write(to: Store, page: Page): Promise<number> {
  const saved = new Map<Table, SavedRows>();
  let present = 0;
  for (const [table, rows] of page) {
    const there = await counterparts(to, table, rows);
    const created = rows.filter((row) => !there.has(rowKey(table.id, row)));
    present += rows.length - created.length;
    if (created.length > 0) saved.set(table, { created, changed: new Map() });
  }
  if (saved.size > 0) await to.save(saved);
  return present;
}

/** Rows of a tree, parents before children. */
function* topDown(table: Table, rows: readonly Row[]): Generator<readonly Row[]> {
  const above = table.above as string;
  let level = rows.filter((row) => row[above] === null);
  const below = new Map<unknown, Row[]>();
  for (const row of rows) {
    const children = below.get(row[above]) ?? [];
    below.set(row[above], children);
    children.push(row);
  }
  for (; level.length > 0; level = level.flatMap((row) => below.get(row['id']) ?? []))
    for (let i = 0; i < level.length; i += pageSize) yield level.slice(i, i + pageSize);
}

/** The pages of a table in writing order. Trees are read as a whole. */
async function* inWritingOrder(from: Store, tables: RecordTables): AsyncGenerator<Page> {
  if (tables.records.above === undefined) return yield* pagesOf(from, tables);
  const rows: Row[] = [];
  for await (const page of pagesOf(from, tables)) rows.push(...(page.get(tables.records) ?? []));
  for (const level of topDown(tables.records, rows)) yield new Map([[tables.records, level]]);
}

async function tallyOf(store: Store): Promise<Tallies> {
  const tallies: Tallies = new Map();
  for (const tables of recordTables)
    for await (const page of pagesOf(store, tables))
      for (const [table, rows] of page) for (const row of rows) add(tallies, table, row);
  for (const table of bookkeepingTables) for (const row of await store.readAll(table)) add(tallies, table, row);
  return tallies;
}

/**
 * Copies a catalog to an empty one, or continues an interrupted copy.
 * @param onPage called with the number of rows read so far
 * @throws CatalogError `usage` if the target contains other records, `catalog_unusable` if the copies differ in the end
 */
export async function copyCatalog(from: Store, to: Store, onPage: (rows: number) => void): Promise<Copied> {
  await refuseOthers(from, to);
  const tallies: Tallies = new Map();
  let present = 0;
  let read = 0;
  const take = async (page: Page): Promise<void> => {
    for (const [table, rows] of page) {
      for (const row of rows) add(tallies, table, row);
      read += rows.length;
    }
    present += await write(to, page);
    onPage(read);
  };
  for (const tables of recordTables) for await (const page of inWritingOrder(from, tables)) await take(page);
  for (const table of bookkeepingTables) {
    const rows = await from.readAll(table);
    for (let i = 0; i < rows.length; i += pageSize) await take(new Map([[table, rows.slice(i, i + pageSize)]]));
  }
  const digest = digestOf(tallies);
  if (digestOf(await tallyOf(to)) !== digest)
    throw new CatalogError(
      'catalog_unusable',
      'The two catalogs differ: the source was changed while it was copied. Stop all writers, and copy again into an empty catalog.',
    );
  return { counts: new Map([...tallies].map(([name, { count }]) => [name, count])), present, digest };
}

/** A table of records with its child tables. */
interface RecordTables {
  readonly records: Table;
  readonly parts: readonly Table[];
}

/** Records of the catalog, after those of the shop. */
function ofResources(): RecordTables[] {
  const found = new Map<string, RecordTables>();
  for (const { tables } of [...shopResources, ...resources]) {
    const [records, ...parts] = tables;
    if (records === undefined || found.has(records.name)) continue;
    // Bookkeeping tables have no child tables.
    found.set(records.name, { records, parts: parts.filter(({ parent }) => parent !== undefined) });
  }
  return [...found.values()];
}

const ledger = [runTable, changeTable, feedSettingsTable, listingTable, suspensionTable, offerTable];

/** Tables whose rows have identifiers and are read page by page. */
const recordTables: readonly RecordTables[] = [
  ...ofResources(),
  ...[apiKeyTable, ...ledger].map((records: Table) => ({ records, parts: [] })),
];

/** Small bookkeeping tables, which are read at once. */
const bookkeepingTables: readonly Table[] = [slugSeries, runSeries, idempotencyTable];
