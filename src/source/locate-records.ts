// Locates the records of a document: the list in JSON, the element in XML.
import type { RecordKey } from '../core/fields/record-key.js';
import type { Format } from './bytes/detect-format.js';
import { openBytes } from './bytes/open-bytes.js';
import { decodedText, headLength, type TextSource } from './bytes/text-source.js';
import type { Section } from './mapping/mapping.js';
import type { ReaderContext } from './record-reader.js';
import type { SourceOptions } from './source.js';

/** Where the records are in the file: given, or detected. */
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
    const known = rootNames(section, key);
    return documentPlace(
      options.file,
      head,
      (name) => known.has(name),
      () => wholeText(options),
    );
  }
  if (format !== 'xml') return {};
  const named = section?.record ?? options.record;
  if (named !== undefined) return { place: { name: named, isNamed: true } };
  const { recordElement } = await import('./xml/record-element.js');
  const found = recordElement(await text.head(headLength));
  return { place: { name: found?.name ?? '', isNamed: found?.known === true } };
}

/**
 * The members that show that a document is one record: its key, or with a mapping all members it reads. Other fields do
 * not suffice, since a response of an API has a `status` too.
 */
function rootNames(section: Section | undefined, key: RecordKey): ReadonlySet<string> {
  if (section === undefined) return new Set([...key.names, 'kind']);
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

/** The text of a file from its beginning, read separately from the text that is being imported. */
async function* wholeText({ file, sheet, encoding }: SourceOptions): AsyncGenerator<string> {
  const bytes = await openBytes(file, sheet);
  try {
    yield* (await decodedText(bytes.blocks, encoding)).blocks();
  } finally {
    await bytes.close();
  }
}
