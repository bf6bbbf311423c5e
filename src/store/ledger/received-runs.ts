// Runs over HTTP: POSTs that come with one `Catalog-Run` are one, those without are one for each key and day. A run begins with
// its first batch that changes something, in the transaction of that batch.
import { type RunDetail, type RunRow, runId, runSeries, runTable } from '../../core/ledger/run-tables.js';
import { noCounts } from '../../core/report-counts.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { RunRecorder } from './run-recorder.js';

/** Whose POST it is, and what it calls its run. */
export interface PostedRun {
  /** The id of the API key, and its name. */
  readonly owner: string;
  readonly user: string;
  /** `Catalog-Run`, undefined where none was sent. */
  readonly token: string | undefined;
  /** `Catalog-Feed`, '' where none was sent. */
  readonly feed: string;
}

/** The recorder of such POSTs. `resource` is the name of what they import. */
export function receivedRun({ owner, user, token, feed }: PostedRun, resource: string): RunRecorder {
  const keyAt = (now: number): string => `${owner} ${token ?? new Date(now * 1000).toISOString().slice(0, 10)}`;
  const seconds = (): number => Math.floor(Date.now() / 1000);

  function begin(draft: Draft, key: string, now: number): RunRow | undefined {
    const series = draft.find(runSeries, 'id', 'run');
    if (draft.hasPending()) return undefined;
    const last = (series?.last ?? 0) + 1;
    draft.save(runSeries, { id: 'run', last }, series ?? null);
    const detail: RunDetail = { command: 'POST', files: [{ file: '', resource }], user };
    const state = token === undefined ? 'daily' : 'received';
    const row: RunRow = {
      ...{ id: runId(last), key, feed, state, created_at: now, ended_at: null, seen_at: now, process: '' },
      ...{ exit: null, chunks: 0, ...noCounts(), detail: JSON.stringify(detail) },
    };
    draft.save(runTable, row, null);
    return row;
  }

  return {
    run: '',
    file: 0,
    ask: (draft) => void draft.find(runTable, 'key', keyAt(seconds())),
    find(draft, now) {
      const key = keyAt(now);
      const row = draft.find(runTable, 'key', key);
      if (draft.hasPending()) return undefined;
      return row ?? begin(draft, key, now);
    },
    detail: () => undefined,
    unwritten: noCounts(),
  };
}
