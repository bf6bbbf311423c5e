// Inspects a file in one pass: its syntax with the evidence for it, a profile of each column, and errors. Memory is bounded:
// counts are exact up to a limit, then "more than".
import { CatalogError } from '../../core/errors.js';
import { detectEncoding, type EncodingGuess } from '../bytes/detect-encoding.js';
import { openBytes } from '../bytes/open-bytes.js';
import type { RepeatedRows } from '../csv/repeated-header.js';
import { type SectionTitles, sectionTitles } from '../csv/section-titles.js';
import { keyedRecords } from '../json/keyed-records.js';
import { openRecords } from '../open-file.js';
import type { SourceDescription, SourceOptions } from '../source.js';
import { type ColumnProfile, type ColumnProfiler, columnProfiler } from './column-profile.js';

/** The result of an inspection. */
export interface Inspection {
  readonly found: SourceDescription & {
    readonly why: string;
    readonly newline: 'LF' | 'CRLF' | 'CR' | 'mixed' | undefined;
  };
  readonly records: number;
  readonly columns: readonly ColumnProfile[];
  /** Rows that do not fit the file's syntax, and damaged text: their number, and the lines of the first ones. */
  readonly troubles: readonly Trouble[];
  /** First words of rows that look like page headers and totals. */
  readonly pageWords: readonly string[];
  /** Titles above the rows of a section: rows with a single filled cell between others. */
  readonly sectionRows?: SectionTitles;
  /** The failure that ended the reading early: the result covers the records before it. */
  readonly failure?: CatalogError;
}

interface Trouble {
  readonly what: string;
  readonly count: number;
  readonly lines: readonly number[];
}

/** Maximum columns, or members of JSON records, that are profiled. */
const mostColumns = 500;
const mostLines = 5;

/** Inspects a file. @throws CatalogError where it cannot be read */
export async function inspectFile(options: SourceOptions): Promise<Inspection> {
  const inspection = await inspectOnce(options);
  const items = inspection.records === 1 && options.items === undefined ? keyedRecords(inspection) : undefined;
  if (items === undefined) return inspection;
  const { found, ...keyed } = await inspectOnce({ ...options, items });
  return { ...keyed, found: { ...found, place: items } };
}

async function inspectOnce(options: SourceOptions): Promise<Inspection> {
  const guess = options.encoding === undefined ? await encodingOf(options.file, options.sheet) : undefined;
  const encoding = options.encoding ?? guess?.encoding;
  const how = { ...options, findsHeader: true, ...(encoding !== undefined && { encoding }) };
  const records = await openRecords(how, 'report');
  const watches = new Map<string, ColumnProfiler>();
  const troubles = new Map<string, { count: number; lines: number[] }>();
  const trouble = (what: string, line: number): void => {
    const known = troubles.get(what) ?? { count: 0, lines: [] };
    troubles.set(what, known);
    known.count++;
    if (known.lines.length < mostLines) known.lines.push(line);
  };
  const watchOf = (name: string): ColumnProfiler | undefined => {
    const known = watches.get(name);
    if (known !== undefined || watches.size >= mostColumns) return known;
    const fresh = columnProfiler(name);
    watches.set(name, fresh);
    return fresh;
  };
  let count = 0;
  let failure: CatalogError | undefined;
  const titles = sectionTitles();
  for await (const { entries, lines, raws } of untilFailure(records.chunks, (cause) => {
    failure = cause;
  })) {
    const header = records.columns();
    entries.forEach((entry, i) => {
      const line = lines[i] ?? 0;
      count++;
      if (entry.kind === 'unreadable') trouble(troubleWords(entry.problem.code, entry.problem.message), line);
      else for (const [name, value] of cellsOf(entry.item, header)) watchOf(name)?.take(value, line);
      if (entry.kind !== 'unreadable' && header !== undefined) titles.take(entry.item as readonly string[], line);
      for (const what of damagesIn(raws[i] ?? '')) trouble(what, line);
    });
  }
  // A file without a record has nothing to show.
  if (failure !== undefined && count === 0) throw failure;
  const { found, newline } = records;
  const sectionRows = titles.end();
  const again = records.headersAgain();
  return {
    found: {
      ...found,
      why: options.encoding === undefined ? (guess?.why ?? '') : 'as named',
      newline: newline === '\r' ? 'CR' : guess?.newline,
    },
    records: count,
    ...(sectionRows && { sectionRows }),
    ...(failure && { failure }),
    columns: [...watches.values()].map((watch) => watch.facts(count)),
    pageWords: records.pageRows().map(({ word }) => word),
    troubles: [
      ...[...troubles].map(([what, { count: times, lines }]) => ({ what, count: times, lines })),
      ...(sectionRows === undefined
        ? []
        : [{ what: 'the title of a section, no record (read: {sections: …})', ...sectionRows }]),
      ...seenAgain('the header repeated', again?.same),
      ...seenAgain('the header in another order', again?.reordered),
      ...records
        .pageRows()
        .map(({ word, ...seen }) => ({ what: `"${word}": a page header or total, no record`, ...seen })),
    ],
  };
}

