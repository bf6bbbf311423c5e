// The text of an API key: cik_<id: 8 base62>_<secret: 32 base62><CRC-32 of the text before it: 6 base62>. The checksum
// detects a mistyped key without a look-up, and lets scanners for leaked secrets recognize keys.
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function randomDigits(count: number): string {
  let text = '';
  while (text.length < count) {
    // 248 is four times 62: larger bytes would favour the first digits.
    for (const byte of randomBytes(count)) if (byte < 248 && text.length < count) text += digits[byte % 62];
  }
  return text;
}

function sumOf(text: string): string {
  let rest = crc32(text);
  let sum = '';
  for (let i = 0; i < 6; i++) {
    sum = digits[rest % 62] + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}

/** A new key and its id. */
export function newKeyText(): { readonly id: string; readonly text: string } {
  const id = randomDigits(8);
  const start = `cik_${id}_${randomDigits(32)}`;
  return { id, text: start + sumOf(start) };
}

/** The id of a well-formed key, or undefined. */
export function keyIdOf(text: string): string | undefined {
  const parts = /^(cik_([0-9A-Za-z]{8})_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text);
  const [, start = '', id, sum] = parts ?? [];
  return sum === sumOf(start) ? id : undefined;
}
