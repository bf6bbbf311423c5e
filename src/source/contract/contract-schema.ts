// The check of a contract, and the same as a JSON Schema.
import {
  type Check,
  type Fault,
  first,
  found,
  isWords,
  refined,
  schemaOf,
  unknownWord,
  type ValueSchema,
  withSchema,
  words,
} from '../mapping/schema/schema-checks.js';
import { fileRules, valueRules } from './rule-list.js';

const checks = (rules: Readonly<Record<string, { readonly check: Check }>>): Record<string, Check> =>
  Object.fromEntries(Object.entries(rules).map(([word, { check }]) => [word, check]));

const ofValues = refined(words(checks(valueRules), 'rules such as {filled: 99%}'), (value, path) =>
  Object.keys(value as object).length > 0
    ? undefined
    : { path, message: `needs one of ${Object.keys(valueRules).join(', ')}` },
);

const ofFiles = checks(fileRules);
const what = 'what is expected, such as {rows: [100, 200], price: {filled: 99%}}';

const misplaced: Check = (given, path) => {
  const near = unknownWord(String(path.at(-1)), Object.keys(ofFiles));
  const rules = `of a field or column it must be rules such as {filled: 99%}; ${found(given)}`;
  return { path, message: near.endsWith('?') ? near : rules };
};

/** Rules of fields and columns by their names, and of the file. A column may have the name of a rule of files. */
function contractOf(warn?: Check): Check {
  const checkOf = (name: string, given: unknown): Check => {
    if (name === 'warn' && warn !== undefined) return warn;
    if (isWords(given)) return ofValues;
    return (Object.hasOwn(ofFiles, name) ? ofFiles[name] : undefined) ?? misplaced;
  };
  const check: Check = (value, path) => {
    if (!isWords(value)) return { path, message: `must be ${what}; ${found(value)}` };
    return first(
      Object.entries(value).map(
        ([name, given]) =>
          () =>
            checkOf(name, given)(given, [...path, name]),
      ),
    );
  };
  return withSchema(check, (definitions) => {
    const values = schemaOf(ofValues, definitions);
    const files = Object.entries(ofFiles).map(([name, of]) => [name, { anyOf: [schemaOf(of, definitions), values] }]);
    const warned = warn && { warn: schemaOf(warn, definitions) };
    const properties = { ...Object.fromEntries(files), ...warned };
    return { type: 'object', description: what, properties, additionalProperties: values };
  });
}

/** A contract: `expect:` of a mapping, and what --expect names. */
export const contract = contractOf(contractOf());

/** The JSON Schema of a contract: of one resource, or of several by their names. */
export function contractJsonSchema(): ValueSchema {
  const one = schemaOf(contract, {});
  return { anyOf: [one, { type: 'object', additionalProperties: one }] };
}

/** The first fault of a contract; undefined if it is valid. */
export function contractFault(value: unknown, path: Fault['path'] = []): Fault | undefined {
  return contract(value, path);
}
