// The digests that a server sends with a file: Content-Digest and Repr-Digest (RFC 9530), the older Digest (RFC 3230), and the
// still older Content-MD5, which stores of objects send.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** A digest that was sent. */
export interface SentDigest {
  readonly header: string;
  readonly algorithm: string;
  readonly value: string;
}

/** The algorithms of the headers, by the names of node:crypto. */
const algorithms: Readonly<Record<string, string>> = {
  'sha-256': 'sha256',
  'sha-512': 'sha512',
  sha: 'sha1',
  md5: 'md5',
};

/** The headers that may have digests. */
export const digestHeaders = ['content-digest', 'repr-digest', 'digest', 'content-md5'] as const;

/** The digests of a header that can be checked. */
export function sentDigests(header: (typeof digestHeaders)[number], value: string): SentDigest[] {
  const named = header === 'content-md5' ? `md5=${value}` : value;
  return [...named.matchAll(/(?:^|,)\s*([\w-]+)=:?([A-Za-z0-9+/]+={0,2}):?/g)].flatMap(([, name = '', digest = '']) => {
    const algorithm = algorithms[name.toLowerCase()];
    return algorithm === undefined ? [] : [{ header, algorithm, value: digest }];
  });
}

/** The first digest that a file does not have; undefined where it has all. */
export async function wrongDigest(path: string, digests: readonly SentDigest[]): Promise<SentDigest | undefined> {
  for (const sent of digests) {
    const hash = createHash(sent.algorithm);
    for await (const block of createReadStream(path)) hash.update(block as Buffer);
    if (hash.digest('base64') !== sent.value) return sent;
  }
  return undefined;
}
