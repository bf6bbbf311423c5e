// Inspects a file in one pass: its syntax with the evidence for it, a profile of each column, and errors. Memory is bounded:
// counts are exact up to a limit, then "more than".
import { CatalogError } from '../../core/errors.js';
import type { Fields } from '../../core/fields/fields.js';
import { detectEncoding, type EncodingGuess } from '../bytes/detect-encoding.js';
import type { EncodingChoice } from '../bytes/national-encoding.js';
import { openBytes } from '../bytes/open-bytes.js';
import { pageRows } from '../csv/page-rows.js';
import { type RowTally, rowTally, type SeenRows } from '../csv/row-tally.js';
import { isSectionTitle, type NoteRows, type SectionTitles, sectionTitles } from '../csv/section-titles.js';
import { isUnitRow } from '../csv/unit-row.js';
import { keyedRecords } from '../json/keyed-records.js';
import type { ExampleRow } from '../mapping/mapping.js';
import { isBlankRow } from '../mapping/rows/blank-row.js';
import { amountKind } from '../mapping/values/amount-words.js';
import { openRecords } from '../open-file.js';
import type { SourceDescription, SourceOptions } from '../source.js';
import { cellsOf, exampleOf } from './cells-by-name.js';
import { type ColumnProfile, type ColumnProfiler, columnProfiler } from './column-profile.js';
import { listedValues } from './listed-values.js';
import { type ReadyMap, readyMapFor } from './ready-map.js';
import { damagesIn, troubleWords } from './row-troubles.js';

export interface Inspection {
  readonly found: SourceDescription & {
    readonly why: string;
    /** Whether letters or bytes tell the encoding, and not a name, mark or declaration: an import has to be told it. */
    readonly isGuessed: boolean;
    /** Where letters do not tell the encoding: those that could be it. */
    readonly encodings?: readonly EncodingChoice[];
    readonly newline: 'LF' | 'CRLF' | 'CR' | 'mixed' | undefined;
  };
  /** The mapping that the project has for such files. */
  readonly ready: ReadyMap | undefined;
  readonly records: number;
  /** How the file was opened: the sheet that is read and the others, errors in cells. */
  readonly notes: readonly string[];
  /** The text around the records: above them titles of a table or what is around those of a document, and notes of a table. */
  readonly around: string;
  /** The other sheets of a workbook, without hidden ones. */
  readonly otherSheets: readonly string[];
  readonly columns: readonly ColumnProfile[];
  /** The values of lists, each by the name of its entry: `attributes[Colour]`. */
  readonly listed: readonly ColumnProfile[];
  /** The first records, by the names of their columns. */
  readonly first: readonly ExampleRow[];
  /** Rows that do not fit the file's syntax, and damaged text: their number, and the lines of the first ones. */
  readonly troubles: readonly Trouble[];
  /** First words of rows that look like page headers and totals. */
  readonly pageWords: readonly string[];
  /** Titles above the rows of a section: rows with a single filled cell between others. */
  readonly sectionRows?: SectionTitles;
  /** Rows with words in a single cell that are neither records nor, for sure, titles of sections. */
  readonly noteRows?: NoteRows;
  /** A row of units below the header. */
  readonly unitRow?: UnitRow;
  /** The failure that ended the reading early: the result covers the records before it. */
  readonly failure?: CatalogError;
}

/** A row of units: its line, and a column by which it is known, with its cell. */
interface UnitRow {
  readonly line: number;
  readonly column: string;
  readonly unit: string;
}

interface Trouble extends SeenRows {
  readonly what: string;
}

/** Records that are kept as they are: two of them become examples. */
const mostFirst = 20;

/** Maximum columns, or members of JSON records, that are profiled. */
const mostColumns = 500;

/**
 * Inspects a file.
 * @param lists fields by their name: columns that are called as lists of named values are profiled by these names
 * @throws CatalogError where it cannot be read
 */
