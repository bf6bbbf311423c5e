// The small faults that can be put into a source, found in its syntax tree: one of each place where a comparison, a condition,
// a flag, a bound, two arguments or a call can be wrong.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vitest/node';

/** A part of a source: a node of its tree, or what is between two of its places. */
interface Range {
  readonly start: number;
  readonly end: number;
}

interface Node extends Range {
  readonly type: string;
  readonly [member: string]: unknown;
}

export interface Fault {
  /** The source, as a path relative to the root. */
  readonly file: string;
  /** As survivors.txt and the output name it: `<path>: <line> [<piece> → <change>]`. */
  readonly name: string;
  /** What is replaced, and by what. */
  readonly piece: Range;
  readonly change: string;
  /** The smallest expression or statement that has all of it. */
  readonly node: Range & { readonly form: 'operation' | 'expression' | 'statement' };
  /** Of an operation: where its operands end and begin. */
  readonly operands: Range;
}

/** What an operator is mistaken for. */
export const opposites: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
};

const otherCalls: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
]);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** The nodes below a node that are code: types are none. */
function below(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter(isNode)
    .filter(({ type }) => !type.startsWith('TS') || /^TS(As|NonNull|Satisfies)/.test(type));
}

/** What can be wrong with a node itself: what is replaced, by what, and of which form the node is. */
function* faultsOf(node: Node, text: string): Generator<[piece: Range, change: string, form: Fault['node']['form']]> {
  const part = (name: string): Node => node[name] as Node;
  const textOf = ({ start, end }: Range): string => text.slice(start, end);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const operator = String(node['operator']);
      // Nothing but brackets, blanks and comments surrounds the operator.
      const at = part('left').end + textOf({ start: part('left').end, end: part('right').start }).indexOf(operator);
      const piece = { start: at, end: at + operator.length };
      const opposite = opposites[operator];
      if (opposite !== undefined) yield [piece, opposite, 'operation'];
      if (/^[+-]$/.test(operator) && textOf(part('right')) === '1')
        yield [{ start: at, end: part('right').end }, `${operator} 2`, 'expression'];
      return;
    }
    case 'Literal':
      if (typeof node['value'] === 'boolean') yield [node, String(!node['value']), 'expression'];
      return;
    case 'UnaryExpression':
      if (node['operator'] === '!') yield [node, textOf(part('argument')), 'expression'];
      return;
    case 'ReturnStatement':
      if (node['argument'] === null) yield [node, ';', 'statement'];
      return;
    case 'ExpressionStatement':
      if (part('expression').type === 'CallExpression' && (part('expression')['callee'] as Node).type !== 'Super')
        yield [node, ';', 'statement'];
      return;
    case 'ArrowFunctionExpression':
    case 'CallExpression':
    case 'NewExpression': {
      const property = node.type === 'CallExpression' ? part('callee')['property'] : undefined;
      const other = isNode(property) && otherCalls.get(textOf(property));
      if (other) yield [property, other, 'expression'];
      const [one, two, ...more] = (node['arguments'] ?? node['params']) as Node[];
      if (one === undefined || two === undefined || more.length > 0) return;
      if (![one, two].every(({ type }) => type === 'Identifier' || type === 'Literal')) return;
      if (!textOf({ start: one.start, end: two.end }).includes(':'))
        yield [{ start: one.start, end: two.end }, `${textOf(two)}, ${textOf(one)}`, 'expression'];
    }
  }
}

/** All faults of a source, from its first place to its last one. */
function faultsIn(file: string, text: string): Fault[] {
  const faults: Fault[] = [];
  /** @param chain the expression with `?.` that the node is the end of: what is called off together */
  const visit = (node: Node, chain?: Node): void => {
    for (const [piece, change, form] of faultsOf(node, text)) {
      const line = text.slice(text.lastIndexOf('\n', piece.start) + 1, text.indexOf('\n', piece.start)).trim();
      const { start, end } = chain ?? node;
      const operands =
        form === 'operation' ? { start: (node['left'] as Node).end, end: (node['right'] as Node).start } : piece;
      const name = `${file}: ${line} [${text.slice(piece.start, piece.end)} → ${change}]`.replace(/\s+/g, ' ');
      faults.push({ file, name, piece, change, node: { start, end, form }, operands });
    }
    const isLink = /^(?:Member|Call|TSNonNull)Expression$/.test(node.type);
    const links = [node['expression'], node['callee'], node['object']];
    for (const part of below(node)) {
      if (node.type === 'ChainExpression') visit(part, node);
      else visit(part, isLink && chain !== undefined && links.includes(part) ? chain : undefined);
    }
  };
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node);
  return faults;
}

/** The sources in a folder of the project, or the one of this path. */
function sourcesIn(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(path, name))
    .sort();
}

/** All faults of files and folders of the project, always in the same order. */
export function faultsAt(root: string, places: readonly string[]): Fault[] {
  return places
    .flatMap((place) => sourcesIn(root, place))
    .flatMap((file) => faultsIn(file, readFileSync(join(root, file), 'utf8')));
}

/** The source with this fault only. */
export function withFault(text: string, { piece, change }: Fault): string {
  return text.slice(0, piece.start) + change + text.slice(piece.end);
}
