// Records of a JSON file → entries with their lines.
import { type Entry, rawEntry } from '../core/entry.js';
import { quote } from '../core/text.js';
import { jsonCutter, ndjsonCutter } from './json.js';
import { recordMapper } from './map.js';
import { damagedRecord, type Reading, type RecordReader, refusal } from './records.js';

/** Reads JSON records: one a line, or an array, an envelope or a single value. */
export function jsonRecords(reading: Reading, format: 'json' | 'ndjson'): RecordReader {
  const { file, key } = reading;
  const isField = (name: string) => Object.hasOwn(key.fields, name);
  const cutter = format === 'json' ? jsonCutter(file, isField) : ndjsonCutter(file);
  const mapper = recordMapper(key, reading.given, reading.writing);

  /** The record for a mapping: what is no object is left to be refused as such. */
  function asRead(raw: string, record: unknown): unknown {
    const inexact = format === 'ndjson' && /\d{16}|\d[eE]/.test(raw);
    return typeof record === 'object' && inexact ? JSON.parse(withNumbersAsWritten(raw)) : record;
  }

  function entryOf(raw: string, line: number, record: unknown): Entry {
    if (reading.damaged()) {
      const told = () => key.of(Object(record));
      const refused = damagedRecord(reading, raw, line, told);
      if (refused !== undefined) return refused;
    }
    if (reading.asRead === true) return rawEntry(asRead(raw, record));
    return mapper.item(record) ?? mapper.item(JSON.parse(withNumbersAsWritten(raw))) ?? rawEntry(record);
  }

  function broken(raw: string, line: number, fault: number): Entry {
    const refused = reading.damaged() ? damagedRecord(reading, raw, line, () => '') : undefined;
    return (
      refused ??
      refusal('item_not_json', `no valid JSON at column ${fault + 1}; one whole record a line is accepted`, '')
    );
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
    unknown: () => mapper.unknown(),
    notes() {
      const beside = cutter.beside().map(quote);
      return beside.length === 0 ? [] : [`left out, since only "items" is imported: ${beside.join(', ')}`];
    },
  };
}

/** Numbers that a double cannot hold become text, so that the check refuses what was written and not what is left. */
function withNumbersAsWritten(raw: string): string {
  return raw.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs, (part) => {
    if (part.startsWith('"') || Math.abs(Number(part)) <= Number.MAX_SAFE_INTEGER) return part;
    return JSON.stringify(part);
  });
}
