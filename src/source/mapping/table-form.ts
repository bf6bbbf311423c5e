// How the file of a lookup table is written. The layout that `read` of a mapping states is that of the files of its sections.
import { isSameFile } from '../../files/same-file.js';
import { detectEncoding } from '../bytes/detect-encoding.js';
import { openBytes } from '../bytes/open-bytes.js';
import { type FilePlace, forFile } from '../file-place.js';
import { type FormOption, formOptions } from '../form-options.js';
import { type SourceOptions, sheetOf } from '../source.js';
import type { FillRule, MappingSection, ReadRule, TableRule } from './mapping.js';
import { isSamePlace, type PlaceInFile, placeOf } from './table-fills.js';
import { tableFile } from './used-tables.js';

/** Records that a mapping reads before its items. */
export interface RecordsForm {
  readonly path: string;
  /** Whether no section reads the file: then the layout words of the mapping's `read` do not apply. */
  readonly isApart: boolean;
  /** The table's own `read` words. */
  readonly own: ReadRule;
  /** The section by which its records are read. */
  readonly mapped: MappingSection;
}

export interface TableForm extends RecordsForm {
  readonly fill: FillRule | undefined;
  /** What a section fills in the same records, where the table does not say whether it has it, too. */
  readonly filled: FillRule | undefined;
}

/** Those of a table. @throws CatalogError `input_unreadable` if its file does not exist */
export function tableForm(table: TableRule, from: FilePlace, mapped: MappingSection): TableForm {
  const path = tableFile(table, from, mapped);
  const isMain = table.file === undefined || isSameFile(path, from.file);
  const isApart = !isMain && table.isOfSection !== true;
  const { read: own = {} } = table;
  const read = { ...(isApart ? ofValues(mapped.read) : mapped.read), ...own };
  // Its records are located by its own words, else by `read`, not by those of the section.
  const { sheet: _, record: __, items: ___, ...section } = mapped.section;
  const place = placeOf(table);
  const { fill } = table;
  const isSame = isMain && isSamePlace(place, mapped.section, mapped.read);
  const filled = table.filled ?? (isSame ? mapped.section.fill : undefined);
  return {
    path,
    isApart,
    own,
    mapped: { ...mapped, read, section: { ...section, ...place } },
    fill: fill === 'none' ? undefined : fill,
    filled: fill === undefined ? filled : undefined,
  };
}

/** The words of `read` that say how values are written, in whatever file. */
export function ofValues({ decimal, zone, trim }: ReadRule): ReadRule {
  return {
    ...(decimal && { decimal }),
    ...(zone !== undefined && { zone }),
    ...(trim !== undefined && { trim }),
  };
}

/** The options by which such records are read. @param options those of the file of the section */
export async function recordsOptions(options: SourceOptions, form: RecordsForm): Promise<SourceOptions> {
  const { own, mapped, path, isApart } = form;
  const main = forFile(options, path);
  const { format, encoding, delimiter, skip } = own;
  const given: Partial<Record<FormOption, string>> = {};
  for (const option of formOptions)
    if ((own as PlaceInFile & ReadRule)[option] !== undefined) given[option] = `read: {${option}} of a table`;
  return {
    ...(isApart ? await ofOtherFile(main, form) : main),
    ...(format && { format }),
    ...(encoding !== undefined && { encoding }),
    ...(delimiter !== undefined && { delimiter }),
    ...(skip !== undefined && { skip }),
    mapped,
    mustFit: given,
  };
}

/** The options of another file that hold for this one, too. */
async function ofOtherFile(options: SourceOptions, { own, mapped }: RecordsForm): Promise<SourceOptions> {
  const { format: _, delimiter: __, skip: ___, sheet: ____, record: _____, items: ______, ...others } = options;
  const { encoding, ...rest } = others;
  if (encoding === undefined || own.encoding !== undefined) return rest;
  return (await isUtf8({ ...rest, mapped })) ? rest : others;
}

/** Whether a file is UTF-8, or declares its encoding. Read in another encoding, its letters would be wrong without a warning. */
async function isUtf8(options: SourceOptions): Promise<boolean> {
  const bytes = await openBytes(options, sheetOf(options), options.opening);
  try {
    const { encoding, open } = await detectEncoding(bytes.blocks);
    return encoding === undefined && open === undefined;
  } finally {
    await bytes.close();
  }
}
