// `fill` and lookup tables: a table holds the same records as the sections that read its file, with the same cells filled.
import { CatalogError } from '../../core/errors.js';
import type { Mapping, ReadRule, Section, TableRule } from './mapping.js';
import { tablesOf } from './used-tables.js';

/** Which parts of a file are its records. */
export type PlaceInFile = Pick<ReadRule, 'sheet' | 'record' | 'items'>;

export function placeWords({ sheet, record, items }: PlaceInFile): PlaceInFile {
  return {
    ...(sheet !== undefined && { sheet }),
    ...(record !== undefined && { record }),
    ...(items !== undefined && { items }),
  };
}

/** Whether two places in one file are the same. @param read what counts where they do not say it */
export function isSamePlace(one: PlaceInFile, other: PlaceInFile, read: PlaceInFile): boolean {
  const words = ['sheet', 'record', 'items'] as const;
  return words.every((word) => (one[word] ?? read[word]) === (other[word] ?? read[word]));
}

/**
 * The tables of a mapping with what the sections say of their files.
 * @throws CatalogError `usage` for a table whose file is filled in two ways
 */
export function tablesOfFiles(
  tables: Mapping['tables'],
  { name, read, sections }: { readonly name: string; readonly read: ReadRule; readonly sections: readonly Section[] },
): Mapping['tables'] {
  const tableOf = (word: string, table: TableRule): TableRule => {
    if (table.fill !== undefined) return table;
    const place = { ...placeWords(table.read ?? {}), ...placeWords(table) };
    const readers = sections.filter((section) => {
      const isRead = table.file === undefined ? uses(section, tables, word) : section.file === table.file;
      return isRead && isSamePlace(place, section, read);
    });
    for (const one of readers) {
      const other = readers.find(
        ({ file, fill }) => file === one.file && JSON.stringify(fill) !== JSON.stringify(one.fill),
      );
      if (other === undefined) continue;
      const which = [one, other].map((section) => `import[${sections.indexOf(section)}]`).join(' and ');
      throw new CatalogError(
        'usage',
        `${name}: tables.${word}: ${which} fill the cells of its file differently; write fill: in the table, too.`,
      );
    }
    const [{ fill } = {}] = table.file === undefined ? [] : readers;
    return fill === undefined ? table : { ...table, fill };
  };
  return Object.fromEntries(
    Object.entries(tables).map(([word, table]) => {
      const isOfSection = table.file !== undefined && sections.some(({ file }) => file === table.file);
      return [word, { ...tableOf(word, table), ...(isOfSection && { isOfSection }) }];
    }),
  );
}

function uses(section: Section, tables: Mapping['tables'], word: string): boolean {
  return tablesOf({ section, tables }).some(([name]) => name === word);
}
