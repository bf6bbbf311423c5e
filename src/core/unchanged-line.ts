// The report line of an unchanged item, for every place that finds it out.
import type { Line, Notice } from './import-report.js';

/**
 * The line of an item that is `unchanged`, but for its index.
 * @param id the record's id as the report shows it; null where the record was not read
 * @param notice why it is unchanged, if that is not for having been compared
 */
export function unchangedLine(externalId: string, id: string | null, notice: readonly Notice[]): Omit<Line, 'index'> {
  return { external_id: externalId, action: 'unchanged', id, code: null, title: null, reason: null, notice };
}
