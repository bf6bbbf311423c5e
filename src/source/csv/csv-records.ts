// Turns the rows of a CSV file into entries with their line numbers.

import type { FileNote } from '../../core/diagnostics/file-notes.js';
import type { Problem } from '../../core/diagnostics/refusal-codes.js';
import { refusals } from '../../core/diagnostics/refusal-codes.js';
import { type Entry, rawEntry, unreadableEntry } from '../../core/entry.js';
import { CatalogError } from '../../core/errors.js';
import { counted } from '../../core/text/counted.js';
import { openNumbers } from '../cells/doubtful-number.js';
import { columnTarget, laterRowReason, linePattern, listColumns, refusalColumns } from '../column-targets.js';
import { cellCounts, tableColumns, type ValueCounts } from '../inspection/value-counts.js';
import { isBlankRow } from '../mapping/rows/blank-row.js';
import { damagedRecord, type ReaderContext, type RecordReader } from '../record-reader.js';
import { type RowMapper, rowMapper } from '../row-mapper.js';
import { csvCutter } from './csv-cutter.js';
import type { CsvDialect } from './csv-dialect.js';
import { type CellValue, type NumberCell, textOfCell, withNumbers } from './number-cells.js';
import { pageRows } from './page-rows.js';
import { headless, isHeader } from './preamble.js';
import { type RepeatedHeaderDetector, repeatedHeaderDetector, repeatedHeaderNotes } from './repeated-header.js';
import { amountColumns, rowsInQuotes, withLines, wrongCellCount } from './row-faults.js';
import { type RowWidthCheck, rowText, rowWidthCheck } from './row-width.js';
import { sectionCount } from './section-titles.js';
import { refuseLongDelimiter, refuseQuotedLines, refuseSingleQuotes, refuseUnreadable } from './unreadable-header.js';

/**
 * Reads rows: the first is the header. Longer than a screen: its parts are steps of one loop over rows, which share the
 * header, the title of the section and the row that is read.
 */
