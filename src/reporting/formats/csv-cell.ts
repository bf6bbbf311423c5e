// A cell of a CSV file that is written. Supplier text must not become a formula in a spreadsheet.
import { sanitizeText } from '../../core/text/sanitize.js';

/** The beginning of a file by which spreadsheets recognize UTF-8. */
export const byteOrderMark = '\ufeff';

/**
 * A cell: on one line, without characters that control a terminal, quoted if needed, and with an apostrophe before text
 * that a spreadsheet would take for a formula.
 */
export function cell(text: string): string {
  const clean = sanitizeText(text);
  const harmless = /^\s*[=+\-@＝＋－＠]/.test(clean) ? `'${clean}` : clean;
  return /[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
