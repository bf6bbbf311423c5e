// Follows the names that lead to the current position in a JSON document, whose text arrives in blocks.
import { stringScanner } from './value-scanner.js';

/** Characters of a name that are compared. */
const longestName = 200;

interface Level {
  readonly isList: boolean;
  /** The name of the current member; undefined before the first and between members. */
  name: string | undefined;
}

/** @param onName called with the name of each member of the outermost object */
export function memberNames(onName: (name: string) => void) {
  const levels: Level[] = [];
  const strings = stringScanner();
  let word = '';

  /** The index after the string that continues at `at`. */
  function string(text: string, at: number): number {
    const end = strings.end(text, at);
    if (word.length < longestName) word += text.slice(at, Math.min(end - (strings.isOpen() ? 0 : 1), at + longestName));
    return end;
  }

  function separate(unit: number): void {
    const top = levels.at(-1);
    if (unit === 0x7d || unit === 0x5d) levels.pop();
    else if (top === undefined || top.isList) return;
    else if (unit === 0x2c) top.name = undefined;
    else if (unit === 0x3a) {
      top.name = withoutEscapes(word);
      if (levels.length === 1) onName(top.name);
    }
  }

  return {
    /** The open lists and objects, from the outermost. */
    levels: levels as readonly Readonly<Level>[],
    /** Enters the list or object that opens here. */
    enter: (isList: boolean) => void levels.push({ isList, name: undefined }),
    /** Whether the next value is the one at a path. */
    isAt: (path: readonly string[]) =>
      levels.length === path.length && levels.every(({ isList, name }, i) => !isList && name === path[i]),
    /** The index of the next opening bracket, which is not entered, or the text's length. */
    next(text: string, from: number): number {
      let at = strings.isOpen() ? string(text, from) : from;
      while (at < text.length) {
        const unit = text.charCodeAt(at);
        if (unit === 0x7b || unit === 0x5b) return at;
        at++;
        if (unit === 0x22) {
          word = '';
          at = string(text, at);
        } else separate(unit);
      }
      return at;
    },
  };
}

function withoutEscapes(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}
