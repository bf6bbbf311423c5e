// One bash for the blocks of a page: variables, files and servers of a block are there for the blocks behind it.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endChild, lineOf, startChild, written } from '../child.js';

/** What came of a block. */
interface Ran {
  /** The exit codes of its commands that did not end with 0, in order. */
  readonly failures: readonly number[];
  /** What it wrote on stdout and stderr. */
  readonly output: string;
}

/** A shell that is kept between blocks. */
export interface Shell {
  /** Runs a block to its end; what it leaves in the background goes on. */
  run(block: string): Promise<Ran>;
  /** Waits until something was written since the shell began. */
  until(pattern: RegExp): Promise<void>;
  /** Ends the shell and whatever its blocks have left running. */
  close(): Promise<void>;
}

/** Opens a shell in a folder. */
export function openShell(cwd: string, env: NodeJS.ProcessEnv): Shell {
  const child = startChild('bash', ['--norc', '--noprofile'], { cwd, env, detached: true });
  let count = 0;
  // A trap on ERR runs for each command that fails, not only for the last of a block.
  // Node.js gives it sockets, which no other process can open; a pipe can be.
  child.stdin?.write('exec > >(cat) 2>&1; set -E; trap \'failures+=("$?")\' ERR\n');

  return {
    async until(pattern) {
      await lineOf(child, pattern);
    },
    async run(block) {
      const file = `block-${++count}.sh`;
      // The last line keeps a failure from being counted once more, as that of the whole file.
      writeFileSync(join(cwd, file), `${block}\n:\n`);
      const mark = randomUUID();
      const before = written(child).stdout.length;
      // Commands that read the standard input must not read what the shell is to do next.
      child.stdin?.write(`failures=(); . ./${file} </dev/null; echo "${mark} \${failures[*]} end"\n`);
      const [marked, failures = ''] = await lineOf(child, new RegExp(`${mark} ([\\d ]*)end$`));
      const ran = written(child).stdout.slice(before);
      const output = ran.slice(0, ran.indexOf(marked));
      return { failures: failures.split(' ').filter(Boolean).map(Number), output };
    },
    async close() {
      await endChild(child);
    },
  };
}