export async function inspectFile(options: SourceOptions, lists: Fields = {}): Promise<Inspection> {
  const once = await inspectOnce(options, fewLevels, lists);
  // Titles are no values of a column.
  const hasTitles = once.sectionRows !== undefined || once.noteRows !== undefined;
  const inspection = hasTitles ? await inspectOnce(options, fewLevels, lists, true) : once;
  const items = inspection.records === 1 && options.items === undefined ? keyedRecords(inspection) : undefined;
  if (items === undefined) {
    const isDeeper = inspection.columns.some(({ samples: [sample = ''] }) => sample.startsWith('{'));
    return isDeeper ? inspectOnce(options, mostLevels, lists) : inspection;
  }
  const { found, ...keyed } = await inspectOnce({ ...options, items }, mostLevels, lists);
  return { ...keyed, found: { ...found, recordPath: items } };
}

async function inspectOnce(
  options: SourceOptions,
  levels: number,
  lists: Fields,
  leavesTitles = false,
): Promise<Inspection> {
  const { ready, ...detected } = await detect(options);
  const guess = options.encoding === undefined ? prescribed(detected, ready) : undefined;
  const encoding = options.encoding ?? guess?.encoding;
  const how = { ...options, findsHeader: true, ...(encoding !== undefined && { encoding }) };
  const records = await openRecords(how, 'report');
  const watches = new Map<string, ColumnProfiler>();
  const listed = listedValues(lists);
  const troubles = new Map<string, RowTally>();
  const trouble = (what: string, line: number): void => {
    const known = troubles.get(what) ?? rowTally();
    troubles.set(what, known);
    known.take(line);
  };
  const watchOf = (name: string): ColumnProfiler | undefined => {
    const known = watches.get(name);
    if (known !== undefined || watches.size >= mostColumns) return known;
    const fresh = columnProfiler(name);
    watches.set(name, fresh);
    return fresh;
  };
  const first: ExampleRow[] = [];
  let count = 0;
  let failure: CatalogError | undefined;
  let unitRow: UnitRow | undefined;
  const titles = sectionTitles();
  const pages = pageRows([], true);
  for await (const { entries, lines, raws } of untilFailure(records.chunks, (cause) => {
    failure = cause;
  })) {
    const header = records.columns();
    entries.forEach((entry, i) => {
      const line = lines[i] ?? 0;
      const cells = entry.kind === 'raw' && header !== undefined ? (entry.item as readonly string[]) : [];
      if (unitRow === undefined && count === 0 && isUnitRow(cells)) {
        unitRow = unitsOf(header ?? [], cells, line);
        return;
      }
      if (pages.sees(entry.kind === 'unreadable' ? (entry.cells ?? []) : cells, line) !== undefined) return;
      if (leavesTitles && isSectionTitle(cells)) {
        titles.take(cells, line);
        return;
      }
      // An import leaves out empty rows.
      if (cells.length > 0 && isBlankRow(cells)) {
        titles.take(cells, line);
        return;
      }
      count++;
      if (entry.kind === 'unreadable') trouble(troubleWords(entry.problem.code, entry.problem.message), line);
      else if (first.length < mostFirst) first.push(...exampleOf(entry.item, header));
      if (entry.kind !== 'unreadable')
        for (const [name, value] of cellsOf(entry.item, header, levels)) {
          watchOf(name)?.take(value, line, count - 1);
          listed.take(name, value, line, count - 1);
        }
      if (entry.kind !== 'unreadable' && header !== undefined) titles.take(entry.item as readonly string[], line);
      if (header === undefined && entry.kind === 'raw' && Array.isArray(entry.item))
        trouble('lists of values without names, no records (item_not_object)', line);
      for (const what of damagesIn(raws?.[i] ?? '')) trouble(what, line);
    });
  }
  // A file without a record has nothing to show.
  if (failure !== undefined && count === 0) throw failure;
  const { found, newline } = records;
  const { sections: sectionRows, notes: noteRows } = titles.end();
  const again = records.headersAgain();
  const currencies = records.currencies();
  const shown = new Map(records.columns()?.map((name, i) => [name, currencies[i]]));
  return {
    found: {
      ...found,
      ...namedPlace(options, found),
      why: options.encoding === undefined ? (guess?.why ?? '') : 'as named',
      isGuessed: guess?.encoding !== undefined,
      ...(guess?.open && { encodings: guess.open }),
      newline: newline === '\r' ? 'CR' : guess?.newline,
    },
    ready,
    records: count,
    notes: records.notes().map(({ words }) => words),
    around: [records.above, ...(noteRows?.texts ?? [])].join('\n'),
    otherSheets: records.otherSheets,
    ...(sectionRows && { sectionRows }),
    ...(noteRows && { noteRows }),
    ...(unitRow && { unitRow }),
    ...(failure && { failure }),
    columns: [...watches.values()].map((watch) => withCurrency(watch.facts(), shown)),
    listed: listed.facts(),
    first,
    pageWords: pages.seen().map(({ word }) => word),
    troubles: [
      ...[...troubles].flatMap(([what, seen]) => seenAgain(what, seen)),
      ...(sectionRows === undefined
        ? []
        : [{ what: 'the title of a section, no record (read: {sections: …})', ...sectionRows }]),
      ...(noteRows === undefined
        ? []
        : [{ what: 'a title or a note, no record (skip: …)', count: noteRows.count, lines: noteRows.lines }]),
      ...(unitRow === undefined
        ? []
        : [{ what: 'units below the header, no record (skip: …)', count: 1, lines: [unitRow.line] }]),
      ...seenAgain('the header repeated', again?.same),
      ...seenAgain('the header in another order', again?.reordered),
      ...pages.seen().map(({ word, ...seen }) => ({ what: `"${word}": a page header or total, no record`, ...seen })),
    ],
  };
}

