// Turns the records of a JSON file into entries with their line numbers.
import { sourceProblem } from '../../core/diagnostics/source-problems.js';
import { type Entry, rawEntry, unreadableEntry } from '../../core/entry.js';
import { quote } from '../../core/text/text.js';
import { memberColumns, memberCounts } from '../inspection/value-counts.js';
import { damagedRecord, type ReaderContext, type RecordReader } from '../record-reader.js';
import { recordMapper } from '../row-mapper.js';
import { jsonCutter } from './json-cutter.js';
import { ndjsonCutter } from './ndjson-cutter.js';
import { repeatedMember } from './repeated-member.js';
import { mayLoseDigits, mayLoseForm, parseWithTexts, parseWritten } from './written-number.js';

/** Levels of a record that a mapping reads, and that are searched for numbers: the record, a list in it, its entries, and more. */
const deepest = 20;

/** Whether a value is nested deeper. Does not recurse further, so that no depth can do harm. */
function isTooDeep(value: unknown, left = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((member) => isTooDeep(member, left - 1));
}

/** Reads JSON records: one a line, or an array, an envelope or a single value. */
export function jsonRecords(reading: ReaderContext, format: 'json' | 'ndjson'): RecordReader {
  const { file, key, recordPath } = reading;
  const path = recordPath === undefined || recordPath.name === '' ? [] : recordPath.name.split('.');
  const cutter = format === 'ndjson' ? ndjsonCutter(file) : jsonCutter(file, path);
  const mapper = recordMapper(reading);
  // A mapping has to tell numbers from texts; for inspection both are texts.
  const parse = reading.isMapped === true ? parseWritten : (raw: string) => parseWithTexts(raw, mayLoseForm);
  const counts = reading.countsValues === true ? memberCounts() : undefined;

  /** The entry of a record. One with a number that a double cannot represent is parsed again. */
  function readEntry(raw: string, record: unknown): Entry {
    if (reading.asRead === true) {
      if (isTooDeep(record)) return unreadableEntry(sourceProblem('json_depth', { levels: deepest }), '');
      return rawEntry(mayLoseForm(raw) ? parse(raw) : record);
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
    const name = repeatedMember(raw, record);
    if (name !== undefined) return unreadableEntry(sourceProblem('json_repeated', { name }), key.of(Object(record)));
    // A mapping would take a list for a row of cells.
    if (reading.asRead === true && Array.isArray(record)) return unreadableEntry(sourceProblem('json_list', {}), '');
    counts?.watch(record);
    reading.watch?.(record, line);
    return readEntry(raw, record);
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
    path: () => (recordPath === undefined ? undefined : path.filter((name) => name !== '*')),
    unknown: () => mapper.unknown(),
    targets: () => memberColumns(reading.given.rename.keys(), mapper.pathsOf, counts),
    notes() {
      const others = cutter.otherLists().map(quote);
      const list = reading.recordPath?.name ?? 'items';
      return [
        ...(reading.recordPath?.isNamed === false
          ? [{ code: 'records_guessed' as const, words: `records are the list ${quote(list)}; --items names another` }]
          : []),
        ...(others.length === 0
          ? []
          : [
              {
                code: 'lists_skipped' as const,
                words: `skipped, since only ${quote(list)} is imported: ${others.join(', ')}`,
              },
            ]),
      ];
    },
  };
}
