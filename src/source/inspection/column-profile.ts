// Profiles one column: filled and distinct values, lengths, samples, number syntax, duplicates.
import { isGtin } from '../../core/text/gtin.js';
import { byteLength } from '../../core/text/text.js';
import { amountWords, otherAmountWords } from '../mapping/values/amount-words.js';
import { type CurrencyRead, currencyIn, parseNumber } from '../mapping/values/parse-number.js';

export interface ColumnProfile {
  readonly name: string;
  readonly filled: number;
  /** Whether records have several values: columns with one header. */
  readonly isSeveral: boolean;
  /** Distinct values; exact unless `many`. */
  readonly distinct: number;
  readonly many: boolean;
  /** The longest value in UTF-8 bytes, and its line. */
  readonly longest: number;
  readonly longestLine: number;
  readonly samples: readonly string[];
  /** The first distinct values. */
  readonly values: readonly string[];
  /** Whether it has a value, as far as its different ones are known. */
  readonly holds: (value: string) => boolean;
  /** The numbers of the first records, by the record's index; holes where it has none, or one whose sign no other one tells. */
  readonly amounts: readonly (number | undefined)[];
  /** The least and greatest number. */
  readonly range: readonly [number, number] | undefined;
  /** The most digits after the decimal sign, without the zeros at their end, but for those of `.00`. */
  readonly longestFraction: number;
  /** Values with entities of HTML: `Tea &amp; Milk`. */
  readonly entities: number;
  /** Values that contain white space, so not identifiers. */
  readonly spaced: number;
  /** Counts of numbers by their decimal sign; `either` counts ambiguous ones such as 1.234. */
  readonly numbers: { readonly plain: number; readonly point: number; readonly comma: number; readonly either: number };
  /** Amounts with a currency next to them. */
  readonly priced: number;
  /** The different ones, each with its first spelling. */
  readonly currencies: readonly CurrencyRead[];
  /** Amounts with a dash in place of cents: `12.-`. */
  readonly dashed: number;
  /** The currency that a workbook shows next to all of its numbers, which it does not hold. */
  readonly shownCurrency?: string;
  /** Numbers with a word next to them, such as a unit, and the first of these words. */
  readonly measured: number;
  readonly unitWords: readonly string[];
  /** Words that say which amount is next to them, such as `netto`, with the count of the values that have them. */
  readonly said: ReadonlyMap<string, number>;
  /** Numbers in which a sign occurs more than once, so that it groups thousands: 1.250.000. */
  readonly grouped: { readonly point: number; readonly comma: number };
  /** Numbers with digits grouped as in India: 1,23,456.50. */
  readonly indian: number;
  /** Values with the check digit of a barcode (GTIN-8, -12, -13, -14). */
  readonly barcodes: number;
  /** Samples of duplicate values, with both lines. */
  readonly repeated: readonly { readonly value: string; readonly lines: readonly [number, number] }[];
  readonly repeats: number;
  /** Barcodes that a spreadsheet turned into 8,72E+12, and numbers after an apostrophe. */
  readonly exponents: number;
  /** The first value of some kinds, by its kind: one with an exponent, one that could have either decimal sign, one with grouped thousands. */
  readonly shown: Readonly<Partial<Record<'exponent' | 'either' | 'grouped', string>>>;
  readonly apostrophes: number;
  /** Values `false` in a column of texts or numbers: no value, as some systems write it. They are in no other count. */
  readonly falses: number;
}

export interface ColumnProfiler {
  /** @param record the index of the record in the file */
  take(value: string, line: number, record: number): void;
  facts(): ColumnProfile;
}

/** Maximum distinct values kept: with 100 columns of 20 characters about 100 MB. */
const mostDistinct = 20_000;
const mostSamples = 3;
const mostWords = 8;
const mostValues = 50;
/** Records whose numbers are kept, to compare columns with each other. */
const mostAmounts = 2_000;

const isFalse = (value: string): boolean => /^false$/i.test(value);
const isTrue = (value: string): boolean => /^true$/i.test(value);
const isAnswer = /^(?:yes|no|[01])$/i;

/** The profiles of values. @param values each with the name of its column, and the index of its record */
export function profilesOf(
  values: readonly (readonly [name: string, value: string, record: number])[],
): readonly ColumnProfile[] {
  const profilers = new Map<string, ColumnProfiler>();
  for (const [name, value, record] of values) {
    const profiler = profilers.get(name) ?? columnProfiler(name);
    profilers.set(name, profiler);
    profiler.take(value, 0, record);
  }
  return [...profilers.values()].map((profiler) => profiler.facts());
}

