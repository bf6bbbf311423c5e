// Reads a mapping file (YAML or JSON) and validates it. Errors name file, line and path. The home of yaml.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { CatalogError } from '../../core/errors.js';
import type { Mapping, PathRule, Section } from './mapping.js';
import { quoteQuestions, refuseQuestions } from './open-questions.js';
import { mappingFault } from './schema/mapping-schema.js';

/** A mapping as written, before its short forms are expanded. */
interface Written extends Omit<Mapping, 'import'>, WrittenSection {
  readonly import?: readonly WrittenSection[];
}

interface WrittenSection extends Partial<Section> {
  readonly rename?: Readonly<Record<string, string>>;
  readonly set?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Reads a mapping file.
 * @throws CatalogError `usage` if it cannot be read or is not a valid mapping
 */
export function readMapping(file: string): Mapping {
  const lines = new LineCounter();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('usage', `The mapping ${file} cannot be read (${why}).`, { cause });
  }
  const document = parseDocument(quoteQuestions(text), { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined) {
    const { line, col } = lines.linePos(broken.pos[0]);
    throw new CatalogError('usage', `${file}: line ${line}, column ${col}: ${broken.message}`);
  }
  const { mapping, fault } = checked(file, document);
  if (fault !== undefined) {
    const node = nearestNode(document, fault.path);
    const where = node === undefined ? '' : `line ${lines.linePos(node).line}: `;
    throw new CatalogError('usage', `${file}: ${where}${pathWords(fault.path)}: ${sentence(fault.message)}`);
  }
  refuseQuestions(document, text, { file, lines });
  return mappingOf(mapping as Written, basename(file));
}

/** The mapping as data, with its first fault. @throws CatalogError `usage` where its aliases or its depth have no bounds */
function checked(file: string, document: ReturnType<typeof parseDocument>) {
  try {
    // Bounds alias expansion ("billion laughs"); no mapping needs more.
    const mapping: unknown = document.toJS({ maxAliasCount: 100 });
    return { mapping, fault: mappingFault(mapping) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError(
      'usage',
      `${file}: it cannot be expanded (${why}); write it without so many aliases or levels.`,
      {
        cause,
      },
    );
  }
}

function sentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`;
}

/** The position in the file of the innermost existing part of a path. */
function nearestNode(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const range = (node as { range?: readonly number[] } | null | undefined)?.range;
    if (range?.[0] !== undefined) return range[0];
  }
  return undefined;
}

function pathWords(path: readonly PropertyKey[]): string {
  const words = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return words === '' ? 'the mapping' : words.replace(/^\./, '');
}

function mappingOf(written: Written, name: string): Mapping {
  const { read = {}, tables = {}, examples = [], import: sections, ...only } = written;
  const list = (sections ?? [{ to: '', ...only }]).map((section) => sectionOf(section, name));
  const paths = pathRule(list);
  return {
    ...(paths && { paths }),
    read,
    tables,
    examples,
    import: list,
  };
}

/** The first section that makes items of paths. */
function pathRule(sections: readonly Section[]): PathRule | undefined {
  for (const section of sections) {
    const each = pathSpread(section);
    if (each !== undefined) return { section, each };
  }
  return undefined;
}

function pathSpread({ each }: Pick<Section, 'each'>): PathRule['each'] | undefined {
  return [each ?? []].flat().find((spread): spread is PathRule['each'] => 'path' in spread);
}

/** A section with its short forms expanded: `rename` and `set` become fields. */
function sectionOf({ rename, set, fields = {}, ...rest }: WrittenSection, name: string): Section {
  const renamed = Object.entries(rename ?? {}).map(([column, field]) => [field, column] as const);
  const constants = Object.entries(set ?? {}).map(([field, value]) => [field, { value }] as const);
  const seen = new Set(Object.keys(fields));
  for (const [field] of [...renamed, ...constants]) {
    if (seen.size === seen.add(field).size)
      throw new CatalogError('usage', `${name}: ${field} is filled twice; give it once in fields, rename or set.`);
  }
  const all = { ...Object.fromEntries(renamed), ...Object.fromEntries(constants), ...fields };
  return {
    ...rest,
    to: rest.to ?? '',
    others: rest.others ?? rename !== undefined,
    // Each row names the whole path again: a category is sent where it first occurs.
    ...(rest.once === undefined && pathSpread(rest as Section) !== undefined && { once: 'first' as const }),
    fields: all,
  };
}