export function csvRecords(reading: ReaderContext, dialect: CsvDialect): RecordReader {
  const { file, key } = reading;
  const cutter = csvCutter(file, dialect);
  let mapper: RowMapper | undefined;
  /** Maps a row to an item; set when the header is known. */
  let give: ((cells: CellValue[]) => Entry) | undefined;
  let width = 0;
  let keyFirst = false;
  let columns: readonly string[] | undefined;
  /** For a table with a header. */
  let watch: RepeatedHeaderDetector | undefined;
  let shape: RowWidthCheck | undefined;
  const pages = pageRows(reading.leaveOut ?? []);
  let headerLine: string | undefined;
  let headerAt = reading.columns === undefined ? undefined : reading.head?.skip;
  let counts: ValueCounts | undefined;
  /** The preamble, which is also written above refused rows, so that the same rule reads them. */
  const titles: string[] = [];
  let titlesAgain = 0;
  /** The title row above other rows, and its text. */
  let section = { raw: '', words: '' };
  /** The cells of the row that are numbers of a workbook. */
  let numbers: readonly NumberCell[] | undefined;
  const sections = sectionCount();
  let blank = 0;
  let hasRows = false;
  const open = reading.writing.isNamed === true ? undefined : openNumbers();
  /** A line that spreadsheets write for themselves before the header. */
  const delimiterNote = `sep=${dialect.delimiter}`;
  if (reading.columns !== undefined) header([...reading.columns], '');

  function header(cells: string[], raw: string): void {
    refuseUnreadable(reading, cells, raw);
    refuseQuotedLines(file, cells, raw);
    refuseSingleQuotes(file, cells);
    if (raw !== '') refuseLongDelimiter(file, cells, dialect.delimiter);
    width = cells.length;
    shape = rowWidthCheck(cells, {
      isNamed: reading.columns !== undefined,
      takesShort: reading.shortRows === true,
      isAmount: amountColumns(cells, key.fields, dialect),
    });
    // Reimported rows of a file without a header have the refusal columns after their cells.
    const named = reading.sections === undefined ? cells : [...cells, reading.sections];
    columns = reading.asRead === true && reading.columns !== undefined ? [...named, ...refusalColumns] : named;
    if (reading.countsValues === true) counts = cellCounts(columns.length);
    if (reading.columns === undefined && reading.headers !== 'keep')
      watch = repeatedHeaderDetector(file, cells, reading.headers !== 'report');
    if (reading.asRead === true) {
      give = rawEntry;
      return;
    }
    const found = mapperOf({ ...reading, writing: { ...reading.writing, open } }, named);
    refuseKeyless(reading, cells, found, dialect);
    keyFirst = key.names.includes(found.targets[0]?.path ?? '');
    mapper = found;
    give = found.item;
  }

  function entryOf(row: string[], line: number, raw: string, fault: Problem | undefined): Entry {
    const back = reading.columns !== undefined && cameBack(row) ? row.slice(-refusalColumns.length) : undefined;
    const cells = back === undefined ? row : fitted(row.slice(0, -refusalColumns.length), raw);
    // In a row with a wrong number of cells only the first one is certainly in its column.
    const reported = () => (keyFirst ? (cells[0] ?? '').trim() : '');
    const refusal = (problem: Problem) => unreadableEntry(withLines(problem, raw, dialect), reported());
    const hidden = fault === undefined && raw.includes('"') ? rowsInQuotes(raw, line, width, dialect) : undefined;
    if (hidden !== undefined) return refusal(hidden);
    if (reading.damaged()) {
      const refused = damagedRecord(reading, raw, line, reported);
      if (refused !== undefined) return refused;
    }
    if (fault !== undefined) return refusal(fault);
    if (raw.includes('"')) shape?.watchQuotes(cells, line, raw);
    // An empty row below a title is an empty row.
    const whole = reading.sections === undefined ? cells : [...cells, isBlankRow(cells) ? '' : section.words];
    if (give !== undefined && cells.length === width) {
      counts?.watch(whole);
      const values = valuesOf(whole);
      reading.watch?.(values, line);
      return give(back !== undefined && reading.asRead === true ? [...values, ...back] : values);
    }
    const found = { cells: cells.length, columns: width, amount: shape?.cutAmount(cells, raw) };
    const refused = refusal(wrongCellCount(found, raw, dialect));
    if (reading.asRead !== true) return refused;
    // Its other cells stand in their columns.
    const after = reading.columns === undefined ? [] : (back ?? refusalColumns.map(() => ''));
    return { ...refused, cells: [...whole, ...after] };
  }

  /** Inspection looks at texts. */
  function valuesOf(cells: string[]): CellValue[] {
    const takesNumbers = reading.asRead !== true || reading.isMapped === true;
    return takesNumbers && numbers !== undefined ? withNumbers(cells, numbers) : cells;
  }

  function fitted(cells: string[], raw: string): string[] {
    return shape?.fit(cells, raw) ?? cells;
  }

  /** Takes a row with a single filled cell as the title of the rows below it. */
  function isSection(cells: readonly string[], line: number, raw: string): boolean {
    if (reading.sections === undefined || width < 2) return false;
    const words = sections.title(cells, line);
    if (words === undefined) return false;
    section = { raw, words };
    return true;
  }

  const cellsText = (cells: readonly unknown[]) =>
    rowText(
      cells.map((cell, i) => {
        const isAmount = reading.isMapped === true || mapper?.targets[i]?.field.kind === 'decimal';
        return textOfCell(cell, reading.writing.decimal, isAmount);
      }),
      dialect.delimiter,
    );

  /** The text of a refused row, padded to as many cells as the header, so that the columns after it are found. */
  function textOf(cells: string[], read: readonly string[], raw: string): string {
    const isRaw = cells === read && numbers === undefined;
    const text = isRaw ? raw : cellsText(valuesOf(cells));
    return section.raw === '' ? text : section.raw + dialect.newline + text;
  }

  /** Skips lines above a table whose columns the mapping names. A file of refused rows has no such lines. */
  function isAboveNamed(cells: readonly string[], line: number, raw: string): boolean {
    if (reading.columns === undefined || line > (reading.head?.skip ?? 0) || cameBack(cells)) return false;
    if (titles.length < mostTitles) titles.push(raw);
    return true;
  }

  /** Whether a row that also occurs above the header begins another page. */
  function isTitleAgain(raw: string): boolean {
    if (!titles.includes(raw) || /^[\s,;|]*$/.test(raw)) return false;
    titlesAgain++;
    return true;
  }

  /** Whether a row is neither blank nor a repeated header, nor text that may precede a header. */
  function isRow(cells: readonly string[], line: number, raw: string): boolean {
    const isBelowHeader = !hasRows;
    hasRows = true;
    if (raw === delimiterNote || raw === `\ufeff${delimiterNote}`) return false;
    if (isBelowHeader && isRule.test(raw)) return false;
    if (raw.length < longestMark && endMark.test(raw)) return false;
    if (cells.length !== width) return cells.length > 1 || raw.trim() !== '';
    // A mapping, and an inspection, counts them itself.
    if (reading.asRead !== true && isBlankRow(cells)) {
      blank++;
      return false;
    }
    return watch?.sees(cells, line) !== true;
  }

  return {
    get ready() {
      return give !== undefined;
    },
    read(block, last, chunk) {
      cutter.cut(block, last, (read, line, raw, fault) => {
        numbers = reading.numbers?.(line);
        if (give === undefined) {
          if (/^sep=.$/.test(raw)) return;
          if (!isHeader(reading.head ?? {}, read, line)) {
            if (titles.length < mostTitles) titles.push(raw);
            return;
          }
          header(read, raw);
          headerAt = line;
          headerLine = [...titles, raw].join(dialect.newline);
          return;
        }
        if (isAboveNamed(read, line, raw)) return;
        if (titles.length > 0 && isTitleAgain(raw)) return;
        if (pages.sees(read, line) === 'left_out') return;
        if (isSection(read, line, raw)) return;
        const cells = fitted(read, raw);
        if (isRow(cells, line, raw)) {
          chunk.entries.push(entryOf(cells, line, raw, fault));
          chunk.lines.push(line);
          chunk.raws?.push(textOf(cells, read, raw));
        }
      });
      if (last && give === undefined && titles.length > 0) throw headless(file, reading.head ?? {});
    },
    unknown: () => mapper?.unknown() ?? new Map(),
    columns: () => columns,
    targets: () => tableColumns(columns ?? [], (i) => [mapper?.targets[i]?.path ?? []].flat(), counts),
    header: () => headerLine,
    headerAt: () => headerAt,
    headersAgain: () => watch?.seen,
    notes: () => [
      ...skipped(titles.length, 'rows', ' above the header'),
      ...skipped(titlesAgain, 'repeated title rows'),
      ...skipped(blank, 'empty rows'),
      ...sections.notes(),
      ...repeatedHeaderNotes(watch?.seen),
      ...pages.notes(),
      ...(shape?.words() ?? []),
      ...(open?.notes() ?? []),
    ],
    ...(reading.asRead && {
      rowText: cellsText,
    }),
  };
}

