// Opens a file in this thread: detects its syntax and streams its entries in chunks. The steps have folders of their own:
// bytes → text (`bytes/`) → records (`csv/`, `json/`, `xml/`) → items (`row-mapper.ts` or `mapping/`).
import type { FileNote } from '../core/diagnostics/file-notes.js';
import { CatalogError } from '../core/errors.js';
import type { Fields } from '../core/fields/fields.js';
import { type RecordKey, recordKey } from '../core/fields/record-key.js';
import { aboveRecords } from './above-records.js';
import { detectFormat, type Format } from './bytes/detect-format.js';
import { wideEncoding } from './bytes/encoding-signs.js';
import { type ByteSource, openBytes } from './bytes/open-bytes.js';
import { decodedText, headLength } from './bytes/text-source.js';
import { chunksOf } from './chunks-of.js';
import { type ColumnOptions, checkColumnOptions, itemsEnding, refusalColumns } from './column-targets.js';
import type { ContractWatch } from './contract/contract-watch.js';
import { type CsvDialect, detectDialect, namedDelimiter } from './csv/csv-dialect.js';
import { fromHeader, type HeaderRule, preambleLines } from './csv/preamble.js';
import type { RepeatedHeaders } from './csv/repeated-header.js';
import { watchDuplicates } from './duplicate-keys.js';
import { refuseUnfitting } from './form-options.js';
import { locateRecords } from './locate-records.js';
import type { ReadRecords } from './mapping/lookup-tables.js';
import type { MappingSection } from './mapping/mapping.js';
import { renamedMembers } from './named-members.js';
import { type Chunk, type ReaderContext, type RecordReader, requiringNames } from './record-reader.js';
import { sentBack } from './sent-back.js';
import { type Source, type SourceDescription, type SourceOptions, sheetOf } from './source.js';
import { type DetectedSyntax, sourceForm } from './source-form.js';

/**
 * Opens a file of a resource's records.
 * @param fields the resource's fields, which determine the types of cells
 * @param keyField the resource's key field
 * @throws CatalogError `input_unreadable` if it cannot be read, `usage` for wrong columns or options
 */
export async function openFile(fields: Fields, keyField: string, options: SourceOptions): Promise<Source> {
  const given: ColumnOptions = { rename: options.rename ?? new Map(), set: options.set ?? new Map() };
  checkColumnOptions(given, fields);
  const key = recordKey(fields, keyField);
  const { mapped } = options;
  const tables = mapped === undefined ? undefined : await tablesFor(mapped, options);
  const opened = await openText(options, key, given);
  const { bytes, text, format, dialect, isSentBack } = opened;
  try {
    const watch = await watchFor(options, key, isSentBack);
    const reading = watch === undefined ? opened.reading : { ...opened.reading, watch: watch.record };
    const inner = await readerOf(reading, format, dialect);
    let reader = reading.named === undefined ? inner : requiringNames(inner, reading.named);
    if (mapped !== undefined && tables !== undefined) {
      const { mappedRecords } = await import('./mapping/mapped-records.js');
      const { file, writing } = reading;
      reader = mappedRecords(inner, { file, mapped, before: tables, key, set: given.set, writing });
    }
    const { encoding } = text.decoder;
    const { limit = Number.POSITIVE_INFINITY, raws = false } = options;
    // The header is known once this has begun.
    watch?.reads(inner, reader);
    const read = await chunksOf(text.blocks(), reader, { limit, raws });
    watch?.bind();
    const judged = watch === undefined ? read : watch.watched(read);
    const { watchKeys } = options;
    const { chunks, overflowed } =
      watchKeys === undefined ? { chunks: judged, overflowed: () => false } : watchDuplicates(judged, key, watchKeys);
    return {
      found: {
        ...{ format, encoding, delimiter: dialect?.delimiter, compression: bytes.compression },
        ...(isSentBack && { isSentBack }),
      },
      chunks,
      progress: bytes.progress,
      unknown: reader.unknown,
      columns: reader.targets,
      leftOut: () => reader.leftOut?.() ?? 0,
      overflowed,
      notes: () => [...(bytes.notes?.(inner.headerAt?.()) ?? []), ...(reader.notes?.() ?? [])],
      warnings: () => [...(reader.warnings?.() ?? []), ...(watch?.warnings() ?? [])],
      ...(watch && { expected: watch.figures }),
      ...(raws && { form: await sourceForm(opened, inner, options) }),
      close: bytes.close,
    };
  } catch (cause) {
    await bytes.close();
    throw withSheet(cause, bytes.notes?.() ?? []);
  }
}

/** Adds to a failure which sheet of several was read: another one may be meant. */
function withSheet(cause: unknown, notes: readonly FileNote[]): unknown {
  const sheet = notes.find(({ code }) => code === 'records_guessed');
  if (!(cause instanceof CatalogError) || sheet === undefined) return cause;
  return new CatalogError(cause.code, `${cause.message} Of the workbook ${sheet.words}.`, { cause });
}

