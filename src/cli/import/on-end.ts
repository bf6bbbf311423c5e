// The command of --on-end: gets the result of a run as JSON on its standard input, when everything of the run is written. Its own
// failure is a warning: the run has ended as it has.
import { spawn } from 'node:child_process';
import { InvalidArgumentError } from 'commander';
import { newWarning, warningLine } from '../../core/diagnostics/warning-codes.js';
import { maskCredentials } from '../../core/text/mask-credentials.js';
import type { ImportObserver, Outcome } from '../../importing/observer.js';
import { ndjsonReport } from '../../reporting/formats/json-report.js';
import type { RunInfo } from '../../reporting/run-info.js';
import { exitCodes } from '../exit-codes.js';

/** What makes a run worth telling: it did not end with 0, something was noticed, or a record was changed. */
const onEndReasons = ['failure', 'warning', 'change'] as const;
export type OnEndReason = (typeof onEndReasons)[number];

/** Milliseconds that the command may take. */
const longest = 60_000;

/** Milliseconds that its output is read after its end: what it has left running in the background may hold it open for ever. */
const drained = 1000;

export interface OnEnd {
  readonly command: string;
  /** Undefined for every run. */
  readonly when: readonly OnEndReason[] | undefined;
  readonly run: RunInfo;
  /** Whether the run reads several files. */
  readonly many: boolean;
}

/** Reads `--on-end-when failure,change`. @throws InvalidArgumentError */
export function onEndWhen(value: string): readonly OnEndReason[] {
  const words = value.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !(onEndReasons as readonly string[]).includes(word));
  if (unknown !== undefined) throw new InvalidArgumentError(`There are: ${onEndReasons.join(', ')}.`);
  return words as OnEndReason[];
}

/** Makes the observer, which is the last one: what the others write is there when the command starts. */
export function onEnd(options: OnEnd, stderr: NodeJS.WriteStream): ImportObserver {
  let result = '';
  // Without the lines of items a report is its summaries, the one of the whole run last.
  const keep = (summary: string): void => {
    result = summary;
  };
  const report = ndjsonReport({ write: keep, selection: 'none', many: options.many, run: options.run });
  const tell = async (total: Outcome): Promise<void> => {
    if (!isWanted(options, total)) return;
    await report.end?.(total);
    const about = { feed: options.run.feed ?? null };
    const input = `${JSON.stringify({ ...JSON.parse(result), ...about })}\n`;
    const failure = await pass(options.command, input, stderr).catch(({ message }: Error) => message);
    if (failure === undefined) return;
    stderr.write(
      `${warningLine(newWarning('on_end_failed', { command: maskCredentials(options.command), failure }))}\n`,
    );
  };
  return { ...report, end: tell, failed: tell };
}

function isWanted({ when, run }: OnEnd, total: Outcome): boolean {
  const { created, updated } = total.counts;
  const { suspended = 0, regained = 0, passed_on = 0 } = total.effects?.counts ?? {};
  const holds: Readonly<Record<OnEndReason, boolean>> = {
    failure: run.exitOf(total) !== exitCodes.ok,
    warning: (total.warnings ?? []).length > 0,
    change: created + updated + suspended + regained + passed_on > 0,
  };
  return when === undefined || when.some((reason) => holds[reason]);
}

/**
 * Runs a command in a shell, as it was typed or written in the user's own configuration.
 * @returns why it failed, or undefined
 */
function pass(command: string, input: string, stderr: NodeJS.WriteStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    const outputs = [child.stdout, child.stderr];
    let failure: string | undefined;
    let timer = setTimeout(() => {
      failure = `it took more than ${longest / 1000} s`;
      endGroup(child.pid);
    }, longest);
    // What it says is no report.
    for (const output of outputs) output.on('data', (chunk: Buffer) => void stderr.write(chunk));
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        for (const output of outputs) output.destroy();
      }, drained);
      if (code !== 0) failure ??= `it ended with ${signal ?? `exit code ${code}`}`;
    });
    const end = (reason = failure): void => {
      clearTimeout(timer);
      resolve(reason);
    };
    child.once('error', ({ message }) => end(message));
    child.once('close', () => end());
    // It need not read what it is given.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Ends a shell with what it has started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
