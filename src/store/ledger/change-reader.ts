// Reads the changes of runs: chunk by chunk of one run, or all that concern one record; their stored form is in change-chunk.ts.
import { inflateRawSync } from 'node:zlib';
import { CatalogError } from '../../core/errors.js';
import type { ChangeOfRun, HashedValue, RecordedChange } from '../../core/ledger/recorded-change.js';
import { changeFilterTable, changeTable, chunkId, runId, runNumber, runOfChunk } from '../../core/ledger/run-tables.js';
import type { Value } from '../../core/rows/table.js';
import { rowPages } from '../row-pages.js';
import type { Store } from '../store.js';
import { untilLoaded } from '../until-loaded.js';
import { firstMark, type PackedChunk, type PackedGroup, type PackedValue } from './change-chunk.js';
import { mayHold } from './change-filter.js';

/** The changes of a chunk by its identifier; undefined for an unknown one, or one whose history was deleted. */
async function changesIn(store: Store, id: string): Promise<RecordedChange[] | undefined> {
  const chunk = await store.read((draft) => untilLoaded(draft, () => draft.find(changeTable, 'id', id)));
  return chunk === undefined ? undefined : unpackChanges(chunk.body);
}

/** The changes of a chunk of a run; undefined for an unknown chunk, or one whose history was deleted. */
export function chunkChanges(store: Store, run: number, nth: number): Promise<RecordedChange[] | undefined> {
  return changesIn(store, chunkId(runId(run), nth));
}

/** Identifiers of the chunks after one that may contain changes of some records, in the order of their creation. */
async function chunksAbout(store: Store, records: readonly string[], after = ''): Promise<string[]> {
  const found: string[] = [];
  for await (const rows of rowPages(store, changeFilterTable))
    for (const { id, filter } of rows)
      if (id > after && records.some((record) => mayHold(filter, record))) found.push(id);
  return found.sort();
}

/** All changes of a record by runs, the earliest first. */
export async function changesOf(store: Store, record: string): Promise<ChangeOfRun[]> {
  const found: ChangeOfRun[] = [];
  for (const id of await chunksAbout(store, [record])) {
    const own = ((await changesIn(store, id)) ?? []).filter((change) => change.record === record);
    found.push(...own.map((change) => ({ run: runNumber(runOfChunk(id)), change })));
  }
  return found;
}

/** What identifies the row of a change. */
export function changeKey({ record, table, row }: RecordedChange): string {
  return `${record} ${table} ${JSON.stringify(row)}`;
}

/** What the chunks after one changed in the rows of some changes, the latest first, by `changeKey`. */
export async function changesSince(
  store: Store,
  chunk: string,
  changes: readonly RecordedChange[],
): Promise<Map<string, readonly RecordedChange[]>> {
  const found = new Map(changes.map((change) => [changeKey(change), [] as RecordedChange[]]));
  const records = [...new Set(changes.map(({ record }) => record))];
  for (const id of records.length === 0 ? [] : (await chunksAbout(store, records, chunk)).reverse())
    for (const change of ((await changesIn(store, id)) ?? []).reverse()) found.get(changeKey(change))?.push(change);
  return found;
}

/** Parses a stored text into its changes, in the order in which they were made; those of one item in any order. */
export function unpackChanges(body: string): RecordedChange[] {
  const text = body.startsWith('{') ? body : inflateRawSync(Buffer.from(body, 'base64')).toString();
  const { resource, file, groups } = JSON.parse(text) as Partial<PackedChunk>;
  if (resource === undefined || file === undefined || groups === undefined)
    throw new CatalogError(
      'catalog_unusable',
      'What this run changed was recorded by a build before 0.1.0, whose history is not read any more. The records are ' +
        'as they were; to have a history again, import into a new catalog.',
    );
  const found: { readonly place: number; readonly change: RecordedChange }[] = [];
  for (const group of groups) {
    let [line, place, markAfter, markBefore] = [0, 0, 0, 0];
    for (const [at, record] of frontDecoded(group.records).entries()) {
      line += group.lines[at] ?? 0;
      markAfter += group.marksAfter[at] ?? 0;
      markBefore += group.marksBefore[at] ?? 0;
      place = group.order === undefined ? line : place + (group.order[at] ?? 0);
      found.push({ place, change: { resource, file, line, markBefore, markAfter, ...changeAt(group, at, record) } });
    }
  }
  return found.sort((a, b) => a.place - b.place).map(({ change }) => change);
}

function frontDecoded(coded: readonly string[]): string[] {
  let before = '';
  return coded.map((text) => {
    before = before.slice(0, text.charCodeAt(0) - firstMark) + text.slice(1);
    return before;
  });
}

function changeAt(
  { table, columns, isNew, keyColumns = [], keys = [], before: befores = [], after: afters = [] }: PackedGroup,
  at: number,
  record: string,
): Omit<RecordedChange, 'resource' | 'file' | 'line' | 'markBefore' | 'markAfter'> {
  const row =
    keyColumns.length === 0
      ? { id: record }
      : Object.fromEntries(keyColumns.map((name, c) => [name, keys[c]?.[at] ?? null]));
  const before = befores.map((values) => values[at] ?? null);
  const after = afters.map((values, c) => unpackValue(before[c] ?? null, values[at] ?? null));
  return { record, table, row, isNew, columns, before, after };
}

function unpackValue(before: Value, value: PackedValue): Value | HashedValue {
  if (typeof value === 'object' && value !== null) return typeof value[0] === 'number' ? value[0] : { hash: value[0] };
  return typeof value === 'number' && typeof before === 'number' ? before + value : value;
}
