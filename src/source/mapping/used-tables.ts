// The tables that a section of a mapping needs, and the files that they are in.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import { fileIn } from '../../files/file-in.js';
import { isWithin } from '../../files/same-file.js';
import { type FilePlace, folderOf } from '../file-place.js';
import type { MappingSection, TableRule } from './mapping.js';

/**
 * The file of a table: this one, one next to it, or, for refused rows in a folder of their own, one next to the mapping.
 * @throws CatalogError `input_unreadable` if it does not exist
 */
export function tableFile(table: TableRule, from: FilePlace, { name, isOfFolder }: MappingSection): string {
  if (table.file === undefined) return from.file;
  const file = fileIn(folderOf(from), table.file);
  for (const [folder, path] of [
    [folderOf(from), file],
    [dirname(name), fileIn(dirname(name), table.file)],
  ] as const) {
    if (!existsSync(path)) continue;
    if (isOfFolder !== true || isWithin(path, folder)) return path;
    const why = `file ${table.file} of a table is a link out of its folder. Name the mapping with --map, if that is meant`;
    throw new CatalogError('usage', `${name}: ${why}.`);
  }
  const what = `file ${table.file} of a table not found, neither in ${dirname(file)} nor next to the mapping`;
  throw new CatalogError('input_unreadable', `${name}: ${what}; copy it there.`);
}

/** The tables a section needs, directly or through other tables. */
export function tablesOf({ section, tables }: Pick<MappingSection, 'section' | 'tables'>): [string, TableRule][] {
  const all = Object.entries(tables);
  const needed = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const { rows_of: rows, lookup } = part as { rows_of?: unknown; lookup?: { table?: unknown } };
    for (const name of [rows, lookup?.table]) {
      if (typeof name !== 'string' || needed.has(name)) continue;
      needed.add(name);
      visit(tables[name]);
    }
    for (const inner of Object.values(part)) visit(inner);
  };
  visit(section);
  return all.filter(([name]) => needed.has(name));
}
