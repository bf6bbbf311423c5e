// The remarks of a table on a line: why it was refused, what changed, notices.
import { joinSentences } from '../../core/diagnostics/join-sentences.js';
import { refusals } from '../../core/diagnostics/refusal-codes.js';
import type { Line } from '../../core/import-report.js';
import { ellipsize, sanitizeText } from '../../core/text/sanitize.js';

/**
 * Whether a notice only says that fields of a new record were omitted from its changes, which the table does not show.
 */
export function isOfNewFields({ action, changes, notice }: Line, { code }: Line['notice'][number]): boolean {
  return code === 'more_omitted' && action === 'created' && changes !== undefined && notice.length < 20;
}

/** The remarks on a line: why it was refused, what changed, notices. */
export function said(line: Line): string {
  const fields = line.changes ?? [];
  const isNew = line.action === 'created' && fields.length > 0;
  // For a new record every field is a change, so that "created" is enough.
  const changes = isNew
    ? ['new']
    : fields.map(({ field, from, to }) => `${field} ${JSON.stringify(from)} → ${JSON.stringify(to)}`);
  // For a refused item its further problems; notices about changes that were not applied are omitted.
  const reported = line.notice.filter(
    (notice) => (line.code === null && !isOfNewFields(line, notice)) || Object.hasOwn(refusals, notice.code),
  );
  const others = reported.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`));
  const reason = line.reason === null ? [] : [line.reason];
  return ellipsize(sanitizeText(joinSentences([...reason, ...changes, ...others])), 600);
}
