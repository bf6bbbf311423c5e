// `rows: [18000, 25000]`: how many rows a file has, as a report counts them.
import { counted } from '../../../core/text/counted.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { expected } from '../../mapping/schema/schema-checks.js';
import type { FileRule } from '../rule.js';

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

export const rows: FileRule = {
  check: expected(
    'the least and the greatest number of rows, such as [18000, 25000]',
    (given) => {
      const [least, most, ...more] = Array.isArray(given) ? given : [];
      return isCount(least) && isCount(most) && more.length === 0 && least <= most;
    },
    { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 2, maxItems: 2 },
  ),
  judge(given, { rows: count, isWhole }) {
    if (!isWhole) return undefined;
    const [least, most] = given as readonly [number, number];
    return {
      count,
      limit: count < least ? least : most,
      passed: least <= count && count <= most,
      words: `${counted(count, 'rows')} (expected: ${groupDigits(least)} to ${groupDigits(most)})`,
    };
  },
};
