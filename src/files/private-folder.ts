// A folder for temporary files that nobody else may read. Those of processes that were killed are removed by the next one.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, machine } from './durable-file.js';

/** A folder that exists until it is discarded. */
export interface PrivateFolder {
  readonly path: string;
  discard(): void;
}

const prefix = `catalog-import-source-${machine}-`;

/**
 * Makes a folder among the temporary files of the system (TMPDIR).
 * @throws the system's error where it cannot be made
 */
export function privateFolder(): PrivateFolder {
  const path = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  removeAbandonedFolders();
  return { path, discard: () => rmSync(path, { recursive: true, force: true }) };
}

function removeAbandonedFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = name.startsWith(prefix) ? (/^(\d+)-/.exec(name.slice(prefix.length)) ?? []) : [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}