/** What judges the contract of a file; undefined where nothing is expected. */
async function watchFor(
  options: SourceOptions,
  key: RecordKey,
  isSentBack: boolean,
): Promise<ContractWatch | undefined> {
  const { expect = [], mapped, decimal, limit } = options;
  if (expect.length === 0) return undefined;
  const { contractWatch } = await import('./contract/contract-watch.js');
  const read = mapped?.read ?? { ...(decimal && { decimal }) };
  const isWhole = limit === undefined && !isSentBack;
  return contractWatch({ expectations: expect, key, read, options, isWhole });
}

/** An open file whose syntax is detected. */
interface OpenedText extends DetectedSyntax {
  readonly bytes: ByteSource;
  readonly reading: ReaderContext;
  /** Whether it holds refused records of another file. */
  readonly isSentBack: boolean;
}

async function openText(options: SourceOptions, key: RecordKey, given: ColumnOptions): Promise<OpenedText> {
  const { mapped, file, empty = 'skip' } = options;
  const bytes = await openBytes(options, sheetOf(options), options.opening);
  try {
    const { compression } = bytes;
    // The rows of a workbook come as CSV of one kind, whatever is set for text files; so do items that were written back.
    const isItems = bytes.name.endsWith(itemsEnding);
    const { encoding, delimiter } = compression === 'xlsx' ? { delimiter: ',' } : isItems ? {} : options;
    const text = await decodedText(bytes.blocks, encoding);
    const head = await text.head();
    const named = headRule(options);
    const isBelow = named !== undefined || options.mustFit?.sheet !== undefined;
    const back = compression === 'xlsx' ? undefined : sentBack(isBelow ? await text.head(headLength) : head);
    if (head.startsWith(planStart)) throw new CatalogError('usage', planMessage(file));
    const format = isItems ? 'ndjson' : (options.format ?? detectFormat(bytes.name, head));
    refuseUnfitting(options.mustFit ?? {}, { format, compression, isSentBack: back !== undefined }, file);
    const isTable = format === 'csv' || format === 'tsv';
    // Zeros only are no text in any encoding.
    if (!isTable && /^\0{0,3}[^\0]/.test(head) && head.slice(0, 4).includes('\0'))
      throw new CatalogError(
        'input_unreadable',
        `${file}: its text contains NUL characters. Name the encoding of the file, such as --encoding ${wideEncoding(head)}.`,
      );
    const titles =
      options.findsHeader && isTable && named === undefined
        ? preambleLines(await text.head(headLength), compression === 'xlsx')
        : 0;
    const told = back?.isNamed === true && named !== undefined ? { containing: refusalColumns } : named;
    const rule = titles > 0 ? { skip: titles } : told;
    const begun = rule === undefined ? head : fromHeader(await text.head(headLength), rule);
    const dialect = detectDialect(
      begun,
      back?.delimiter ?? namedDelimiter(delimiter) ?? (format === 'tsv' ? '\t' : undefined),
    );
    const { columns, sections, leave_out: leaveOut, short_rows: shortRows } = mapped?.read ?? {};
    const decimal = isItems ? '.' : (options.decimal ?? '.');
    const reading: ReaderContext = {
      file: file === '-' ? 'stdin' : file,
      key,
      given,
      writing: { decimal, isNamed: options.decimal !== undefined, empty },
      decoder: text.decoder,
      ...(options.countsValues && { countsValues: true }),
      damaged: text.damaged,
      ...(mapped && { asRead: true, isMapped: true }),
      ...(bytes.numbers && { numbers: bytes.numbers }),
      ...(columns && { columns }),
      ...(shortRows === true && { shortRows }),
      ...(rule && { head: rule }),
      ...(sections !== undefined && { sections }),
      ...(leaveOut && { leaveOut: [leaveOut].flat() }),
      ...(!isTable && mapped === undefined && given.rename.size > 0 && { named: renamedMembers(given) }),
    };
    const located = await locateRecords(options, { text, format, key });
    const isSheet = compression === 'xlsx';
    return {
      bytes,
      text,
      format,
      dialect: isTable ? { ...dialect, isSheet } : undefined,
      reading: { ...reading, ...located },
      isSentBack: isItems || back !== undefined,
    };
  } catch (cause) {
    await bytes.close();
    throw cause;
  }
}

/** The first characters of a plan. An ordinary import would ignore its `_expect`, and overwrite later changes. */
const planStart = '{"catalog_import_plan":';

function planMessage(file: string): string {
  return `${file}: the file is a plan. Import it with the command apply.`;
}

