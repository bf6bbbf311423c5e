// Writes the plan of an import during a dry run: what would change, with the previous state of each record. The file
// appears complete or not at all.
import { createHash } from 'node:crypto';
import type { Entry } from '../../core/entry.js';
import type { Line } from '../../core/import-report.js';
import type { FeedEnd } from '../../core/ledger/feed-end.js';
import type { RunFile } from '../../core/ledger/run-tables.js';
import type { SeenKeys } from '../../core/ledger/seen-keys.js';
import { replaceFile } from '../../files/durable-file.js';
import type { BatchResult, ImportObserver } from '../../importing/observer.js';
import type { PlanHeader, PlanLine, PlannedBreach, PlannedChange, PlannedRefusal } from './plan-format.js';

/** A plan that is being written. */
export interface PlanWriter {
  /** Observes the dry run. */
  readonly observer: Required<Pick<ImportObserver, 'begin' | 'batch' | 'finish'>>;
  /**
   * Completes the plan and moves it to its path.
   * @param seen what was read of the feed, for a run of a feed
   * @param end what the end of its run would do
   */
  commit(seen: readonly SeenKeys[], guards: readonly PlannedBreach[], end: FeedEnd | undefined): void;
  /** How many items it holds so far. */
  items(): number;
  /** Removes the incomplete file; does nothing after `commit`. */
  discard(): void;
}

/** Bytes that are buffered before they are written. */
const writtenAt = 256 * 1024;

/** Hashes of keys in one line. */
const keysInLine = 8192;

/**
 * Starts a plan.
 * @param describe returns name, size and digest of the n-th file of the import
 * @throws the system's error if the file cannot be created
 */
export function planWriter(path: string, header: PlanHeader, describe: (nth: number) => Promise<RunFile>): PlanWriter {
  const file = replaceFile(path, { mode: 0o600, keepsMode: false });
  const hash = createHash('sha256');
  let pieces: string[] = [];
  let length = 0;
  let batch = 0;
  let sections = 0;
  let items = 0;

  function flush(): void {
    if (length === 0) return;
    const bytes = Buffer.from(pieces.join(''));
    pieces = [];
    length = 0;
    hash.update(bytes);
    file.write(bytes);
  }

  function put(line: PlanLine): void {
    const text = `${JSON.stringify(line)}\n`;
    pieces.push(text);
    length += text.length;
    if (length >= writtenAt) flush();
  }

  put(header);
  const observer: PlanWriter['observer'] = {
    async begin({ resource, source: { found } }) {
      const { file: name, size, digest } = await describe(sections++);
      const { format, encoding } = found;
      const known = { ...(size !== undefined && { size }), ...(digest !== undefined && { digest }) };
      put({ section: { file: name, resource: resource.command, ...known, format, encoding } });
    },
    batch(result) {
      for (const line of linesOf(result, batch)) {
        put(line);
        if (line.action !== 'refused') items++;
      }
      batch++;
    },
    finish({ counts }) {
      put({ end: { ...counts } });
    },
  };
  return {
    observer,
    commit(seen, guards, end) {
      for (const one of seen) putListing(one, put);
      if (end !== undefined) put({ feed_end: { notes: end.notes, records: end.records } });
      put({ guards });
      flush();
      file.write(Buffer.from(`${JSON.stringify({ sha256: hash.digest('hex') })}\n`));
      file.commit();
    },
    items: () => items,
    discard: () => file.discard(),
  };
}

function putListing({ resource, keys, total, untrusted, filled }: SeenKeys, put: (line: PlanLine) => void): void {
  put({ listing: { resource: resource.name, total, untrusted, keys: keys.length, ...(filled && { filled }) } });
  for (let at = 0; at < keys.length; at += keysInLine) {
    const { buffer, byteOffset, byteLength } = keys.subarray(at, at + keysInLine);
    put({ keys: Buffer.from(buffer, byteOffset, byteLength).toString('base64') });
  }
}

/** The lines of a batch that change something or were refused. */
function* linesOf({ report, lines, entries }: BatchResult, batch: number): Generator<PlannedChange | PlannedRefusal> {
  for (const [i, line] of report.data.entries()) {
    // Batch and action come first, so that items can be counted without parsing them.
    const place = lines[i] ?? 0;
    const own = { key: line.external_id, ...(line.id !== null && { id: line.id }) };
    const reported = noticesOf(line);
    const notice = reported.length > 0 ? { notice: reported } : {};
    if (line.action === 'refused') {
      const { code, title, reason } = line;
      yield {
        line: place,
        action: 'refused',
        ...own,
        code: code ?? '',
        title: title ?? '',
        reason: reason ?? '',
        ...notice,
      };
    } else if (line.before !== undefined) {
      yield {
        line: place,
        action: line.action,
        ...own,
        batch,
        before: line.before,
        ...(line.repeats && { repeats: true }),
        ...sentItem(entries?.[i]),
        ...changesOf(line),
        ...notice,
      };
    }
  }
}

/** An item as it was sent, before its names were resolved. */
function sentItem(entry: Entry | undefined): Pick<PlannedChange, 'item' | 'amounts'> {
  if (entry?.kind !== 'raw') throw new Error('only an item as it was sent goes into a plan');
  const item = entry.item as PlannedChange['item'];
  return entry.amounts === undefined ? { item } : { item, amounts: entry.amounts };
}

/** The notices of a line. A new record lists no changes, so it has no notice about omitted ones. */
function noticesOf({ action, notice }: Line): Line['notice'] {
  return action === 'created' ? notice.filter(({ code }) => code !== 'more_omitted') : notice;
}

/** The changes of a stored record; those of a new record are its item. */
function changesOf({ action, changes }: Line): Pick<PlannedChange, 'changes'> {
  return action === 'created' || changes === undefined ? {} : { changes };
}
