// Text in this catalog: comparison of names, lengths, and quoting in messages.
import { NumberLiteral } from './parse-json.js';

/** Case-insensitive comparison: NFC and locale-independent lower case, so that ÉCRAN is écran. */
export function fold(name: string): string {
  // ASCII has one normal form: the common case needs no tables.
  return /^[\0-\x7f]*$/.test(name) ? name.toLowerCase() : name.normalize('NFC').toLowerCase().normalize('NFC');
}

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

/** The steps of one search: a list of 400 long values that are all alike ends after less than a millisecond. */
const searchSteps = 20_000;

/** How many letters of a text may differ from what is meant: a third of them, and never more than this. */
const mostEdits = 4;

/**
 * Edit distance between two texts (insert, delete, replace, swap of neighbours), at most `most`. Only the band of the table is
 * filled in which a distance can be that small.
 * @param spent counts the fields that are filled
 */
function distance(a: string, b: string, most: number, spent: { steps: number }): number {
  const beyond = most + 1;
  const row = (): number[] => new Array<number>(b.length + 2).fill(beyond);
  let [earlier, previous, current] = [row(), row(), row()];
  for (let j = 0; j <= most; j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const [from, to] = [Math.max(1, i - most), Math.min(b.length, i + most)];
    spent.steps += to - from + 1;
    let least = Math.min(from === 1 ? i : beyond, beyond);
    current[from - 1] = least;
    current[to + 1] = beyond;
    for (let j = from; j <= to; j++) {
      const replaced = (previous[j - 1] ?? beyond) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (earlier[j - 2] ?? beyond) + 1 : replaced;
      const found = Math.min(replaced, swapped, (previous[j] ?? beyond) + 1, (current[j - 1] ?? beyond) + 1);
      current[j] = found;
      least = Math.min(least, found);
    }
    if (least > most) return beyond;
    [earlier, previous, current] = [previous, current, earlier];
  }
  return previous[b.length] ?? beyond;
}

/**
 * The one of `allowed` that is most similar to `value`: at most a third of its letters differ, and no more than four; else
 * undefined. The search ends after a fixed number of steps, whatever the list.
 */
export function nearest(value: string, allowed: readonly string[]): string | undefined {
  const wanted = fold(value.trim());
  let best: string | undefined;
  let least = Math.min(Math.max(1, Math.floor(wanted.length / 3)), mostEdits) + 1;
  const spent = { steps: 0 };
  for (const candidate of allowed) {
    // Folding may change a length by a few letters.
    if (Math.abs(candidate.length - wanted.length) > 2 * mostEdits) continue;
    const folded = fold(candidate);
    spent.steps += folded.length;
    if (Math.abs(folded.length - wanted.length) >= least) continue;
    if (spent.steps > searchSteps) return best;
    const edits = distance(wanted, folded, least - 1, spent);
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}
