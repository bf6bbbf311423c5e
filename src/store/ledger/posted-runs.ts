// Runs over HTTP: POSTs with the same `Catalog-Run` belong to one run; those without form one run per key and day. A
// run begins with its first batch that changes something, in the transaction of that batch. It ends when its client
// says so, or after a time of silence (`runs.ts`).
import type { Counts } from '../../core/import-report.js';
import type { EndCounts } from '../../core/ledger/feed-end.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import { type RunDetail, type RunRow, runId, runNumber, runSeries, runTable } from '../../core/ledger/run-tables.js';
import { addCounts, noCounts } from '../../core/report-counts.js';
import type { Resource } from '../../core/resource.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { RunRecorder } from './run-recorder.js';

/** The sender of a POST, and its name for the run. */
export interface PostedRun {
  /** Id and name of the API key. */
  readonly owner: string;
  readonly user: string;
  /** `Catalog-Run`, undefined if it was not sent. */
  readonly token: string | undefined;
  /** `Catalog-Feed`, '' if it was not sent. */
  readonly feed: string;
}

/** The resource and the file of a POST. */
export interface PostedFile {
  /** The name of the resource. */
  readonly resource: string;
  /** `Catalog-File`, '' if it was not sent. */
  readonly file: string;
}

/** Maximum files of a run that are distinguished; lines of further files are assigned to the last one. */
const mostFiles = 1000;

/**
 * Characters of stored texts that a POST of several items may replace: what was there before is kept in one piece, and takes several
 * times as much while it is written. A body of 3 kB over 40 large products took more than the thread of imports may have.
 */
const mostReplaced = 8 * 1024 * 1024;

/** Characters of stored texts of the records that a POST changes: 40 large products took 360 MB of the thread of imports. */
const mostLoaded = 64 * 1024 * 1024;

