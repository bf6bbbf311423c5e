// A run that reads no file, such as an undo: its reports and its status file are those of an import, with what its end changed.
import { warningLine } from '../../core/diagnostics/warning-codes.js';
import { type WarningLog, warningLog } from '../../core/diagnostics/warning-log.js';
import type { RunEffects } from '../../core/ledger/feed-end.js';
import type { ImportObserver } from '../../importing/observer.js';
import { runImport } from '../../importing/run-import.js';
import type { TargetOptions } from '../options.js';
import { noticePrinter } from '../terminal-output.js';
import { optionsOf, runInfo } from './describe-run.js';
import { reportFiles, statusFiles } from './import-observers.js';
import type { ImportFlags } from './options/import-options.js';
import { importOutputs } from './outputs/import-outputs.js';
import { withReportNames } from './outputs/report-names.js';

export type RunFlags = TargetOptions & Pick<ImportFlags, 'feed' | 'dryRun' | 'reportFile' | 'statusFile' | 'quiet'>;

/** What it did. */
export interface DoneRun {
  readonly effects: RunEffects;
  /** The number of the run; undefined for a dry run. */
  readonly run: number | undefined;
}

interface RunWithoutFile<R extends DoneRun> {
  /** The typed command: `undo 64`. */
  readonly command: string;
  readonly signal: AbortSignal;
  readonly work: (log: WarningLog) => Promise<R>;
}

/**
 * Does what a run without a file does, and writes its reports.
 * @throws the failure of the work, after the reports
 */
export async function runWithoutFile<R extends DoneRun>(
  typed: RunFlags,
  process: NodeJS.Process,
  { command, signal, work }: RunWithoutFile<R>,
): Promise<R> {
  const flags = withReportNames({ ...typed, history: true }, true);
  const outputs = importOutputs([], flags, process.env, {});
  process.once('exit', outputs.release);
  const say = noticePrinter(process.stderr, flags);
  const log = warningLog((warning) => say(warningLine(warning)));
  let done: R | undefined;
  const runNumber = () => done?.run;
  const waits = () => ({ count: 0, seconds: 0 });
  const info = runInfo([], flags, process, { signal, waits, refusedBefore: () => 0, runNumber });
  // What the command says already.
  const { feed: _, since: __, ...reported } = typed as RunFlags & { readonly since?: number };
  const run = { ...info, command, options: optionsOf(reported) };
  const ending: ImportObserver = {
    async end(total) {
      const started = performance.now();
      done = await work(log);
      const seconds = (performance.now() - started) / 1000;
      return { ...total, seconds, effects: done.effects, warnings: log.all() };
    },
  };
  const reports = [
    ...reportFiles({ ...flags, feed: flags.feed ?? '' }, { runNumber, say, outputs }, { many: true, run }),
    ...statusFiles(flags, { say }, { run }),
  ];
  try {
    const request = { files: [], dryRun: flags.dryRun === true, diff: false, duplicates: 'last' as const };
    const { failure } = await runImport(request, noCatalog, [ending, ...reports]);
    if (failure !== undefined) throw failure;
    return done as unknown as R;
  } finally {
    outputs.release();
  }
}

/** No file is imported. */
function noCatalog(): never {
  throw new Error('a run without a file has imported one');
}
