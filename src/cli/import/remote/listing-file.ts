// The file of a listing: a key a line, as JSON, and in the last line how many rows there were, which fields they have, and the
// accepted runs of the week.
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CatalogError } from '../../../core/errors.js';
import { type AcceptedRows, asFilledFields } from '../../../core/ledger/filled-fields.js';
import { makeFolder, replaceFile } from '../../../files/durable-file.js';
import { wholeLines } from '../../../files/whole-lines.js';
import { withWriteErrors } from '../../../files/write-text-file.js';
import type { AcceptedNight } from '../history/week-before.js';

export interface ListingEnd extends AcceptedRows {
  /** The accepted runs of the week, the earliest first. */
  readonly nights: readonly AcceptedNight[];
}

/** Bytes of a line: a key, or the runs of a week. */
const longestLine = 16 * 1024 * 1024;

/**
 * Reads a listing.
 * @param take is given each key
 * @returns undefined where there is none, or it was cut off: then the feed is as new
 * @throws CatalogError `catalog_unusable` where it cannot be read
 */
export async function readListing(file: string, take: (key: string) => void): Promise<ListingEnd | undefined> {
  if (!existsSync(file)) return undefined;
  const listing = await open(file);
  let end: ListingEnd | undefined;
  try {
    for await (const line of wholeLines(listing, longestLine)) {
      const value = parsed(line.toString('utf8'));
      if (typeof value === 'string') take(value);
      else end = endOf(value);
    }
  } catch (cause) {
    throw new CatalogError(
      'catalog_unusable',
      `The list of what the feed lists, ${file}, cannot be read (${(cause as Error).message}); remove it, and the next complete run makes it anew.`,
    );
  } finally {
    await listing.close();
  }
  return end;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What the last line says; undefined where it is no such line. */
function endOf(value: unknown): ListingEnd | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { rows, filled, nights } = value as Readonly<Record<string, unknown>>;
  if (!Number.isSafeInteger(rows)) return undefined;
  const fields = asFilledFields(filled);
  const known = Array.isArray(nights) ? (nights as readonly AcceptedNight[]) : [];
  return { rows: Number(rows), ...(fields && { filled: fields }), nights: known };
}

/** Characters that are gathered before they are written. */
const writtenAt = 64 * 1024;

/** A listing on its way to its file. */
export type ListingFile = ReturnType<typeof openListing>;

/**
 * Opens a new listing, which takes the place of the former one at its end.
 * @throws CatalogError where it cannot be written, here and in what it returns
 */
export function openListing(path: string) {
  const writing = <T>(work: () => T): T => withWriteErrors(`The list of what the feed lists, ${path},`, work);
  const file = writing(() => {
    makeFolder(dirname(path), 0o700);
    return replaceFile(path);
  });
  let rows = 0;
  let text = '';
  const flush = (): void => {
    writing(() => file.write(Buffer.from(text)));
    text = '';
  };
  const keep = (key: string): void => {
    text += `${JSON.stringify(key)}\n`;
    if (text.length > writtenAt) flush();
  };
  return {
    add(key: string) {
      rows++;
      if (key !== '') keep(key);
    },
    keep,
    /** Ends it. @param more which fields the rows have, and the runs of the week */
    end(more: Omit<ListingEnd, 'rows'>): void {
      text += `${JSON.stringify({ rows, ...more } satisfies ListingEnd)}\n`;
      flush();
      // A file without a row never means that all is gone.
      if (rows > 0) writing(() => file.commit());
      file.discard();
    },
    discard: file.discard,
  };
}
