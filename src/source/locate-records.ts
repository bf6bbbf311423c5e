// Locates the records of a document: the list in JSON, the element in XML.
import type { RecordKey } from '../core/fields/record-key.js';
import type { Format } from './bytes/detect-format.js';
import { openBytes } from './bytes/open-bytes.js';
import { decodedText, headLength, type TextSource } from './bytes/text-source.js';
import type { ReaderContext } from './record-reader.js';
import type { SourceOptions } from './source.js';

/** Where in the file its records are: named, or found. */
export async function locateRecords(
  options: SourceOptions,
  { text, format, key }: { readonly text: TextSource; readonly format: Format; readonly key: RecordKey },
): Promise<Pick<ReaderContext, 'place'>> {
  const section = options.mapped?.section;
  if (format === 'json') {
    const named = section?.items ?? options.items;
    // The document itself is the list, or the one record.
    if (named === '.') return {};
    if (named !== undefined) return { place: { name: named, isNamed: true } };
    const head = await text.head();
    if (!head.trimStart().startsWith('{')) return {};
    const { locateList: documentPlace } = await import('./json/locate-list.js');
    const isField = (name: string) => Object.hasOwn(key.fields, name);
    return documentPlace(options.file, head, isField, () => wholeText(options));
  }
  if (format !== 'xml') return {};
  const named = section?.record ?? options.record;
  if (named !== undefined) return { place: { name: named, isNamed: true } };
  const { recordElement } = await import('./xml/record-element.js');
  const found = recordElement(await text.head(headLength));
  return { place: { name: found?.name ?? '', isNamed: found?.known === true } };
}

/** The text of a file from its beginning, read beside what is read of it already. */
async function* wholeText({ file, sheet, encoding }: SourceOptions): AsyncGenerator<string> {
  const bytes = await openBytes(file, sheet);
  try {
    yield* (await decodedText(bytes.blocks, encoding)).blocks();
  } finally {
    await bytes.close();
  }
}
