// The way into a file of records: in this thread, or in one of its own where the file is worth it.
import { existsSync, statSync } from 'node:fs';
import type { Fields } from '../core/fields.js';
import { openFile } from './file-source.js';
import type { Source, SourceOptions } from './source.js';

export type { Chunk } from './records.js';
export type { Form, Found, Source, SourceOptions } from './source.js';

/**
 * The size in bytes from which a file is read in a thread of its own. Measured on 48 MB, 200,000 rows: reading
 * and checking takes 850 ms of this thread, taking the items over from another 170 ms; starting the other 60 ms, so that
 * at 4 MB both ways keep this thread busy for 70 ms.
 */
const worthThread = 4 * 1024 * 1024;

/**
 * Opens a file of a resource's records.
 * @param fields the resource's fields: they type the cells
 * @param keyField the field its records are recognised by
 * @throws CatalogError `input_unreadable` where it cannot be read, `usage` where its columns or the options cannot be right
 */
export async function openSource(fields: Fields, keyField: string, options: SourceOptions): Promise<Source> {
  // Compiled, the thread's file stands beside this one; run from its sources, everything is read here.
  const thread = new URL('./reader-thread.js', import.meta.url);
  // What is wrong with a file that is not there is told by who opens it.
  const size = options.file === '-' || !existsSync(options.file) ? 0 : statSync(options.file).size;
  // Packed text is about an eighth of what it holds.
  const text = options.file.toLowerCase().endsWith('.gz') ? size * 8 : size;
  // Who asks for the text of each record writes it back: that is no case for speed.
  if (options.raws === true || text < worthThread || !existsSync(thread)) return openFile(fields, keyField, options);
  const { openInThread } = await import('./thread-source.js');
  return openInThread(thread, { fields, keyField, options });
}
