// Cuts the records of a list within a JSON document: `data.products` of {"data": {"products": […]}, "meta": …}. The
// text around the list is checked without keeping it in memory, whatever its size.
import { jsonVerifier, type VerifierError } from 'stream-json/core/utils/verifier.js';
import { CatalogError } from '../../core/errors.js';
import type { JsonCutter } from './json-cutter.js';
import { lineCounter } from './line-counter.js';
import { stringScanner } from './string-scanner.js';

/** Maximum levels around the list. */
const deepest = 64;
/** Characters around the list that are checked: the verifier takes a second for two million of them. */
const mostVerified = 4 * 1024 * 1024;
/** Maximum names beside the list that are reported. */
const mostBeside = 10;
const longestName = 200;

/** Makes the cutter of the value at the path, which begins at a line of the document. */
export type InnerCutter = (line: number) => JsonCutter;

/**
 * Cuts the list at a path, or the one record that is there. Longer than a screen: its parts are steps of one state machine,
 * which share the position in the text.
 */
export function listCutter(file: string, path: readonly string[], innerCutter: InnerCutter): JsonCutter {
  const place = lineCounter();
  const verify = jsonVerifier();
  const around = surroundings(path);
  const shown = path.join('.');
  let inner: JsonCutter | undefined;
  /** Brackets that are open within the list. */
  let depth = 0;
  const strings = stringScanner();
  let verified = 0;
  let found = false;

  function fail(what: string, text: string, at: number): CatalogError {
    const { line, column } = place.of(text, at);
    return new CatalogError('input_unreadable', `${file}: line ${line}, column ${column}: ${what}.`);
  }

  /**
   * Checks a piece of the text around the list. If it is too long to be checked in time, only its brackets are counted.
   */
  function check(text: string, from: number, end: number, piece = text.slice(from, end)): void {
    if (verified > mostVerified) return;
    try {
      verify(piece);
      verified += piece.length;
    } catch (cause) {
      const at = Math.min(from + Math.max(0, (cause as VerifierError).offset - verified), text.length);
      const found = text.charAt(Math.min(at, text.length - 1));
      throw fail(`this is not valid JSON: ${JSON.stringify(found)} is not expected here`, text, at);
    }
  }

  /** The end of the list, or of the text. */
  function listEnd(text: string, from: number): number {
    let at = strings.isOpen() ? strings.end(text, from) : from;
    while (at < text.length) {
      const unit = text.charCodeAt(at++);
      if (unit === 0x22) at = strings.end(text, at);
      else if (unit === 0x7b || unit === 0x5b) depth++;
      else if ((unit === 0x7d || unit === 0x5d) && --depth === 0) return at;
    }
    return at;
  }

  /**
   * The beginning of the list, or the end of the text. The text before it is checked, except for the content of long
   * strings.
   */
  function listBegin(text: string, from: number): number {
    let at = from;
    let checked = from;
    if (strings.isOpen()) {
      at = strings.end(text, from);
      around.word(text.slice(from, Math.min(insideEnd(at), from + longestName)));
      checked = insideEnd(at);
    }
    while (at < text.length) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22) {
        const end = strings.end(text, at + 1);
        around.begin();
        around.word(text.slice(at + 1, Math.min(insideEnd(end), at + 1 + longestName)));
        if (end - at > longestName || strings.isOpen()) {
          check(text, checked, at + 1);
          checked = insideEnd(end);
        }
        at = end;
        continue;
      }
      if ((unit === 0x7b || unit === 0x5b) && around.isThere()) break;
      around.take(unit);
      if (around.depth() > deepest) throw fail(`the document is nested deeper than ${deepest} levels`, text, at);
      at++;
    }
    check(text, checked, at);
    return at;
  }

  /** The end of a string's content. */
  function insideEnd(end: number): number {
    return strings.isOpen() ? end : end - 1;
  }

  return {
    beside: around.beside,
    cut(block, last, onRecord) {
      let at = 0;
      strings.begin();
      while (at < block.length) {
        if (inner === undefined) {
          const begin = listBegin(block, at);
          at = begin;
          if (begin === block.length) break;
          if (found) throw fail(`the document has a second "${shown}"`, block, begin);
          found = true;
          inner = innerCutter(place.of(block, begin).line);
        }
        const end = listEnd(block, at);
        const isWhole = depth === 0;
        inner.cut(block.slice(at, end), isWhole, onRecord);
        at = end;
        if (!isWhole) break;
        inner = undefined;
        check(block, at, at, '0');
        around.done();
      }
      if (!last) return place.drop(block, block.length);
      inner?.cut('', true, onRecord);
      if (!found)
        throw new CatalogError(
          'usage',
          `${file}: list "${shown}" not found; name the list of the records with --items.`,
        );
      try {
        if (around.depth() > 0) throw new Error('brackets are open');
        if (verified > mostVerified) return;
        verify(' '.repeat(20));
      } catch {
        throw fail('the file ends before the JSON that begins here does', block, block.length);
      }
    },
  };
}

/** Follows the names that lead to the current position in a document. */
function surroundings(path: readonly string[]) {
  const levels: { readonly isList: boolean; name: string; named: boolean }[] = [];
  const beside = new Set<string>();
  let word = '';

  /** Whether the next value is the one at the path. */
  function isThere(): boolean {
    return (
      levels.length === path.length &&
      levels.every(({ isList, name, named }, i) => !isList && named && name === path[i])
    );
  }

  return {
    isThere,
    depth: () => levels.length,
    beside: () => [...beside],
    begin() {
      word = '';
    },
    word(text: string) {
      if (word.length < longestName) word += text;
    },
    /** A bracket, a colon or a comma. */
    take(unit: number) {
      const top = levels.at(-1);
      if (unit === 0x7b || unit === 0x5b) levels.push({ isList: unit === 0x5b, name: '', named: false });
      else if (unit === 0x7d || unit === 0x5d) levels.pop();
      else if (top === undefined || top.isList) return;
      else if (unit === 0x2c) top.named = false;
      else if (unit === 0x3a) {
        top.name = nameOf(word);
        top.named = true;
        if (levels.length === 1 && top.name !== path[0] && beside.size < mostBeside) beside.add(top.name);
      }
    },
    /** The value at the path was read. */
    done() {
      const top = levels.at(-1);
      if (top !== undefined) top.named = false;
    },
  };
}

/** A name without its escapes. */
function nameOf(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}
