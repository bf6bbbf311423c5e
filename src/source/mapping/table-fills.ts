// `fill` and lookup tables: whether a table has the cells that sections fill in its records, only the mapping can say.
import { fold, quote } from '../../core/text/text.js';
import type { FileScope } from './file-scope.js';
import type { FillRule, Mapping, ReadRule, Section, TableRule } from './mapping.js';

/** Which parts of a file are its records. */
export type PlaceInFile = Pick<ReadRule, 'sheet' | 'record' | 'items'>;

function placeWords({ sheet, record, items }: PlaceInFile): PlaceInFile {
  return {
    ...(sheet !== undefined && { sheet }),
    ...(record !== undefined && { record }),
    ...(items !== undefined && { items }),
  };
}

/** Where the records of a table are in its file. */
export function placeOf(table: TableRule): PlaceInFile {
  return { ...placeWords(table.read ?? {}), ...placeWords(table) };
}

/** Whether two places in one file are the same. @param read what counts where they do not say it */
export function isSamePlace(one: PlaceInFile, other: PlaceInFile, read: PlaceInFile): boolean {
  const words = ['sheet', 'record', 'items'] as const;
  return words.every((word) => (one[word] ?? read[word]) === (other[word] ?? read[word]));
}

/** The tables of a mapping with what its sections say of their files. */
export function tablesOfFiles(
  tables: Mapping['tables'],
  { read, sections }: { readonly read: ReadRule; readonly sections: readonly Section[] },
): Mapping['tables'] {
  return Object.fromEntries(
    Object.entries(tables).map(([name, table]) => {
      const readers = table.file === undefined ? [] : sections.filter(({ file }) => file === table.file);
      const filling = readers.find((section) => section.fill && isSamePlace(placeOf(table), section, read));
      return [
        name,
        { ...table, ...(readers.length > 0 && { isOfSection: true }), ...(filling?.fill && { filled: filling.fill }) },
      ];
    }),
  );
}

/**
 * Refuses a table that reads cells which a section fills, and does not say whether it has them.
 * @param scope the columns that it reads
 * @throws CatalogError `usage`
 */
export function refuseUnsaidFill(filled: FillRule | undefined, scope: FileScope, place: string): void {
  if (filled === undefined) return;
  const used = new Set([...scope.used].map((column) => fold(column.trim())));
  const read = filled.columns.filter((column) => used.has(fold(column.trim())));
  const [first] = read;
  if (first === undefined) return;
  const within = filled.within === undefined ? '' : `, within: ${JSON.stringify(filled.within)}`;
  const same = `fill: {columns: ${JSON.stringify(read)}${within}}`;
  scope.fail(
    place,
    `a section fills ${quote(first)}, which the table reads; write ${same} in the table, or fill: none`,
  );
}
