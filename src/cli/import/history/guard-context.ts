// What the planning pass of an import with guards and its measure are given.
import type { WarningLog } from '../../../core/diagnostics/warning-log.js';
import type { JudgedFigure } from '../../../core/ledger/guard-figure.js';
import type { ImportFlags } from '../options/import-options.js';

export interface GuardContext {
  readonly flags: ImportFlags;
  readonly process: NodeJS.Process;
  readonly signal: AbortSignal;
  readonly say: (words: string) => void;
  readonly log: WarningLog;
  /** Takes the figures of the guards, whether they stop the run or not. */
  readonly judged: (figures: readonly JudgedFigure[]) => void;
  /** Begins the run. It waits for another run of the feed to end, so that the guards compare with its result. */
  readonly begin: () => Promise<void>;
}
