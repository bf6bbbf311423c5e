// The cells of a record by the names of its columns, or the paths of its members.
import type { ExampleRow } from '../mapping/mapping.js';

/** A record by the names of its columns; none for what is no record. */
export function exampleOf(item: unknown, header: readonly string[] | undefined): ExampleRow[] {
  if (header !== undefined)
    return [Object.fromEntries(header.map((name, i) => [name, (item as readonly string[])[i] ?? '']))];
  return typeof item === 'object' && item !== null && !Array.isArray(item) ? [item as ExampleRow] : [];
}

/**
 * The cells of a row by column, or the members of an object by path.
 * @param levels of objects within a record whose members are read
 */
export function cellsOf(record: unknown, header: readonly string[] | undefined, levels: number): [string, string][] {
  if (header !== undefined)
    return header.map((name, i) => [
      name === '' ? `column ${i + 1}` : name,
      String((record as readonly unknown[])[i] ?? ''),
    ]);
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return [];
  return membersOf(record, '', levels);
}

function membersOf(record: object, prefix: string, levels: number): [string, string][] {
  return Object.entries(record).flatMap(([member, value]): [string, string][] => {
    const name = prefix + member;
    if (typeof value !== 'object' || value === null) return [[name, value === null ? '' : String(value)]];
    if (Array.isArray(value) || levels === 1) return [[name, JSON.stringify(value)]];
    return membersOf(value, `${name}.`, levels - 1);
  });
}
