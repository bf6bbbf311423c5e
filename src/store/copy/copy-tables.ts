// The tables of a catalog in copying order: those that others refer to come first.
import { apiKeyTable } from '../../core/api-key.js';
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
import type { Table } from '../../core/rows/table.js';

/** A table of records with its child tables. */
export interface RecordTables {
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
export const recordTables: readonly RecordTables[] = [
  ...ofResources(),
  ...[apiKeyTable, ...ledger].map((records: Table) => ({ records, parts: [] })),
];

/** Small bookkeeping tables, which are read at once. */
export const bookkeepingTables: readonly Table[] = [slugSeries, runSeries, idempotencyTable];
