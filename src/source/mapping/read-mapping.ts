// Reads a mapping file (YAML or JSON) and validates it. Errors name file, line and path.
import { basename } from 'node:path';
import { type Document, isMap, isScalar, isSeq, type LineCounter } from 'yaml';
import { CatalogError } from '../../core/errors.js';
import { checkedYaml, readTextFile } from '../checked-yaml.js';
import type { Mapping, PathRule, Section } from './mapping.js';
import { mappingFault } from './schema/mapping-schema.js';
import { isWords } from './schema/schema-checks.js';
import { tablesOfFiles } from './table-fills.js';

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
 * @param given fields that have a value for all records, and `encoding` and `decimal` where they are named: no questions any more
 * @throws CatalogError `usage` if it cannot be read or is not a valid mapping
 */
export function readMapping(file: string, given: ReadonlySet<string> = new Set()): Mapping {
  const text = readTextFile('The mapping', file);
  const { document, lines, value } = checkedYaml(
    file,
    quoteQuestions(text),
    (written) => mappingFault(withoutQuestions(written)),
    'the mapping',
  );
  refuseQuestions(document, text, { file, lines, given });
  return mappingOf(value as Written, basename(file));
}

function mappingOf(written: Written, name: string): Mapping {
  const { read = {}, tables = {}, examples = [], import: sections, ...only } = written;
  const list = (sections ?? [{ to: '', ...only }]).map((section) => sectionOf(section, name));
  const paths = pathRule(list);
  const form = answered(read);
  return {
    ...(paths && { paths }),
    read: form,
    tables: tablesOfFiles(tables, { read: form, sections: list }),
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
  const all = { ...Object.fromEntries(renamed), ...Object.fromEntries(constants), ...answered(fields) };
  return {
    ...rest,
    to: rest.to ?? '',
    others: rest.others ?? rename !== undefined,
    // Each row names the whole path again: a category is sent where it first occurs.
    ...(rest.once === undefined && pathSpread(rest as Section) !== undefined && { once: 'first' as const }),
    fields: all,
  };
}

const question = '?';

/** Without the questions that options of the command answer. */
function answered<T extends object>(words: T): T {
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== question)) as T;
}

/** A mapping without the open words about the form of the file, which are no values of theirs. */
const withoutQuestions = (written: unknown): unknown =>
  isWords(written) && isWords(written['read']) ? { ...written, read: answered(written['read']) } : written;

/** `price: ?` at the end of a line, for which YAML would expect a key. A key ends on its line: else each line is read to the end of all. */
const bare = /^([ \t]*(?:- )?(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#'"][^:#\n]*):[ \t]+)\?(?=[ \t]*(?:#.*)?\r?$)/gm;

/** The text of a mapping with its questions as YAML can read them. Lines keep their numbers. */
function quoteQuestions(text: string): string {
  return text.replace(bare, '$1"?"');
}

/** @throws CatalogError `usage` that names each open question, with the comment lines below it: its candidates */
function refuseQuestions(
  document: Document,
  text: string,
  { file, lines, given }: { file: string; lines: LineCounter; given: ReadonlySet<string> },
) {
  const rows = text.split('\n');
  const questions = [...fieldLists(document), document.get('read')].flatMap((fields) =>
    isMap(fields)
      ? fields.items.flatMap(({ key, value }) => {
          const name = String(isScalar(key) ? key.value : key);
          if (!isScalar(value) || value.value !== question || !value.range || given.has(name)) return [];
          const { line } = lines.linePos(value.range[0]);
          return [`  line ${line}: ${name}: ${commentBelow(rows, line)}`];
        })
      : [],
  );
  if (questions.length === 0) return;
  throw new CatalogError(
    'usage',
    `${file} has open questions. Write the right answer in place of each ?, or remove the line:\n${questions.join('\n')}`,
  );
}

/** The fields of sections, and the columns of tables. */
function fieldLists(document: Document): unknown[] {
  const sections = document.get('import');
  const parts = isSeq(sections) ? sections.items : [document.contents];
  const tables = document.get('tables');
  return [
    ...parts.map((part) => (isMap(part) ? part.get('fields') : undefined)),
    ...(isMap(tables) ? tables.items.map(({ value }) => (isMap(value) ? value.get('columns') : undefined)) : []),
  ];
}

/** The comment lines that follow a line, as far as they are indented like it. */
function commentBelow(rows: readonly string[], line: number): string {
  const below = rows.slice(line);
  const indent = /^\s*/.exec(rows[line - 1] ?? '')?.[0] ?? '';
  const end = below.findIndex((row) => !row.startsWith(indent) || !/^\s*#/.test(row));
  const comments = (end === -1 ? below : below.slice(0, end)).map((row) => row.replace(/^\s*#\s*/, '').trim());
  return comments.length === 0 ? 'no column is named' : comments.join('; ');
}
