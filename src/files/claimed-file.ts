// Files that only one process at a time may write. Each writer first puts a mark next to the file, named after itself,
// and then looks for the marks of others: of two that begin together at least one sees the other.
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { machine, removeAbandoned } from './durable-file.js';
import { hasEnded, processIdentity } from './process-identity.js';
import { realPathOf } from './same-file.js';

/** Removes the mark. */
export type ReleaseFile = () => void;

/** Milliseconds between two attempts: not the same for two that began in one tick of the clock, and both saw the other. */
const pause = 10 + (process.pid % 17);

/** Milliseconds that such two need. */
const usualWait = 200;

/**
 * Claims a file for this process, or waits for the one that has it.
 * @param wait maximum time in milliseconds
 * @returns undefined where another process still has it then
 * @throws the system's error where no mark can be made
 */
export function claimFile(path: string, wait = usualWait): ReleaseFile | undefined {
  const deadline = performance.now() + wait;
  for (;;) {
    const release = tryClaim(realPathOf(path));
    if (release !== undefined || performance.now() >= deadline) return release;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  }
}

function tryClaim(place: string): ReleaseFile | undefined {
  removeAbandoned(place);
  const mark = `${place}.${machine}-${process.pid}.lock`;
  rmSync(mark, { force: true });
  const descriptor = openSync(mark, 'wx', 0o600);
  writeSync(descriptor, processIdentity());
  closeSync(descriptor);
  const release = (): void => rmSync(mark, { force: true });
  if (!marksOf(place).some((other) => other !== mark && isEarlier(other, mark))) return release;
  release();
  return undefined;
}

function marksOf(place: string): string[] {
  const before = `${basename(place)}.${machine}-`;
  const marks = readdirSync(dirname(place)).filter((name) => name.startsWith(before) && name.endsWith('.lock'));
  return marks.map((name) => join(dirname(place), name));
}

/** Whether a mark is that of a living process, and not later than this one's: the earlier of two goes on. */
function isEarlier(other: string, own: string): boolean {
  try {
    if (hasEnded(readFileSync(other, 'utf8'))) return false;
    return statSync(other, { bigint: true }).mtimeNs <= statSync(own, { bigint: true }).mtimeNs;
  } catch {
    // It was released meanwhile.
    return false;
  }
}
