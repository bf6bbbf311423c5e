// Binds a section of a mapping to the columns of one file.
import { fileScope } from './file-scope.js';
import type { BoundSection, MappingContext } from './mapper-state.js';
import { fillDown } from './rows/fill-down.js';
import { originalLine } from './rows/original-line.js';
import { sectionMapper } from './section-mapper.js';
import { unusedColumns, unusedMembers } from './unused-columns.js';

/**
 * Binds a section to the columns of its file.
 * @throws CatalogError `usage` for wrong names
 */
export function bindSection(
  { mapped, before, key, set, writing }: MappingContext,
  columns: readonly string[] | undefined,
): BoundSection {
  const scope = fileScope(mapped, columns, before);
  const fill = fillDown(mapped, scope, columns);
  const maker = sectionMapper(mapped, scope, key, { columns, set, writing });
  const used = new Set([...scope.used, ...(mapped.used ?? [])]);
  const unused = columns === undefined ? unusedMembers(used) : unusedColumns(columns, used);
  return { columns, scope, fill, maker, lineOf: originalLine(columns), unused };
}
