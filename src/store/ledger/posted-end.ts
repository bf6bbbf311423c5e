// Ends a run over HTTP: the values of records its feed no longer lists pass to other feeds, and what it lists is saved, as far as that is
// known.
import { recordKey } from '../../core/fields/record-key.js';
import type { Counts, Report } from '../../core/import-report.js';
import { type EndLine, passedOnLines, runEffects } from '../../core/ledger/feed-end.js';
import { hasRanking } from '../../core/ledger/feed-ranking.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import { chunkId, offerTable, type RunRow, runNumber, suspensionTable } from '../../core/ledger/run-tables.js';
import { hasKey, type SeenKeys } from '../../core/ledger/seen-keys.js';
import { addCounts, noCounts } from '../../core/report-counts.js';
import type { Resource } from '../../core/resource.js';
import type { Store } from '../store.js';
import { describeChanges } from './change-description.js';
import { chunkChanges } from './change-reader.js';
import { type AllRuns, compareListing, countingRuns, type ListingChange, planListing } from './listing-change.js';
import { feedSettings, type ImportingStore, type PassedOn, passOnUnlisted, type Unlisted } from './listing-unlisted.js';
import {
  fileIndex,
  findPosted,
  hasEndedFor,
  hasSent,
  type PostedRun,
  planPostedEnd,
  recordPostedRun,
} from './posted-runs.js';
import { allRuns } from './runs.js';

/** Stands for the file name in changes that follow from a shorter listing. */
export const notListed = '(no longer listed)';

/** Stands for the file name in suspensions. */
export const suspendedSection = '(missing from the feed)';

/** Whether a file of a run is only the name of what its end changed. */
export function isEndSection(file: string): boolean {
  return file === notListed || file === suspendedSection;
}

/** What a client sends at the end of its run. */
export interface PostedRunEnd {
  readonly resource: Resource;
  /** Whether it sent every record that its feed lists for the resource. */
  readonly isComplete: boolean;
  /**
   * The keys of all these records, including those that were not sent or were refused; undefined if the client does not
   * send them.
   */
  readonly listed?: readonly string[];
  /** The request is sent again: an end that was complete is not done twice, as the feed may have had later runs. */
  readonly isRepeated?: boolean;
  /** Counts of the run's requests that are in no row yet. They are taken from there. */
  readonly unwritten?: readonly Counts[];
}

/**
 * Ends the run of POSTs, and saves what its feed lists like a local run: what the client says, otherwise what the run sent, which is
 * only known for ranked feeds.
 * @returns the records that this changed; undefined where nothing was done
 */
export async function endPostedRun(
  of: ImportingStore,
  posted: PostedRun,
  end: PostedRunEnd,
): Promise<readonly EndLine[] | undefined> {
  const { store } = of;
  const { resource, isComplete, listed = [], unwritten = [] } = end;
  const isOfFeed = isComplete && posted.feed !== '';
  const run = await store.read((draft) => findPosted(draft, posted));
  if (end.isRepeated && run !== undefined && hasEndedFor(resource, run)) return passedOnBefore(of, posted, resource);
  // The process may have died in the middle of the end.
  const before = end.isRepeated ? await passedOnBefore(of, posted, resource) : [];
  // An empty list never means that all records are gone.
  if (isOfFeed && listed.length > 0) return endListed(of, posted, seenOf(resource, listed), { before, run, unwritten });
  if (run === undefined) return undefined;
  // Nor does a run that sent nothing of the resource.
  const isEmpty = !isOfFeed || !hasSent(run, resource) || !hasRanking(await feedSettings(store));
  const ended = isEmpty ? undefined : await endOffered(of, posted, resource, run);
  const lines = [...before, ...(ended?.lines ?? [])];
  await endRow(of, posted, { resource, lines, unwritten, ...(ended?.change && { change: ended.change }) });
  return lines;
}

/** Ends a run whose client sent no list, where feeds are ranked: the feed lists what it offers. */
async function endOffered(
  of: ImportingStore,
  posted: PostedRun,
  resource: Resource,
  { id }: RunRow,
): Promise<Pick<ResourceEnd, 'lines' | 'change'>> {
  const runs = await allRuns(of.store);
  const isListed = (_: number, sentBy: string): boolean => sentBy === id;
  const { lines, listed } = await passOn(of, posted, { resource, isListed, run: runNumber(id), runs });
  const change = offeredListing({ feed: posted.feed, resource, runs }, listed);
  return { lines, ...(change && { change }) };
}

/**
 * The listing of a feed that offers these keys, by their hashes. Undefined while an import of a file for the feed is open: the end of
 * that import saves the listing.
 */
function offeredListing(
  { feed, resource, runs }: { readonly feed: string; readonly resource: Resource; readonly runs: AllRuns },
  hashes: readonly number[],
): ListingChange | undefined {
  // An empty list never means that all records are gone.
  if (hashes.length === 0) return undefined;
  if (runs.some((run) => run.feed === feed && run.state === 'open')) return undefined;
  const keys = Float64Array.from(hashes).sort();
  const seen = { resource, keys, total: keys.length, untrusted: 0 };
  return { before: undefined, seen, vanished: [], counts: countingRuns(runs) };
}

