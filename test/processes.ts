// The processes that a test file has started, as Linux shows them; elsewhere there seem to be none.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Shown {
  readonly pid: number;
  readonly parent: number;
}

/** Processes that a file started for the whole run of the tests. */
export const processesOfRun = new Set<number>();

function shown(name: string): Shown | undefined {
  try {
    const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'latin1')) ?? [];
    // Z: it has ended, and nobody has asked how.
    return state === 'Z' ? undefined : { pid: Number(name), parent: Number(parent) };
  } catch {
    // It has ended just now.
    return undefined;
  }
}

function read(pid: number, name: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** The children of this process and theirs; also those whose parents have ended, which are known by their folder. */
function descendants(folder: string): readonly number[] {
  if (!existsSync('/proc/self/stat')) return [];
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (shown(name) ?? []) : []));
  const own = ({ pid, parent }: Shown): boolean =>
    parent === process.pid || (parent === 1 && read(pid, 'environ').split('\0').includes(`TMPDIR=${folder}`));
  const withTheirs = ({ pid }: Shown): readonly number[] =>
    processesOfRun.has(pid) ? [] : [pid, ...all.filter(({ parent }) => parent === pid).flatMap(withTheirs)];
  return all.filter(own).flatMap(withTheirs);
}

/** What this process has running, each with its command. */
export function processesLeft(folder: string): readonly string[] {
  return descendants(folder).map(
    (pid) => `process ${pid}: ${read(pid, 'cmdline').replaceAll('\0', ' ').slice(0, 200)}`,
  );
}

/** Ends all of them. */
export function endProcesses(folder: string): void {
  for (const pid of descendants(folder)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended just now.
    }
  }
}
