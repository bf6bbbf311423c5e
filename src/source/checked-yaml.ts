// Reads and validates a file of YAML or JSON that people write. Errors name file, line and path.
import { type Document, LineCounter } from 'yaml';
import { CatalogError } from '../core/errors.js';
import { readText } from '../files/read-text.js';
import type { Fault } from './mapping/schema/schema-checks.js';
import { keepWritten, parseYaml } from './parse-yaml.js';

export interface CheckedYaml {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly value: unknown;
}

/** @param what what the file is, in a message: `The mapping` */
export function readTextFile(what: string, file: string): string {
  try {
    return readText(file);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('usage', `${what} ${file} cannot be read (${why}).`, { cause });
  }
}

/**
 * @param file its name in messages
 * @param faultOf finds what is wrong with the content
 * @param whole what the content is called where it is wrong as a whole
 * @throws CatalogError `usage` for the first fault
 */
export function checkedYaml(
  file: string,
  text: string,
  faultOf: (value: unknown) => Fault | undefined,
  whole: string,
): CheckedYaml {
  const lines = new LineCounter();
  const { document, fault: broken } = parseYaml(text, lines);
  if (broken !== undefined) {
    const { line, col } = lines.linePos(broken.at);
    throw new CatalogError('usage', `${file}: line ${line}, column ${col}: ${broken.message}`);
  }
  keepWritten(document);
  const { value, fault } = checked(file, document, faultOf);
  if (fault !== undefined) {
    const node = nearestNode(document, fault.path);
    const where = node === undefined ? '' : `line ${lines.linePos(node).line}: `;
    throw new CatalogError('usage', `${file}: ${where}${pathWords(fault.path, whole)}: ${sentence(fault.message)}`);
  }
  return { document, lines, value };
}

/** The content as data, with its first fault. @throws CatalogError `usage` where its aliases or its depth have no bounds */
function checked(file: string, document: CheckedYaml['document'], faultOf: (value: unknown) => Fault | undefined) {
  try {
    // Bounds alias expansion ("billion laughs"); nobody needs more.
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { value, fault: faultOf(value) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError(
      'usage',
      `${file}: it cannot be expanded (${why}); write it without so many aliases or levels.`,
      { cause },
    );
  }
}

function sentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`;
}

/** The position in the file of the innermost existing part of a path. */
function nearestNode(document: CheckedYaml['document'], path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const range = (node as { range?: readonly number[] } | null | undefined)?.range;
    if (range?.[0] !== undefined) return range[0];
  }
  return undefined;
}

function pathWords(path: readonly PropertyKey[], whole: string): string {
  const words = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return words === '' ? whole : words.replace(/^\./, '');
}
