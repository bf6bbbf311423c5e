// Provisional identifiers of the records that a dry run creates. They are never stored and never reported. They begin
// with a hyphen, which no stored one does, so that a later item about the same record does not report them either.
import type { Table } from './table.js';

/**
 * Makes provisional identifiers, counting up for each table.
 * @returns a function that returns the next identifier
 */
export function provisionalIds(): (table: Table) => string {
  const counts = new Map<Table, number>();
  return (table) => {
    const count = (counts.get(table) ?? 0) + 1;
    counts.set(table, count);
    return `${table.prefix ?? ''}-${String(count).padStart(26, '0')}`;
  };
}

const hyphen = 0x2d;

export function isProvisional(id: string, prefix: string): boolean {
  return id.charCodeAt(prefix.length) === hyphen && id.startsWith(prefix);
}

/** The number of a provisional identifier within its table, from 1. */
export function provisionalCount(id: string): number {
  return Number(id.slice(-15));
}
