// Whether the members of an object are the records of a document: found by what an inspection saw of its one record.
import type { ColumnProfile } from '../inspection/column-profile.js';
import type { SourceDescription } from '../source.js';

/** Members of an object that are seen as records from this many on, where each has members of the same names. */
const fewestKeyed = 3;

/** The path of the object whose members are the records of a JSON document: `products.*`, `*`. */
export function keyedRecords({
  found,
  columns,
}: {
  readonly found: SourceDescription;
  readonly columns: readonly ColumnProfile[];
}): string | undefined {
  if (found.format !== 'json' || found.recordPath !== undefined) return undefined;
  // Of each outer name, the names or values within it.
  const members = new Map<string, ColumnProfile[]>();
  for (const column of columns) {
    const at = column.name.indexOf('.');
    const outer = at === -1 ? '' : column.name.slice(0, at);
    members.set(outer, [...(members.get(outer) ?? []), column]);
  }
  for (const [outer, inner] of members) {
    const isEach = inner.every(({ samples: [sample = ''] }) => sample.startsWith('{'));
    if (outer !== '' && inner.length >= fewestKeyed && isEach) return `${outer}.*`;
  }
  const objects = [...members.entries()].filter(([outer]) => outer !== '');
  const [first] = objects;
  const names = (inner: readonly ColumnProfile[]) => inner.map(({ name }) => name.slice(name.indexOf('.'))).join();
  const isAlike = objects.every(([, inner]) => names(inner) === names(first?.[1] ?? []));
  return objects.length >= fewestKeyed && objects.length === members.size && isAlike ? '*' : undefined;
}
