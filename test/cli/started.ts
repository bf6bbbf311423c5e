// Starts a command as a person does: a real process of the built program, in a folder of its own. For what a process is
// needed for: signals, exit codes, pipes and large files. What a command does is tested in this process (`typed`).
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type Ended, outcome, startChild } from '../child.js';

export { type Ended, outcome };

/** The program as it is built. */
export const program = fileURLToPath(new URL('../../bin/catalog-import.js', import.meta.url));

/** Starts a command in a folder. */
export function start(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { CATALOG_DB, CATALOG_REMOTE, ...own } = process.env;
  return startChild(process.execPath, [program, ...args], { cwd, env: { ...own, ...env } });
}

/** The script that types commands one after the other in its process. */
export const turns = fileURLToPath(new URL('./typed-in-turn.mjs', import.meta.url));

/** Runs commands one after the other in one process of their own, for what is true of a process and not of each command. */
export async function typedInTurn(cwd: string, commands: readonly (readonly string[])[], options: SpawnOptions = {}) {
  const child = startChild(process.execPath, [turns, JSON.stringify(commands)], { cwd, ...options });
  child.stdin?.end();
  const { code, stderr } = await outcome(child);
  expect(code, stderr).toBe(0);
  const ends = [...stderr.matchAll(/(.*?)\nended with (\d+)\n/gs)];
  expect(ends).toHaveLength(commands.length);
  return ends.map(([, words = '', exit], i) => ({ args: commands[i] ?? [], code: Number(exit), stderr: words }));
}

/** Runs a command to its end in a process of its own. */
export function typedAsProcess(
  cwd: string,
  args: readonly string[],
  { input = '', env = {} }: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const child = start(cwd, args, env);
  child.stdin?.end(input);
  return outcome(child);
}