/** A column of a workbook, whose format shows the currency of its amounts, or says which amounts they are. */
function withCurrency(facts: ColumnProfile, shown: ReadonlyMap<string, string | undefined>): ColumnProfile {
  const currency = shown.get(facts.name);
  if (currency === undefined || currency === '') return facts;
  return amountKind(currency) === undefined
    ? { ...facts, shownCurrency: currency, priced: facts.filled }
    : { ...facts, said: new Map([[currency.toLowerCase(), facts.filled]]) };
}

/** Where the records are, as the user named it: the suggested mapping has to say so too. */
function namedPlace({ items, record, sheet }: SourceOptions, found: SourceDescription): Partial<SourceDescription> {
  const { format, compression } = found;
  const recordPath = format === 'json' ? items : format === 'xml' ? record : undefined;
  return {
    ...(recordPath !== undefined && { recordPath }),
    ...(sheet !== undefined && (compression === 'xlsx' || compression === 'zip') && { sheet }),
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

/** Levels of objects within a record whose members are profiled; most records have no more than two. */
const fewLevels = 2;
const mostLevels = 4;

function unitsOf(header: readonly string[], cells: readonly string[], line: number): UnitRow {
  const at = cells.findIndex((cell, i) => cell.trim() !== '' && (header[i] ?? '') !== '');
  return { line, column: header[at] ?? '', unit: cells[at]?.trim() ?? '' };
}

function seenAgain(what: string, seen: SeenRows | undefined): Trouble[] {
  return seen === undefined || seen.count === 0 ? [] : [{ what, count: seen.count, lines: seen.lines }];
}

type Detected = EncodingGuess & { readonly ready?: ReadyMap | undefined };

/** The detected encoding, the kind of line ends, and what the file is. A workbook declares its own encoding. */
async function detect(options: SourceOptions): Promise<Detected> {
  const bytes = await openBytes(options, options.sheet);
  try {
    if (bytes.compression === 'xlsx') return { encoding: undefined, why: '', newline: undefined };
    let ready: ReadyMap | undefined;
    const watched = async function* () {
      let isFirst = true;
      for await (const block of bytes.blocks) {
        if (isFirst) ready = readyMapFor(block);
        isFirst = false;
        yield block;
      }
    };
    const guess = await detectEncoding(watched());
    return { ...guess, ready };
  } finally {
    await bytes.close();
  }
}

/** The encoding that a format prescribes counts before what letters tell. */
function prescribed(guess: EncodingGuess, ready: ReadyMap | undefined): EncodingGuess {
  if (guess.encoding === undefined || ready?.encoding === undefined) return guess;
  return { newline: guess.newline, encoding: ready.encoding, why: `${ready.name} is written in it` };
}
