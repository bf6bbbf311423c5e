// One bash for the blocks of a page: variables, files and servers of a block are there for the blocks behind it.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
  const child = spawn('bash', ['--norc', '--noprofile'], { cwd, env, detached: true, stdio: 'pipe' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let all = '';
  let count = 0;
  const changed = new EventTarget();
  const take = (text: string): void => {
    all += text;
    changed.dispatchEvent(new Event('output'));
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stdin.on('error', () => undefined);
  // A trap on ERR runs for each command that fails, not only for the last of a block.
  child.stdin.write('exec 2>&1; set -E; trap \'failures+=("$?")\' ERR\n');

  const until = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!pattern.test(all)) return;
        changed.removeEventListener('output', look);
        resolve();
      };
      void ended.then(() => reject(new Error(`the shell ended early:\n${all.slice(-2000)}`)));
      changed.addEventListener('output', look);
      look();
    });

  return {
    until,
    async run(block) {
      const file = `block-${++count}.sh`;
      // The last line keeps a failure from being counted once more, as that of the whole file.
      writeFileSync(join(cwd, file), `${block}\n:\n`);
      const mark = randomUUID();
      const before = all.length;
      // Commands that read the standard input must not read what the shell is to do next.
      child.stdin.write(`failures=(); . ./${file} </dev/null; echo "${mark} \${failures[*]} end"\n`);
      const end = new RegExp(`${mark} ([\\d ]*)end\\n`);
      await until(end);
      const written = all.slice(before);
      const [marked = '', failures = ''] = end.exec(written) ?? [];
      const output = written.slice(0, written.indexOf(marked));
      return { failures: failures.split(' ').filter(Boolean).map(Number), output };
    },
    async close() {
      endGroup(child);
      await ended;
    },
  };
}

/** Ends the shell with all its children: they are a process group of their own. */
function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return;
  process.kill(-pid, 'SIGKILL');
}
