// Text in this catalog: comparison of names, lengths, and quoting in messages.
import { NumberLiteral } from './parse-json.js';

/** Case-insensitive comparison: NFC and locale-independent lower case, so that ÉCRAN is écran. */
export function fold(name: string): string {
  // ASCII has one normal form: the common case needs no tables.
  return /^[\0-\x7f]*$/.test(name) ? name.toLowerCase() : name.normalize('NFC').toLowerCase().normalize('NFC');
}

/** The length of a text in UTF-8 bytes. */
export function byteLength(value: string): number {
  let bytes = value.length;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit < 0x80) continue;
    // Two bytes up to U+07FF, three up to U+FFFF; the four of a surrogate pair are two for each of its halves.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** The length of a text in characters: code points, not UTF-16 units. */
export function characterLength(value: string): number {
  let characters = 0;
  for (const _ of value) characters++;
  return characters;
}

/** A value as shown in a message: as JSON, control characters escaped, cut at 60 characters. */
export function quote(value: unknown): string {
  let shown: string;
  if (typeof value === 'string') shown = JSON.stringify(value.slice(0, 300));
  else if (value instanceof NumberLiteral) shown = value.text;
  else if (typeof value === 'object' && value !== null) shown = Array.isArray(value) ? 'an array' : 'an object';
  else shown = String(value);
  shown = shown.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const characters = [...shown];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : shown;
}

/** Edit distance between two texts (insert, delete, replace, swap of neighbours), at most `most`. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let earlier: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (earlier[j - 2] ?? 0) + 1 : replaced;
      current.push(Math.min(replaced, swapped, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    if (Math.min(...current) > most) return most + 1;
    earlier = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The one of `allowed` that is most similar to `value`: at most a third of its letters differ; else undefined. */
export function nearest(value: string, allowed: readonly string[]): string | undefined {
  const wanted = fold(value.trim());
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of allowed) {
    const apart = distance(wanted, fold(candidate), least - 1);
    if (apart < least) {
      least = apart;
      best = candidate;
    }
  }
  return best;
}
