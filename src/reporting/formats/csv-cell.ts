// A cell of a CSV that is written. Text of a supplier must not become a formula in a spreadsheet.
import { sanitizeText } from '../../core/text/sanitize.js';

/**
 * A cell: on one line, without what a terminal would obey, quoted where it must be, and with an apostrophe before what a
 * spreadsheet would take for a formula.
 */
export function cell(text: string): string {
  const clean = sanitizeText(text);
  const harmless = /^\s*[=+\-@＝＋－＠]/.test(clean) ? `'${clean}` : clean;
  return /[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
