// Text → the records of a JSON file, as text of their own with their physical line: an array, `{"items": […]}`, one
// value, or one a line (NDJSON).
//
// Only where a record ends is looked for here; what it is, JSON.parse decides, natively and strictly. Measured on
// 113 MB, 200,000 products: stream-json 3.8 with packed values 3.0 s, this way with typing 1.6 s, NDJSON 1.45 s.
// stream-json also knows no lines, has no limit of depth or size and assigns `__proto__`; here a record is text of a
// bounded length, and nesting is only counted.
import { CatalogError } from '../core/errors.js';
import { faultIn } from './json-fault.js';

/** The longest record, in characters: 400 values with their notes take a tenth of it. */
export const longestRecord = 4 * 1024 * 1024;

/** Takes a record's text; false says that it is no JSON. */
type OnRecord = (raw: string, line: number) => boolean;

/** Cuts a JSON file into the texts of its records, block by block. */
export interface JsonCutter {
  /**
   * Hands over the records that are complete in this block.
   * @throws CatalogError `input_unreadable` with line and column where the file as a whole is broken
   */
  cut(block: string, last: boolean, onRecord: OnRecord): void;
}

/** Cuts one value a line. Blank lines are counted and not handed over; a broken line is the receiver's matter. */
export function ndjsonCutter(file: string): JsonCutter {
  let carry = '';
  let line = 1;
  return {
    cut(block, last, onRecord) {
      // A line in the making is only looked at once a block ends it.
      if (!last && !block.includes('\n')) carry += block;
      else {
        const text = carry + block;
        let at = 0;
        for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
          const raw = text.slice(at, end);
          if (raw.length > longestRecord) throw tooLong(file, line);
          if (!isBlank(raw)) onRecord(raw, line);
          line++;
          at = end + 1;
        }
        carry = text.slice(at);
      }
      if (carry.length > longestRecord) throw tooLong(file, line);
      if (last && !isBlank(carry)) onRecord(carry, line);
    },
  };
}

type State = 'start' | 'first' | 'value' | 'comma' | 'tail' | 'end';

/**
 * Cuts an array, an envelope `{"items": […]}` or a single value.
 * @param isField tells the resource's fields: an object that names one before `items` is itself the record
 */
export function jsonCutter(file: string, isField: (name: string) => boolean): JsonCutter {
  const place = placeKeeper();
  let carry = '';
  let state: State = 'start';
  let enveloped = false;
  // A record that grows block by block is looked at again only once it is half as long again: else time is squared.
  let due = 0;

  function fail(what: string, text: string, at: number): CatalogError {
    const { line, column } = place.of(text, at);
    return new CatalogError('input_unreadable', `${file}: line ${line}, column ${column}: ${what}.`);
  }

  /** Hands over the value at `at` and goes on behind it; -1 where it is not all there. */
  function record(text: string, at: number, last: boolean, onRecord: OnRecord): number {
    const end = valueEnd(text, at, last);
    if (end === -1) return -1;
    if (end - at > longestRecord) throw tooLong(file, place.of(text, at).line);
    const raw = text.slice(at, end);
    if (!onRecord(raw, place.of(text, at).line)) throw fail('this is no valid JSON', text, at + (faultIn(raw) ?? 0));
    return end;
  }

  function start(text: string, at: number, last: boolean, onRecord: OnRecord): number {
    const items = text.charAt(at) === '{' ? itemsIn(text, at, isField) : at;
    if (text.charAt(items) === '[') {
      enveloped = items > at;
      const fault = enveloped ? faultIn(`${text.slice(at, items)}[]}`) : undefined;
      if (fault !== undefined) throw fail('this is no valid JSON', text, at + fault);
      state = 'first';
      return items + 1;
    }
    const end = record(text, at, last, onRecord);
    if (end !== -1) state = 'end';
    return end;
  }

  function tail(text: string, at: number): number {
    const rest = `{"":0${text.slice(at)}`;
    const fault = faultIn(rest);
    if (fault !== undefined) throw fail('this is no valid JSON', text, at + Math.max(0, fault - 5));
    if (Object.hasOwn(JSON.parse(rest), 'items')) throw fail('the file has a second "items"', text, at);
    state = 'end';
    return text.length;
  }

  /** Takes one step at `at`; the place to go on at, or -1 where more text is needed. */
  function step(text: string, at: number, last: boolean, onRecord: OnRecord): number {
    const char = text.charAt(at);
    if (state === 'start') return start(text, at, last, onRecord);
    if (state === 'tail') return last ? tail(text, at) : -1;
    if (state === 'end') throw fail('the JSON has ended before this; one object a line is --format ndjson', text, at);
    if (char === ']' && state !== 'value') {
      state = enveloped ? 'tail' : 'end';
      return at + 1;
    }
    if (state === 'comma') {
      if (char !== ',') throw fail('here a comma or ] is due', text, at);
      state = 'value';
      return at + 1;
    }
    const end = record(text, at, last, onRecord);
    if (end !== -1) state = 'comma';
    return end;
  }

  return {
    cut(block, last, onRecord) {
      const text = carry + block;
      carry = text;
      if (text.length < due && !last) return;
      let at = skipSpace(text, 0);
      while (at < text.length) {
        const next = step(text, at, last, onRecord);
        if (next === -1) break;
        at = skipSpace(text, next);
      }
      if (last && (at < text.length || (state !== 'end' && state !== 'start'))) {
        throw fail('the file ends before the JSON that begins here does', text, at);
      }
      if (text.length - at > longestRecord) throw tooLong(file, place.of(text, at).line);
      place.drop(text, at);
      carry = text.slice(at);
      due = carry.length > 65_536 ? carry.length * 1.5 : 0;
    },
  };
}

