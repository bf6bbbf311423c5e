// `between: [1, 5000]`: numbers within two bounds, which belong to them.
import { compileCondition } from '../../mapping/language/condition.js';
import { expected } from '../../mapping/schema/schema-checks.js';
import { compareNumbers, isPlainNumber } from '../../mapping/values/plain-numbers.js';
import type { ValueRule } from '../rule.js';

const bounds = (given: unknown): readonly string[] => (Array.isArray(given) ? given.map(String) : []);

export const between: ValueRule = {
  check: expected(
    'the lowest and the highest number, such as [1, 5000]',
    (given) => {
      const [low = '', high = '', ...more] = bounds(given);
      return isPlainNumber(low) && isPlainNumber(high) && more.length === 0 && compareNumbers(low, high) <= 0;
    },
    { type: 'array', items: { type: ['number', 'string'] }, minItems: 2, maxItems: 2 },
  ),
  words: (given) => `not between ${bounds(given).join(' and ')}`,
  test(given, { of, scope, place }) {
    const [low = '', high = ''] = bounds(given);
    const test = compileCondition({ of, at_least: low, at_most: high }, scope, place);
    return ({ context }) => test(context);
  },
};
