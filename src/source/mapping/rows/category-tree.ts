// A lookup table whose rows name the row above them by its key (`parent`): a tree of categories. Each row gets the name that
// its place in the tree gives it, so that the key of a product's category leads to this category, and never to a namesake.
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { fold } from '../../../core/text/text.js';
import { categoryNamer, type RepeatedNaming, tellingApart } from '../language/category-namer.js';
import type { TableRow } from '../language/lookup-table.js';
import type { TableRule } from '../mapping.js';
import { aggregateOf, combinedAll, type RowValue, rowsDisagree } from './aggregate.js';

/** A row with its key. */
interface Node {
  readonly id: string;
  readonly line: number;
  /** The number of its record where all rows are on one line, else 0. */
  readonly record: number;
  readonly title: string;
  /** The key of the row above; '' at the top. */
  readonly parent: string;
}

/** The rows of a tree by key, with `name` and `parent` as names of categories, and those that have no place in it. */
interface CategoryTree {
  readonly rows: ReadonlyMap<string, readonly TableRow[]>;
  readonly faults: readonly {
    readonly key: string;
    readonly line: number;
    readonly record: number;
    readonly problem: Problem;
  }[];
}

/** How to make the names of several categories with one title different, and which title of several rows counts. */
type TreeNaming = Pick<TableRule, 'name' | 'columns'>;

/** The titles from the top down to a row, or why they are not known. */
type TreePath = readonly string[] | Problem;

/**
 * Names the rows of a tree.
 * @param isOneLine whether all rows are on one line, so that the numbers of records tell them apart
 */
export function categoryTree(
  rows: ReadonlyMap<string, readonly TableRow[]>,
  naming: TreeNaming,
  isOneLine: boolean,
): CategoryTree {
  const paths = new Map<string, TreePath>();
  const nodes = new Map<string, Node>();
  for (const [id, same] of rows) {
    nodes.set(
      id,
      nodeOf(id, same, { naming, isOneLine }, (problem) => paths.set(id, problem)),
    );
  }
  for (const id of nodes.keys()) settle(id, nodes, paths);
  const name = categoryNamer(naming, repeatedTitles(nodes));
  const named = new Map<string, { readonly node: Node; readonly path: readonly string[] }>();
  for (const [id, path] of [...paths]) {
    const node = nodes.get(id);
    if (!isPath(path) || node === undefined) continue;
    const key = fold(name(path));
    const other = named.get(key);
    if (other === undefined) {
      named.set(key, { node, path });
      continue;
    }
    const furtherName = tellingApart(naming, path, other.path) ?? '';
    // Neither counts because it came first.
    paths.set(id, namesake(node, other.node, { name: name(path), furtherName }));
    paths.set(other.node.id, namesake(other.node, node, { name: name(other.path), furtherName }));
  }
  const placed = new Map<string, readonly TableRow[]>();
  const faults: { key: string; line: number; record: number; problem: Problem }[] = [];
  for (const { id, line, record } of nodes.values()) {
    const path = pathBelow(id, nodes, paths);
    if (!isPath(path)) {
      faults.push({ key: id, line, record, problem: path });
      continue;
    }
    const own = { name: name(path), parent: name(path.slice(0, -1)) };
    placed.set(
      id,
      (rows.get(id) ?? []).map((row) => ({ ...row, cells: { ...row.cells, ...own } })),
    );
  }
  return { rows: placed, faults };
}

/** The path of a row, or the fault of one above it. */
function pathBelow(id: string, nodes: ReadonlyMap<string, Node>, paths: ReadonlyMap<string, TreePath>): TreePath {
  const own = paths.get(id) ?? [];
  for (let at = nodes.get(id); at !== undefined && isPath(own); at = nodes.get(at.parent)) {
    const path = paths.get(at.id);
    if (path !== undefined && !isPath(path)) return path;
  }
  return own;
}

function isPath(path: TreePath): path is readonly string[] {
  return Array.isArray(path);
}

/** The one title and parent of all rows of a key. */
function nodeOf(
  id: string,
  same: readonly TableRow[],
  { naming, isOneLine }: { readonly naming: TreeNaming; readonly isOneLine: boolean },
  fail: (problem: Problem) => void,
): Node {
  const { line = 0, number = 0 } = same[0] ?? {};
  const record = isOneLine ? number : 0;
  const valuesOf = (of: (row: TableRow) => string): RowValue[] =>
    same.map((row) => ({ value: of(row), line: row.line, number: row.number }));
  const titleOf = ({ cells }: TableRow): string => String(cells['name'] ?? '');
  const title = combinedAll(valuesOf(titleOf), aggregateOf(naming.columns['name'] ?? ''), (one, other) =>
    fail(rowsDisagree(one, other, { field: 'name' })),
  );
  // Below a category without a name, others would come to the top.
  if (same.every((row) => titleOf(row).trim() === ''))
    fail(sourceProblem('tree_title_missing', { key: id, line, record }, 'name'));
  const parents = valuesOf(({ parent }) => parent ?? '');
  const parent = combinedAll(parents, undefined, (one, other) =>
    fail(rowsDisagree(one, other, { field: 'parent', choice: 'none' })),
  );
  return { id, line, record, title: String(title ?? ''), parent: String(parent ?? '') };
}

/** Finds the path of a row and of those above it; without recursion, as a chain may be long. */
function settle(start: string, nodes: ReadonlyMap<string, Node>, paths: Map<string, TreePath>): void {
  const way = new Map<string, Node>();
  let id = start;
  while (id !== '' && !paths.has(id) && !way.has(id)) {
    const node = nodes.get(id);
    if (node === undefined) break;
    way.set(id, node);
    id = node.parent;
  }
  let above: TreePath = id === '' ? [] : (paths.get(id) ?? loop(id, way) ?? missing(id, [...way.values()].at(-1)));
  for (const node of [...way.values()].reverse()) {
    above = isPath(above) ? [...above, node.title] : above;
    paths.set(node.id, above);
  }
}

function loop(id: string, way: ReadonlyMap<string, Node>): Problem | undefined {
  if (!way.has(id)) return undefined;
  const nodes = [...way.values()];
  const round = nodes.slice(nodes.findIndex((node) => node.id === id));
  return sourceProblem(
    'tree_loop',
    {
      keys: round.map((one) => one.id),
      lines: round.map(({ line }) => String(line)),
      records: round.map(({ record }) => String(record)),
    },
    'parent',
  );
}

function missing(parent: string, node: Node | undefined): Problem {
  const { id = '', line = 0, record = 0 } = node ?? {};
  return sourceProblem('tree_parent_missing', { key: id, line, record, parent }, 'parent');
}

function namesake(
  { id, line, record }: Node,
  other: Node,
  as: { readonly name: string; readonly furtherName: RepeatedNaming | '' },
): Problem {
  const second = { other: other.id, otherLine: other.line, otherRecord: other.record };
  return sourceProblem('tree_namesakes', { ...as, key: id, line, record, ...second }, 'name');
}

/** The titles, folded, that occur under several parents. */
function repeatedTitles(nodes: ReadonlyMap<string, Node>): ReadonlySet<string> {
  const parents = new Map<string, string>();
  const repeated = new Set<string>();
  for (const { title, parent } of nodes.values()) {
    const known = parents.get(fold(title));
    if (known === undefined) parents.set(fold(title), parent);
    else if (known !== parent) repeated.add(fold(title));
  }
  return repeated;
}
