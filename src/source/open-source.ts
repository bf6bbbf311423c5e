// Opens a file of records: in this thread, or for a large file in a reading thread of its own.
import { channel } from 'node:diagnostics_channel';
import type { Fields } from '../core/fields/fields.js';
import type { Resource } from '../core/resource.js';
import { stepChannel, type TimedStep } from '../core/timed-step.js';
import { headOf } from './file-head.js';
import { isReadOnce } from './file-place.js';
import { openFile } from './open-file.js';
import type { Source, SourceOptions } from './source.js';
import { isWorthThread, takeThread } from './worker/start-thread.js';

export { type Format, formatNames, formatOfName } from './bytes/detect-format.js';
export { keyOfEntry } from './duplicate-keys.js';
export { eventLoopYield } from './event-loop.js';
export { isReadOnce } from './file-place.js';
export { type KeyHashSet, newKeyHashSet } from './key-hash-set.js';
export type { Chunk } from './record-reader.js';
export type { Source, SourceDescription, SourceForm, SourceOptions } from './source.js';

const steps = channel(stepChannel);

/**
 * Opens a file of a resource's records.
 * @param fields the resource's fields, which determine the types of cells
 * @param keyField the resource's key field
 * @throws CatalogError `input_unreadable` where it cannot be read, `usage` for wrong columns or options
 */
export async function openSource(fields: Fields, keyField: string, options: SourceOptions): Promise<Source> {
  const started = performance.now();
  const source = await openAnywhere(fields, keyField, options);
  if (steps.hasSubscribers) {
    const milliseconds = performance.now() - started;
    steps.publish({ name: 'source', milliseconds, subject: options.file } satisfies TimedStep);
  }
  return source;
}

/** Opens it in this thread, or a large file in a thread of its own. */
async function openAnywhere(fields: Fields, keyField: string, options: SourceOptions): Promise<Source> {
  if (!isWorthThread(options)) return openFile(fields, keyField, options);
  const { openInThread } = await import('./worker/thread-source.js');
  // A signal cannot be sent to a thread, and a file on disk is not waited for.
  const { opening: _, ...sent } = options;
  return openInThread(takeThread(), { fields, keyField, options: sent });
}

/**
 * Checks the mappings of files that are imported together, before the first is opened.
 * @returns the files, each with the columns that any section uses
 * @throws CatalogError `usage` for names that are wrong, at their place in the mapping file
 */
export async function checkMappings<F extends { readonly resource: Resource; readonly source: SourceOptions }>(
  files: readonly F[],
): Promise<readonly F[]> {
  // Standard input has one section only, which is checked when it is opened.
  const mapped = files.flatMap(({ resource: { fields, key }, source }) =>
    source.mapped === undefined || isReadOnce(source)
      ? []
      : [{ fields, keyField: key, options: { ...source, mapped: source.mapped } }],
  );
  if (mapped.length === 0) return files;
  const { checkSections } = await import('./mapping/check-sections.js');
  const used = await checkSections(mapped, headOf);
  return files.map((file) => {
    const names = used.get(file.source.file);
    if (file.source.mapped === undefined || names === undefined) return file;
    return { ...file, source: { ...file.source, mapped: { ...file.source.mapped, used: [...names] } } };
  });
}
