// `unique: true`: values of which none occurs twice. Their hashes are kept as those of keys are.
import { newKeyHashSet } from '../../key-hash-set.js';
import type { ValueRule } from '../rule.js';
import { rest, shareOrTrue } from '../share-or-true.js';

/** Different values that are compared, in 100 MB; those after them are compared with these only. */
const mostValues = 5_800_000;

export const unique: ValueRule = {
  check: shareOrTrue,
  words: () => 'repeated',
  share: rest,
  test() {
    const seen = newKeyHashSet(mostValues);
    return ({ text, line }) => seen.before(text, line) === undefined;
  },
};
