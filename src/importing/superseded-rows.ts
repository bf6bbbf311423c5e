// `--on-duplicate keep-last`: of rows with the same key only the last is applied. Superseded rows never reach the catalog;
// their lines are inserted into the reports, so that every row of the file has one.
import type { Catalog } from '../core/catalog.js';
import { messageText } from '../core/diagnostics/message-text.js';
import type { Entry } from '../core/entry.js';
import { CatalogError } from '../core/errors.js';
import { recordKey } from '../core/fields/record-key.js';
import type { Line, Report } from '../core/import-report.js';
import { reportOf } from '../core/report-counts.js';
import type { Resource } from '../core/resource.js';
import { groupDigits } from '../core/text/sanitize.js';
import { unchangedLine } from '../core/unchanged-line.js';
import { type Chunk, keyOfEntry, type Source } from '../source/open-source.js';
import type { SupersededRow } from '../source/record-reader.js';
import { type Duplicates, listedAtMost } from './duplicate-policy.js';
import type { DuplicateRows } from './observer.js';

/** Distinct keys that are kept in memory, in about 150 MB; a file with more is an error. */
const mostKeys = 2_000_000;

/** The row of a key that is applied: its position among the entries of the file, and its line. */
interface LastRow {
  readonly place: number;
  readonly line: number;
}

/** Finds the last row of each key. */
export async function readLastRows(source: Source, resource: Resource): Promise<ReadonlyMap<string, LastRow>> {
  const key = recordKey(resource.fields, resource.key);
  const last = new Map<string, LastRow>();
  let place = 0;
  for await (const { entries, lines } of source.chunks) {
    entries.forEach((entry, i) => {
      const id = keyOfEntry(key, entry);
      if (id !== '') last.set(key.same(id), { place, line: lines[i] ?? 0 });
      place++;
    });
    if (last.size > mostKeys)
      throw new CatalogError(
        'usage',
        `--on-duplicate keep-last remembers ${groupDigits(mostKeys)} keys, and the file has more; split it, or leave the option out.`,
      );
  }
  return last;
}

/**
 * Removes superseded rows from chunks.
 * @param last the last row of each key
 */
export function keepLast(
  resource: Resource,
  last: ReadonlyMap<string, LastRow>,
  { catalog }: { readonly catalog: Pick<Catalog, 'readAll'> },
): Duplicates {
  const key = recordKey(resource.fields, resource.key);
  const listed: DuplicateRows['listed'][number][] = [];
  let place = 0;
  let count = 0;

  async function step(chunk: Chunk): Promise<Chunk> {
    const kept: number[] = [];
    const rows: Omit<SupersededRow, 'id'>[] = [];
    for (const [i, entry] of chunk.entries.entries()) {
      const id = keyOfEntry(key, entry);
      const counts = id === '' ? undefined : last.get(key.same(id));
      const isLast = counts === undefined || counts.place === place++;
      if (counts === undefined) place++;
      if (isLast) {
        kept.push(i);
        continue;
      }
      const line = chunk.lines[i] ?? 0;
      count++;
      if (listed.length < listedAtMost) listed.push({ key: id, lines: [line, counts.line] });
      rows.push({ at: kept.length, line, entry, externalId: id, by: counts.line });
    }
    if (rows.length === 0) return chunk;
    const keys = [...new Set(rows.map(({ externalId }) => externalId))];
    const stored = await catalog.readAll(
      resource,
      keys.map((one) => ({ key: one })),
    );
    const ids = new Map(keys.map((one, i) => [one, stored[i]?.['id']]));
    const superseded = rows.map((row): SupersededRow => {
      const id = ids.get(row.externalId);
      return { ...row, id: typeof id === 'string' ? id : null };
    });
    const of = <T>(list: readonly T[]): T[] => kept.map((i) => list[i] as T);
    const { raws } = chunk;
    return { entries: of(chunk.entries), lines: of(chunk.lines), ...(raws && { raws: of(raws) }), superseded };
  }

  return { step, found: () => (count === 0 ? undefined : { count, listed, applied: 'last-only' }) };
}

/** A report with the lines of superseded rows inserted, and the batch as it was in the file. */
export function insertSuperseded(report: Report, batch: Chunk): { readonly report: Report; readonly batch: Chunk } {
  const { superseded = [] } = batch;
  if (superseded.length === 0) return { report, batch };
  const data: Line[] = [];
  const lines: number[] = [];
  const entries: Entry[] = [];
  const raws: string[] = [];
  let next = 0;
  for (let at = 0; at <= report.data.length; at++) {
    for (; superseded[next]?.at === at; next++) {
      const row = superseded[next] as SupersededRow;
      data.push(lineOf(row, data.length));
      lines.push(row.line);
      entries.push(row.entry);
      raws.push('');
    }
    const line = report.data[at];
    if (line === undefined) break;
    data.push({ ...line, index: data.length });
    lines.push(batch.lines[at] ?? 0);
    entries.push(batch.entries[at] as Entry);
    raws.push(batch.raws?.[at] ?? '');
  }
  return {
    report: reportOf(report.resource, report.dry_run, data),
    batch: { entries, lines, ...(batch.raws && { raws }) },
  };
}

function lineOf({ externalId, id, by }: SupersededRow, index: number): Line {
  const notice = [{ code: 'superseded', field: '', message: messageText('superseded', '', undefined, { line: by }) }];
  return unchangedLine(index, externalId, id, notice);
}
