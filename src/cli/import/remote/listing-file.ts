// The file of a listing: a key a line, as JSON, and in the last line how many rows there were, and which fields they have.
import { createReadStream, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { type AcceptedRows, asFilledFields, type FilledFields } from '../../../core/ledger/filled-fields.js';
import { makeFolder, replaceFile } from '../../../files/durable-file.js';
import { withWriteErrors } from '../../../files/write-text-file.js';

/**
 * Reads a listing.
 * @param take is given each key
 * @returns undefined where there is none, or it was cut off: then the feed is as new
 */
export async function readListing(file: string, take: (key: string) => void): Promise<AcceptedRows | undefined> {
  if (!existsSync(file)) return undefined;
  let end: AcceptedRows | undefined;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const value = parsed(line);
    if (typeof value === 'string') take(value);
    else end = endOf(value);
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

/** The last line of a listing. */
function endOf(value: unknown): AcceptedRows | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { rows, filled } = value as { readonly rows?: unknown; readonly filled?: unknown };
  const fields = asFilledFields(filled);
  return Number.isSafeInteger(rows) ? { rows: Number(rows), ...(fields && { filled: fields }) } : undefined;
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
    /** @param filled which fields the rows have */
    end(filled: FilledFields | undefined): void {
      text += `${JSON.stringify({ rows, ...(filled && { filled }) } satisfies AcceptedRows)}\n`;
      flush();
      // A file without a row never means that all is gone.
      if (rows > 0) writing(() => file.commit());
      file.discard();
    },
    discard: file.discard,
  };
}
