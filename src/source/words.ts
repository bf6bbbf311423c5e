// Texts that come again and again (a brand, a currency) on their way from one thread to another: each travels once, and as
// a number from then on: 2 % less for the main thread of an import. Both ends count up what comes, so that nothing has to be
// said about it.

/** How many different texts of a field are numbered, and up to which length. */
const mostWords = 1000;
const longestWord = 64;

/** How many of all fields: a file may have many, of items of every shape. */
const mostOfAll = 20_000;

/** How many items show whether the texts of a field repeat, and the share of them that may differ. */
export const fewestItems = 20;
const mostDifferent = 3 / 4;

/** Whether it is worth numbering the texts of a field that has these values. */
export function areWords(values: readonly unknown[]): boolean {
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length >= fewestItems && new Set(texts).size <= texts.length * mostDifferent;
}

/** One end of a field's way. */
export interface Words {
  /** What travels in the place of a value. */
  code(value: unknown): unknown;
  /** The value of what travelled. */
  value(code: unknown): unknown;
}

/** What the words of all fields of a source may still take. */
export interface Room {
  left: number;
}

/** Room for the words of a source. */
export function newRoom(): Room {
  return { left: mostOfAll };
}

/** Knows no words yet. */
export function newWords(room: Room): Words {
  const words: string[] = [];
  const places = new Map<string, number>();

  function mayLearn(text: string): boolean {
    return words.length < mostWords && text.length <= longestWord && room.left > 0;
  }

  function learn(text: string): void {
    words.push(text);
    room.left--;
  }

  return {
    code(value) {
      // What else there may be in the field is kept apart from the numbers of words.
      if (typeof value !== 'string') return value === undefined || value === null ? value : [value];
      const place = places.get(value);
      if (place !== undefined || !mayLearn(value)) return place ?? value;
      // A copy, as a part of a text would keep the whole of it.
      const own = structuredClone(value);
      places.set(own, words.length);
      learn(own);
      return value;
    },
    value(code) {
      if (typeof code === 'number') return words[code];
      if (typeof code !== 'string') return code === undefined || code === null ? code : (code as [unknown])[0];
      if (mayLearn(code)) learn(code);
      return code;
    },
  };
}
