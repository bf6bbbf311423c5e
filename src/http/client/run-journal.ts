// The journal of a remote import: the reports so far, each synced to disk, from which an interrupted run is resumed.
import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import type { Report } from '../../core/import-report.js';
import { makeFolder, removeFile, syncFolder } from '../../files/durable-file.js';
import { wholeLines } from '../../files/whole-lines.js';
import { longestAnswer } from './transport.js';

export interface Journal {
  /** The run it belongs to, unchanged when the run is resumed: Idempotency-Keys are derived from it. */
  readonly run: string;
  /** What it has as the report on an acknowledged batch, which may be anything: it is a file. `digest` is that of its bodies. */
  find(batch: number, digest: string): Promise<unknown>;
  /** Appends a report; it is on disk when this resolves. */
  add(batch: number, digest: string, report: Report): Promise<void>;
  /** How many batches it held when it was opened. */
  readonly held: number;
  close(): Promise<void>;
  /** Closes and removes it: the run is complete. */
  remove(): Promise<void>;
}

interface Place {
  readonly digest: string;
  readonly from: number;
  readonly length: number;
}

interface JournalEntry {
  readonly batch: number;
  readonly digest: string;
  readonly report: unknown;
}

/**
 * Opens a journal.
 * @param path its file; folders are created
 * @param resume whether to use its content; otherwise it is emptied
 * @param newRun returns the identifier of a new run
 */
export async function openJournal(path: string, resume: boolean, newRun: () => string): Promise<Journal> {
  makeFolder(dirname(path), 0o700);
  // A concurrent run of the same command keeps its file; this one gets a file of its own.
  if (!resume) await rm(path, { force: true });
  // A link would lead to a file that is cut off here. Windows has no such flag.
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  try {
    return await readJournal(file, path, newRun);
  } catch (cause) {
    await file.close();
    throw cause;
  }
}

async function readJournal(file: FileHandle, path: string, newRun: () => string): Promise<Journal> {
  const { run, places, end } = await scan(file);
  let size = end;
  let writing: Promise<unknown> = Promise.resolve();

  /** One after another, so that lines do not mix. */
  function append(value: object): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    const written = writing.then(async () => {
      try {
        await file.write(line, 0, line.length, size);
        await file.datasync();
        size += line.length;
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new CatalogError('catalog_unusable', `The journal ${path} cannot be written (${why}); make room for it.`);
      }
    });
    writing = written.catch(() => undefined);
    return written;
  }

  // A line that a crash left incomplete is not a line.
  await file.truncate(end);
  // Synced first, since later reports rely on these lines: the process that wrote the last one may have been killed
  // before.
  await file.sync();
  syncFolder(dirname(path));
  const name = run ?? newRun();
  if (run === undefined) await append({ run: name });
  return {
    run: name,
    held: places.size,
    async find(batch, digest) {
      const place = places.get(batch);
      if (place === undefined || place.digest !== digest) return undefined;
      const { buffer } = await file.read(Buffer.alloc(place.length), 0, place.length, place.from);
      return (JSON.parse(buffer.toString('utf8')) as JournalEntry).report;
    },
    add: (batch, digest, report) => append({ batch, digest, report } satisfies JournalEntry),
    async close() {
      await writing;
      await file.close();
    },
    async remove() {
      await writing;
      await file.close();
      removeFile(path);
    },
  };
}

/** Bytes of a line: the report of an answer, and what it is about. */
const longestLine = longestAnswer + 1024;

/** Finds the run and the position of each report; `end` is the end of the last complete line. */
async function scan(file: FileHandle): Promise<{ run: string | undefined; places: Map<number, Place>; end: number }> {
  const places = new Map<number, Place>();
  let run: string | undefined;
  let end = 0;
  for await (const line of wholeLines(file, longestLine)) {
    const read = parse(line);
    if (read === undefined) break;
    if ('run' in read) run = read.run;
    else places.set(read.batch, { digest: read.digest, from: end, length: line.length });
    end += line.length + 1;
  }
  return run === undefined ? { run, places: new Map(), end: 0 } : { run, places, end };
}

function parse(line: Buffer): JournalEntry | { readonly run: string } | undefined {
  try {
    const read = JSON.parse(line.toString('utf8')) as Partial<JournalEntry & { readonly run: string }> | null;
    const isSound =
      typeof read?.run === 'string' || (Number.isInteger(read?.batch) && typeof read?.digest === 'string');
    return isSound ? (read as JournalEntry) : undefined;
  } catch {
    return undefined;
  }
}
