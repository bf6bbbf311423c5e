// `one_of: [activated, suspended]`: words of a list, in any case.
import { compileCondition } from '../../mapping/language/condition.js';
import { listOf, scalar } from '../../mapping/schema/schema-checks.js';
import type { ValueRule } from '../rule.js';

export const oneOf: ValueRule = {
  check: listOf(scalar, 'a list of values such as [activated, suspended]'),
  words: (given) => `not one of ${[given].flat().slice(0, 10).join(', ')}`,
  test(given, { of, scope, place }) {
    const test = compileCondition({ of, is: (given as readonly unknown[]).map(String) }, scope, place);
    return ({ context }) => test(context);
  },
};
