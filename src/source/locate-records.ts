// Locates the records of a document: the list in JSON, the element in XML.
import { CatalogError } from '../core/errors.js';
import type { RecordKey } from '../core/fields/record-key.js';
import type { Format } from './bytes/detect-format.js';
import { openBytes } from './bytes/open-bytes.js';
import { decodedText, headLength, type TextSource } from './bytes/text-source.js';
import { isReadOnce } from './file-place.js';
import type { Section } from './mapping/mapping.js';
import type { ReaderContext } from './record-reader.js';
import { type SourceOptions, sheetOf } from './source.js';

/** Characters of a pipe in which the list of the records is looked for, as many as one record may have. */
const longestHead = 4 * 1024 * 1024;

/** Where the records are in the file: given, or detected. */
export async function locateRecords(
  options: SourceOptions,
  { text, format, key }: { readonly text: TextSource; readonly format: Format; readonly key: RecordKey },
): Promise<Pick<ReaderContext, 'recordPath'>> {
  const section = options.mapped?.section;
  if (format === 'json') {
    const named = section?.items ?? options.items;
    // The document itself is the list, or the one record.
    if (named === '.') return {};
    if (named !== undefined) return { recordPath: { name: named, isNamed: true } };
    const head = await text.head();
    if (!head.trimStart().startsWith('{')) return {};
    const { locateList } = await import('./json/locate-list.js');
    const known = rootNames(section, key);
    return locateList(options.file, (name) => known.has(name), documentText(options, text));
  }
  if (format !== 'xml') return {};
  const named = section?.record ?? options.record;
  if (named !== undefined) return { recordPath: { name: named, isNamed: true } };
  const { recordElement } = await import('./xml/record-element.js');
  const found = recordElement(await text.head(headLength));
  return { recordPath: { name: found?.name ?? '', isNamed: found?.known === true } };
}

/**
 * The members that show that a document is one record: its key, or with a mapping all members it reads. Other fields do
 * not suffice, since a response of an API has a `status` too. The kind of a characteristic may replace its name.
 */
function rootNames(section: Section | undefined, key: RecordKey): ReadonlySet<string> {
  if (section === undefined) return new Set(key.fields['kind'] === undefined ? key.names : [...key.names, 'kind']);
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part === 'string')
      for (const name of [part, ...part.matchAll(/\{([^{}]+)\}/g)]) names.add(firstOf(String(name)));
    else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) visit(inner);
  };
  visit([section.fields, section.each, section.rows, section.keep, section.skip]);
  return names;
}

function firstOf(path: string): string {
  return path.replace(/^\{|\}.*$/gs, '').split(/[.[]/, 1)[0] ?? '';
}

/** The text of a document, read separately from the text that is being imported. */
async function* documentText(options: SourceOptions, text: TextSource): AsyncGenerator<string> {
  const head = await text.head();
  yield head;
  let seen = head.length;
  if (!isReadOnce(options)) {
    const bytes = await openBytes(options, sheetOf(options));
    try {
      for await (const block of (await decodedText(bytes.blocks, options.encoding)).blocks()) {
        yield block.slice(seen);
        seen = Math.max(0, seen - block.length);
      }
    } finally {
      await bytes.close();
    }
    return;
  }
  // What is read ahead of a pipe is kept in memory.
  for (let length = headLength; length <= longestHead; length *= 2) {
    const more = await text.head(length);
    yield more.slice(seen);
    seen = more.length;
    if (seen < length) return;
  }
  const where = `does not begin within ${longestHead} characters`;
  throw new CatalogError('usage', `stdin: the list of the records ${where}. Name it with --items.`);
}
