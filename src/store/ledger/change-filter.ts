// A Bloom filter of the records in a chunk, as text: `why` unpacks only chunks that may contain its record. 10 bits per
// record and four hashes give one false positive in eighty.
const bitsEach = 10;
const hashes = 4;
/** How many trailing characters of an identifier are hashed: the leading ones are equal for many. */
const reported = 16;

/** The hash of no characters (FNV-1a). */
export const emptyHash = 0x811c9dc5 | 0;

/** The hash with a further character. */
export function hashFurther(hash: number, char: number): number {
  return Math.imul(hash ^ char, 0x01000193);
}

/** The index of the first character of a record that is hashed. */
export function hashedFrom(length: number): number {
  return length > reported ? length - reported : 0;
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

export function addToFilter(filter: Buffer, hash: number): void {
  const bits = filter.length * 8;
  for (let i = 0, at = firstPlace(hash); i < hashes; i++, at = next(at)) {
    const place = at % bits;
    filter[place >> 3] = (filter[place >> 3] as number) | (1 << (place & 7));
  }
}

/** Whether a stored filter may contain a record; false if it certainly does not. */
export function mayHold(filter: string, record: string): boolean {
  const bytes = Buffer.from(filter, 'base64');
  const bits = bytes.length * 8;
  let hash = emptyHash;
  for (let i = hashedFrom(record.length); i < record.length; i++) hash = hashFurther(hash, record.charCodeAt(i));
  for (let i = 0, at = firstPlace(hash); i < hashes; i++, at = next(at)) {
    const place = at % bits;
    if (((bytes[place >> 3] as number) & (1 << (place & 7))) === 0) return false;
  }
  return true;
}
