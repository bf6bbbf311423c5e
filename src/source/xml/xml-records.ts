// Turns the records of an XML feed into entries with their line numbers. Read as a stream: one record is held at a time.
import { decodeHTMLStrict } from 'entities';
import { type Entry, rawEntry } from '../../core/entry.js';
import { CatalogError } from '../../core/errors.js';
import { quote } from '../../core/text/text.js';
import { openNumbers } from '../cells/doubtful-number.js';
import { memberColumns, memberCounts } from '../inspection/value-counts.js';
import type { OpenChunk, ReaderContext, RecordReader } from '../record-reader.js';
import { recordMapper } from '../row-mapper.js';
import { type RecordBuilder, recordBuilder } from './record-builder.js';
import { type Attributes, XmlFault, xmlParser } from './xml-parser.js';

/** Maximum characters of a record, each element counted with its overhead. */
const longestRecord = 4 * 1024 * 1024;
const element = 32;
/** Maximum nesting within a record: deeper elements have no meaning for a catalog. */
const deepest = 16;

/**
 * Reads the elements of one name, with or without its prefix. Longer than a screen: its parts are the handlers of one stream
 * of events, which share the open element and the record.
 */
export function xmlRecords(reading: ReaderContext): RecordReader {
  const { file, recordPath: { name: record, isNamed } = { name: '', isNamed: false } } = reading;
  const amounts = reading.writing.isNamed === true ? undefined : openNumbers();
  const mapper = recordMapper({
    ...reading,
    writing: { ...reading.writing, isText: true, open: amounts },
  });
  const counts = reading.countsValues === true ? memberCounts() : undefined;
  const raws = rawText();
  let builder: RecordBuilder | undefined;
  let begun = 1;
  let size = 0;
  let count = 0;
  let out: OpenChunk | undefined;
  const ancestors: string[] = [];
  let header: string | undefined;

  const isRecord = (name: string): boolean => name === record || name.slice(name.indexOf(':') + 1) === record;

  function grow(by: number): void {
    size += by;
    if (size <= longestRecord) return;
    const remedy = 'Name the element of the records with --record, or split the record';
    throw new CatalogError(
      'input_unreadable',
      `${file}: the record that begins on line ${begun} (<${record}>) does not end within ${longestRecord} characters. ${remedy}.`,
    );
  }

  function open(name: string, attributes: Attributes): void {
    if (builder === undefined && !isRecord(name)) {
      ancestors.push(tagOf(name, attributes));
      return;
    }
    if (builder === undefined) {
      builder = recordBuilder(name, attributes);
      begun = parser.tagLine();
      size = 0;
      header ??= ancestors.join('');
      raws.begin(parser.position());
    } else builder.open(name, attributes);
    if (builder.depth() > deepest)
      throw new XmlFault(`a record has elements nested deeper than ${deepest} levels`, parser.line(), 1);
    grow(element + name.length);
    for (const attribute in attributes) grow(element + (attributes[attribute] ?? '').length);
  }

  function close(): void {
    if (builder === undefined) {
      ancestors.pop();
      return;
    }
    const isWhole = builder.depth() === 0;
    builder.close();
    if (!isWhole) return;
    const built = builder.record();
    builder = undefined;
    count++;
    out?.entries.push(entryOf(built));
    out?.lines.push(begun);
    if (out?.raws !== undefined) out.raws.push(raws.end(parser.position()));
  }

  function entryOf(built: object): Entry {
    counts?.watch(built);
    reading.watch?.(built, begun);
    return reading.asRead === true ? rawEntry(built) : mapper.item(built);
  }

  const parser = xmlParser(
    {
      open,
      close,
      text(text) {
        if (builder === undefined) return;
        builder.text(text);
        grow(text.length);
      },
    },
    { entity: htmlEntity },
  );

  function fail({ message, line, column }: XmlFault): CatalogError {
    const remedy = reading.damaged()
      ? ` Bytes before this are not ${reading.decoder.encoding}: name the encoding of the file with --encoding.`
      : '';
    const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
    return new CatalogError('input_unreadable', `${file}: ${place}: ${message}.${remedy}`);
  }

  return {
    // The elements around the records are known when the first record begins.
    get ready() {
      return header !== undefined;
    },
    read(block, last, chunk) {
      out = chunk;
      if (chunk.raws !== undefined) raws.take(block);
      try {
        parser.write(block);
        if (last) parser.end();
      } catch (cause) {
        throw cause instanceof XmlFault ? fail(cause) : cause;
      }
    },
    unknown: () => mapper.unknown(),
    targets: () => memberColumns(reading.given.rename.keys(), mapper.pathsOf, counts),
    header: () => header,
    notes() {
      const missing = record === '' ? 'no element is repeated' : `element ${quote(record)} not found`;
      if (count === 0)
        return [{ code: 'records_absent', words: `${missing}; name the element of the records with --record` }];
      const words = `records are the elements ${quote(record)}; --record names others`;
      return [...(isNamed ? [] : [{ code: 'records_guessed' as const, words }]), ...(amounts?.notes() ?? [])];
    },
  };
}

/** An opening tag as written around the records. */
function tagOf(name: string, attributes: Attributes): string {
  const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return `<${name}${Object.entries(attributes)
    .map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`)
    .join('')}>`;
}

/** `nbsp` and the other names of HTML, which feeds use without declaring them. */
function htmlEntity(name: string): string | undefined {
  const written = `&${name};`;
  const text = decodeHTMLStrict(written);
  return text === written ? undefined : text;
}

/** Keeps the text of the current record, if the caller wants it. */
function rawText(): { take(block: string): void; begin(tagEnd: number): void; end(at: number): string } {
  let text = '';
  // The offset in the file at which the text begins.
  let offset = 0;
  let from = -1;
  return {
    take(block) {
      if (from === -1) {
        // A tag may have begun in the previous block.
        const open = text.lastIndexOf('<');
        const keep = open === -1 ? text.length : open;
        offset += keep;
        text = text.slice(keep) + block;
      } else text += block;
    },
    begin(tagEnd) {
      from = text.lastIndexOf('<', tagEnd - offset - 1);
    },
    end(at) {
      const raw = text.slice(from, at - offset);
      offset = at;
      text = text.slice(from + raw.length);
      from = -1;
      return raw;
    },
  };
}
