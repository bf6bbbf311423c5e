// Categories that name their parent by its number, code or key: a lookup table gives its name.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { isWhole } from './column-kinds.js';
import { columnsOf, type Match } from './questions.js';

/** The lines of a mapping for such a tree. */
export interface ParentsByNumber {
  /** @param openName the lines of the question which column has the names */
  readonly table: (openName: readonly string[]) => readonly string[];
  /** The column of the numbers. */
  readonly id: string;
  /** Field → expression. */
  readonly fields: ReadonlyMap<string, string>;
}

/** The longest code that is written after a name that occurs again: `Knights (12)`. */
const longestCode = 12;

/**
 * Finds such a tree.
 * @param filled field → column
 * @returns undefined where parents are named, or no column has their numbers
 */
export function parentsByNumber(
  columns: readonly ColumnProfile[],
  filled: ReadonlyMap<string, string>,
  name: Match | undefined,
): ParentsByNumber | undefined {
  const parent = columns.find((one) => one.name === filled.get('parent'));
  const titles = columnsOf(name);
  const [title] = titles;
  if (parent === undefined || title === undefined || titles.some((one) => shareNamed(parent, one) > 0.5))
    return undefined;
  const most = Math.max(...columns.map(({ filled: count }) => count));
  const [id] = columns
    .filter((one) => one !== parent && !titles.includes(one) && one.filled === most && one.repeats === 0)
    .filter((one) => (isWhole(parent) ? isWhole(one) : shareNamed(parent, one) > 0.5))
    .sort((one, other) => shareNamed(parent, other) - shareNamed(parent, one));
  if (id === undefined) return undefined;
  const text = (column: ColumnProfile) => JSON.stringify(column.name);
  const above = parent.samples.includes('0')
    ? `{ column: ${text(parent)}, map: { "0": "" }, else: keep }`
    : text(parent);
  const isOpen = titles.length > 1;
  // Names are unique in a catalog: where some occur again, the number tells them apart, or all names above them.
  const isAgain = titles.some(({ repeats }) => repeats > 0);
  const isCoded = !isOpen && id.longest <= longestCode && !/[{}]/.test(title.name + id.name);
  const named = isAgain && isCoded ? `{ template: ${JSON.stringify(`{${title.name}} ({${id.name}})`)} }` : text(title);
  const rule = isAgain && !isCoded ? ', name: { repeated: full }' : '';
  const looked = (column: string) => `{ column: ${text(id)}, lookup: { table: tree, column: ${column} } }`;
  return {
    id: id.name,
    table: (openName) => [
      'tables:',
      `  tree:${isOpen ? '' : ` { key: ${text(id)}, parent: ${above}, columns: { name: ${named} }${rule} }`}   # in any order`,
      ...(isOpen
        ? [
            `key: ${text(id)}`,
            `parent: ${above}`,
            ...(rule === '' ? [] : [rule.slice(2)]),
            'columns:',
            ...openName,
          ].map((line) => `    ${line}`)
        : []),
    ],
    fields: new Map([
      ['name', looked('name')],
      ['parent', looked('parent')],
      ['reference', text(id)],
    ]),
  };
}

/** The share of a column's values that are values of another one, as far as both are known. */
function shareNamed(parent: ColumnProfile, other: ColumnProfile): number {
  return parent.values.length === 0 ? 0 : parent.values.filter(other.holds).length / parent.values.length;
}
