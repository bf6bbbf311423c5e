// A share of values that have to be as they are expected: `99%`, or `true` for all of them.
import { expected } from '../mapping/schema/schema-checks.js';

const form = /^(?:100|\d{1,2}(?:\.\d{1,3})?)%$/;

export const shareOrTrue = expected(
  'true, or a share such as 99%',
  (value) => value === true || (typeof value === 'string' && form.test(value)),
  { anyOf: [{ const: true }, { type: 'string', pattern: form.source }] },
);

/** The share that may be otherwise. */
export function rest(given: unknown): number {
  return given === true ? 0 : Math.round(100_000 - Number.parseFloat(String(given)) * 1000) / 100_000;
}
