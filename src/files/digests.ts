// SHA-256 digests as base64url. A file or a request that comes again is recognized by its digest.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** The digest of bytes or texts, each ended by a line feed. */
export function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest('base64url');
}

/** The digest of a file's bytes. With one reused buffer: a stream allocates a new one for each block, and takes twice the processor time. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(1 << 18);
  const handle = await open(path);
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer);
      if (bytesRead === 0) return hash.digest('base64url');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