/** The line below the header of a table that was printed: `-----+------`. */
const isRule = /^(?=.*---)[-+=|:;,\s]+$/;
/** Below the last row: the end of a DOS file, or the count of rows that a database prints. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what ends the file
const endMark = /^(?:\x1a|\(\d+ rows?\))\s*$/;
const longestMark = 24;

/** Maximum rows kept above a header. */
const mostTitles = 1000;

/** The notice about rows that are no records. */
function skipped(count: number, nouns: string, where = ''): FileNote[] {
  return count === 0 ? [] : [{ code: 'rows_skipped', words: `${counted(count, nouns)}${where} skipped` }];
}

/**
 * Whether a row is a reimported refused one: a line number, codes and reasons follow its cells. Without a header these
 * three have no names and are recognized by their content. Counted as cells they would complete a row that is three
 * cells short.
 */
function cameBack(row: readonly string[]): boolean {
  const codes = row.at(-2) ?? '';
  if (!isLine.test(row.at(-3) ?? '')) return false;
  const reason = row.at(-1);
  return reason === laterRowReason || codes.split(', ').every((code) => Object.hasOwn(refusals, code));
}

const isLine = new RegExp(`^${linePattern}$`);

/** The mapper for the rows of this file; its errors name the file, since a run may have many. */
function mapperOf({ file, key, given, writing }: ReaderContext, names: readonly string[]): RowMapper {
  try {
    return rowMapper(names, key, given, writing);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    throw new CatalogError(error.code, `${file}: ${error.message}`, { cause: error });
  }
}

/** Without a column for the key every row would be refused; only a kind can replace a name. */
function refuseKeyless(reading: ReaderContext, cells: readonly string[], mapper: RowMapper, dialect: CsvDialect): void {
  const { file, key, given } = reading;
  const constants = [...given.set.keys()].map((header) => columnTarget(header, key.fields));
  const filled = new Set([...mapper.targets, ...constants].map((target) => target?.path));
  if (key.names.some((name) => filled.has(name)) || filled.has('kind')) return;
  const wanted = key.names[0] ?? '';
  const isSheet = dialect.isSheet === true;
  throw new CatalogError(
    'usage',
    `${file}: no column fills ${wanted}. Columns${isSheet ? '' : ` (${JSON.stringify(dialect.delimiter)} between them)`}: ${listColumns(cells)}. ` +
      `Name the column with --rename "<column>=${wanted}"${isSheet ? '' : ', or correct --delimiter or --encoding'}; ` +
      'lines above the header are left out by --skip <lines>. `catalog-import inspect --write-map` suggests a mapping for --map.',
  );
}
