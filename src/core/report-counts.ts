// Lines → a report with counts; reports → totals. Counts are computed from the lines, so that they always agree.
import type { Counts, Line, Report } from './import-report.js';

export function noCounts(): Counts {
  return { created: 0, updated: 0, unchanged: 0, refused: 0, total: 0 };
}

export function reportOf(resource: string, dryRun: boolean, data: readonly Line[]): Report {
  const counts = noCounts();
  for (const line of data) {
    counts[line.action]++;
    counts.total++;
  }
  return { object: 'list', resource, dry_run: dryRun, data, ...counts };
}

/** Adds the counts of a report, or of another total, to a total. */
export function addCounts(total: Counts, counts: Readonly<Counts>): void {
  total.created += counts.created;
  total.updated += counts.updated;
  total.unchanged += counts.unchanged;
  total.refused += counts.refused;
  total.total += counts.total;
}

/** The public form of a report: its lines without the data for summaries within this process. */
export function sentReport(report: Report): Report {
  if (report.data.every(({ diagnostics }) => diagnostics === undefined)) return report;
  return { ...report, data: report.data.map(sentLine) };
}

/** The public form of a line. */
function sentLine(line: Line): Line {
  const { diagnostics, ...sent } = line;
  return diagnostics === undefined ? line : sent;
}
