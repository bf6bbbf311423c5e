// Composable checks for the schema of a mapping file. A fault has a path and a sentence; the first one in file order is
// reported.
import { nearest, quote } from '../../../core/text/text.js';

type Path = readonly (string | number)[];

/** A fault at a position of the file. */
export interface Fault {
  readonly path: Path;
  readonly message: string;
}

/** A JSON Schema. */
export type ValueSchema = Readonly<Record<string, unknown>>;

export interface Check {
  (value: unknown, path: Path): Fault | undefined;
  /** The same as a JSON Schema, as far as one can say it; what refers to itself is put into `definitions`. */
  readonly schema?: (definitions: Record<string, ValueSchema>) => ValueSchema;
}

/** A check with what says the same as a JSON Schema. */
export function withSchema(check: Check, schema: NonNullable<Check['schema']>): Check {
  return Object.assign((value: unknown, path: Path) => check(value, path), { schema });
}

/** The JSON Schema of a check; one that accepts everything if the check has none. */
export function schemaOf(check: Check, definitions: Record<string, ValueSchema>): ValueSchema {
  return check.schema?.(definitions) ?? {};
}

export function withForms(check: Check, forms: () => readonly Check[]): Check {
  return withSchema(check, (definitions) => ({ anyOf: forms().map((form) => schemaOf(form, definitions)) }));
}

/** One of several checks, chosen by the value. */
export function either(choose: (value: unknown) => Check, forms: () => readonly Check[]): Check {
  return withForms((value, path) => choose(value)(value, path), forms);
}

/** A check, and then another one of what passed it. */
export function refined(check: Check, further: Check): Check {
  const both: Check = (value, path) => check(value, path) ?? further(value, path);
  return withSchema(both, (definitions) => schemaOf(check, definitions));
}

/** A check that other checks refer to by name, since it contains itself. */
export function shared(name: string, check: Check): Check {
  return withSchema(check, (definitions) => {
    if (!Object.hasOwn(definitions, name)) {
      definitions[name] = {};
      definitions[name] = schemaOf(check, definitions);
    }
    return { $ref: `#/$defs/${name}` };
  });
}

export function found(value: unknown): string {
  if (value === undefined || value === null) return 'nothing was found';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list was found' : 'a list was found';
  return typeof value === 'object' ? 'words were found' : `${quote(value)} was found`;
}

/** A check by a predicate, with a description of the value expected. */
export function expected(what: string, test: (value: unknown) => boolean, schema: ValueSchema = {}): Check {
  const check: Check = (value, path) =>
    test(value) ? undefined : { path, message: `must be ${what}; ${found(value)}` };
  return withSchema(check, () => ({ ...schema, description: what }));
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

export const text = (what = 'a text') => {
  const check = expected(what, isText, { type: 'string' });
  return withSchema((value, path) => quotedNumber(value, check(value, path)), check.schema ?? (() => ({})));
};

/** The fault of a number in place of a text: YAML takes it for the text in quotes only. */
function quotedNumber(value: unknown, fault: Fault | undefined): Fault | undefined {
  if (fault === undefined || typeof value !== 'number') return fault;
  return { ...fault, message: `${fault.message}; if it is a name or a text, write "${value}", in quotes` };
}

export const filledText = (what = 'a text') =>
  expected(what, (value) => isText(value) && value !== '', { type: 'string', minLength: 1 });
export const scalar = expected('a text, a number, true or false', isScalar, {
  type: ['string', 'number', 'boolean'],
});
export const flag = expected('true or false', (value) => typeof value === 'boolean', { type: 'boolean' });
export const only = (word: unknown) => expected(String(word), (value) => value === word, { const: word });

/** A whole number between two bounds. */
export function whole(min: number, max: number): Check {
  const what = max === Number.MAX_SAFE_INTEGER ? `a whole number from ${min}` : `a whole number from ${min} to ${max}`;
  return expected(what, (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max, {
    ...{ type: 'integer', minimum: min, maximum: max },
  });
}

export function oneOf(words: readonly string[]): Check {
  const check: Check = (value, path) => {
    if (isText(value) && words.includes(value)) return undefined;
    const near = isText(value) ? nearest(value, words) : undefined;
    const hint = near === undefined ? '' : `. Did you mean ${near}?`;
    return { path, message: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}; ${found(value)}${hint}` };
  };
  return withSchema(check, () => ({ enum: words }));
}

export function listOf(check: Check, what: string, least = 1): Check {
  const list: Check = (value, path) => {
    if (!Array.isArray(value) || value.length < least) return { path, message: `must be ${what}; ${found(value)}` };
    return first(value.map((entry, i) => () => check(entry, [...path, i])));
  };
  return withSchema(list, (definitions) => ({
    ...{ type: 'array', items: schemaOf(check, definitions), minItems: least, description: what },
  }));
}

/** One entry, or a list of them. */
export function oneOrMore(check: Check, what: string): Check {
  const list = listOf(check, what);
  return either(
    (value) => (Array.isArray(value) ? list : check),
    () => [check, list],
  );
}

/** An object with arbitrary keys, whose values pass a check. */
export function namesWith(check: Check, what: string): Check {
  const names: Check = (value, path) => {
    if (!isWords(value)) return { path, message: `must be ${what}; ${found(value)}` };
    return first(
      Object.entries(value).map(
        ([name, one]) =>
          () =>
            name === '<<' && isWords(one) ? { path: [...path, name], message: mergeKey } : check(one, [...path, name]),
      ),
    );
  };
  return withSchema(names, (definitions) => ({
    ...{ type: 'object', additionalProperties: schemaOf(check, definitions), description: what },
  }));
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
  const check: Check = (value, path) => {
    if (!isWords(value)) return { path, message: `must be ${what}; ${found(value)}` };
    if (path.length > deepest) return { path, message: `is nested deeper than ${deepest} levels` };
    const missing = required.find((name) => !Object.hasOwn(value, name));
    const wrong = first(
      Object.entries(value).map(([name, one]) => () => {
        const own = Object.hasOwn(known, name) ? known[name] : undefined;
        if (own === undefined) return { path: [...path, name], message: unknownWord(name, names) };
        return own(one, [...path, name]);
      }),
    );
    if (wrong !== undefined || missing === undefined) return wrong;
    return { path, message: `needs ${missing}: as well; it must be ${what}` };
  };
  return withSchema(check, (definitions) => ({
    type: 'object',
    properties: Object.fromEntries(Object.entries(known).map(([name, one]) => [name, schemaOf(one, definitions)])),
    required,
    additionalProperties: false,
    description: what,
  }));
}

export function unknownWord(name: string, known: readonly string[]): string {
  if (name === '<<') return mergeKey;
  const near = nearest(name, known);
  return near === undefined
    ? `${quote(name)} is not a word here; words are ${known.join(', ')}`
    : `${quote(name)} is not a word here. Did you mean ${near}?`;
}

/** The merge key of YAML 1.1. */
const mergeKey = 'merge keys (<<) are not read; write the words out here';

export function isWords(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether words have one of these keys. */
export function hasOneOf(value: object, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(value, name));
}

/** The first fault of several checks. */
export function first(checks: readonly (() => Fault | undefined)[]): Fault | undefined {
  for (const check of checks) {
    const fault = check();
    if (fault !== undefined) return fault;
  }
  return undefined;
}
