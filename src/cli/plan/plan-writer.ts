// Writes the plan of an import during a dry run: the items that would change something, with what they expect. The file
// appears complete or not at all.
import { createHash } from 'node:crypto';
import type { Entry } from '../../core/entry.js';
import type { Line } from '../../core/import-report.js';
import type { FeedEnd } from '../../core/ledger/feed-end.js';
import type { RunFile } from '../../core/ledger/run-tables.js';
import type { SeenKeys } from '../../core/ledger/seen-keys.js';
import { replaceFile } from '../../files/durable-file.js';
import type { Breach } from '../../importing/guards/guard-stopped.js';
import type { BatchResult, ImportObserver } from '../../importing/observer.js';
import { writtenItem } from '../../source/written-item.js';
import type { PlanEnd, PlanHeader, PlanMembers, PlannedFile, PlannedLine, PlannedListing } from './plan-format.js';

export interface PlanWriter {
  readonly observer: Required<Pick<ImportObserver, 'begin' | 'batch' | 'finish'>>;
  /**
   * Completes the plan and moves it to its path.
   * @param seen what was read of the feed, for a run of a feed
   * @param end what the end of its run would do
   */
  commit(seen: readonly SeenKeys[], guards: readonly Breach[], end: FeedEnd | undefined): void;
  items(): number;
  /** Removes the incomplete file; does nothing after `commit`. */
  discard(): void;
}

/** Bytes that are buffered before they are written. */
const writtenAt = 256 * 1024;

/** Keys in one line. */
const keysInLine = 65_536;

/**
 * Starts a plan.
 * @param describe returns name, size and digest of the n-th file of the import
 * @throws the system's error if the file cannot be created
 */
export function planWriter(path: string, header: PlanHeader, describe: (nth: number) => Promise<RunFile>): PlanWriter {
  const file = replaceFile(path, { mode: 0o600, keepsMode: false });
  const hash = createHash('sha256');
  const files: Omit<PlannedFile, 'counts'>[] = [];
  const ended: PlannedFile[] = [];
  let text = '';
  let items = 0;

  function flush(): void {
    file.write(Buffer.from(text));
    hash.update(text);
    text = '';
  }

  function put(line: object): void {
    text += `${JSON.stringify(line)}\n`;
    if (text.length >= writtenAt) flush();
  }

  put(header);
  return {
    observer: {
      async begin({ resource, source: { found } }) {
        const { resource: _, ...described } = await describe(files.length);
        files.push({ ...described, resource: resource.command, format: found.format, encoding: found.encoding });
      },
      batch({ report, lines, entries }: BatchResult) {
        for (const [i, line] of report.data.entries()) {
          if (line.planned === undefined && line.action !== 'refused') continue;
          put({ ...itemOf(line, entries?.[i]), ...membersOf(line, lines[i] ?? 0, files.length - 1) });
          if (line.planned !== undefined) items++;
        }
      },
      finish({ counts }) {
        ended.push({ ...(files.at(-1) as PlannedFile), counts: { ...counts } });
      },
    },
    commit(seen, guards, end) {
      for (const listing of seen.flatMap((one) => [...listingsOf(one)])) put({ _listing: listing });
      flush();
      const known = end && { feed_end: { notes: end.notes, records: end.records } };
      put({ _end: { files: ended, guards, ...known, sha256: hash.digest('hex') } satisfies PlanEnd });
      file.write(Buffer.from(text));
      file.commit();
    },
    items: () => items,
    discard: () => file.discard(),
  };
}

/** An item as it was sent, before its names were resolved; nothing of a refused one, which is not part of the plan. */
function itemOf({ planned }: Line, entry: Entry | undefined): object {
  if (planned === undefined) return {};
  if (entry?.kind !== 'raw') throw new Error('only an item as it was sent goes into a plan');
  return writtenItem(entry);
}

function membersOf({ planned, index: _, diagnostics: __, ...line }: Line, place: number, file: number): PlanMembers {
  const { changes, ...others } = line;
  return {
    _line: place,
    ...(file > 0 && { _file: file }),
    ...(planned && { _expect: planned.expect, ...(planned.repeats && { _repeats: true }) }),
    // The changes of a new record are its item, so that none of them are omitted.
    _report: filledMembers(
      line.action === 'created'
        ? { ...others, notice: line.notice.filter(({ code }) => code !== 'more_omitted') }
        : { ...others, ...(changes && { changes }) },
    ),
  };
}

/** A line without the members that most lines have empty. */
function filledMembers(line: PlannedLine): PlannedLine {
  const filled = Object.entries(line).filter(([, value]) => value !== null && (value as unknown[]).length !== 0);
  return Object.fromEntries(filled) as unknown as PlannedLine;
}

function* listingsOf({ resource, keys, total, untrusted, isPart, filled }: SeenKeys): Generator<PlannedListing> {
  // One line also where it lists nothing.
  for (let at = 0; at === 0 || at < keys.length; at += keysInLine) {
    const { buffer, byteOffset, byteLength } = keys.subarray(at, at + keysInLine);
    const part = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
    yield {
      resource: resource.name,
      total,
      untrusted,
      ...(isPart && { part: isPart }),
      ...(filled && { filled }),
      keys: part,
    };
  }
}
