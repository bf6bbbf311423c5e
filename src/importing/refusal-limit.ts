// The limit on refused items (--max-refused), checked before each batch is applied, across all files of an import.
import { CatalogError } from '../core/errors.js';
import type { Line, Report } from '../core/import-report.js';
import { ellipsize, sanitizeText } from '../core/text/sanitize.js';

/** Refused items of the batch that was not applied, with their reasons, since no report contains them. */
const shownAtMost = 10;

/** The limit, the count so far, and the report on the batch that exceeded it. */
export interface RefusalLimit {
  readonly most: number;
  refused: number;
  exceeding: Report | undefined;
}

/** A limit with a count of 0. */
export function newRefusalLimit(most: number): RefusalLimit {
  return { most, refused: 0, exceeding: undefined };
}

/** Whether a batch may be applied; false from the first one that exceeds the limit. */
export function isWithin(limit: RefusalLimit, report: Report): boolean {
  limit.refused += report.refused;
  if (limit.refused > limit.most) limit.exceeding ??= report;
  return limit.exceeding === undefined;
}

/** The message about the batch that exceeds the limit. @param lines its physical lines */
export function limitExceeded({ most, exceeding }: RefusalLimit, lines: readonly number[] = []): CatalogError {
  const reasons = exceeding?.data.flatMap((line, i) => (line.code === null ? [] : [reason(line, lines[i])])) ?? [];
  const more = reasons.length - shownAtMost;
  const shown = [...reasons.slice(0, shownAtMost), ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n');
  const from = lines[0] === undefined ? 'Nothing of the last batch' : `Nothing from line ${lines[0]} on`;
  return new CatalogError(
    'guard_stopped',
    `Stopped: more than ${most} items are refused (--max-refused). ${from} was imported. Refused there:\n${shown}`,
  );
}

function reason({ external_id, code, reason }: Line, physical: number | undefined): string {
  return `  line ${physical ?? '?'}: ${ellipsize(sanitizeText(external_id), 40)}: ${code}: ${sanitizeText(reason ?? '')}`;
}
