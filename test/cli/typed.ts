// Types a command as a person would: a real process of the built program, in a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program as it is built. */
export const program = fileURLToPath(new URL('../../bin/catalog-import.js', import.meta.url));
/** The demo shop: ten of its items are refused on purpose. */
export const demo = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));

export interface Typed {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An empty folder to type in. */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'catalog-import-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return path;
}

/** Starts a command in a folder. */
export function start(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { CATALOG_DB, CATALOG_REMOTE, ...own } = process.env;
  // A command that hangs must not outlive its test: SIGTERM would only ask it to finish.
  const limits = { timeout: 50_000, killSignal: 'SIGKILL' } as const;
  return spawn(process.execPath, [program, ...args], { cwd, env: { ...own, ...env }, stdio: 'pipe', ...limits });
}

/** What comes of a started command. */
export function outcome(child: ChildProcess): Promise<Typed> {
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

/** Runs a command to its end, with `input` on its standard input. */
export function typed(
  cwd: string,
  args: readonly string[],
  { input = '', env = {} }: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Typed> {
  const child = start(cwd, args, env);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  return outcome(child);
}

/** `count` products as CSV. */
export function products(count: number, first = 0): string {
  const rows = Array.from({ length: count }, (_, i) => `S-${first + i},Product ${first + i},EUR,${i % 90}.50,${i % 9}`);
  return `sku,name,currency,price,stock\n${rows.join('\n')}\n`;
}
