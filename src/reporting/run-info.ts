// What a report says about its run in addition to the lines: the options, how it ended, and how often each code occurred.

import { refusals } from '../core/diagnostics/refusal-codes.js';
import type { Line } from '../core/import-report.js';
import type { FeedEnd } from '../core/ledger/feed-end.js';
import type { GuardFigure } from '../core/ledger/guard-figure.js';
import type { BatchResult, Outcome } from '../importing/observer.js';

/** What a guard found that would stop an import. */
export type PlannedStop = Pick<GuardFigure, 'option' | 'words'>;

/** A plan that is made or shown. */
interface RunPlan {
  readonly file: string;
  /** The command that imports it. */
  readonly apply: string;
  /** What the guards found that would stop the import, once the last file was read. */
  found(): readonly PlannedStop[];
}

/** A run as it was requested, without secrets. */
export interface RunInfo {
  readonly version: string;
  readonly started: Date;
  /** The typed command: `products`, `run`. */
  readonly command: string;
  readonly files: readonly string[];
  /** The catalog's file, or the address of a remote. */
  readonly target: string;
  readonly dryRun: boolean;
  /** The given options, by their long names. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Its number in the history of the catalog, from its first file on; none in a dry run, in a remote or with --no-history. */
  number?(): number | undefined;
  readonly feed?: string | undefined;
  /** The plan that it makes or shows. */
  readonly plan?: RunPlan | undefined;
  /** What the end of its feed's run would do, where that is known beforehand: of a plan. */
  readonly feedEnd?: FeedEnd | undefined;
  /** How often and how long requests waited before a retry. */
  waits?(): { readonly count: number; readonly seconds: number };
  /** The exit code of a run with this outcome. */
  exitOf(outcome: Outcome): number;
}

/** The head of a report, in the names of the interface. */
export function runHeader(run: RunInfo): object {
  const { version, started, command, files, target, dryRun, options, feedEnd } = run;
  const head = {
    number: run.number?.() ?? null,
    version,
    started: started.toISOString(),
    command,
    files,
    target,
    dry_run: dryRun,
    options,
  };
  return feedEnd === undefined ? head : { ...head, feed_end: feedEnd };
}

/** Maximum codes that are counted; a remote may send any. */
const mostCodes = 500;

/** Counts of each code: reasons of refused lines, and notices about accepted ones. */
export interface CodeCounts {
  readonly codes: Map<string, number>;
  readonly notices: Map<string, number>;
}

export function newCodeCounts(): CodeCounts {
  return { codes: new Map(), notices: new Map() };
}

export function countCodes({ codes, notices }: CodeCounts, { report }: BatchResult): void {
  for (const line of report.data) {
    if (line.code !== null) count(codes, line.code);
    else if (line.notice.length > 0) for (const { code } of noticesIn(line)) count(notices, code);
  }
}

function noticesIn({ notice }: Line): Line['notice'] {
  return notice.filter(({ code }) => !Object.hasOwn(refusals, code));
}

export function addCodes(all: CodeCounts, { codes, notices }: CodeCounts): void {
  for (const [code, times] of codes) count(all.codes, code, times);
  for (const [code, times] of notices) count(all.notices, code, times);
}

function count(counts: Map<string, number>, code: string, times = 1): void {
  const before = counts.get(code);
  if (before !== undefined || counts.size < mostCodes) counts.set(code, (before ?? 0) + times);
}