/** How to find the header of a table; undefined if it is the first row. */
function headRule({ skip, mapped }: SourceOptions): HeaderRule | undefined {
  const containing = mapped?.read.header?.containing;
  if (skip === undefined && containing === undefined) return undefined;
  return { ...(skip !== undefined && { skip }), ...(containing && { containing }) };
}

/** The formats that are no tables. */
type DocumentFormat = Exclude<Format, 'csv' | 'tsv'>;

/** Their readers; the module of one is loaded when the format is known. */
const readers: Readonly<Record<DocumentFormat, (reading: ReaderContext) => Promise<RecordReader>>> = {
  xml: async (reading) => (await import('./xml/xml-records.js')).xmlRecords(reading),
  json: async (reading) => (await import('./json/json-records.js')).jsonRecords(reading, 'json'),
  ndjson: async (reading) => (await import('./json/json-records.js')).jsonRecords(reading, 'ndjson'),
};

/** The reader of a file. @param dialect that of a table, undefined for others */
async function readerOf(
  reading: ReaderContext,
  format: Format,
  dialect: CsvDialect | undefined,
): Promise<RecordReader> {
  if (dialect !== undefined) return (await import('./csv/csv-records.js')).csvRecords(reading, dialect);
  return readers[format as DocumentFormat](reading);
}

/**
 * Data that a mapping needs before its items, from this file or those next to it: lookup tables, repeated segments of
 * paths.
 */
async function tablesFor(mapped: MappingSection, options: SourceOptions) {
  const { readTables } = await import('./mapping/lookup-tables.js');
  const { recordsOptions } = await import('./mapping/table-form.js');
  const { readRepeatedSegments } = await import('./mapping/repeated-segments.js');
  const read: ReadRecords = async (form, take, miss) => {
    const records = await openRecords(await recordsOptions(options, form), 'keep');
    let number = 0;
    for await (const { entries, lines, raws } of records.chunks) {
      entries.forEach((entry, i) => {
        const where = { line: lines[i] ?? 0, number: ++number, text: raws?.[i] ?? '' };
        if (entry.kind === 'raw') take({ record: entry.item, ...where }, records.columns());
        else miss?.(where);
      });
    }
  };
  const repeated = await readRepeatedSegments(mapped, options, read);
  return { repeated, tables: await readTables(mapped, options, { read, repeated }) };
}

/** The records of a file as they were read: cells of rows, or objects, with their text. */
export interface Records {
  readonly found: SourceDescription;
  readonly newline: CsvDialect['newline'] | undefined;
  /** The text above the records, as far as the beginning of the file shows it. */
  readonly above: string;
  /** The names of the columns after the header was read; undefined for JSON. */
  columns(): readonly string[] | undefined;
  /** Repeated header rows so far. */
  headersAgain(): RepeatedHeaders | undefined;
  /** Notes on how the file was opened. */
  notes(): readonly FileNote[];
  /** The currencies that a sheet shows next to the numbers of its columns, by their index. */
  currencies(): readonly (string | undefined)[];
  /** The other sheets of a workbook, without hidden ones. */
  readonly otherSheets: readonly string[];
  /** Ends and closes the file by itself. */
  readonly chunks: AsyncIterable<Chunk>;
}

/**
 * Opens a file of records without a resource or mapping, for inspection.
 * @param headers how repeated header rows are treated
 * @throws CatalogError `input_unreadable` where it cannot be read
 */
export async function openRecords(options: SourceOptions, headers: 'report' | 'keep'): Promise<Records> {
  const nothing: ColumnOptions = { rename: new Map(), set: new Map() };
  const { bytes, text, format, dialect, reading } = await openText(options, recordKey({}, ''), nothing);
  const as = { ...reading, asRead: true, headers };
  const above = aboveRecords(await text.head(), format, reading);
  const reader = await readerOf(as, format, dialect);
  async function* chunks(): AsyncGenerator<Chunk> {
    try {
      yield* await chunksOf(text.blocks(), reader, { limit: Number.POSITIVE_INFINITY, raws: true });
    } finally {
      await bytes.close();
    }
  }
  const { encoding } = text.decoder;
  return {
    found: {
      format,
      encoding,
      delimiter: dialect?.delimiter,
      compression: bytes.compression,
      ...(reading.head?.skip !== undefined && { skip: reading.head.skip }),
      ...(reading.recordPath?.isNamed === false &&
        reading.recordPath.name !== '' && { recordPath: reading.recordPath.name }),
    },
    newline: dialect?.newline,
    above,
    columns: () => reader.columns?.(),
    headersAgain: () => reader.headersAgain?.(),
    notes: () => bytes.notes?.(reader.headerAt?.()) ?? [],
    currencies: () => bytes.currencies?.() ?? [],
    otherSheets: bytes.otherSheets ?? [],
    chunks: chunks(),
  };
}
