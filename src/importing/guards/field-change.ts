// What guards ask of the change of a field.
import type { FieldChange } from '../../core/import-report.js';

/** The words of a change. */
export function changeWords({ field, from, to }: FieldChange): string {
  return `${field} ${String(from)} → ${String(to)}`;
}

/** Whether it is a change of a price, of a product or of a grade. */
export function isPrice({ field }: FieldChange): boolean {
  return /(^|\.)price$/.test(field);
}
