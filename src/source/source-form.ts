// The syntax in which refused records of a file are written back.
import { encoderOf, isUtf8, markedUtf8 } from './bytes/decoder.js';
import type { Format } from './bytes/detect-format.js';
import type { TextSource } from './bytes/text-source.js';
import type { CsvDialect } from './csv/csv-dialect.js';
import type { RecordReader } from './record-reader.js';
import type { SourceForm, SourceOptions } from './source.js';

/** The text of a file whose syntax is detected. */
export interface DetectedSyntax {
  readonly text: TextSource;
  readonly format: Format;
  /** Undefined for JSON. */
  readonly dialect: CsvDialect | undefined;
}

/** The syntax of a file, or of the items that a mapping makes of several of its records. */
export async function sourceForm(
  { text, format, dialect }: DetectedSyntax,
  reader: RecordReader,
  { mapped, encoding: named, spool, format: namedFormat }: SourceOptions,
): Promise<SourceForm> {
  if (mapped !== undefined && (await import('./mapping/rows/joins-records.js')).joinsRecords(mapped))
    return itemsForm(await encoderOf('utf-8'), mapped.section.once !== undefined);
  const { encoding: read } = text.decoder;
  // With the same options the file would be read in another encoding: one that is not of a workbook, or none where a server
  // named one. An XML text declares its own.
  const isNamedOtherwise = named !== undefined && (named === spool?.encoding || (read === 'utf-8' && !isUtf8(named)));
  const encoding = isNamedOtherwise && format !== 'xml' ? markedUtf8 : read;
  const encode = await encoderOf(encoding);
  const { delimiter, newline = '\n' } = dialect ?? {};
  return {
    format,
    isNamed: namedFormat !== undefined,
    encoding,
    delimiter,
    newline,
    header: reader.header?.(),
    path: reader.path?.(),
    columns: reader.columns?.(),
    encode,
  };
}

/** Items of a mapping are written as NDJSON. */
function itemsForm(encode: SourceForm['encode'], isOnce: boolean): SourceForm {
  return {
    format: 'ndjson',
    encoding: 'utf-8',
    delimiter: undefined,
    newline: '\n',
    header: undefined,
    encode,
    items: { isOnce },
  };
}
