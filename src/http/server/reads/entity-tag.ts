// ETags of responses, and If-None-Match (RFC 9110, 8.8.3 and 13.1.2).
import { hash } from 'node:crypto';

/** Characters of the digest in an ETag: 132 bits. */
const length = 22;

/** The strong ETag of a body: a digest of its bytes, so that equal responses have equal ones in every process. */
export function entityTag(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, length)}"`;
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
