// Databases write each value in an object that says its type: `{sku: {S: "A-1"}, price: {N: "9.50"}}`. Such a column is named by
// what is around the type.
import type { ColumnProfile } from '../../inspection/column-profile.js';

/** Members of an object from which on their only members may be types. */
const fewestTyped = 3;

/** Columns whose last part is a type: each as it is matched, with its name without the type → as it is in the file. */
export function withoutTypes(columns: readonly ColumnProfile[]): ReadonlyMap<ColumnProfile, ColumnProfile> {
  const outers = new Set(columns.map(({ name }) => name.split('.').slice(0, -2).join('.')));
  const typed = [...outers].find((outer) => areTypes(columns, outer));
  return new Map(
    columns.map((column) => {
      const { name } = column;
      const isTyped = typed !== undefined && isWithin(name, typed);
      return [isTyped ? { ...column, name: name.slice(0, name.lastIndexOf('.')) } : column, column];
    }),
  );
}

const isWithin = (name: string, outer: string): boolean => outer === '' || name.startsWith(`${outer}.`);

/** `{"NULL": true}` and `{"nullValue": null}` are what has no value of its type. */
const isNull = ({ name }: ColumnProfile): boolean => /\.null(?:Value)?$/i.test(name);

/** Whether each member of an object is an object with one member, of which there are few kinds. */
function areTypes(columns: readonly ColumnProfile[], outer: string): boolean {
  const kinds = new Map<string, Set<string>>();
  for (const { name } of columns.filter((column) => isWithin(column.name, outer) && !isNull(column))) {
    const [member = '', kind = ''] = name.slice(outer === '' ? 0 : outer.length + 1).split('.');
    kinds.set(member, (kinds.get(member) ?? new Set()).add(kind));
  }
  const all = new Set([...kinds.values()].flatMap((some) => [...some]));
  const isEach = [...kinds.values()].every((some) => some.size === 1 && !some.has(''));
  return isEach && kinds.size >= fewestTyped && all.size > 1 && all.size < kinds.size;
}
