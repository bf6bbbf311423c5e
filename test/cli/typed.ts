// Types a command in this process: in a folder of its own, one command at a time. What needs a process, such as signals, is
// in started.ts.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { run } from '../../src/main.js';

/** The demo shop: every item of it is accepted. */
export const demo = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));

/** A delivery to the demo shop, ten of whose items are refused on purpose. */
export const delivery = fileURLToPath(new URL('../../fixtures/delivery', import.meta.url));

/** The result of a command. */
export interface Typed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An empty folder to type in. */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'catalog-import-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return path;
}

/** Commands run one after the other: each changes the working folder and the standard input of this process. */
let latest: Promise<unknown> = Promise.resolve();

/** Runs a command to its end, with `input` on its standard input. */
export function typed(
  cwd: string,
  args: readonly string[],
  { input = '', env = {} }: { readonly input?: string | Buffer; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Typed> {
  const typing = latest.then(() => typeIn(cwd, args, input, env));
  latest = typing.catch(() => undefined);
  return typing;
}

/** Runs a command to its end; files are named by their whole paths. */
export async function typedHere(args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<Typed> {
  const written = { stdout: '', stderr: '' };
  const into = (name: keyof typeof written) =>
    new Writable({
      write(chunk, _, done) {
        written[name] += String(chunk);
        done();
      },
    });
  const { CATALOG_DB, CATALOG_REMOTE, ...env } = process.env;
  const own = {
    argv: ['node', 'catalog-import', ...args],
    env: { ...env, ...variables },
    exitCode: 0,
    stdout: into('stdout'),
    stderr: into('stderr'),
    on: () => undefined,
    once: () => undefined,
    off: () => undefined,
  };
  const here = new Proxy(process, {
    get: (target, name) => Reflect.get(Object.hasOwn(own, name) ? own : target, name),
    set: (_, name, value) => Reflect.set(own, name, value),
  });
  await run(here);
  return { code: Number(own.exitCode ?? 0), ...written };
}

async function typeIn(
  cwd: string,
  args: readonly string[],
  input: string | Buffer,
  env: NodeJS.ProcessEnv,
): Promise<Typed> {
  const before = process.cwd();
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  process.chdir(cwd);
  Object.defineProperty(process, 'stdin', {
    ...stdin,
    get: () => Readable.from([typeof input === 'string' ? Buffer.from(input) : input]),
  });
  try {
    return await typedHere(args, env);
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
    process.chdir(before);
  }
}

/** `count` products as CSV. */
export function products(count: number, first = 0): string {
  const rows = Array.from({ length: count }, (_, i) => `S-${first + i},Product ${first + i},EUR,${i % 90}.50,${i % 9}`);
  return `sku,name,currency,price,stock\n${rows.join('\n')}\n`;
}
