// Decides which parts of a number format belong to the data. Decimals, leading zeros and per cent do, and so do codes
// with text: `"ART-"00000` shows 42 as ART-00042, and units of weight other than kilograms. Currencies, other units and grouping
// only affect how an amount is shown.

import { currencies } from '../../core/fields/currencies.js';
import { isMass, kilograms } from '../../core/text/units.js';
import { amountKind } from '../mapping/values/amount-words.js';

/** How a number is written as data. */
export interface NumberFormat {
  readonly decimals: number;
  readonly digits: number;
  readonly percent: boolean;
  readonly prefix: string;
  readonly suffix: string;
  /** Texts between digits of the integer part, each with the number of digits after it: `000\-000` has `-` before 3. */
  readonly between: readonly { readonly words: string; readonly digitsAfter: number }[];
}

/** The texts in a format for text cells, such as `"ART-"@`. */
export interface CellTextFormat {
  readonly prefix: string;
  readonly suffix: string;
}

type Piece =
  | { readonly kind: 'words'; readonly words: string }
  | { readonly kind: 'digit'; readonly fixed: boolean }
  | { readonly kind: 'general' | 'point' | 'percent' | 'text' | 'other' };

const piece =
  /"(?<quoted>[^"]*)"|\\(?<escaped>.)|_.|\*.|\[\$(?<currency>[^\]-]*)[^\]]*\]|\[[^\]]*\]|(?<general>general)|(?<sign>[ \-+/():!^&'~{}<>=$€£¥])|(?<digit>[0#?])|(?<rest>.)/gisu;

/** The pieces of the section for positive numbers, or of another section. */
function piecesOf(section: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { groups = {} } of section.matchAll(piece)) {
    const { quoted, escaped, currency, general, sign, digit, rest } = groups;
    const words = quoted ?? escaped ?? currency ?? sign;
    if (words !== undefined) pieces.push({ kind: 'words', words });
    else if (general !== undefined) pieces.push({ kind: 'general' });
    else if (digit !== undefined) pieces.push({ kind: 'digit', fixed: digit === '0' });
    else if (rest === '.') pieces.push({ kind: 'point' });
    else if (rest === '%') pieces.push({ kind: 'percent' });
    else if (rest === '@') pieces.push({ kind: 'text' });
    else if (rest !== undefined && /[a-df-z]/i.test(rest)) pieces.push({ kind: 'words', words: rest });
    else if (rest !== undefined && rest !== ',') pieces.push({ kind: 'other' });
  }
  return pieces;
}

