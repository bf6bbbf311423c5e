// Identifiers of records that a dry run makes: they are never kept and never told. They begin with a hyphen, which no
// kept one does, so that a later item about the same record does not tell them either.
import type { Table } from './table.js';

/**
 * Makes provisional identifiers, which count up.
 * @returns the identifier of a new row; each is given once
 */
export function provisionalIds(): (table: Table) => string {
  let count = 0;
  return ({ prefix = '' }) => `${prefix}-${String(++count).padStart(26, '0')}`;
}

/** Whether an identifier is that of a record that would be created. */
export function isProvisional(id: string, prefix: string): boolean {
  return id.startsWith(`${prefix}-`);
}
