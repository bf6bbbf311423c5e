// Checks a whole mapping before anything is written: every section and every table against the columns of its file, so
// that a wrong name in a later section does not stop a run half-way.
import type { Fields } from '../../core/fields/fields.js';
import { recordKey } from '../../core/fields/record-key.js';
import type { SourceOptions } from '../source.js';
import { fileScope, type ReadBefore } from './file-scope.js';
import type { LookupTable } from './language/lookup-table.js';
import { tableFile, tableReading, tableRowMapper, tablesOf } from './lookup-tables.js';
import type { MappingSection } from './mapping.js';
import { fillDown } from './rows/fill-down.js';
import { sectionMapper } from './section-mapper.js';

/** A file that a section of a mapping reads. */
export interface MappedFile {
  readonly fields: Fields;
  readonly keyField: string;
  readonly options: SourceOptions & { readonly mapped: MappingSection };
}

/** The columns of a file; undefined for JSON, and for a table without a header, where nothing can be checked. */
export type ColumnsOf = (
  options: SourceOptions,
) => Promise<{ readonly columns: readonly string[] | undefined } | undefined>;

/**
 * Checks sections that are imported together.
 * @returns for each file, the columns that any of its sections and tables uses
 * @throws CatalogError `usage` for wrong names, with their position in the mapping file
 */
export async function checkSections(
  files: readonly MappedFile[],
  columnsOf: ColumnsOf,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const used = new Map<string, Set<string>>();
  const known = new Map<string, Promise<{ readonly columns: readonly string[] | undefined } | undefined>>();
  const columnsIn = (file: string, options: SourceOptions, as: MappingSection) => {
    const id = JSON.stringify([file, options.sheet, as.read]);
    const found = known.get(id) ?? columnsOf({ ...options, file, mapped: as });
    known.set(id, found);
    return found;
  };
  const use = (file: string, names: ReadonlySet<string>): void => {
    const all = used.get(file) ?? new Set<string>();
    used.set(file, all);
    for (const name of names) all.add(name);
  };
  for (const { fields, keyField, options } of files) {
    const { mapped, file, set = new Map() } = options;
    const tables = new Map<string, LookupTable>();
    const before: ReadBefore = { tables, repeated: new Set() };
    for (const [name, table] of tablesOf(mapped)) {
      const path = tableFile(table, file, mapped);
      const found = await columnsIn(path, options, tableReading(table, mapped));
      if (found !== undefined) {
        const scope = fileScope(mapped, found.columns, before);
        tableRowMapper(name, table, scope);
        use(path, scope.used);
      }
      tables.set(name, { columns: Object.keys(table.columns), rows: new Map() });
    }
    const found = await columnsIn(file, options, mapped);
    if (found === undefined) continue;
    const scope = fileScope(mapped, found.columns, before);
    fillDown(mapped, scope, found.columns);
    const writing = { decimal: '.', empty: 'skip' } as const;
    sectionMapper(mapped, scope, recordKey(fields, keyField), { columns: found.columns, set, writing });
    use(file, scope.used);
  }
  return used;
}
