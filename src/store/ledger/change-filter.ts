// A Bloom filter of the records in a chunk, as text: `why` unpacks only chunks that may contain its record. 10 bits per
// record and four hashes give one false positive in eighty.
const bitsEach = 10;
const hashes = 4;
/** How many trailing characters of an identifier are hashed: the leading ones are equal for many. */
const reported = 16;

/** FNV-1a of the last characters of a record. */
function hashOf(record: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = Math.max(0, record.length - reported); i < record.length; i++)
    hash = Math.imul(hash ^ record.charCodeAt(i), 0x01000193);
  return hash;
}

/** The first place of a record, before it is reduced to the size of a filter. The other three follow from it. */
function firstPlace(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}

function next(place: number): number {
  return (Math.imul(place, 0x9e3779b1) ^ (place >>> 13)) >>> 0;
}

export function newFilter(records: number): Buffer {
  return Buffer.alloc(Math.ceil((records * bitsEach) / 8) + 1);
}

export function addToFilter(filter: Buffer, record: string): void {
  const bits = filter.length * 8;
  for (let i = 0, at = firstPlace(hashOf(record)); i < hashes; i++, at = next(at)) {
    const place = at % bits;
    filter[place >> 3] = (filter[place >> 3] as number) | (1 << (place & 7));
  }
}

/** Whether a stored filter may contain a record; false if it certainly does not. */
export function mayHold(filter: string, record: string): boolean {
  const bytes = Buffer.from(filter, 'base64');
  const bits = bytes.length * 8;
  for (let i = 0, at = firstPlace(hashOf(record)); i < hashes; i++, at = next(at)) {
    const place = at % bits;
    if (((bytes[place >> 3] as number) & (1 << (place & 7))) === 0) return false;
  }
  return true;
}
