// What a report says about its run: the typed options, the target, and how it ended. No secrets.
import { isRoutine } from '../../core/diagnostics/warning-codes.js';
import { maskCredentials } from '../../core/text/mask-credentials.js';
import type { Outcome } from '../../importing/observer.js';
import type { RunInfo } from '../../reporting/run-info.js';
import { programVersion } from '../../store/program-version.js';
import { exitCodes, failureExitCodes, signalExitCodes } from '../exit-codes.js';
import { watchOutput } from '../lost-output.js';
import { chooseTarget, type TargetOptions } from '../options.js';
import type { Job } from './import-job.js';
import { anyWarning, type FailOn } from './options/fail-on.js';
import type { ImportFlags } from './options/import-options.js';

/** Options that a report omits: the target has a field of its own, and the location of keys is private. */
const hiddenOptions: ReadonlySet<string> = new Set([
  ...['configured', 'ofFolder'],
  ...['db', 'remote', 'apiKeyFile', 'apiKeyEnv', 'caFile', 'sourceAuthEnv'],
  ...['color', 'quiet', 'progress', 'verbose'],
]);

/** @param target the reason of its signal is the signal that interrupted the run */
export function runInfo(
  jobs: readonly Job[],
  flags: TargetOptions & Pick<ImportFlags, 'feed' | 'dryRun' | 'failOn'>,
  { env, argv, stdout }: NodeJS.Process,
  {
    signal,
    waits,
    refusedBefore,
    runNumber,
  }: Required<Pick<RunInfo, 'waits'>> & {
    readonly signal: AbortSignal;
    readonly refusedBefore: () => number;
    readonly runNumber: () => number | undefined;
  },
): RunInfo {
  const chosen = chooseTarget(flags, env);
  const exitAfterAll = watchOutput(stdout);
  const files = jobs.map(({ file, sheet }) => maskCredentials(sheet === undefined ? file : `${file}: ${sheet}`));
  return {
    version: programVersion(),
    started: new Date(),
    command: argv[2] ?? '',
    files: [...new Set(files)],
    target: maskCredentials('db' in chosen ? chosen.db : chosen.remote),
    dryRun: flags.dryRun === true,
    options: optionsOf(flags),
    waits,
    number: runNumber,
    feed: flags.feed,
    exitOf: (outcome) =>
      exitAfterAll(exitOf(outcome, signal, { failOn: flags.failOn, refusedBefore: refusedBefore() })),
  };
}

/** Options that are on unless --no-… switches them off. */
const switchedOff: ReadonlySet<string> = new Set(['history', 'config']);

/** The given options by their long names: `dry-run`. */
export function optionsOf(flags: object): Record<string, unknown> {
  const given = Object.entries(flags).flatMap(([name, value]): [string, unknown][] => {
    if (hiddenOptions.has(name)) return [];
    if (!switchedOff.has(name)) return [[longName(name), reported(value)]];
    return value === false ? [[`no-${longName(name)}`, true]] : [];
  });
  return Object.fromEntries(given);
}

function longName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function reported(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reported);
  return typeof value === 'string' ? maskCredentials(value) : value;
}

/** The exit code of a run with this outcome. A failure without a code is a bug. */
function exitOf(
  { counts, stopped, warnings = [] }: Outcome,
  { reason }: AbortSignal,
  { failOn = [], refusedBefore }: { readonly failOn: FailOn | undefined; readonly refusedBefore: number },
): number {
  if (stopped === 'interrupted') return signalExitCodes[String(reason)] ?? failureExitCodes.interrupted;
  if (stopped !== undefined) return failureExitCodes[stopped as keyof typeof failureExitCodes] ?? exitCodes.bug;
  const fails = warnings.some(({ code }) => failOn.includes(code) || (failOn.includes(anyWarning) && !isRoutine(code)));
  return counts.refused > refusedBefore || fails ? exitCodes.refused : exitCodes.ok;
}
