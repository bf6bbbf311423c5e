// Binds a section of a mapping to the columns of one file.

import { refusalColumns } from '../column-targets.js';
import { fileScope } from './file-scope.js';
import type { BoundSection, MappingContext } from './mapper-state.js';
import { fillDown } from './rows/fill-down.js';
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

const isLine = /^\d{1,15}$/;

/**
 * Reads it; undefined for a record that does not come from a file of refused rows.
 * @param columns the file's columns; undefined for records that are objects
 */
function originalLine(columns: readonly string[] | undefined): (record: unknown) => number | undefined {
  const [name = ''] = refusalColumns;
  const at = columns?.lastIndexOf(name) ?? -1;
  if (columns !== undefined && at === -1) return () => undefined;
  return (record) => {
    const written = columns === undefined ? Object(record)[name] : (record as readonly unknown[])[at];
    const line = String(written ?? '').trim();
    return isLine.test(line) ? Number(line) : undefined;
  };
}