/** Where the value at `at` ends, or -1 where it does not end in this text. Nesting is counted and not followed. */
function valueEnd(text: string, at: number, last: boolean): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) {
      i = stringEnd(text, i);
      if (i === -1) return -1;
      if (depth === 0) return i + 1;
    } else if (unit === 0x7b || unit === 0x5b) depth++;
    else if (unit === 0x7d || unit === 0x5d) {
      // A bracket that closes nothing is left to JSON.parse to complain of.
      if (--depth <= 0) return depth < 0 ? Math.max(i, at + 1) : i + 1;
    } else if (depth === 0 && (unit === 0x2c || isSpace(unit))) return Math.max(i, at + 1);
  }
  return depth === 0 && last ? text.length : -1;
}

/** The index of the quote that closes the string opened at `at`, or -1. */
function stringEnd(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}

/** Where the array of an envelope begins that opens at `at`; `at` itself where the object is none, or not all there. */
function itemsIn(text: string, at: number, isField: (name: string) => boolean): number {
  let i = skipSpace(text, at + 1);
  while (text.charAt(i) === '"') {
    const end = stringEnd(text, i);
    const value = end === -1 ? -1 : skipSpace(text, skipSpace(text, end + 1) + 1);
    if (value === -1) return at;
    const name = text.slice(i + 1, end);
    if (name === 'items') return text.charAt(value) === '[' ? value : at;
    if (isField(name)) return at;
    const next = valueEnd(text, value, false);
    if (next === -1) return at;
    i = skipSpace(text, skipSpace(text, next) + 1);
  }
  return at;
}

/** Keeps count of lines and columns while text is consumed. */
function placeKeeper() {
  let line = 1;
  // Offsets in the current text: how far lines are counted, where the line began (negative: in an earlier block), and
  // the next line break, so that a file of a single line is not searched for one again and again.
  let counted = 0;
  let lineStart = 0;
  let next = -1;
  function of(text: string, at: number): { readonly line: number; readonly column: number } {
    for (;;) {
      if (next < counted) next = text.indexOf('\n', counted);
      if (next === -1) next = Number.POSITIVE_INFINITY;
      if (next >= at) break;
      line++;
      lineStart = counted = next + 1;
    }
    return { line, column: at - lineStart + 1 };
  }
  return {
    of,
    /** Forgets the text before `at`. */
    drop(text: string, at: number) {
      of(text, at);
      lineStart -= at;
      counted = 0;
      next = -1;
    },
  };
}

function skipSpace(text: string, at: number): number {
  let i = at;
  while (i < text.length && isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** White space as JSON has it. */
function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function isBlank(line: string): boolean {
  return skipSpace(line, 0) === line.length;
}

function tooLong(file: string, line: number): CatalogError {
  const remedy = 'Split the record, or look for a bracket or quote that is never closed';
  return new CatalogError(
    'input_unreadable',
    `${file}: the record that begins on line ${line} does not end within ${longestRecord} characters. ${remedy}.`,
  );
}
