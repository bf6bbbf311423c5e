// The last good report stays: that of a run that failed goes beside it, that of a run without records nowhere.
import { statSync } from 'node:fs';
import { parse } from 'node:path';
import type { Outcome } from '../../importing/observer.js';

/** Whether there is a report of an earlier run at a place. A device or a pipe holds none. */
export function hasEarlierReport(path: string): boolean {
  try {
    const found = statSync(path);
    return found.isFile() && found.size > 0;
  } catch {
    return false;
  }
}

/**
 * Where the report of a run goes that ended so.
 * @param hasEarlier whether there was a report at the path when the run began
 * @returns undefined where the earlier one stays and there is nothing to be told beside it
 */
export function reportDestination(path: string, hasEarlier: boolean, { counts, stopped }: Outcome): string | undefined {
  if (!hasEarlier || (stopped === undefined && counts.total > 0)) return path;
  return stopped === undefined ? undefined : failedPlace(path);
}

/** `reports/erp.csv` → `reports/erp.failed.csv`. */
function failedPlace(path: string): string {
  const { ext } = parse(path);
  return `${path.slice(0, path.length - ext.length)}.failed${ext}`;
}

/** The message where an earlier report is kept; undefined where it is not. */
export function keptReportNotice(path: string, place: string | undefined): string | undefined {
  if (place === path) return undefined;
  const kept = `${path} stays as an earlier run left it`;
  return place === undefined
    ? `${kept}: this one had no records.`
    : `${kept}: the report of this run, which failed, is ${place}.`;
}
