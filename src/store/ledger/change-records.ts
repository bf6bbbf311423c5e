// Writes the records of a chunk's changes: into its filter, and as the JSON of a list, prefix-compressed. In one pass, and byte by
// byte, since reading the characters of 200,000 identifiers takes as long as all else together: 19 ms, and 60 ms with a
// text for each and a pass for the filter.
import { firstMark, mostShared } from './change-chunk.js';
import { addToFilter, emptyHash, hashedFrom, hashFurther, newFilter } from './change-filter.js';

/** The records that were written, and the last of them. */
export interface RecordWriter {
  readonly filter: Buffer;
  /** The JSON of the records since the last list was taken. */
  json: Buffer;
  used: number;
  /** The characters of the last record, and the hash up to each of those that are hashed. */
  chars: Uint16Array;
  hashes: Int32Array;
  length: number;
}

/** The longest form of a character in JSON: an escape. */
const longestChar = 6;

/** In addition to its characters, a record has quotes, a comma and the mark. */
const around = 4;

/** @param records how many records will be written */
export function newRecordWriter(records: number): RecordWriter {
  return {
    filter: newFilter(records),
    json: Buffer.allocUnsafe(256 + 8 * records),
    used: 0,
    chars: new Uint16Array(64),
    hashes: new Int32Array(64),
    length: 0,
  };
}

/** Writes a record: how many characters it shares with the one before, as one character, and the rest. */
export function writeRecord(writer: RecordWriter, record: string): void {
  const { length } = record;
  makeRoom(writer, length);
  const { chars } = writer;
  const most = Math.min(length, writer.length, mostShared);
  let shared = 0;
  while (shared < most && record.charCodeAt(shared) === chars[shared]) shared++;
  for (let i = shared; i < length; i++) chars[i] = record.charCodeAt(i);
  writeRest(writer, shared, length);
  addToFilter(writer.filter, hashOf(writer, shared, length));
  writer.length = length;
}

/** Ends the list of records. @returns its JSON */
export function takeRecords(writer: RecordWriter): string {
  const { json, used } = writer;
  writer.used = 0;
  writer.length = 0;
  return `[${json.toString('latin1', 0, Math.max(0, used - 1))}]`;
}

function makeRoom(writer: RecordWriter, length: number): void {
  const needed = writer.used + length * longestChar + around;
  if (needed > writer.json.length) {
    const larger = Buffer.allocUnsafe(2 * needed);
    writer.json.copy(larger, 0, 0, writer.used);
    writer.json = larger;
  }
  if (length <= writer.chars.length) return;
  const { chars, hashes } = writer;
  writer.chars = new Uint16Array(2 * length);
  writer.chars.set(chars);
  writer.hashes = new Int32Array(2 * length);
  writer.hashes.set(hashes);
}

function writeRest(writer: RecordWriter, shared: number, length: number): void {
  const { json, chars } = writer;
  let at = writer.used;
  json[at++] = quote;
  json[at++] = firstMark + shared;
  for (let i = shared; i < length; i++) {
    const char = chars[i] as number;
    if (char >= 0x20 && char < 0x7f && char !== quote && char !== backslash) json[at++] = char;
    else at += json.write(`\\u${char.toString(16).padStart(4, '0')}`, at, 'latin1');
  }
  json[at++] = quote;
  json[at++] = comma;
  writer.used = at;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/** The hash of the last characters; known for those that it shares with a record of the same length. */
function hashOf({ chars, hashes, length: before }: RecordWriter, shared: number, length: number): number {
  const first = hashedFrom(length);
  const isKnown = length === before && shared > first;
  let hash = isKnown ? (hashes[shared - 1] as number) : emptyHash;
  for (let i = isKnown ? shared : first; i < length; i++) {
    hash = hashFurther(hash, chars[i] as number);
    hashes[i] = hash;
  }
  return hash;
}
