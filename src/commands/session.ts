// What the files of one command share: target, report, guard, and what Ctrl-C does.
import type { Journal } from '../http/journal.js';
import { type DecimalCommas, decimalCommas } from './decimal-commas.js';
import { type Guard, refusalGuard } from './guard.js';
import type { ImportFlags } from './import-options.js';
import { type Interruption, listenForInterruption } from './interruption.js';
import { jsonReport, ndjsonReport } from './json-report.js';
import { type MissingValues, missingValues } from './missing-values.js';
import { openTarget, type Target, wantsColour } from './options.js';
import type { Outputs } from './outputs.js';
import { type RefusedFiles, refusedFiles } from './refused-file.js';
import { newWaitTeller, type WaitTeller } from './remote.js';
import { openReportFile, type ReportFile } from './report-file.js';
import { type Reporter, together } from './reporter.js';
import { type RootCauses, rootCauses } from './root-causes.js';
import { streamWriter } from './stream-writer.js';
import { tableReport } from './table-report.js';

export interface Session {
  readonly target: Target;
  readonly reporter: Reporter;
  readonly guard: Guard | undefined;
  readonly interruption: Interruption;
  /** What was refused so far, and what it was the cause of. */
  readonly causes: RootCauses;
  /** Amounts refused for their decimal comma. */
  readonly commas: DecimalCommas;
  /** Values that no closed list has. */
  readonly missing: MissingValues;
  /** Where refused records go, where that was asked for. */
  readonly refused: RefusedFiles | undefined;
  /** Ends the reading of the file under way. */
  stop: () => void;
  /** Journals of the files so far, where the target is a remote. They go once the run is complete. */
  readonly journals: Journal[];
  /** Gives everything back; a report file that was not ended leaves nothing behind. */
  close(): Promise<void>;
}

/**
 * Opens what an import needs beside its files.
 * @param files the files to be read
 * @param shape `many`: whether they are told as one run, or as the one file they are; `outputs`: what may not be written over
 */
export async function openSession(
  files: readonly string[],
  flags: ImportFlags,
  process: NodeJS.Process,
  { many, outputs }: { readonly many: boolean; readonly outputs: Outputs },
): Promise<Session> {
  const target = await openTarget(flags, process.env, {
    create: true,
    scratch: flags.dryRun === true,
    onWait: waitTellerFor(flags, process),
  });
  let reportFile: ReportFile | undefined;
  try {
    if (flags.reportFile !== undefined)
      reportFile = openReportFile(flags.reportFile, { many, diff: flags.diff === true });
  } catch (cause) {
    await target.catalog.close();
    throw cause;
  }
  const onStdout = stdoutReport(flags, process, many);
  const session: Session = {
    target,
    reporter: reportFile === undefined ? onStdout : together([onStdout, reportFile]),
    guard: flags.maxRefused === undefined ? undefined : refusalGuard(flags.maxRefused),
    causes: rootCauses(),
    commas: decimalCommas(),
    missing: missingValues(),
    refused:
      flags.refusedFile === undefined
        ? undefined
        : refusedFiles(flags.refusedFile, files, many, (file) => outputs.claim('--refused-file', file)),
    interruption: listenForInterruption(
      process,
      (signal) => {
        process.stderr.write(`\n${signal}: stopping after the batch under way. Once more stops at once.\n`);
        session.stop();
        target.remote?.hurry();
      },
      () => {
        reportFile?.discard();
        session.refused?.discard();
      },
    ),
    stop: () => undefined,
    journals: [],
    async close() {
      session.interruption.done();
      reportFile?.discard();
      session.refused?.discard();
      for (const journal of session.journals) await journal.close();
      await target.catalog.close();
    },
  };
  return session;
}

/** Long waits have a line of their own where no spinner tells of them. */
function waitTellerFor(flags: ImportFlags, { stderr }: NodeJS.Process): WaitTeller {
  if (flags.quiet === true || stderr.isTTY) return () => undefined;
  return newWaitTeller((words) => stderr.write(`${words}\n`));
}

function stdoutReport(flags: ImportFlags, process: NodeJS.Process, many: boolean): Reporter {
  const write = streamWriter(process.stdout);
  if (flags.output === 'table') {
    const width = Math.min(120, Math.max(60, process.stdout.columns ?? 100));
    const look = { width, colour: wantsColour(process.stdout, flags, process.env), reportFile: flags.reportFile };
    return tableReport(write, { selection: flags.report ?? 'refused', many, look });
  }
  const form = { write, selection: flags.report ?? ('all' as const), many };
  return flags.output === 'json' ? jsonReport(form) : ndjsonReport(form);
}