export function columnProfiler(name: string): ColumnProfiler {
  const seen = new Map<string, number>();
  const numbers = { plain: 0, point: 0, comma: 0, either: 0 };
  const repeated: { value: string; lines: [number, number] }[] = [];
  const samples: string[] = [];
  let filled = 0;
  let latest = -1;
  let isSeveral = false;
  let longest = 0;
  let longestLine = 0;
  let many = false;
  let repeats = 0;
  let exponents = 0;
  let apostrophes = 0;
  let spaced = 0;
  let entities = 0;
  let priced = 0;
  let dashed = 0;
  let measured = 0;
  let barcodes = 0;
  let indian = 0;
  let falses = 0;
  const besideWords = new Set<string>();
  const said = new Map<string, number>();
  const currencies = new Map<string, CurrencyRead>();
  const grouped = { point: 0, comma: 0 };
  const amounts: (number | undefined)[] = [];
  const ambiguous = new Map<number, string>();
  let range: [number, number] | undefined;
  let longestFraction = 0;
  const shown: { exponent?: string; either?: string; grouped?: string } = {};

  function watchAmount(text: string, record: number): void {
    const amount = Number(text);
    const fraction = text.split('.')[1] ?? '';
    longestFraction = Math.max(longestFraction, fraction.length === 2 ? 2 : fraction.replace(/0+$/, '').length);
    range = [Math.min(range?.[0] ?? amount, amount), Math.max(range?.[1] ?? amount, amount)];
    if (record < mostAmounts) amounts[record] = amount;
  }

  /** Reads `12.345` with the sign of the other numbers, such as `0.500`. */
  function readAmbiguous(): void {
    if (numbers.point > 0 === numbers.comma > 0) return;
    for (const [record, value] of ambiguous) {
      const read = parseNumber(value, { decimal: numbers.point > 0 ? '.' : ',', ignore: otherAmountWords });
      if ('text' in read) watchAmount(read.text, record);
    }
    ambiguous.clear();
  }

  function watchDistinct(value: string, line: number): void {
    const before = seen.get(value);
    if (before !== undefined) {
      repeats++;
      if (repeated.length < mostSamples) repeated.push({ value: value.slice(0, 60), lines: [before, line] });
    } else if (seen.size >= mostDistinct) many = true;
    else {
      seen.set(value.length > 200 ? `${value.slice(0, 180)}#${value.length}` : value, line);
      if (samples.length < mostSamples) samples.push(value.slice(0, 60));
    }
  }

  /** What the values say; `false` among others that answer no question is none of them. */
  function valueFacts() {
    const every = [...seen.keys()];
    const values = every.filter((value) => !isFalse(value));
    const isNone = falses > 0 && values.some((value) => !isAnswer.test(value)) && !values.some(isTrue);
    if (!isNone)
      return { filled, distinct: seen.size, samples, values: every.slice(0, mostValues), repeated, repeats, falses: 0 };
    return {
      filled: filled - falses,
      distinct: values.length,
      samples: values.slice(0, mostSamples).map((value) => value.slice(0, 60)),
      values: values.slice(0, mostValues),
      repeated: repeated.filter(({ value }) => !isFalse(value)),
      repeats: repeats - (falses - (every.length - values.length)),
      falses,
    };
  }

  return {
    take(cell, line, record) {
      if (record === latest) isSeveral = true;
      latest = record;
      const value = cell.trim();
      if (value === '') return;
      filled++;
      if (isFalse(value)) falses++;
      if (/\s/.test(value)) spaced++;
      if (/&(?:[a-z]{2,8}|#x?[\da-f]{2,6});/i.test(value)) entities++;
      const bytes = byteLength(value);
      if (bytes > longest) [longest, longestLine] = [bytes, line];
      watchDistinct(value, line);
      if (value.length > 40 || !/\p{Nd}/u.test(value)) return;
      const words = /\p{L}/u.test(value) ? amountWords(value) : [];
      if (words.length === 0 && /\p{L}.*\p{L}.*\p{L}.*\p{L}.*\p{L}.*\p{L}/u.test(value)) return;
      for (const word of new Set(words)) said.set(word, (said.get(word) ?? 0) + 1);
      if (/^\d(?:[.,]\d+)?E\+\d+$/i.test(value)) {
        exponents++;
        shown.exponent ??= value;
      }
      if (/^'\d+$/.test(value)) apostrophes++;
      if (isGtin(value.replace(/^'/, ''))) barcodes++;
      if (/\d\.\d{3}\.\d{3}(?!\d)/.test(value)) grouped.point++;
      else if (/\d,\d{3},\d{3}(?!\d)/.test(value)) grouped.comma++;
      const isIndian = /\d,\d{2},\d{3}(?![\d,])/.test(value);
      if (isIndian) indian++;
      if (/\d([.,])\d{3}\1\d{3}(?!\d)/.test(value)) shown.grouped ??= value;
      // A column of old prices is one of amounts.
      const read = parseNumber(value, { grouping: isIndian ? 'indian' : undefined, ignore: otherAmountWords });
      const currency = /\p{Sc}|\p{L}/u.test(value) ? currencyIn(value) : undefined;
      if (currency !== undefined) {
        priced++;
        const codes = currency.codes.join();
        if (!currencies.has(codes) && currencies.size < mostWords) currencies.set(codes, currency);
      }
      if ('text' in read) {
        if (/\d[.,][-–—−]/.test(value)) dashed++;
        numbers[read.sign === ',' ? 'comma' : read.sign === '.' ? 'point' : 'plain']++;
        watchAmount(read.text, record);
      } else if (read.fault.kind === 'ambiguous') {
        numbers.either++;
        shown.either ??= value;
        if (ambiguous.size < mostAmounts) ambiguous.set(record, value);
      } else if (read.fault.kind === 'word_beside' && /^[+-]?\d/.test(value)) {
        measured++;
        if (besideWords.size < mostWords) besideWords.add(read.fault.word.toLowerCase());
      }
    },
    facts() {
      readAmbiguous();
      return {
        name,
        ...valueFacts(),
        isSeveral,
        many,
        longest,
        longestLine,
        holds: (value) => seen.has(value),
        amounts,
        range,
        longestFraction,
        spaced,
        entities,
        numbers,
        priced,
        currencies: [...currencies.values()],
        dashed,
        measured,
        unitWords: [...besideWords],
        said,
        grouped,
        indian,
        barcodes,
        exponents,
        shown,
        apostrophes,
      };
    },
  };
}
