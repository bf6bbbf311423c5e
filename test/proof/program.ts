// The program as a user starts it: a process of its own, with its lines read from a pipe.
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { outcome, startChild, written } from '../child.js';
import { typedHere } from '../cli/typed.js';

export const bin = fileURLToPath(new URL('../../bin/catalog-import.js', import.meta.url));
export const tamper = new URL('./tamper.mjs', import.meta.url).href;

/** How a process ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The complete lines of stdout; text after the last line break does not count as reported. */
  readonly lines: readonly string[];
  readonly stderr: string;
}

export interface StartOptions {
  /** What tamper.mjs shall do to it. */
  readonly tamper?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** Told of each read: how many lines there are so far, and all of stdout. */
  readonly onLines?: (lines: number, child: ChildProcess, stdout: string) => void;
  readonly onStart?: (child: ChildProcess) => void;
  /** The folder in which it is started. */
  readonly cwd?: string;
  /** A program that starts node, such as strace. */
  readonly under?: readonly string[];
}

/**
 * Runs a command to its end in this process: where nothing disturbs it, a process of its own shows no more. It is another build than
 * the program, and decides anew about items that the program has applied.
 */
export async function runHere(args: readonly string[]): Promise<Ended> {
  const { stdout, ...ended } = await typedHere(args);
  return { ...ended, signal: null, lines: stdout.split('\n').slice(0, -1) };
}

/** Runs the program until it ends or is killed. */
export async function runProgram(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  const preload = options.tamper === undefined ? [] : ['--import', tamper];
  const [command = process.execPath, ...rest] = [...(options.under ?? []), process.execPath, ...preload, bin, ...args];
  const env: NodeJS.ProcessEnv = { ...process.env, ...options.env };
  for (const name of Object.keys(env)) {
    if (/^(CATALOG_(DB|REMOTE)|NODE_OPTIONS|VITEST|NODE_V8_COVERAGE)/.test(name)) delete env[name];
  }
  if (options.tamper !== undefined) env['TAMPER'] = options.tamper;
  const child = startChild(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], env, cwd: options.cwd });
  options.onStart?.(child);
  let count = 0;
  child.stdout?.on('data', (text: string) => {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
    options.onLines?.(count, child, written(child).stdout);
  });
  const { stdout, ...ended } = await outcome(child);
  return { ...ended, lines: stdout.split('\n').slice(0, -1) };
}
