// The beginning of a file, with whose names those of a mapping are compared before anything is imported.
import type { FileHead } from './mapping/check-sections.js';
import { isHeadRead } from './named-members.js';
import { openRecords } from './open-file.js';
import type { SourceOptions } from './source.js';

/** The names of a table's columns, or the first records of a document, as far as names are looked for in them. */
export async function headOf(options: SourceOptions, takesRecords: boolean): Promise<FileHead | undefined> {
  const opened = await openRecords(options, 'keep');
  const isTable = opened.found.delimiter !== undefined;
  const records: unknown[] = [];
  let characters = 0;
  for await (const { entries, raws } of opened.chunks) {
    if (isTable && opened.columns() !== undefined) break;
    if (isTable) continue;
    if (!takesRecords) break;
    for (const [i, entry] of entries.entries()) {
      characters += raws?.[i]?.length ?? 0;
      if (entry.kind === 'raw') records.push(entry.item);
    }
    if (isHeadRead({ records: records.length, characters }))
      return { columns: undefined, records, characters, isWhole: false };
  }
  const columns = opened.columns();
  return columns === undefined && isTable ? undefined : { columns, records, characters, isWhole: true };
}