/** Chunks up to the first read error, which is recorded. */
async function* untilFailure<T>(chunks: AsyncIterable<T>, tell: (cause: CatalogError) => void): AsyncGenerator<T> {
  try {
    yield* chunks;
  } catch (cause) {
    if (!(cause instanceof CatalogError)) throw cause;
    tell(cause);
  }
}

/** The cells of a row by column, or the members of an object by path, two levels deep. */
function cellsOf(record: unknown, header: readonly string[] | undefined): [string, string][] {
  if (header !== undefined)
    return header.map((name, i) => [
      name === '' ? `column ${i + 1}` : name,
      String((record as readonly unknown[])[i] ?? ''),
    ]);
  if (typeof record !== 'object' || record === null) return [];
  return Object.entries(record).flatMap(([name, value]): [string, string][] => {
    if (typeof value !== 'object' || value === null) return [[name, value === null ? '' : String(value)]];
    if (Array.isArray(value)) return [[name, JSON.stringify(value)]];
    return Object.entries(value).map(([inner, one]) => [
      `${name}.${inner}`,
      typeof one === 'object' ? JSON.stringify(one ?? '') : String(one),
    ]);
  });
}

function seenAgain(what: string, seen: RepeatedRows | undefined): Trouble[] {
  return seen === undefined || seen.count === 0 ? [] : [{ what, ...seen }];
}

function troubleWords(code: string, message: string): string {
  if (code !== 'row_shape')
    return code === 'invalid_text' ? 'bytes that are not text in this encoding' : 'lines that are not JSON';
  return message.startsWith('the row has')
    ? 'rows with another number of cells than the header'
    : 'rows with misplaced quotes';
}

/** Signs that a text was once read or written in the wrong encoding. */
function damagesIn(raw: string): string[] {
  const damages: string[] = [];
  if (raw.includes('\ufffd')) damages.push('signs lost in another program (U+FFFD)');
  // UTF-8 read as cp1252: Ã¤ for ä, â‚¬ for €.
  if (/Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œžŸ]|â(?:‚¬|€[™œ“”])/.test(raw))
    damages.push('text in a wrong encoding (Ã¤ for ä)');
  return damages;
}

/** The detected encoding and the kind of line ends. A workbook declares its own encoding. */
async function encodingOf(file: string, sheet: string | undefined): Promise<EncodingGuess> {
  if (file === '-')
    return { encoding: undefined, why: 'the default; standard input is read once only', newline: undefined };
  const bytes = await openBytes(file, sheet);
  try {
    if (bytes.compression === 'xlsx') return { encoding: undefined, why: '', newline: undefined };
    return await detectEncoding(bytes.blocks);
  } finally {
    await bytes.close();
  }
}
