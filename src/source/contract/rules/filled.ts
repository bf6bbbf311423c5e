// `filled: 99%`: how many rows have a value.
import type { ValueRule } from '../rule.js';
import { rest, shareOrTrue } from '../share-or-true.js';

export const filled: ValueRule = {
  check: shareOrTrue,
  words: () => 'missing',
  share: rest,
  ofEmpty: true,
  test:
    () =>
    ({ text }) =>
      text !== '',
};
