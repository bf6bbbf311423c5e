// Finds the last segments of category paths that occur under several parents, for mappings that qualify only those names.
// The file is read an extra time before the import, as for tables.
import { CatalogError } from '../../core/errors.js';
import { fold } from '../../core/text/text.js';
import { fileIn } from '../../files/file-in.js';
import { type FilePlace, folderOf, isReadOnce } from '../file-place.js';
import { fileScope } from './file-scope.js';
import { recordFilter } from './language/condition.js';
import { splitPaths } from './language/expander.js';
import { compileExpression } from './language/expression.js';
import { type Context, toText } from './language/scope.js';
import type { ReadRecords } from './lookup-tables.js';
import type { MappingSection } from './mapping.js';

/** Maximum different categories kept. */
const mostNames = 500_000;

const none: ReadonlySet<string> = new Set();

/**
 * Reads the paths of the section that makes the categories.
 * @returns the last segments, folded, that occur under several parents; none if the mapping does not need them
 * @throws CatalogError if the file cannot be read, or names are wrong
 */
export async function readRepeatedSegments(
  mapped: MappingSection,
  from: FilePlace,
  read: ReadRecords,
): Promise<ReadonlySet<string>> {
  const { paths } = mapped;
  if (paths === undefined || typeof paths.each.name !== 'object') return none;
  if (isReadOnce(from))
    throw new CatalogError(
      'usage',
      `${mapped.name}: name: {repeated: …} reads the file twice; standard input can be read once only. Name a file.`,
    );
  const { section, each } = paths;
  // If the sections of a mapping have files of their own, these are in one folder.
  const path =
    section.file === undefined || mapped.section.file === undefined ? from.file : fileIn(folderOf(from), section.file);
  const place = `the categories of ${mapped.name}`;
  const parents = new Map<string, string>();
  const repeated = new Set<string>();
  let take: ((record: unknown) => void) | undefined;
  const begin = (columns: readonly string[] | undefined): ((record: unknown) => void) => {
    const scope = fileScope(mapped, columns, { tables: new Map(), repeated: none });
    const keep = recordFilter(section, scope, place);
    const cell = compileExpression(each.path, scope, `${place}.each.path`, '');
    return (record) => {
      let isRefused = false;
      const refuse = () => {
        isRefused = true;
      };
      const context: Context = { record, own: {}, refuse };
      if (keep !== undefined && !keep(context)) return;
      const paths = toText(cell(context));
      // A record that is refused makes no categories.
      if (isRefused) return;
      for (const parts of splitPaths(paths, each)) note(parts.map(fold), parents, repeated);
      if (parents.size > mostNames)
        throw new CatalogError(
          'usage',
          `${mapped.name}: ${path} has more than ${mostNames} categories; use name: full.`,
        );
    };
  };
  await read({ path, mapped, isApart: false, own: {} }, ({ record }, columns) => {
    take ??= begin(columns);
    take(record);
  });
  return repeated;
}

function note(parts: readonly string[], parents: Map<string, string>, repeated: Set<string>): void {
  parts.forEach((part, i) => {
    const parent = parts.slice(0, i).join('\0');
    const known = parents.get(part);
    if (known === undefined) parents.set(part, parent);
    else if (known !== parent) repeated.add(part);
  });
}
