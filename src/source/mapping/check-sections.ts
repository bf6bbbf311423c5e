// Checks a whole mapping before anything is written: every section and every table against the names in its file, so
// that a wrong name in a later section does not stop a run half-way.
import type { Fields } from '../../core/fields/fields.js';
import { recordKey } from '../../core/fields/record-key.js';
import { forFile } from '../file-place.js';
import type { SourceOptions } from '../source.js';
import { type FileScope, fileScope, type ReadBefore } from './file-scope.js';
import type { LookupTable } from './language/lookup-table.js';
import { columnsOf, tableRowMapper } from './lookup-tables.js';
import type { MappingSection } from './mapping.js';
import { fillDown } from './rows/fill-down.js';
import { sectionMapper } from './section-mapper.js';
import { refuseUnsaidFill } from './table-fills.js';
import { recordsOptions, tableForm } from './table-form.js';
import { tablesOf } from './used-tables.js';

export interface MappedFile {
  readonly fields: Fields;
  readonly keyField: string;
  readonly options: SourceOptions & { readonly mapped: MappingSection };
}

/** What is known of a file from its beginning. */
export interface FileHead {
  /** The names of its columns; undefined for records that are objects. */
  readonly columns: readonly string[] | undefined;
  /** Its first records, if these are objects, and how much of it that is. */
  readonly records: readonly unknown[];
  readonly characters: number;
  readonly isWhole: boolean;
}

/**
 * Reads the beginning of a file; undefined for a table without a header, where nothing can be checked.
 * @param takesRecords whether the first records are needed, if these are objects
 */
export type HeadOf = (options: SourceOptions, takesRecords: boolean) => Promise<FileHead | undefined>;

/**
 * Checks sections that are imported together.
 * @returns for each file, the columns that any of its sections and tables uses
 * @throws CatalogError `usage` for wrong names, with their position in the mapping file
 */
export async function checkSections(
  files: readonly MappedFile[],
  headOf: HeadOf,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const used = new Map<string, Set<string>>();
  const known = new Map<string, Promise<FileHead | undefined>>();
  // The records of a single section are looked at when it is opened, which is before anything is written.
  const isLater = files.length > 1;
  const headIn = (file: string, options: SourceOptions, as: MappingSection) => {
    const { sheet, record, items } = as.section;
    const id = JSON.stringify([file, sheet ?? options.sheet, as.read, record, items]);
    const found = known.get(id) ?? headOf({ ...forFile(options, file), mapped: as }, isLater);
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
      const form = tableForm(table, options, mapped);
      const { path, mapped: as, fill } = form;
      const head = await headIn(path, await recordsOptions(options, form), as);
      if (head !== undefined) {
        const scope = fileScope(as, head.columns, before);
        fillDown({ section: { ...(fill && { fill }) }, place: `tables.${name}` }, scope, head.columns);
        const make = tableRowMapper(name, table, scope);
        refuseUnsaidFill(form.filled, scope, `tables.${name}`);
        checkMembers(scope, head, (record) => make(record) !== undefined);
        use(path, scope.used);
      }
      tables.set(name, { ...columnsOf(table), rows: new Map() });
    }
    const head = await headIn(file, options, mapped);
    if (head === undefined) continue;
    const { columns } = head;
    const scope = fileScope(mapped, columns, before);
    fillDown(mapped, scope, columns);
    const writing = { decimal: '.', empty: 'skip' } as const;
    const maker = sectionMapper(mapped, scope, recordKey(fields, keyField), { columns, set, writing });
    checkMembers(scope, head, (record) => maker.keeps(record, () => undefined));
    use(file, scope.used);
  }
  return used;
}

/** Compares the members that a section or table names with the first records of its file. */
function checkMembers({ members }: FileScope, head: FileHead, keeps: (record: unknown) => boolean): void {
  if (members === undefined) return;
  let isAnyKept = false;
  for (const record of head.records) {
    members.watch(record);
    isAnyKept ||= keeps(record);
  }
  members.check({ ...head, records: head.records.length, isAnyKept });
}
