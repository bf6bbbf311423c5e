// Counts the values of columns and members that no section of a mapping uses, so that a forgotten price column is noticed.
import { isAdded } from '../column-targets.js';

/** Maximum members of JSON records that are counted; a hostile file may have a million. */
const mostMembers = 1000;

/** Counts values that nothing uses. */
export interface UnusedColumns {
  watch(record: unknown): void;
  counts(): ReadonlyMap<string, number>;
}

export function unusedColumns(columns: readonly string[], used: ReadonlySet<string>): UnusedColumns {
  const watched = columns.flatMap((name, index) =>
    used.has(name) || isAdded(name) ? [] : [{ name: name.trim() === '' ? `column ${index + 1}` : name.trim(), index }],
  );
  const counts = new Array<number>(watched.length).fill(0);
  return {
    watch(record) {
      const cells = record as readonly unknown[];
      for (let i = 0; i < watched.length; i++) {
        const cell = cells[watched[i]?.index ?? 0];
        if (cell !== undefined && cell !== '' && String(cell).trim() !== '') counts[i] = (counts[i] ?? 0) + 1;
      }
    },
    counts: () => new Map(watched.flatMap(({ name }, i) => ((counts[i] ?? 0) > 0 ? [[name, counts[i] ?? 0]] : []))),
  };
}

/**
 * The members of a record that a path reads: for `price.amount` and `price[].amount` it is `price`; for `param[@name=Colour]@unit`
 * it may be `param@name` and `param@unit`, too, where the attributes of elements are next to these.
 */
function membersOf(path: string): string[] {
  const [first = ''] = path.split(/[.[]/, 1);
  const [, choices = '', attribute = ''] = /^((?:\[[^\]]*\])+)(@[^.[]+)?/.exec(path.slice(first.length)) ?? [];
  const attributes = [...choices.matchAll(/\[\s*(@[^=\]]+)=/g)].map(([, name = '']) => name.trim());
  return [path, first, ...[...attributes, attribute].map((name) => first + name)];
}

/** Watches the members of records that are objects. */
export function unusedMembers(used: ReadonlySet<string>): UnusedColumns {
  const names = new Set([...used].flatMap(membersOf));
  const counts = new Map<string, number>();
  return {
    watch(record) {
      if (typeof record !== 'object' || record === null) return;
      for (const name in record) {
        if (names.has(name) || isAdded(name)) continue;
        const value = (record as Readonly<Record<string, unknown>>)[name];
        if (value === null || value === '') continue;
        const count = counts.get(name);
        if (count !== undefined || counts.size < mostMembers) counts.set(name, (count ?? 0) + 1);
      }
    },
    counts: () => counts,
  };
}
