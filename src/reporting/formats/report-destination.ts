// Protects the last good report: the report of a failed run is written next to it, that of a run without records
// nowhere.
import { statSync } from 'node:fs';
import { parse } from 'node:path';
import type { Outcome } from '../../importing/observer.js';

/** Whether a report of an earlier run exists at a path. A device or a pipe contains none. */
export function hasEarlierReport(path: string): boolean {
  try {
    const found = statSync(path);
    return found.isFile() && found.size > 0;
  } catch {
    return false;
  }
}

/**
 * The path for the report of a run with this outcome.
 * @param hasEarlier whether there was a report at the path when the run began
 * @returns undefined if the earlier one stays and there is nothing to report
 */
export function reportDestination(path: string, hasEarlier: boolean, { counts, stopped }: Outcome): string | undefined {
  if (!hasEarlier || (stopped === undefined && counts.total > 0)) return path;
  return stopped === undefined ? undefined : failedPlace(path);
}

/** `reports/erp.csv` → `reports/erp.failed.csv`. */
export function failedPlace(path: string): string {
  const { ext } = parse(path);
  return `${path.slice(0, path.length - ext.length)}.failed${ext}`;
}

/** The message about an earlier report that is kept; undefined if it is not. */
export function keptReportNotice(path: string, destination: string | undefined): string | undefined {
  if (destination === path) return undefined;
  const kept = `${path} stays as an earlier run left it`;
  return destination === undefined
    ? `${kept}: this one had no records.`
    : `${kept}: the report of this run, which failed, is ${destination}.`;
}
