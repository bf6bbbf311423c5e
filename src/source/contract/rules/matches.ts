// `matches: "^[A-Z]{2}-\\d+$"`: texts that a regular expression finds.
import { compileCondition } from '../../mapping/language/condition.js';
import { filledText } from '../../mapping/schema/schema-checks.js';
import type { ValueRule } from '../rule.js';

export const matches: ValueRule = {
  check: filledText('a regular expression'),
  words: (given) => `not matching ${String(given)}`,
  test(given, { of, scope, place }) {
    const test = compileCondition({ of, matches: String(given) }, scope, place);
    return ({ context }) => test(context);
  },
};
