// The way into a file of records: in this thread, or in one of its own where the file is worth it.
import type { Fields } from '../core/fields.js';
import { openFile } from './file-source.js';
import type { Source, SourceOptions } from './source.js';
import { isWorthThread, takeThread } from './thread-start.js';

export { type KeyWatch, keyWatch } from './key-watch.js';
export type { Chunk } from './records.js';
export { keyOfEntry } from './repeats.js';
export type { Form, Found, Source, SourceOptions } from './source.js';

/**
 * Opens a file of a resource's records.
 * @param fields the resource's fields: they type the cells
 * @param keyField the field its records are recognised by
 * @throws CatalogError `input_unreadable` where it cannot be read, `usage` where its columns or the options cannot be right
 */
export async function openSource(fields: Fields, keyField: string, options: SourceOptions): Promise<Source> {
  // Who asks for the text of each record writes it back: that is no case for speed.
  if (options.raws === true || !isWorthThread(options.file)) return openFile(fields, keyField, options);
  const { openInThread } = await import('./thread-source.js');
  return openInThread(takeThread(), { fields, keyField, options });
}
