// Dictionary-encodes repeated texts (a brand, a currency) that are sent from one thread to another: the text first, its
// index from then on. Both ends build the same table. It saves the main thread of an import 2 % of its time.

/** Maximum different texts of a field that are encoded, and their maximum length. */
const maxTexts = 1000;
const maxLength = 64;

/** Maximum for all fields together: a file may have many, in items of every layout. */
const maxTotal = 20_000;

/** How many items decide whether the texts of a field repeat, and the share of them that may differ. */
export const minSample = 20;
const maxDistinct = 3 / 4;

/** Whether it is worth encoding the texts of a field with these values. */
export function isRepetitive(values: readonly unknown[]): boolean {
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length >= minSample && new Set(texts).size <= texts.length * maxDistinct;
}

/** One end's table for a field. */
export interface StringDictionary {
  /** Encodes a value. */
  encode(value: unknown): unknown;
  /** Decodes a value. */
  decode(code: unknown): unknown;
}

/** The remaining capacity of the dictionaries of a source, in texts. */
export interface Budget {
  left: number;
}

/** The budget of a new source. */
export function newBudget(): Budget {
  return { left: maxTotal };
}

/** An empty dictionary. */
export function stringDictionary(budget: Budget): StringDictionary {
  const texts: string[] = [];
  const indexes = new Map<string, number>();

  function fits(text: string): boolean {
    return texts.length < maxTexts && text.length <= maxLength && budget.left > 0;
  }

  function add(text: string): void {
    texts.push(text);
    budget.left--;
  }

  return {
    encode(value) {
      // Other values of the field must not be mistaken for indexes.
      if (typeof value !== 'string') return value === undefined || value === null ? value : [value];
      const index = indexes.get(value);
      if (index !== undefined || !fits(value)) return index ?? value;
      // A copy, since a substring would keep the whole text in memory.
      const own = structuredClone(value);
      indexes.set(own, texts.length);
      add(own);
      return value;
    },
    decode(code) {
      if (typeof code === 'number') return texts[code];
      if (typeof code !== 'string') return code === undefined || code === null ? code : (code as [unknown])[0];
      if (fits(code)) add(code);
      return code;
    },
  };
}
