// Types a command in this process: for properties, which need hundreds of imports. What starts processes, and what
// listens to signals, is typed as a real process (`typed`).
import { Writable } from 'node:stream';
import { run } from '../../src/main.js';

export interface TypedHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end; files are named by their whole paths. */
export async function typedHere(args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<TypedHere> {
  const said = { stdout: '', stderr: '' };
  const into = (name: keyof typeof said) =>
    new Writable({
      write(chunk, _, done) {
        said[name] += String(chunk);
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
  return { code: Number(own.exitCode ?? 0), ...said };
}
