// Rows without a value, which are no records.

/** Whether a record is a row without a value. */
export function isBlankRow(record: unknown): boolean {
  return Array.isArray(record) && record.every((cell) => typeof cell === 'string' && cell.trim() === '');
}
