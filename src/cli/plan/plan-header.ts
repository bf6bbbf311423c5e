// Makes the header of a plan, which describes its import.

import { maskCredentials } from '../../core/text/mask-credentials.js';
import type { LedgerRun } from '../../store/ledger/runs.js';
import { programVersion } from '../../store/program-version.js';
import { optionsOf } from '../import/describe-run.js';
import type { ImportFlags } from '../import/options/import-options.js';
import { chooseTarget } from '../options.js';
import { type PlanHeader, planVersion } from './plan-format.js';

interface PlannedImport {
  readonly command: string;
  /** Every run of the catalog so far. */
  readonly runs: readonly LedgerRun[];
  /** Names the catalog; '' where there is none yet. */
  readonly identity: string;
  /** The run that a guard stopped, if it writes the plan. */
  readonly blocked?: number;
}

export function planHeader(
  flags: ImportFlags,
  env: NodeJS.ProcessEnv,
  { command, runs, identity, blocked }: PlannedImport,
): PlanHeader {
  const { feed, missing, missingAfter, limit } = flags;
  const target = chooseTarget(flags, env);
  const settings = { ...(missing && { missing }), ...(missingAfter !== undefined && { missing_after: missingAfter }) };
  return {
    catalog_import_plan: planVersion,
    made: new Date().toISOString(),
    version: programVersion(),
    catalog: 'db' in target ? maskCredentials(target.db) : '',
    identity,
    command,
    options: optionsOf(flags),
    after_run: runs.at(-1)?.number ?? 0,
    ...(blocked !== undefined && { blocked_run: blocked }),
    ...(feed !== undefined && { feed: { name: feed, ...settings, complete: limit === undefined } }),
  };
}
