// Types a command without a process of its own: for commands that only print.
import { run } from '../../src/main.js';

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process. `columns` makes its stdout a terminal of that width. */
export async function typedHere(
  args: readonly string[],
  { columns, env = {} }: { readonly columns?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Printed> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({
    on: () => undefined,
    write: (text: string) => {
      written[name] += text;
      return true;
    },
    ...(columns !== undefined && { isTTY: true, columns }),
  });
  const process = {
    argv: ['node', 'catalog-import', ...args],
    env,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    exitCode: 0,
    once: () => undefined,
  };
  await run(process as unknown as NodeJS.Process);
  return { code: process.exitCode ?? 0, ...written };
}
