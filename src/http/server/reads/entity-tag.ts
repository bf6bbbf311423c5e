// ETags of responses, and If-None-Match (RFC 9110, 8.8.3 and 13.1.2).
import { createHash, hash } from 'node:crypto';
import { ownTurn } from './own-turn.js';

/** Characters of the digest in an ETag: 132 bits. */
const length = 22;

/** The strong ETag of a body: a digest of its bytes, so that equal responses have equal ones in every process. */
export function entityTag(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, length)}"`;
}

/** Milliseconds for which the pieces of a body are made before other requests have their turn. */
const longestTurn = 5;

/**
 * The ETag of a body that is made in pieces, and its bytes.
 * @param isWanted asked before each turn; undefined is the result once it is not
 */
export async function measurePieces(
  pieces: Iterable<string>,
  isWanted: () => boolean,
): Promise<{ readonly etag: string; readonly bytes: number } | undefined> {
  const digest = createHash('sha256');
  let bytes = 0;
  await ownTurn();
  let since = performance.now();
  for (const piece of pieces) {
    digest.update(piece);
    bytes += Buffer.byteLength(piece);
    if (performance.now() - since < longestTurn) continue;
    await ownTurn();
    if (!isWanted()) return undefined;
    since = performance.now();
  }
  return { etag: `"${digest.digest('base64url').slice(0, length)}"`, bytes };
}

/**
 * Whether a client with this If-None-Match has the response already.
 * @param condition the header: `*`, or a list of ETags, compared weakly
 */
export function isKnownToClient(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  if (condition.trim() === '*') return true;
  return condition.split(',').some((sent) => sent.trim().replace(/^W\//, '') === etag);
}
