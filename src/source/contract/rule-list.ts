// Every rule of a contract by its word, in the order in which they are reported. A new one is a file in `rules` and a line here.
import type { FileRule, ValueRule } from './rule.js';
import { age } from './rules/age.js';
import { between } from './rules/between.js';
import { checkDigit } from './rules/check-digit.js';
import { columns } from './rules/columns.js';
import { filled } from './rules/filled.js';
import { matches } from './rules/matches.js';
import { oneOf } from './rules/one-of.js';
import { rows } from './rules/rows.js';
import { unique } from './rules/unique.js';

/** About the values of a field or column. */
export const valueRules: Readonly<Record<string, ValueRule>> = {
  filled,
  between,
  one_of: oneOf,
  matches,
  check_digit: checkDigit,
  unique,
};

/** About a file as a whole. */
export const fileRules: Readonly<Record<string, FileRule>> = { age, rows, columns };
