// Cuts JSON documents in blocks of any size.
import { expect } from 'vitest';
import { jsonCutter } from '../../../src/source/json/json-cutter.js';

/** The records at a path of a text that arrives in blocks of `size` characters, with their lines. */
export function cutRecords(text: string, path: readonly string[], size = text.length + 1) {
  const cutter = jsonCutter('f.json', path);
  const values: unknown[] = [];
  const lines: number[] = [];
  const onRecord = (raw: string, line: number, record: unknown) => {
    expect(record).toEqual(JSON.parse(raw));
    values.push(record);
    lines.push(line);
  };
  for (let at = 0; at < text.length; at += size) cutter.cut(text.slice(at, at + size), false, onRecord);
  cutter.cut('', true, onRecord);
  return { values, lines };
}
