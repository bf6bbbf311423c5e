// Turns the records of a JSON file into entries with their line numbers.
import { sourceProblem } from '../../core/diagnostics/source-problems.js';
import { type Entry, rawEntry, unreadableEntry } from '../../core/entry.js';
import { quote } from '../../core/text/text.js';
import { memberColumns, memberCounts } from '../inspection/value-counts.js';
import { damagedRecord, type ReaderContext, type RecordReader } from '../record-reader.js';
import { recordMapper } from '../row-mapper.js';
import { type JsonCutter, jsonCutter, ndjsonCutter } from './json-cutter.js';
import { deepest } from './json-document.js';
import { keyedCutter } from './keyed-cutter.js';
import { listCutter } from './list-cutter.js';
import {
  mayLoseDigits,
  mayLoseForm,
  numberOrText,
  parseWithTexts,
  parseWritten,
  writtenNumber,
} from './written-number.js';

/** Whether a value is nested deeper than the readers build. Does not recurse further, so that no depth can do harm. */
function isTooDeep(value: unknown, left = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((member) => isTooDeep(member, left - 1));
}

/** Reads JSON records: one a line, or an array, an envelope or a single value. */
export function jsonRecords(reading: ReaderContext, format: 'json' | 'ndjson'): RecordReader {
  const { file, key } = reading;
  const isField = (name: string) => Object.hasOwn(key.fields, name);
  // A mapping needs numbers as texts; if texts have a decimal comma, they stay numbers as long as they are exact.
  const isComma = reading.writing.decimal === ',';
  const numberOf = (literal: string) => {
    if (reading.asRead !== true) return writtenNumber(literal);
    return isComma && !mayLoseDigits(literal) ? Number(literal) : numberOrText(literal);
  };
  const path =
    reading.place?.name === '' || reading.place?.name === undefined ? undefined : reading.place.name.split('.');
  const cutter = cutterOf();
  const mapper = recordMapper(reading);
  const counts = reading.countsValues === true ? memberCounts() : undefined;

  function cutterOf(): JsonCutter {
    if (format === 'ndjson') return ndjsonCutter(file);
    if (path === undefined) return jsonCutter(file, isField, numberOf);
    // The value at the path is the list of records, or one record; it is not an envelope of another list.
    const records = (line: number) => jsonCutter(file, () => true, numberOf, line);
    return path.at(-1) === '*'
      ? listCutter(file, path.slice(0, -1), (line) => keyedCutter(file, records(line)))
      : listCutter(file, path, records);
  }

  /** The entry of a line. Lines with a number that a double cannot represent are parsed again. */
  function entryOfLine(raw: string, record: unknown): Entry {
    if (reading.asRead === true) {
      if (isTooDeep(record)) return unreadableEntry(sourceProblem('json_depth', { levels: deepest }), '');
      return rawEntry((isComma ? mayLoseDigits(raw) : mayLoseForm(raw)) ? parseWithTexts(raw) : record);
    }
    const item = mapper.item(record);
    // A number for a text field is kept as written: 1.10 as 1.10.
    const isInexact = mayLoseDigits(raw) || (mapper.hadNumberInText() && mayLoseForm(raw));
    return isInexact && !isTooDeep(record) ? mapper.item(parseWritten(raw), 'again') : item;
  }

  function entryOf(raw: string, line: number, record: unknown): Entry {
    if (reading.damaged()) {
      const reported = () => key.of(Object(record));
      const refused = damagedRecord(reading, raw, line, reported);
      if (refused !== undefined) return refused;
    }
    // A mapping would take a list for a row of cells.
    if (reading.asRead === true && Array.isArray(record)) return unreadableEntry(sourceProblem('json_list', {}), '');
    counts?.watch(record);
    if (format === 'ndjson') return entryOfLine(raw, record);
    return reading.asRead === true ? rawEntry(record) : mapper.item(record);
  }

  function broken(raw: string, line: number, fault: number): Entry {
    const refused = reading.damaged() ? damagedRecord(reading, raw, line, () => '') : undefined;
    return refused ?? unreadableEntry(sourceProblem('json_syntax', { column: fault + 1 }), '');
  }

  return {
    ready: true,
    read(block, last, chunk) {
      cutter.cut(block, last, (raw, line, record, fault) => {
        chunk.entries.push(fault === undefined ? entryOf(raw, line, record) : broken(raw, line, fault));
        chunk.lines.push(line);
        chunk.raws?.push(raw);
      });
    },
    path: () => path?.filter((name) => name !== '*'),
    unknown: () => mapper.unknown(),
    targets: () => memberColumns(reading.given.rename.keys(), mapper.pathsOf, counts),
    notes() {
      const beside = cutter.beside().map(quote);
      const list = reading.place?.name ?? 'items';
      return [
        ...(reading.place?.isNamed === false
          ? [{ code: 'records_guessed' as const, words: `records are the list ${quote(list)}; --items names another` }]
          : []),
        ...(beside.length === 0
          ? []
          : [
              {
                code: 'lists_skipped' as const,
                words: `skipped, since only ${quote(list)} is imported: ${beside.join(', ')}`,
              },
            ]),
      ];
    },
  };
}
