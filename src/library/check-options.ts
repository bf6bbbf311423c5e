// Checks the options that a program passes, since a program in JavaScript has no types: `dryrun` in place of `dryRun`
// would be ignored, and the import would write.
import { CatalogError } from '../core/errors.js';
import { nearest } from '../core/text/text.js';
import { formats } from '../source/bytes/detect-format.js';
import type {
  ImportFileOptions,
  ItemImportOptions,
  ListOptions,
  OpenCatalogOptions,
  ReadOptions,
} from './library-api.js';

/** What an option may be, in words and as a check. */
interface OptionRule {
  readonly words: string;
  is(value: unknown): boolean;
}

export type OptionRules<Options> = Readonly<Record<keyof Options, OptionRule>>;

const oneOf = (...values: readonly string[]): OptionRule => ({
  words: `one of ${values.map((value) => `'${value}'`).join(', ')}`,
  is: (value) => values.includes(value as string),
});
const ofType = (type: 'boolean' | 'function' | 'string', words: string): OptionRule => ({
  words,
  is: (value) => typeof value === type,
});
const count = (least: number): OptionRule => ({
  words: `a whole number from ${least} on`,
  is: (value) => Number.isSafeInteger(value) && (value as number) >= least,
});
const flag = ofType('boolean', 'true or false');
const text: OptionRule = {
  words: 'a text that is not empty',
  is: (value) => typeof value === 'string' && value !== '',
};

const forItems: OptionRules<ItemImportOptions> = {
  dryRun: flag,
  only: oneOf('create', 'update'),
  onDuplicate: oneOf('last', 'first', 'refuse'),
  maxRefused: count(0),
  changes: flag,
  history: flag,
  signal: { words: 'an AbortSignal', is: (value) => value instanceof AbortSignal },
  onItem: ofType('function', 'a function'),
};

const forFiles: OptionRules<ImportFileOptions> = {
  ...forItems,
  format: oneOf(...formats),
  encoding: text,
  delimiter: text,
  decimal: oneOf('.', ','),
  empty: oneOf('skip', 'clear'),
  sheet: text,
  limit: count(1),
  map: text,
};

const forReading = (details: readonly string[]): OptionRules<ReadOptions> => ({
  include: {
    words: details.length === 0 ? 'left out for these records' : `a list of ${details.join(', ')}`,
    is: (value) => Array.isArray(value) && value.every((one) => details.includes(one)),
  },
});

/** The rules of the library's calls. */
export const optionRules = {
  open: { create: flag, lockTimeout: count(0) } satisfies OptionRules<OpenCatalogOptions>,
  items: forItems,
  file: forFiles,
  /** @param details what the records have to include */
  read: forReading,
  list: (details: readonly string[]): OptionRules<ListOptions> => ({
    ...forReading(details),
    changedSince: {
      words: 'a valid Date',
      is: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
    },
  }),
} as const;

/** @throws CatalogError `usage` for an option that is unknown, or is not what it may be; one that is undefined is left out */
export function checkOptions(options: unknown, rules: Readonly<Record<string, OptionRule>>): void {
  if (typeof options !== 'object' || options === null) throw new CatalogError('usage', 'Options must be an object.');
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const near = nearest(name, Object.keys(rules));
      throw new CatalogError('usage', `${name} is not an option.${near === undefined ? '' : ` Did you mean ${near}?`}`);
    }
    if (value !== undefined && !rule.is(value)) throw new CatalogError('usage', `${name} must be ${rule.words}.`);
  }
}

/** @throws CatalogError `usage` for a value that is not what a call takes */
export function checkArgument(is: boolean, words: string): void {
  if (!is) throw new CatalogError('usage', words);
}
