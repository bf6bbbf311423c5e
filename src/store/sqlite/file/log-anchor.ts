// Checks whether the write-ahead log next to a catalog belongs to it. SQLite applies any log it finds there: next to a
// backup that was copied into place, the log of the previous file would overwrite pages of the backup, without an
// error. Each transaction that changes a catalog writes a new random token, and the token before it, into the only row
// of `log_anchor`. A log contains all tokens since it was started. Its catalog is in the state in which the log was
// started, or in which a later checkpoint left it, and thus contains one of these tokens or the one before the first.
import { CatalogError } from '../../../core/errors.js';
import { realPathOf } from '../../../files/same-file.js';
import { logSize } from './catalog-file.js';
import { bytesIn, committedFrames, framesInAnyOrder, type LogFile, openLog, type PageFile } from './log-file.js';

/** To be run in each transaction that changed something. */
export const moveAnchor = 'UPDATE log_anchor SET before = token, token = randomblob(16)';

/** Gives a copy of a catalog a token that no log holds. */
export const resetAnchor = 'UPDATE log_anchor SET before = zeroblob(16), token = randomblob(16)';

interface Anchor {
  readonly token: string;
  /** That of the previous transaction; `none` in a new row. */
  readonly before: string;
}

const none = '0'.repeat(32);

/**
 * The first column of the row. The row is the only one of its page, so that it ends where the page ends: with both
 * tokens.
 */
const mark = Buffer.from('catalog-import log anchor');

/** Bytes at the end of a page that contain the row. */
const tailSize = 128;

/**
 * Waits before the files are compared again, in milliseconds. They are not read at one moment: while another process writes, a
 * frame may be read before it is complete, or the catalog after a checkpoint of frames that the log did not have yet.
 */
const waits = [5, 20, 50];

/** How often the files are compared, also where another process keeps starting its log again. */
const mostLooks = 10;

/**
 * Refuses a catalog next to which there is the log of another file, or of an earlier or later state of this one. To be
 * called before SQLite opens it; other processes may use both files meanwhile. A log without
 * tokens (of the `sqlite3` shell) is not checked.
 * @throws CatalogError `catalog_unusable`
 */
export function refuseForeignLog(file: string): void {
  if (logSize(file) === 0) return;
  const place = realPathOf(file);
  for (let looks = 0, differed = 0; looks < mostLooks; looks++) {
    const log = openLog(place);
    if (log === undefined) return;
    try {
      if (isOwnLog(log)) return;
      if (!log.isSameStill()) continue;
    } finally {
      log.close();
    }
    const wait = waits[differed++];
    if (wait === undefined) throw foreignLog(file, place);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
  }
}

function foreignLog(file: string, place: string): CatalogError {
  return new CatalogError(
    'catalog_unusable',
    `the log ${place}-wal does not belong to ${file} as it is now: one of them was replaced, for example by a restored backup. Nothing was changed. ` +
      `If ${file} is the one to go on with, move the log and ${place}-shm to another folder first; if it is not, put back the catalog that the log belongs to.`,
  );
}

function isOwnLog(log: LogFile): boolean {
  let held: Anchor | undefined;
  let isAnchored = false;
  // Without checksums: one token in common is enough, and it is usually in the first transaction or the last.
  for (const frame of framesInAnyOrder(log)) {
    const anchor = anchorIn(bytesIn(log, frame, tailSize));
    if (anchor === undefined) continue;
    if (!isAnchored) held = anchorIn(log.catalog.pageTail(frame.page, tailSize));
    isAnchored = true;
    if (held === undefined) break;
    if (held.token === anchor.token || held.token === anchor.before) return true;
  }
  return !isAnchored || isOwnByChecksums(log, held);
}

/** The exact comparison: with the frames that SQLite would apply, and searching the row anywhere in the file. */
function isOwnByChecksums(log: LogFile, heldInPlace: Anchor | undefined): boolean {
  const tokens = new Set<string>();
  for (const frame of committedFrames(log)) {
    const anchor = anchorIn(bytesIn(log, frame, tailSize));
    if (anchor !== undefined) tokens.add(anchor.before).add(anchor.token);
  }
  if (tokens.size === 0) return true;
  const held = heldInPlace ?? anchorAnywhere(log.catalog);
  return tokens.has(held?.token ?? none);
}

/** VACUUM moves the row to another page. */
function anchorAnywhere(catalog: PageFile): Anchor | undefined {
  for (let page = 1; page <= catalog.pages; page++) {
    const anchor = anchorIn(catalog.pageTail(page, tailSize));
    if (anchor !== undefined) return anchor;
  }
  return undefined;
}

function anchorIn(tail: Buffer): Anchor | undefined {
  const start = tail.length - mark.length - 32;
  if (start < 0 || !tail.subarray(start, start + mark.length).equals(mark)) return undefined;
  return {
    token: tail.toString('hex', tail.length - 32, tail.length - 16),
    before: tail.toString('hex', tail.length - 16),
  };
}
