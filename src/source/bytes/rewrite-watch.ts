// Notices that a file is written to while it is read: parts of both contents would have been read. A network drive refreshes the
// time of the last change by itself, so that what was read is compared with the file there.
import { createHash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import { networkDrive } from '../../files/network-drive.js';

/** Watches an open file. */
export interface RewriteWatch {
  add(block: Buffer): void;
  /** At the end of the file, whether it was written to while it was read. */
  isRewritten(): boolean;
}

/** @param descriptor of the file, which is closed after `isRewritten` */
export function rewriteWatch(file: string, descriptor: number): RewriteWatch {
  const written = writtenAt(descriptor);
  const isTouched = (): boolean => writtenAt(descriptor) !== written;
  if (networkDrive(file) === undefined) return { add: () => undefined, isRewritten: isTouched };
  const hash = createHash('sha256');
  return {
    add: (block) => void hash.update(block),
    isRewritten: () => isTouched() && hash.digest('hex') !== hashOf(descriptor),
  };
}

/** When an open file was written to last. One that replaces it under its name is another file. */
function writtenAt(descriptor: number): bigint {
  return fstatSync(descriptor, { bigint: true }).mtimeNs;
}

function hashOf(descriptor: number): string {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(1024 * 1024);
  for (let at = 0, length = 1; length > 0; at += length) {
    length = readSync(descriptor, block, 0, block.length, at);
    hash.update(block.subarray(0, length));
  }
  return hash.digest('hex');
}
