// Composable checks for the schema of a mapping file. A fault has a path and a sentence; the first one in file order is
// reported.
import { nearest, quote } from '../../../core/text/text.js';

export type Path = readonly (string | number)[];

/** A fault at a position of the file. */
export interface Fault {
  readonly path: Path;
  readonly message: string;
}

/** Checks one value. */
export type Check = (value: unknown, path: Path) => Fault | undefined;

/** The found value, in a sentence. */
function found(value: unknown): string {
  if (value === undefined || value === null) return 'nothing was found';
  if (Array.isArray(value)) return 'a list was found';
  return typeof value === 'object' ? 'words were found' : `${quote(value)} was found`;
}

/** A check by a predicate, with a description of the value expected. */
export function expected(what: string, test: (value: unknown) => boolean): Check {
  return (value, path) => (test(value) ? undefined : { path, message: `must be ${what}; ${found(value)}` });
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

export const text = (what = 'a text') => expected(what, isText);
export const filledText = (what = 'a text') => expected(what, (value) => isText(value) && value !== '');
export const scalar = expected('a text, a number, true or false', isScalar);
export const flag = expected('true or false', (value) => typeof value === 'boolean');
export const only = (word: unknown) => expected(String(word), (value) => value === word);

/** A whole number between two bounds. */
export function whole(min: number, max: number): Check {
  const what = max === Number.MAX_SAFE_INTEGER ? `a whole number from ${min}` : `a whole number from ${min} to ${max}`;
  return expected(what, (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max);
}

/** One word of a closed list. */
export function oneOf(words: readonly string[]): Check {
  return (value, path) => {
    if (isText(value) && words.includes(value)) return undefined;
    const near = isText(value) ? nearest(value, words) : undefined;
    const hint = near === undefined ? '' : `. Did you mean ${near}?`;
    return { path, message: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}; ${found(value)}${hint}` };
  };
}

/** A list whose entries pass a check. */
export function listOf(check: Check, what: string, least = 1): Check {
  return (value, path) => {
    if (!Array.isArray(value) || value.length < least) return { path, message: `must be ${what}; ${found(value)}` };
    return first(value.map((entry, i) => () => check(entry, [...path, i])));
  };
}

/** One entry, or a list of them. */
export function oneOrMore(check: Check, what: string): Check {
  const list = listOf(check, what);
  return (value, path) => (Array.isArray(value) ? list : check)(value, path);
}

/** An object with arbitrary keys, whose values pass a check. */
export function namesWith(check: Check, what: string): Check {
  return (value, path) => {
    if (!isWords(value)) return { path, message: `must be ${what}; ${found(value)}` };
    return first(
      Object.entries(value).map(
        ([name, one]) =>
          () =>
            check(one, [...path, name]),
      ),
    );
  };
}

/** Maximum keys and indexes that lead to a value: what reads a mapping follows it as deep. */
const deepest = 100;

/** The sets of words of all mappings: the reference has an example of each (test/manual/mapping-examples.test.ts). */
export const wordSets: Record<string, Check>[] = [];

/** An object with a fixed set of keys; those of `required` must be present. */
export function words(given: Readonly<Record<string, Check>>, what: string, required: readonly string[] = []): Check {
  const known = { ...given };
  wordSets.push(known);
  const names = Object.keys(known);
  return (value, path) => {
    if (!isWords(value)) return { path, message: `must be ${what}; ${found(value)}` };
    if (path.length > deepest) return { path, message: `is nested deeper than ${deepest} levels` };
    const missing = required.find((name) => !Object.hasOwn(value, name));
    const wrong = first(
      Object.entries(value).map(([name, one]) => () => {
        const check = Object.hasOwn(known, name) ? known[name] : undefined;
        if (check === undefined) return { path: [...path, name], message: unknownWord(name, names) };
        return check(one, [...path, name]);
      }),
    );
    if (wrong !== undefined || missing === undefined) return wrong;
    return { path, message: `needs ${missing}: as well; it must be ${what}` };
  };
}

/** The sentence for an unknown key. */
export function unknownWord(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined
    ? `${quote(name)} is not a word of a mapping here; words are ${known.join(', ')}`
    : `${quote(name)} is not a word of a mapping here. Did you mean ${near}?`;
}

export function isWords(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether words have one of these keys. */
export function hasOneOf(value: object, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(value, name));
}

function first(checks: readonly (() => Fault | undefined)[]): Fault | undefined {
  for (const check of checks) {
    const fault = check();
    if (fault !== undefined) return fault;
  }
  return undefined;
}
