// Text in this catalog: comparison of names, lengths, and quoting in messages.
import { NumberLiteral } from './parse-json.js';

/** Case-insensitive comparison: NFC and locale-independent lower case, so that ÉCRAN is écran. */
export function fold(name: string): string {
  // ASCII has one normal form: the common case needs no tables.
  return /^[\0-\x7f]*$/.test(name) ? name.toLowerCase() : name.normalize('NFC').toLowerCase().normalize('NFC');
}

/** A text as a part of a regular expression, in which no sign has a meaning of its own. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
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

/** Characters of a value in a message. */
const longestQuoted = 60;

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
  if (shown.length <= longestQuoted) return shown;
  const characters = [...shown];
  return characters.length > longestQuoted ? `${characters.slice(0, longestQuoted - 1).join('')}…` : shown;
}

/** The steps of one search: a list of 400 long values that are all alike ends after less than a millisecond. */
const searchSteps = 20_000;

/** The steps of all searches of one batch: some 20 milliseconds. */
const batchSteps = 1_000_000;

/** How many letters of a text may differ from what is meant: a third of them, and never more than this. */
const mostEdits = 4;

/**
 * Edit distance between two texts (insert, delete, replace, swap of neighbours), at most `most`. Only the band of the table is
 * filled in which a distance can be that small.
 * @param spent counts the fields that are filled
 */
function distance(a: string, b: string, most: number, spent: Spent): number {
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

interface FoldedText {
  readonly text: string;
  readonly folded: string;
}

/** Steps that were made, of one search or of several. */
export interface Spent {
  steps: number;
}

/**
 * The one of `allowed` that is most similar to `value`: at most a third of its letters differ, and no more than four; else
 * undefined. The search ends after a fixed number of steps, whatever the list.
 * @param spent the steps of the batch, after whose last no more is searched
 */
export function nearest(value: string, allowed: readonly string[], spent: Spent = { steps: 0 }): string | undefined {
  if (spent.steps > batchSteps) return undefined;
  const wanted = fold(value.trim());
  return search(wanted, foldedAsAsked(allowed, wanted.length, spent), spent);
}

/** The texts of a list whose length may be near, each folded when it is asked for. */
function* foldedAsAsked(allowed: readonly string[], length: number, spent: Spent): Generator<FoldedText> {
  for (const text of allowed) {
    spent.steps++;
    // Folding may change a length by a few letters.
    if (Math.abs(text.length - length) > 2 * mostEdits) continue;
    spent.steps += text.length;
    yield { text, folded: fold(text) };
  }
}

/** The one candidate that is most similar, as far as it is found in `searchSteps`. */
function search(wanted: string, candidates: Iterable<FoldedText>, spent: Spent): string | undefined {
  const end = spent.steps + searchSteps;
  let best: string | undefined;
  let least = Math.min(Math.max(1, Math.floor(wanted.length / 3)), mostEdits) + 1;
  for (const { text, folded } of candidates) {
    if (spent.steps++ > end) return best;
    if (Math.abs(folded.length - wanted.length) >= least) continue;
    const edits = distance(wanted, folded, least - 1, spent);
    if (edits >= least) continue;
    least = edits;
    best = text;
  }
  return best;
}

/** The steps of all searches of one list: about a second. */
export const stepsOfAll = 20_000_000;

/** By how much the length of a similar text may differ, the same length first. */
const changesOfLength = [0, -1, 1, -2, 2, -3, 3, -4, 4];

/** What a search costs at least, which bounds how many answers are kept. */
const stepsOfOne = 100;

/**
 * As `nearest`, for many values: the list is folded once, and only its texts of a near length are looked at. The same value
 * has the same answer; after `stepsOfAll` a new one has none.
 */
export function nearestOfMany(
  allowed: readonly string[],
  spent: Spent = { steps: 0 },
): (value: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  let byLength: Map<number, FoldedText[]> | undefined;
  return (value) => {
    const wanted = fold(value.trim());
    if (known.has(wanted) || spent.steps > stepsOfAll) return known.get(wanted);
    byLength ??= foldedByLength(allowed);
    // The same length first. A long value, which would be kept, is near to none.
    const lists = changesOfLength.map((change) => byLength?.get(wanted.length + change) ?? []);
    if (lists.every((list) => list.length === 0)) return undefined;
    spent.steps += stepsOfOne;
    const found = search(wanted, inTurn(lists), spent);
    known.set(wanted, found);
    return found;
  };
}

function foldedByLength(allowed: readonly string[]): Map<number, FoldedText[]> {
  const byLength = new Map<number, FoldedText[]>();
  for (const text of allowed) {
    const folded = fold(text);
    const known = byLength.get(folded.length);
    if (known === undefined) byLength.set(folded.length, [{ text, folded }]);
    else known.push({ text, folded });
  }
  return byLength;
}

function* inTurn(lists: readonly Iterable<FoldedText>[]): Generator<FoldedText> {
  for (const list of lists) yield* list;
}
