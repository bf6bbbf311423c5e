// A Bloom filter of the records in a chunk, as text: `why` unpacks only chunks that may contain its record. 10 bits per
// record and four hashes give one false positive in eighty.
const bitsEach = 10;
const hashes = 4;
/** How many trailing characters of an identifier are hashed: the leading ones are equal for many. */
const reported = 16;

/**
 * The first hash of a record, before it is reduced to the size of a filter (FNV-1a). The other three follow from it.
 */
function hash(record: string): number {
  let value = 0x811c9dc5;
  for (let i = Math.max(0, record.length - reported); i < record.length; i++)
    value = Math.imul(value ^ record.charCodeAt(i), 0x01000193);
  return Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 0;
}

function next(place: number): number {
  return (Math.imul(place, 0x9e3779b1) ^ (place >>> 13)) >>> 0;
}

/** Makes the filter of these records. */
export function recordFilter(records: readonly string[]): string {
  const bytes = Buffer.alloc(Math.ceil((records.length * bitsEach) / 8) + 1);
  const bits = bytes.length * 8;
  let latest = '';
  for (const record of records) {
    if (record === latest) continue;
    latest = record;
    for (let i = 0, at = hash(record); i < hashes; i++, at = next(at)) {
      const place = at % bits;
      bytes[place >> 3] = (bytes[place >> 3] as number) | (1 << (place & 7));
    }
  }
  return bytes.toString('base64');
}

/** Whether a filter may contain a record; false if it certainly does not. */
export function mayHold(filter: string, record: string): boolean {
  const bytes = Buffer.from(filter, 'base64');
  const bits = bytes.length * 8;
  for (let i = 0, at = hash(record); i < hashes; i++, at = next(at)) {
    const place = at % bits;
    if (((bytes[place >> 3] as number) & (1 << (place & 7))) === 0) return false;
  }
  return true;
}