async function endListed(
  of: ImportingStore,
  posted: PostedRun,
  seen: SeenKeys,
  {
    before,
    run,
    unwritten,
  }: Pick<ResourceEnd, 'unwritten'> & { readonly before: readonly EndLine[]; readonly run: RunRow | undefined },
): Promise<readonly EndLine[]> {
  const { resource, keys } = seen;
  const runs = await allRuns(of.store);
  const change = await compareListing(of.store, posted.feed, seen, runs);
  const isListed = (hash: number): boolean => hasKey(keys, hash);
  const passed = await passOn(of, posted, { resource, isListed, run: run && runNumber(run.id), runs });
  const lines = [...before, ...passed.lines];
  await endRow(of, posted, { resource, lines, change, unwritten });
  return lines;
}

/** Applies the values of lower feeds to what the feed no longer lists. */
async function passOn(
  of: ImportingStore,
  posted: PostedRun,
  unlisted: Omit<Unlisted, 'feed'>,
): Promise<Pick<PassedOn, 'listed'> & { readonly lines: readonly EndLine[] }> {
  const lines: EndLine[] = [];
  const take = (report: Report): void => void lines.push(...passedOnLines(report, 'passed_on'));
  const recorder = recorderFor(posted, unlisted.resource);
  const { listed } = await passOnUnlisted(of, { feed: posted.feed, ...unlisted }, recorder, take);
  return { lines, listed };
}

/** What the end of the run has passed on for a resource so far. */
async function passedOnBefore({ store }: ImportingStore, posted: PostedRun, resource: Resource): Promise<EndLine[]> {
  const run = await store.read((draft) => findPosted(draft, posted));
  const file = run === undefined ? -1 : fileIndex(run, { file: notListed, resource: resource.name });
  if (run === undefined || file === -1) return [];
  const lines: EndLine[] = [];
  for (let nth = 0; nth < run.chunks; nth++) {
    const changes = (await chunkChanges(store, runNumber(run.id), nth)) ?? [];
    const own = changes.filter((one) => one.file === file && one.table !== offerTable.name);
    const described = await describeChanges(store, { chunk: chunkId(run.id, nth), changes: own }, () => resource);
    for (const { key, id, fields } of described) {
      const changed = fields.map(({ field, before = null, value = null }) => ({ field, from: before, to: value }));
      lines.push({ resource: resource.name, external_id: key, id, cause: 'passed_on', changes: changed });
    }
  }
  return lines;
}

/** What the end of a run for a resource did. */
interface ResourceEnd {
  readonly resource: Resource;
  readonly lines: readonly EndLine[];
  /** What the feed lists. A run that sent nothing new has no row yet; with a list it gets one. */
  readonly change?: ListingChange;
  readonly unwritten: readonly Counts[];
}

/** Ends the row of the run, with what its end changed in all. */
async function endRow(
  { store }: ImportingStore,
  posted: PostedRun,
  { resource, lines, change, unwritten }: ResourceEnd,
): Promise<void> {
  const { feed } = posted;
  const run = feed === '' ? undefined : await store.read((draft) => findPosted(draft, posted));
  const regained = run === undefined ? 0 : await regainedBy(store, run);
  const effects = feed === '' ? undefined : { ...runEffects(feed, lines).counts, regained };
  const counts = noCounts();
  for (const one of unwritten) {
    addCounts(counts, one);
    Object.assign(one, noCounts());
  }
  let isEnded = false;
  try {
    isEnded = await store.write(function* (draft) {
      const row = yield* planPostedEnd(draft, posted, { effects, resource, begins: change !== undefined, counts });
      if (row !== undefined && change !== undefined)
        yield* planListing(draft, { feed, run: runNumber(row.id) }, change);
      return row !== undefined;
    });
  } finally {
    // Kept for a later transaction, as those of one of the files.
    const [first] = unwritten;
    if (!isEnded && first !== undefined) addCounts(first, counts);
  }
}

/** How many records regained their status, as a run listed them again. */
async function regainedBy(store: Store, { id, chunks }: RunRow): Promise<number> {
  const isAnySuspended = await store.read(function* (draft) {
    draft.some(suspensionTable);
    yield;
    return draft.some(suspensionTable);
  });
  if (!isAnySuspended) return 0;
  let count = 0;
  for (let nth = 0; nth < chunks; nth++)
    for (const { table, columns, after } of (await chunkChanges(store, runNumber(id), nth)) ?? [])
      if (table === suspensionTable.name && after[columns.indexOf('run')] === '') count++;
  return count;
}

function recorderFor(posted: PostedRun, { name }: Resource) {
  return () => recordPostedRun(posted, { resource: name, file: notListed }, { isEnd: true });
}

function seenOf(resource: Resource, listed: readonly string[]): SeenKeys {
  const { same } = recordKey(resource.fields, resource.key);
  const hashes = new Set(listed.map((key) => hashNumber(same(key.trim()))));
  return { resource, keys: Float64Array.from(hashes).sort(), total: listed.length, untrusted: 0 };
}
