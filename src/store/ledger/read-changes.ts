// Reads the changes of runs: chunk by chunk of one run, or all that concern one record.
import type { ChangeOfRun, RecordedChange } from '../../core/ledger/recorded-change.js';
import { changeFilterTable, changeTable, chunkId, runId, runNumber, runOfChunk } from '../../core/ledger/run-tables.js';
import type { Row, Table } from '../../core/rows/table.js';
import type { Store } from '../store.js';
import { mayHold } from './record-filter.js';
import { unpackChanges } from './unpack-changes.js';

/** How many filters are checked at a time. */
const pageSize = 500;

/** Looks up rows of a table by their identifiers, in that order, without missing ones. */
function findAll<R extends Row>(store: Store, table: Table<R>, ids: readonly string[]): Promise<R[]> {
  return store.read(function* (draft) {
    for (;;) {
      const rows = ids.map((id) => draft.find(table, 'id', id));
      if (!draft.hasPending()) return rows.filter((row) => row !== undefined);
      yield;
    }
  });
}

/** The changes of a chunk of a run; undefined for an unknown chunk, or one whose history was deleted. */
export async function chunkChanges(store: Store, run: number, nth: number): Promise<RecordedChange[] | undefined> {
  const [chunk] = await findAll(store, changeTable, [chunkId(runId(run), nth)]);
  return chunk === undefined ? undefined : unpackChanges(chunk.body);
}

/** Identifiers of the chunks that may contain changes of a record, in the order of their creation. */
async function chunksAbout(store: Store, record: string, after: number): Promise<string[]> {
  const found: string[] = [];
  let behind: string | undefined;
  for (;;) {
    const page = { limit: pageSize, ...(behind !== undefined && { after: behind }) };
    const rows = await store.scan(changeFilterTable, page, given);
    for (const { id, filter } of rows) if (runNumber(runOfChunk(id)) > after && mayHold(filter, record)) found.push(id);
    if (rows.length < pageSize) return found.sort();
    behind = rows.at(-1)?.id;
  }
}

// biome-ignore lint/correctness/useYield: a plan yields only where something is pending
function* given<R>(rows: readonly R[]): Generator<void, readonly R[]> {
  return rows;
}

/**
 * All changes of a record by runs, the earliest first.
 * @param after only runs with higher numbers
 */
export async function changesOf(store: Store, record: string, after = 0): Promise<ChangeOfRun[]> {
  const found: ChangeOfRun[] = [];
  for (const id of await chunksAbout(store, record, after)) {
    const [chunk] = await findAll(store, changeTable, [id]);
    const own = chunk === undefined ? [] : unpackChanges(chunk.body).filter((change) => change.record === record);
    found.push(...own.map((change) => ({ run: runNumber(runOfChunk(id)), change })));
  }
  return found;
}
