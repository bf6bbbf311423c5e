// Finds the only list of objects in a JSON document. Reads the document once before it is imported, and keeps only the
// current path in memory.
import { stringScanner } from './string-scanner.js';

/** A list of objects in a document. */
interface ObjectList {
  /** The names of the members that lead to it. */
  readonly path: readonly string[];
  readonly count: number;
}

export interface ListFinder {
  /** Takes the next text of the document. */
  take(text: string): void;
  /** Lists of objects that are not inside another list; at most ten. */
  lists(): readonly ObjectList[];
  /** The names of the outermost object; at most a thousand. */
  names(): readonly string[];
}

/** Maximum members in a path. */
const deepest = 8;
const mostLists = 10;
const mostNames = 1000;
const longestName = 200;

interface Level {
  readonly isList: boolean;
  /** The name read last. */
  name: string;
  list: { readonly path: readonly string[]; count: number } | undefined;
}

/** Searches the lists of a document. Invalid JSON is reported by the reader. */
export function listFinder(): ListFinder {
  const levels: Level[] = [];
  const lists: { readonly path: readonly string[]; count: number }[] = [];
  const names: string[] = [];
  // Depth of containers that are too deep to be examined.
  let beyond = 0;
  let word = '';
  const strings = stringScanner();

  function open(isList: boolean): void {
    const top = levels.at(-1);
    if (beyond > 0 || levels.length >= deepest || (top?.isList === true && isList)) return void beyond++;
    if (top?.isList === true) {
      // An object inside a list belongs to that list.
      if (top.list === undefined && lists.length < mostLists) {
        top.list = { path: levels.slice(0, -1).map(({ name }) => name), count: 0 };
        lists.push(top.list);
      }
      if (top.list !== undefined) top.list.count++;
      beyond++;
      return;
    }
    levels.push({ isList, name: '', list: undefined });
  }

  function close(): void {
    if (beyond > 0) beyond--;
    else levels.pop();
  }

  function named(): void {
    const top = levels.at(-1);
    if (beyond > 0 || top === undefined || top.isList) return;
    top.name = word;
    if (levels.length === 1 && names.length < mostNames) names.push(word);
  }

  /** The position after the string that continues at `at`; its first characters are kept. */
  function string(text: string, at: number): number {
    const end = strings.end(text, at);
    if (beyond === 0 && word.length < longestName)
      word += text.slice(at, Math.min(end - (strings.isOpen() ? 0 : 1), at + longestName));
    return end;
  }

  return {
    take(text) {
      let at = 0;
      strings.begin();
      if (strings.isOpen()) at = string(text, 0);
      while (at < text.length) {
        const unit = text.charCodeAt(at++);
        if (unit === 0x22) {
          word = '';
          at = string(text, at);
        } else if (unit === 0x7b || unit === 0x5b) open(unit === 0x5b);
        else if (unit === 0x7d || unit === 0x5d) close();
        else if (unit === 0x3a) named();
      }
    },
    lists: () => lists,
    names: () => names,
  };
}
