// Categories that name their parent by its number or code: a lookup table gives its name.
import type { ColumnProfile } from '../../inspection/column-profile.js';

/** The lines of a mapping for such a tree. */
export interface ParentsByNumber {
  readonly table: readonly string[];
  /** The column of the numbers. */
  readonly id: string;
  /** Field → expression. */
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Finds such a tree.
 * @param matched field → column
 * @returns undefined where parents are named, or no column has their numbers
 */
export function parentsByNumber(
  columns: readonly ColumnProfile[],
  matched: ReadonlyMap<string, string>,
): ParentsByNumber | undefined {
  const columnOf = (field: string) => columns.find(({ name }) => name === matched.get(field));
  const [parent, name] = [columnOf('parent'), columnOf('name')];
  if (parent === undefined || name === undefined || names(parent, name)) return undefined;
  const most = Math.max(...columns.map(({ filled }) => filled));
  const id = columns.find(
    (one) =>
      one !== parent &&
      one !== name &&
      one.filled === most &&
      one.repeats === 0 &&
      (isNumbers(parent) ? isNumbers(one) && /id|code|key|n[or]/i.test(one.name) : names(parent, one)),
  );
  if (id === undefined) return undefined;
  const isTemplate = /[{}]/.test(name.name + id.name);
  const text = (column: ColumnProfile) => JSON.stringify(column.name);
  // Names are unique in a catalog: where some occur again, the number tells them apart.
  const named =
    name.repeats > 0 && !isTemplate ? `{ template: ${JSON.stringify(`{${name.name}} ({${id.name}})`)} }` : text(name);
  const above = parent.samples.includes('0')
    ? `{ column: ${text(parent)}, map: { "0": "" }, else: keep }`
    : text(parent);
  const looked = (column: string) => `{ column: ${text(id)}, lookup: { table: tree, column: ${column} } }`;
  return {
    id: id.name,
    table: ['tables:', `  tree: { key: ${text(id)}, parent: ${above}, columns: { name: ${named} } }   # in any order`],
    fields: new Map([
      ['name', looked('name')],
      ['parent', looked('parent')],
      ['reference', text(id)],
    ]),
  };
}

/** Whether most values of a column are values of another one, as far as both are known. */
function names(parent: ColumnProfile, other: ColumnProfile): boolean {
  return parent.values.filter(other.holds).length * 2 > parent.values.length;
}

function isNumbers({ numbers: { plain }, filled }: ColumnProfile): boolean {
  return filled > 0 && plain === filled;
}
