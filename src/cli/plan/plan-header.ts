// What a plan says of the import that it is of.

import type { LedgerRun } from '../../store/ledger/runs.js';
import type { ImportFlags } from '../import/options/import-options.js';
import { optionsOf } from '../import/run-info.js';
import { chooseTarget } from '../options.js';
import { redactCredentials } from '../redact-credentials.js';
import { programVersion } from '../version.js';
import { type PlanHeader, planLayout, planVersion } from './plan-format.js';

/** Makes the header of a plan. @param runs every run of the catalog so far */
export function planHeader(
  flags: ImportFlags,
  env: NodeJS.ProcessEnv,
  {
    command,
    runs,
    blocked,
  }: { readonly command: string; readonly runs: readonly LedgerRun[]; readonly blocked?: number },
): PlanHeader {
  const { feed, missing, missingAfter, limit } = flags;
  const target = chooseTarget(flags, env);
  const settings = { ...(missing && { missing }), ...(missingAfter !== undefined && { missing_after: missingAfter }) };
  return {
    catalog_import_plan: planVersion,
    layout: planLayout(),
    made: new Date().toISOString(),
    version: programVersion(),
    catalog: 'db' in target ? redactCredentials(target.db) : '',
    command,
    options: optionsOf(flags),
    after_run: runs.at(-1)?.number ?? 0,
    ...(blocked !== undefined && { blocked_run: blocked }),
    ...(feed !== undefined && { feed: { name: feed, ...settings, complete: limit === undefined } }),
  };
}
