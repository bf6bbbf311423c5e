// Finds records that a feed used to list and no longer does, and suspends them.
import {
  type ChangeLog,
  markChanges,
  newChangeLog,
  recordItem,
  rollbackChanges,
} from '../../core/ledger/change-log.js';
import { changedAt } from '../../core/ledger/changed-at.js';
import { type MissingKey, missingKeys } from '../../core/ledger/listing.js';
import { hasKey } from '../../core/ledger/seen-keys.js';
import { isShown, suspendRecord } from '../../core/ledger/suspension.js';
import { noCounts } from '../../core/report-counts.js';
import type { Resource } from '../../core/resource.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Table } from '../../core/rows/table.js';
import type { Store } from '../store.js';
import { type AllRuns, countingRuns, listingsOf, recordsOf, type VanishedRecord } from './listing-change.js';
import { listingsOfFeed } from './listing-rows.js';
import { changeRecorded, type RunRecorder } from './run-recorder.js';

/** A record that a feed no longer lists. */
export interface MissingRecord extends VanishedRecord {
  readonly resource: string;
  readonly lastRun: number;
  readonly sinceRun: number;
  /** How many complete runs did not list it. */
  readonly runs: number;
}

export async function missingOf(
  store: Store,
  feed: string,
  resources: readonly Resource[],
  runs: AllRuns,
): Promise<MissingRecord[]> {
  const counts = countingRuns(runs);
  const found: MissingRecord[] = [];
  const names = resources.map(({ name }) => name);
  for (const { row, listing } of await listingsOfFeed(store, feed, names)) {
    const resource = resources.find(({ name }) => name === row.resource) as Resource;
    const missing = new Map(missingKeys(listing, counts).map((key) => [key.hash, key]));
    for (const record of await recordsOf(store, resource, new Set(missing.keys()))) {
      found.push({ ...record, resource: resource.name, ...(missing.get(record.hash) as MissingKey) });
    }
  }
  return found;
}

/** How many records are suspended per transaction. */
const suspendedAtOnce = 500;

/**
 * Suspends records that a feed no longer lists, if nobody has changed their status and no other feed lists them.
 * @param recorder records the suspensions under the run
 * @returns the suspended records
 */
export async function suspendMissing(
  store: Store,
  {
    resource,
    records,
    feed,
    runs,
  }: {
    readonly resource: Resource;
    readonly records: readonly VanishedRecord[];
    readonly feed: string;
    readonly runs: AllRuns;
  },
  recorder: RunRecorder | undefined,
): Promise<VanishedRecord[]> {
  const others = [...(await listingsOf(store, resource.name, runs))].filter(([name]) => name !== feed);
  const alone = records.filter(({ hash }) => !others.some(([, { keys }]) => hasKey(keys, hash)));
  const suspended: VanishedRecord[] = [];
  for (let from = 0; from < alone.length; from += suspendedAtOnce) {
    const some = alone.slice(from, from + suspendedAtOnce);
    const plan = (draft: Draft, log: ChangeLog) =>
      planSuspension({ resource, records: some, run: recorder?.run ?? '' }, draft, log);
    const now = Math.floor(Date.now() / 1000);
    const { done } =
      recorder === undefined
        ? await store.dryRun((draft) => plan(draft, newChangeLog()))
        : await changeRecorded(store.write, { recorder, resource: resource.name, now }, plan);
    suspended.push(...done);
  }
  return suspended;
}

function* planSuspension(
  {
    resource,
    records,
    run,
  }: { readonly resource: Resource; readonly records: readonly VanishedRecord[]; readonly run: string },
  draft: Draft,
  log: ChangeLog,
) {
  const [root] = resource.tables as [Table];
  const now = Math.floor(Date.now() / 1000);
  for (;;) {
    draft.mark();
    markChanges(log);
    const done = records.filter(({ id }) => {
      const stored = draft.find(root, 'id', id);
      const next = stored && { ...stored, updated_at: changedAt(Number(stored['updated_at']), now) };
      if (stored === undefined || next === undefined || !isShown(stored['status'])) return false;
      const suspension = suspendRecord(next, run, draft);
      if (suspension === undefined) return false;
      draft.save(root, next, stored);
      recordItem(log, 0, { table: root, before: stored, next }, { saves: [suspension], count: 1 });
      return true;
    });
    if (!draft.hasPending()) {
      const counts = { ...noCounts(), updated: 0 };
      return {
        done,
        reports: [{ object: 'list' as const, resource: resource.name, dry_run: false, data: [], ...counts }],
      };
    }
    draft.rollback();
    rollbackChanges(log);
    yield;
  }
}