/** The sections of a format; a semicolon in quotes does not separate sections. */
function sectionsOf(code: string): string[] {
  return (code.match(/(?:"[^"]*"|\\.|\[[^\]]*\]|[^;])*(?:;|$)/g) ?? ['']).map((part) => part.replace(/;$/, ''));
}

/** The meaning of a format for numbers; undefined if they are best written as they are. */
export function numberFormat(code: string): NumberFormat | undefined {
  const pieces = piecesOf(sectionsOf(code)[0] ?? '');
  if (pieces.some(({ kind }) => kind === 'other' || kind === 'text')) return undefined;
  const first = pieces.findIndex(({ kind }) => kind === 'digit' || kind === 'general');
  const last = pieces.findLastIndex(({ kind }) => kind === 'digit' || kind === 'general');
  if (first === -1) return undefined;
  const point = pieces.findIndex(({ kind }) => kind === 'point');
  const whole = pieces.slice(first, point === -1 ? last + 1 : point);
  const decimalPieces = point === -1 ? [] : pieces.slice(point + 1, last + 1);
  const isGeneral = pieces[first]?.kind === 'general';
  const digits = whole.filter((one) => one.kind === 'digit' && one.fixed).length;
  // Excel takes 30.
  const decimals = Math.min(30, decimalPieces.filter(({ kind }) => kind === 'digit').length);
  // 0.## and # ?/? give the display of a number, not its number of decimals.
  const hasOptionalDecimals = decimalPieces.some((one) => one.kind === 'digit' && !one.fixed);
  const isCode = digits > 1 && point === -1;
  const prefix = prefixWords(wordsOf(pieces.slice(0, first)));
  const suffix = suffixWords(wordsOf(pieces.slice(last + 1)), isCode);
  // A fraction is computed, so that its literal text between digits is not written.
  const between = betweenOf(whole);
  if (between.some(({ words }) => words === '/') && !isFixed(whole)) return undefined;
  const percent = pieces.some(({ kind }) => kind === 'percent');
  const isBare = prefix + suffix === '' && !percent;
  if (isGeneral || hasOptionalDecimals) return isBare ? undefined : { ...plain, decimals: -1, percent, prefix, suffix };
  if (digits === 0 && point === -1 && isBare && between.length === 0) return undefined;
  return { decimals, digits: Math.max(1, digits), percent, prefix, suffix, between };
}

const plain = { digits: 1, between: [] };

/** The sign or name of a currency that a format shows next to numbers, or a word that says which amount they are; undefined if there is none. */
export function currencyShown(code: string): string | undefined {
  const pieces = piecesOf(sectionsOf(code)[0] ?? '');
  const first = pieces.findIndex(({ kind }) => kind === 'digit' || kind === 'general');
  const around = [pieces.slice(0, Math.max(0, first)), pieces.slice(Math.max(0, first))].map(wordsOf);
  const [lead, trail = ''] = around;
  if (lead === '' && /^\s/.test(trail) && amountKind(trail.trim()) !== undefined) return trail.trim();
  return around.map((words) => words.replace(/[\s+()-]/g, '')).find((words) => words !== '' && isCurrency(words));
}

/** The words around a text; undefined if there are none. */
export function textFormat(code: string): CellTextFormat | undefined {
  const sections = sectionsOf(code);
  const section = sections.length > 3 ? sections[3] : sections.find((one) => piecesOf(one).some(isText));
  const pieces = piecesOf(section ?? '');
  const at = pieces.findIndex(isText);
  if (at === -1) return undefined;
  const [prefix, suffix] = [wordsOf(pieces.slice(0, at)), wordsOf(pieces.slice(at + 1))];
  return prefix.trim() === '' && suffix.trim() === '' ? undefined : { prefix, suffix };
}

const isText = ({ kind }: Piece): boolean => kind === 'text';

function wordsOf(pieces: readonly Piece[]): string {
  return pieces.map((one) => (one.kind === 'words' ? one.words : '')).join('');
}

/** Text before a number that makes it a code; '' for a currency, a sign or padding. */
function prefixWords(words: string): string {
  return isCurrency(words.trim()) ? '' : words;
}

/**
 * Text after a number: `0 "Stk"` is an amount with its unit; `0000"A"` is a code, and so is text with digits or a dash.
 */
function suffixWords(words: string, isCode: boolean): string {
  const bare = words.trim();
  const isUnit = /^[\p{L}\p{M}²³°.'"]+$/u.test(bare) && !(isCode && words === bare);
  // A weight without a unit is read as kilograms: without its unit, 300 in the format `0" g"` would become 300 kg.
  const isOtherWeight = isMass(bare) && kilograms[bare.toLowerCase()] !== 1;
  return (isUnit && !isOtherWeight) || isCurrency(bare) ? '' : words;
}

/** Signs, codes and short names of currencies, with their padding. */
function isCurrency(words: string): boolean {
  const names = words.split(/\s+/);
  return names.every(
    (name) =>
      /^(?:[A-Z]{0,2}\p{Sc}|S?Fr\.|kr\.?|zł|Kč|Ft|lei|руб\.?|р\.|грн\.?|TL|[-+]?)$/u.test(name) || currencies.has(name),
  );
}

/** Text between the digits of the integer part. Spaces and apostrophes that group thousands do not count. */
function betweenOf(whole: readonly Piece[]): NumberFormat['between'] {
  const found: { words: string; digitsAfter: number }[] = [];
  whole.forEach((one, i) => {
    if (one.kind !== 'words') return;
    const digitsAfter = whole.slice(i + 1).filter(({ kind }) => kind === 'digit').length;
    const isGrouping = /^[\s'’.\u00a0\u202f]$/.test(one.words) && digitsAfter % 3 === 0 && !isFixed(whole);
    if (!isGrouping) found.push({ words: one.words, digitsAfter });
  });
  return found;
}

/** Whether an integer part consists of zeros: then it has a fixed length. */
function isFixed(whole: readonly Piece[]): boolean {
  return whole.every((one) => one.kind !== 'digit' || one.fixed);
}

/**
 * A number as its format writes it.
 * @param text the number as a plain decimal, or with `decimals` of the format
 */
export function withFormat(text: string, { digits, percent, prefix, suffix, between }: NumberFormat): string {
  const [sign, rest] = text.startsWith('-') ? ['-', text.slice(1)] : ['', text];
  const [whole = '', fraction] = rest.split('.');
  let padded = whole.padStart(digits, '0');
  for (const { words, digitsAfter } of between) {
    if (padded.length > digitsAfter)
      padded = padded.slice(0, -digitsAfter || undefined) + words + padded.slice(padded.length - digitsAfter);
  }
  return `${sign}${prefix}${padded}${fraction === undefined ? '' : `.${fraction}`}${percent ? '%' : ''}${suffix}`;
}
