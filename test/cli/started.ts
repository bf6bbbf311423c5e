// Starts a command as a person does: a real process of the built program, in a folder of its own. For what a process is
// needed for: signals, exit codes, pipes and large files. What a command does is tested in this process (`typed`).
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Typed } from './typed.js';

/** The program as it is built. */
export const program = fileURLToPath(new URL('../../bin/catalog-import.js', import.meta.url));

/** How a process ended, and what it wrote. */
export interface Ended extends Omit<Typed, 'code'> {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Starts a command in a folder. */
export function start(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { CATALOG_DB, CATALOG_REMOTE, ...own } = process.env;
  // A command that hangs must not outlive its test: SIGTERM would only ask it to finish.
  const limits = { timeout: 850_000, killSignal: 'SIGKILL' } as const;
  return spawn(process.execPath, [program, ...args], { cwd, env: { ...own, ...env }, stdio: 'pipe', ...limits });
}

/** How a started command ends. */
export function outcome(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Runs a command to its end in a process of its own. */
export function typedAsProcess(
  cwd: string,
  args: readonly string[],
  { input = '', env = {} }: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const child = start(cwd, args, env);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  return outcome(child);
}
