// Times whole commands by turns: wall time, processor time and peak memory of each.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Where everything is made that is timed; removed by `removeAll`. */
const folder = mkdtempSync(path.join(tmpdir(), 'catalog-import-bench-'));

/** A file of that folder; '' is the folder. */
export const at = (name: string) => path.join(folder, name);

export function removeAll(): void {
  rmSync(folder, { recursive: true, force: true });
}

export interface Run {
  readonly seconds: number;
  /** Of all threads, user and system; where a command does not tell it, to within 0.04 s, and 0 where the system is not Linux. */
  readonly processor: number;
  /** Of the main thread of a command that tells it; 0 where the system is not Linux. */
  readonly main: number;
  readonly megabytes: number;
}

export type Figure = 'seconds' | 'processor' | 'main';

/** A command of the table: what is made ready before each run, and what is timed. */
export interface Work {
  readonly argv: readonly string[];
  readonly before?: () => void | Promise<void>;
  /** Whether it tells itself what it used (usage.mjs), which takes some milliseconds. */
  readonly tells?: true;
  /** Exit codes that are in order. */
  readonly exits?: readonly number[];
}

const usage = at('usage.json');
const telling = {
  ...process.env,
  NODE_OPTIONS: `--import ${new URL('usage.mjs', import.meta.url).href}`,
  BENCH_USAGE: usage,
};

/** Runs a command once and reads its peak memory while it runs. */
export async function time(work: Work): Promise<Run> {
  await work.before?.();
  const [command = '', ...args] = work.argv;
  rmSync(usage, { force: true });
  const started = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: at(''),
    ...(work.tells && { env: telling }),
  });
  let megabytes = 0;
  let processor = 0;
  let complaint = '';
  child.stderr.on('data', (data) => {
    complaint += data;
  });
  const look = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid));
    processor = Math.max(processor, processorOf(child.pid));
  }, 20);
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      clearInterval(look);
      if (!(work.exits ?? [0]).includes(code ?? -1))
        reject(new Error(`${work.argv.join(' ')}: exit ${code}: ${complaint}`));
      else {
        const told = existsSync(usage) ? JSON.parse(readFileSync(usage, 'utf8')) : { main: 0 };
        resolve({ seconds: (performance.now() - started) / 1000, processor, megabytes, ...told });
      }
    });
  });
}

function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // It has ended, or this is not Linux.
  }
}

/** Ticks of a hundredth of a second, which Linux counts in everywhere. */
function processorOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100 || 0;
  } catch {
    return 0;
  }
}

export const median = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

/** The figures of commands that were run by turns. */
export interface Turns<Name extends string> {
  /** The medians of a command, and its highest memory. */
  of(name: Name): Run;
  /** The median of the ratios of two commands in the same round. */
  ratio(name: Name, other: Name, figure?: Figure): number;
}

/**
 * Runs commands in turn, A B C C B A A …: so a ratio holds where the machine's speed drifts.
 * @param works a command that is missing on this machine is undefined, and has no figures
 */
export async function byTurns<Name extends string>(
  works: Readonly<Record<Name, Work | undefined>>,
  runs: number,
): Promise<Turns<Name>> {
  const rounds: Record<Name, Run>[] = [];
  for (let i = 0; i < runs; i++) {
    const round: Partial<Record<Name, Run>> = {};
    const names = Object.keys(works) as Name[];
    for (const name of i % 2 === 0 ? names : names.reverse()) {
      const work = works[name];
      if (work !== undefined) round[name] = await time(work);
    }
    rounds.push(round as Record<Name, Run>);
  }
  return {
    of: (name) => ({
      seconds: median(rounds.map((round) => round[name].seconds)),
      processor: median(rounds.map((round) => round[name].processor)),
      main: median(rounds.map((round) => round[name].main)),
      megabytes: Math.max(...rounds.map((round) => round[name].megabytes)),
    }),
    ratio: (name, other, figure = 'seconds') =>
      median(rounds.map((round) => round[name][figure] / round[other][figure])),
  };
}

/** Two commands by turns, and the ratio of a figure; the second may be missing. */
export async function pair(
  a: Work,
  b: Work | undefined,
  runs: number,
  figure: Figure = 'seconds',
): Promise<{ a: Run; b?: Run; ratio?: number }> {
  const turns = await byTurns({ a, b }, runs);
  if (b === undefined) return { a: turns.of('a') };
  return { a: turns.of('a'), b: turns.of('b'), ratio: turns.ratio('a', 'b', figure) };
}

export function has(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Removes databases of the folder, or other files. */
export const remove =
  (...names: string[]) =>
  () => {
    for (const name of names) for (const end of ['', '-wal', '-shm']) rmSync(at(name + end), { force: true });
  };
