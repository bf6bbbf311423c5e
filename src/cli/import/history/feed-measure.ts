// What the guards of a feed compare with: the row counts of its last accepted run and the keys it listed, from the
// ledger of a local catalog or, for a remote, from files next to the journals; and the catalog of the dry run that is
// judged.

import type { Catalog } from '../../../core/catalog.js';
import type { OfFile } from '../../../core/diagnostics/warning-kind.js';
import type { Report } from '../../../core/import-report.js';
import type { AcceptedRows } from '../../../core/ledger/filled-fields.js';
import { difference } from '../../../core/ledger/listing.js';
import type { SeenKeys } from '../../../core/ledger/seen-keys.js';
import type { Guard } from '../../../importing/guards/guard.js';
import type { WeekBefore } from '../../../importing/guards/judge.js';
import type { CatalogFor } from '../../../importing/run-import.js';
import { feedRun } from '../../../store/ledger/run-of-feed.js';
import type { LedgerRun } from '../../../store/ledger/runs.js';
import type { LocalCatalog } from '../../../store/open.js';
import { chooseTarget, localFile, openLocal, openTarget } from '../../options.js';
import type { FeedFlags } from '../options/feed-options.js';
import { closeRemembered, type RememberedCatalog, rememberedCatalog } from '../remote/changed-only.js';
import type { ListingEnd } from '../remote/listing-file.js';
import { remoteListing } from '../remote/remote-listing.js';
import type { GuardContext } from './guard-context.js';
import { acceptedRuns, weekBefore } from './week-before.js';

/** The base of comparison for a run of a feed. */
export interface FeedMeasure {
  /** What its last accepted run read, by resource name; empty before its first run, and without a feed. */
  readonly rows: ReadonlyMap<string, AcceptedRows>;
  /** The identifiers of records whose creation was undone; empty for a remote, and without a feed. */
  readonly takenBack: ReadonlySet<string>;
  /** The identifiers of records that a run suspended: that they are shown again is no accident. */
  readonly suspended: ReadonlySet<string>;
  /** Whether its dry run compares each batch with the stored records, without the changes of earlier batches. */
  readonly comparesStored: boolean;
  /** Every run of the catalog; none for a remote. */
  readonly runs: readonly LedgerRun[];
  /** The week before, for a guard of a resource. */
  week(compared: { readonly guard: Guard; readonly resource: string; readonly share: number }): WeekBefore | undefined;
  /** Identifies the catalog; '' if it does not exist yet, and for a remote. */
  identity(): Promise<string>;
  /**
   * Lists the keys that the feed listed and this run does not.
   * @returns how many keys this run lists that the last one did not
   */
  vanished(seen: SeenKeys, name: (key: string) => void): Promise<number>;
  /**
   * Rehearses what the end of the run passes on: the values of lower feeds for the records that this run does not list.
   * Nothing for a remote, which does so only once the run has ended.
   * @param take is called with the report on each batch
   */
  passedOn(seen: SeenKeys, take: (report: Report) => void): Promise<void>;
  readonly catalogFor: CatalogFor;
  close(): Promise<void>;
}

export function feedMeasure(context: GuardContext): Promise<FeedMeasure> {
  const { flags, process } = context;
  return 'remote' in chooseTarget(flags, process.env) ? remoteMeasure(context) : localMeasure(context);
}

/** Reads the ledger of the catalog that the dry run reads. A missing catalog is not created. */
async function localMeasure({ flags, process: { env }, begin }: GuardContext): Promise<FeedMeasure> {
  const { hasCatalog } = await import('../../../store/open.js');
  const isThere = await hasCatalog(localFile(flags, env));
  if (flags.feed !== undefined && isThere) await begin();
  const scratch: LocalCatalog = await openLocal(flags, env, { create: true, scratch: true });
  try {
    const ledger = await scratch.ledger();
    const rehearsed = ofFeed(scratch, flags);
    const runs = await ledger.runs();
    const accepted = flags.feed === undefined ? [] : acceptedRuns(runs, flags.feed);
    const now = Math.floor(Date.now() / 1000);
    return {
      rows: flags.feed === undefined ? new Map() : await ledger.acceptedRows(flags.feed, runs),
      takenBack: flags.feed === undefined ? new Set() : await ledger.takenBack(),
      suspended: flags.feed === undefined ? new Set() : await ledger.suspendedRecords(),
      comparesStored: false,
      runs,
      week: (compared) => weekBefore(accepted, now, compared),
      identity: async () => (isThere ? await ledger.identity() : ''),
      async vanished(seen, name) {
        if (flags.feed === undefined) return 0;
        const { before, vanished } = await ledger.compare(flags.feed, seen, runs);
        for (const { key } of vanished) name(key);
        return before === undefined ? 0 : difference(seen.keys, before.keys).length;
      },
      async passedOn(seen, take) {
        if (flags.feed !== undefined) await ledger.passOn(flags.feed, undefined, seen, { runs, onReport: take });
      },
      catalogFor: () => rehearsed,
      close: () => scratch.close(),
    };
  } catch (error) {
    await scratch.close();
    throw error;
  }
}

/** A catalog with the feed ranking of this import applied. */
export function ofFeed(catalog: LocalCatalog, { feed }: FeedFlags): Catalog {
  return feed === undefined ? catalog : catalog.importing({ feed: feedRun(feed) });
}

/** A dry run on the remote; with --changed-only of items that differ from those it acknowledged. */
async function remoteMeasure({ flags, process: { env }, begin, log }: GuardContext): Promise<FeedMeasure> {
  if (flags.feed !== undefined) await begin();
  const listing = flags.feed === undefined ? undefined : remoteListing(flags, env, { log, guards: () => [] });
  const ends: ReadonlyMap<string, ListingEnd> = (await listing?.ends()) ?? new Map();
  const now = Math.floor(Date.now() / 1000);
  const files: (RememberedCatalog & OfFile)[] = [];
  // The whole file is judged, what an earlier run of it sent included: no journal is read.
  const rehearsed = { ...flags, dryRun: true, resume: false };
  const target = await openTarget(flags, env, { create: false, scratch: true });
  return {
    rows: ends,
    takenBack: new Set(),
    suspended: new Set(),
    comparesStored: true,
    runs: [],
    week: (compared) => weekBefore(ends.get(compared.resource)?.nights ?? [], now, compared),
    identity: async () => '',
    async vanished(seen, name) {
      return (await listing?.vanished(seen, name)) ?? 0;
    },
    passedOn: async () => undefined,
    async catalogFor(file) {
      const opened = await rememberedCatalog(file, target, rehearsed, { env, say: () => undefined });
      files.push({ ...opened, file: file.source.file });
      return opened.catalog;
    },
    async close() {
      // A damaged record is replaced by whoever reads it first: the import finds a new one.
      for (const { acknowledged, file } of files)
        if (acknowledged?.wasDamaged() === true) log.warn('acknowledgements_damaged', { file });
      await closeRemembered(files, false);
      await target.catalog.close();
    },
  };
}
