// Files that only one process at a time may write, or several that write different parts. Each writer first puts a mark next to
// the file, named after itself, and then looks for the marks of others: of two that begin together at least one sees the other.
import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { machine, removeAbandoned } from './durable-file.js';
import { isRunning, processIdentity } from './process-identity.js';
import { onDisk, realPathOf } from './same-file.js';

/** Removes the mark. */
export type ReleaseFile = () => void;

/** Milliseconds between two attempts: not the same for two that began in one tick of the clock, and both saw the other. */
const pause = 10 + (process.pid % 17);

/** Milliseconds that such two need. */
const usualWait = 200;

export interface ClaimOptions {
  /** Maximum time in milliseconds to wait for another process. */
  readonly wait?: number;
  /** The part of the file that this process writes. Processes that write other parts do not wait for each other. */
  readonly part?: string | undefined;
}

/**
 * Claims a file for this process, or waits for the one that has it.
 * @returns undefined where another process still has it then
 * @throws the system's error where no mark can be made
 */
export function claimFile(path: string, { wait = usualWait, part = '' }: ClaimOptions = {}): ReleaseFile | undefined {
  const deadline = performance.now() + wait;
  for (;;) {
    const release = tryClaim(placeOf(path), part);
    if (release !== undefined || performance.now() >= deadline) return release;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  }
}

/** Where the marks of a file are, under whichever of its names. */
function placeOf(path: string): string {
  const real = realPathOf(path);
  return join(dirname(real), onDisk(basename(real)));
}

function tryClaim(realPath: string, part: string): ReleaseFile | undefined {
  removeAbandoned(realPath);
  const own = `${realPath}.${machine}-${process.pid}`;
  const [mark, made] = [`${own}.lock`, `${own}.new`];
  rmSync(made, { force: true });
  const descriptor = openSync(made, 'wx', 0o600);
  writeSync(descriptor, `${processIdentity()}\n${part}`);
  // Whole from the moment that others see it: they would take one without a part for that of the whole file.
  renameSync(made, mark);
  // Its time is that from which they do: what was made before and seen later would seem the earlier one.
  writeSync(descriptor, '\n');
  closeSync(descriptor);
  const release = (): void => rmSync(mark, { force: true });
  if (!marksOf(realPath).some((other) => other !== mark && isInTheWay(other, { mark, part }))) return release;
  release();
  return undefined;
}

function marksOf(realPath: string): string[] {
  const before = `${basename(realPath)}.${machine}-`;
  const marks = readdirSync(dirname(realPath)).filter((name) => name.startsWith(before) && name.endsWith('.lock'));
  return marks.map((name) => join(dirname(realPath), name));
}

/** Whether a mark is that of a living process that writes the same, and not later than the own one: the earlier of two goes on. */
function isInTheWay(other: string, own: { readonly mark: string; readonly part: string }): boolean {
  try {
    const [identity = '', ...parts] = readFileSync(other, 'utf8').split('\n');
    const part = parts.join('\n').replace(/\n$/, '');
    if (isRunning(identity) === false) return false;
    if (part !== '' && own.part !== '' && part !== own.part) return false;
    return statSync(other, { bigint: true }).mtimeNs <= statSync(own.mark, { bigint: true }).mtimeNs;
  } catch {
    // It was released meanwhile.
    return false;
  }
}
