// Processes of tests. Whoever starts one starts it here: what it writes is kept, its lines are waited for as lines, and it
// ends with the test that started it, also where that fails (or with the file, where it was started outside of tests).
import * as processes from 'node:child_process';
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { TestRunner } from 'vitest';
import { testLimit } from './limits.js';
import { settled } from './until.js';

/** How long a process may run that is waited for here; while it does nothing else can, not even the limit of its test. */
const deadline = { timeout: Math.round(testLimit * 0.9), killSignal: 'SIGKILL' } as const;

/** Those of Node.js, with a deadline. */
export const spawnSync = ((command: string, args: readonly string[], options?: object) =>
  processes.spawnSync(command, args, { ...deadline, ...options })) as typeof processes.spawnSync;
export const execFileSync = ((command: string, args: readonly string[], options?: object) =>
  processes.execFileSync(command, args, { ...deadline, ...options })) as typeof processes.execFileSync;
export const execFile = ((command: string, args: readonly string[], options?: object) =>
  promisify(processes.execFile)(command, args, {
    ...deadline,
    ...options,
  })) as typeof processes.execFile.__promisify__;

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What is known of a process while it runs. */
interface Kept {
  readonly test: unknown;
  /** Whether it leads a group of processes, which ends with it. */
  readonly isLeader: boolean;
  readonly command: string;
  readonly written: { stdout: string; stderr: string };
  readonly ended: Promise<Ended>;
}

const running = new Map<ChildProcess, Kept>();
/** Those that have ended, too, for as long as somebody has them. */
const known = new WeakMap<ChildProcess, Kept>();

/** Starts a process; its standard streams are pipes where nothing else is said. */
export function startChild(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(command, args, { stdio: 'pipe', ...options });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  // Who writes to a process that ends learns of it by its end.
  child.stdin?.on('error', () => undefined);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...written }));
  });
  const forget = (): boolean => running.delete(child);
  ended.then(forget, forget);
  const kept: Kept = {
    test: TestRunner.getCurrentTest(),
    isLeader: options.detached === true,
    command: [command, ...args].join(' '),
    written,
    ended,
  };
  running.set(child, kept);
  known.set(child, kept);
  return child;
}

function keptOf(child: ChildProcess): Kept {
  const kept = known.get(child);
  if (kept === undefined) throw new Error('the process was not started by startChild');
  return kept;
}

/** What a process has written so far. */
export function written(child: ChildProcess): Readonly<Kept['written']> {
  return keptOf(child).written;
}

/** Everything that may tell why something did not come. */
function account(child: ChildProcess): string {
  const { command, written: texts } = keptOf(child);
  const end = child.exitCode ?? child.signalCode ?? 'it still runs';
  return `${command}\nend: ${end}\nstdout: ${texts.stdout.slice(-2000)}\nstderr: ${texts.stderr.slice(-2000)}`;
}

/**
 * Waits for a complete line that a process writes.
 * @returns its match; the failure, also that the process ended without it, shows all that it wrote
 */
export function lineOf(
  child: ChildProcess,
  pattern: RegExp,
  from: 'stdout' | 'stderr' = 'stdout',
): Promise<RegExpExecArray> {
  return linesOf(child, pattern, 1, from).then(([first]) => first as RegExpExecArray);
}

/** Waits for so many complete lines that match. */
export async function linesOf(
  child: ChildProcess,
  pattern: RegExp,
  count: number,
  from: 'stdout' | 'stderr' = 'stdout',
): Promise<readonly RegExpExecArray[]> {
  const { written: texts, ended } = keptOf(child);
  const what = `${count === 1 ? 'a line' : `${count} lines`} of ${from} like ${pattern}`;
  const found: RegExpExecArray[] = [];
  let seen = 0;
  // Each line once: some processes write megabytes.
  const hasEnough = (): boolean => {
    for (let end = texts[from].indexOf('\n', seen); end !== -1; end = texts[from].indexOf('\n', seen)) {
      const match = pattern.exec(texts[from].slice(seen, end));
      if (match !== null) found.push(match);
      seen = end + 1;
    }
    return found.length >= count;
  };
  let look = (): void => undefined;
  // Right when it comes: who waits for a line to kill the process then has not much time.
  const enough = new Promise<readonly RegExpExecArray[]>((resolve, reject) => {
    const over = (): void => {
      if (hasEnough()) resolve(found);
      else reject(new Error(`waited for ${what}; instead came:\n${account(child)}`));
    };
    look = () => {
      if (hasEnough()) resolve(found);
    };
    child[from]?.on('data', look);
    ended.then(over, over);
    look();
  });
  try {
    return await settled(what, enough, { instead: () => account(child) });
  } finally {
    child[from]?.off('data', look);
  }
}

/** How a process ends. */
export function outcome(child: ChildProcess): Promise<Ended> {
  return settled('the end of a process', keptOf(child).ended, { instead: () => account(child) });
}

/** Ends a process, and the group that it leads where it was started with one, and waits until it is gone. */
export async function endChild(child: ChildProcess): Promise<void> {
  const { isLeader, ended } = keptOf(child);
  if (!isLeader || child.pid === undefined) child.kill('SIGKILL');
  else {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of the group have ended.
    }
  }
  const gone = ended.catch(() => undefined);
  await settled(`the end of process ${child.pid}`, gone, { instead: () => account(child) });
}

/** Ends the processes of a test, or all of them. */
export async function endChildren(test?: unknown): Promise<void> {
  const own = [...running].filter(([, kept]) => test === undefined || kept.test === test);
  await Promise.all(own.map(([child]) => endChild(child)));
}