/** A token has no spaces, so that none is taken for a day. */
function keyAt({ owner, token }: PostedRun, now: number): string {
  return `${owner} ${token ?? `on ${new Date(now * 1000).toISOString().slice(0, 10)}`}`;
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The row of a new run; undefined while the last run number is not loaded. */
function beginPosted(draft: Draft, posted: PostedRun, file: PostedFile, now: number): RunRow | undefined {
  const series = draft.find(runSeries, 'id', 'run');
  if (draft.hasPending()) return undefined;
  const last = (series?.last ?? 0) + 1;
  draft.save(runSeries, { id: 'run', last }, series ?? null);
  const { user, token, feed } = posted;
  const detail: RunDetail = { command: 'POST', files: [file], user };
  const state = token === undefined ? 'daily' : 'received';
  const row: RunRow = {
    ...{ id: runId(last), key: keyAt(posted, now), feed, state, created_at: now, ended_at: null, seen_at: now },
    ...{ process: '', exit: null, chunks: 0, ...noCounts(), detail: JSON.stringify(detail) },
  };
  draft.save(runTable, row, null);
  return row;
}

/** The recorder of such POSTs, or of what the end of their run changes. */
export function recordPostedRun(
  posted: PostedRun,
  { resource, file }: PostedFile,
  end: Pick<RunRecorder, 'isEnd'> = {},
): RunRecorder {
  let place = 0;
  let detail: string | undefined;

  /** Finds the file among those of the run, or adds it, and notes which runs there are. */
  function noteIn(row: RunRow, last: number): void {
    const known = JSON.parse(row.detail) as RunDetail;
    const at = known.files.findIndex((one) => one.file === file && one.resource === resource);
    place = at === -1 ? Math.min(known.files.length, mostFiles - 1) : at;
    const files = at === -1 ? [...known.files.slice(0, place), { file, resource }] : known.files;
    const { seen = runNumber(row.id) } = known;
    const isKnown = at !== -1 && (end.isEnd === true || seen === last);
    detail = isKnown ? undefined : JSON.stringify({ ...known, files, seen: end.isEnd === true ? seen : last });
  }

  return {
    ...end,
    run: '',
    // A letter first: numbers are those of runs on this side.
    sharedRun: posted.token === undefined ? undefined : `p${(hashNumber(keyAt(posted, 0)) % 2 ** 31).toString(36)}`,
    keepsChanges: true,
    mostReplaced,
    ...(end.isEnd !== true && { mostLoaded }),
    get file() {
      return place;
    },
    ask(draft) {
      draft.find(runTable, 'key', keyAt(posted, seconds()));
      draft.find(runSeries, 'id', 'run');
    },
    find(draft, now) {
      const found = draft.find(runTable, 'key', keyAt(posted, now));
      if (draft.hasPending()) return undefined;
      const row = found ?? beginPosted(draft, posted, { resource, file }, now);
      const series = draft.find(runSeries, 'id', 'run');
      if (row === undefined || series === undefined) return undefined;
      noteIn(row, series.last);
      return row;
    },
    detail: () => detail,
    unwritten: noCounts(),
  };
}

/** The exit codes of an import that read its file, without refused rows and with some. */
const exits = { ok: 0, refused: 3 };

/** What is saved of the end of a run of POSTs. */
interface PostedRowEnd {
  /** What the end changed: `passed_on` since the run was ended for another resource. */
  readonly effects: EndCounts | undefined;
  readonly resource: Resource;
  /** Whether the run begins now if it has not begun. */
  readonly begins: boolean;
  /** Counts of its requests that are not in its row. */
  readonly counts: Readonly<Counts>;
}

/**
 * Ends the run of POSTs, if it has begun: a client that names its end did what it was to do, be it a part of its feed only.
 * @returns its row; undefined if it has not begun
 */
export function* planPostedEnd(
  draft: Draft,
  posted: PostedRun,
  { effects, resource: { name: resource }, begins, counts: unwritten }: PostedRowEnd,
): Generator<void, RunRow | undefined> {
  const now = seconds();
  const key = keyAt(posted, now);
  draft.find(runTable, 'key', key);
  if (begins) draft.find(runSeries, 'id', 'run');
  yield;
  const file = { resource, file: '' };
  const row = draft.find(runTable, 'key', key) ?? (begins ? beginPosted(draft, posted, file, now) : undefined);
  if (row === undefined) return undefined;
  const counts = { ...unwritten };
  addCounts(counts, row);
  const exit = counts.refused > 0 ? exits.refused : exits.ok;
  const detail = endedDetail(row, resource, effects);
  draft.save(runTable, { ...row, ...counts, state: 'done', exit, seen_at: now, ended_at: now, detail }, row);
  return row;
}

/** A run has one end for each resource: what they passed on adds up. */
function endedDetail({ detail }: RunRow, resource: string, effects: EndCounts | undefined): string {
  const known = JSON.parse(detail) as RunDetail;
  const passed = (known.effects?.passed_on ?? 0) + (effects?.passed_on ?? 0);
  const ended = [...new Set(known.ended).add(resource)];
  return JSON.stringify({
    ...known,
    ended,
    ...(effects && { effects: { ...effects, passed_on: passed } }),
  } satisfies RunDetail);
}

/** Whether a run has ended for a resource. */
export function hasEndedFor({ name }: Resource, { detail }: RunRow): boolean {
  const { ended = [] } = JSON.parse(detail) as RunDetail;
  return ended.includes(name);
}

/** The run of POSTs; undefined if it has not begun. */
export function* findPosted(draft: Draft, posted: PostedRun): Generator<void, RunRow | undefined> {
  const key = keyAt(posted, seconds());
  draft.find(runTable, 'key', key);
  yield;
  return draft.find(runTable, 'key', key);
}

/** The index of a file among those of a run; -1 if it is none of them. */
export function fileIndex({ detail }: RunRow, { file, resource }: PostedFile): number {
  return (JSON.parse(detail) as RunDetail).files.findIndex((one) => one.file === file && one.resource === resource);
}

/** Whether a run sent items of a resource, of which something was kept. */
export function hasSent({ detail }: RunRow, { name }: Resource): boolean {
  return (JSON.parse(detail) as RunDetail).files.some(({ resource }) => resource === name);
}
