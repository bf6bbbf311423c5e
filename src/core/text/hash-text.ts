// A fast hash of texts, for distinguishing millions of them; not for secrets.

/** Both halves of a hash, 32 bits each. Callers reuse one object, to avoid garbage. */
export interface TextHash {
  low: number;
  high: number;
}

/**
 * Hashes a text (cyrb53, without its last step, which drops bits). Stored values depend on it, so that it must not
 * change.
 * @param into receives the halves, each from 0 to 2^32 - 1
 */
export function hashText(text: string, into: TextHash): void {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  into.low = a >>> 0;
  into.high = b >>> 0;
}
