// The configuration file parsed as YAML with positions: keys and values with line and column. Bounded in bytes and
// nodes.
import { readFileSync, statfsSync, statSync } from 'node:fs';
import { isAlias, isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { CatalogError } from '../../core/errors.js';

/** The maximum size of the file in bytes, and the maximum number of keys and values in it. */
const bytesAtMost = 256 * 1024;
const nodesAtMost = 5_000;

/** A parsed file. */
export interface ConfigDocument {
  /** Undefined where the file is empty. */
  readonly contents: Node | undefined;
  /** An error with the position of a node. */
  readonly fault: (node: Node, message: string) => CatalogError;
  readonly place: (node: Node) => { readonly line: number; readonly column: number };
  /** The node, or the target of an alias. Fails where a file has too many aliases. */
  readonly resolved: (node: unknown) => Node | undefined;
}

/**
 * Parses a file.
 * @throws CatalogError `usage` where it cannot be read, or is not YAML
 */
export function readDocument(file: string): ConfigDocument {
  const lines = new LineCounter();
  const failed = (line: number, column: number, message: string): CatalogError =>
    new CatalogError('usage', `${file}: line ${line}, column ${column}: ${message}`);
  const document = parseYaml(file, readText(file), lines);
  const [broken] = document.errors;
  if (broken !== undefined) {
    const { line, col } = lines.linePos(broken.pos[0]);
    throw failed(line, col, `${broken.message.replace(/[.:]$/, '')}.`);
  }
  const place = (node: Node) => {
    const { line, col } = lines.linePos(node.range?.[0] ?? 0);
    return { line, column: col };
  };
  let left = nodesAtMost;
  const { contents } = document;
  return {
    contents: contents === null || isEmpty(contents) ? undefined : contents,
    place,
    fault: (node, message) => failed(place(node).line, place(node).column, message),
    resolved(node) {
      if (left-- === 0) throw new CatalogError('usage', `${file} has more than ${nodesAtMost} keys and values.`);
      return (isAlias(node) ? node.resolve(document) : (node ?? undefined)) as Node | undefined;
    },
  };
}

function isEmpty(node: Node | undefined): boolean {
  return isScalar(node) && node.value === null;
}

/**
 * Why a file is not to be trusted: another user could send what is imported, and a key with it, somewhere else. Root's files
 * count, and with sudo those of who typed it.
 * @returns the reason and what to do; undefined where the file is sound
 */
export function ownerFault(
  { uid, mode }: { readonly uid: number; readonly mode: number },
  file: string,
  { getuid, env }: Pick<NodeJS.Process, 'getuid' | 'env'> = process,
): string | undefined {
  const own = getuid?.();
  if (own === undefined) return undefined;
  const trusted = [own, 0, ...(own === 0 ? [Number(env['SUDO_UID'])] : [])];
  if (!trusted.includes(uid))
    return `it belongs to another user (uid ${uid}), who could choose where an import goes; use another folder, make the file yours (sudo chown ${own} ${file}), or use --no-config`;
  if ((mode & 0o002) !== 0)
    return `every user of this machine may change it; take that right away (chmod o-w ${file}), or use --no-config`;
  return undefined;
}

/** File systems whose files show one owner and all rights, whoever they belong to: drives of Windows in WSL, shares, cards. */
const withoutRights = new Set([
  0x0102_1997, // 9p
  0xff53_4d42, // CIFS
  0xfe53_4d42, // SMB 2
  0x4d44, // FAT
  0x2011_bab0, // exFAT
]);

/** Whether owner and rights of a file say who may change it. */
function hasRights(file: string): boolean {
  return !withoutRights.has(statfsSync(file).type >>> 0);
}

function readText(file: string): string {
  try {
    const found = statSync(file);
    if (!found.isFile()) throw new Error('it is not a file');
    const foreign = hasRights(file) ? ownerFault(found, file) : undefined;
    if (foreign !== undefined) throw new Error(foreign);
    if (found.size > bytesAtMost) throw new Error(`it has ${found.size} bytes; up to ${bytesAtMost} are read`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    const why = cause instanceof TypeError ? 'it is not UTF-8' : cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('usage', `The configuration file ${file} cannot be used: ${why}.`, { cause });
  }
}

function parseYaml(file: string, text: string, lines: LineCounter) {
  try {
    return parseDocument(text, { lineCounter: lines, prettyErrors: false });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new CatalogError('usage', `${file} is nested too deeply; it has sections, commands and options.`, { cause });
  }
}

/** A key with its value. */
export interface Pair {
  readonly key: Node;
  readonly name: string;
  /** Undefined where the key has no value. */
  readonly value: Node | undefined;
}

/**
 * The pairs of a mapping.
 * @param what what it is, for the message
 * @throws CatalogError `usage` where the node is not a mapping
 */
export function pairsOf(node: Node, what: string, { fault, resolved }: ConfigDocument): Pair[] {
  if (!isMap(node)) throw fault(node, `${what} must hold keys with values, such as "db: shop.db".`);
  return node.items.map((pair) => {
    const key = pair.key as Node;
    if (!isScalar(key)) throw fault(key ?? node, `${what}: a key must be a word.`);
    const value = resolved(pair.value);
    return { key, name: String(key.value), value: isEmpty(value) ? undefined : value };
  });
}

/** The source text of a text or number (1_000 and 0x10 stay as written); undefined for any other node. */
export function scalarText(node: Node | undefined): string | undefined {
  if (!isScalar(node)) return undefined;
  if (typeof node.value === 'number') return node.source ?? String(node.value);
  return typeof node.value === 'string' ? node.value : undefined;
}
