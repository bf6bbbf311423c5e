// The words of a loop in a tree: its keys with their rows.
import { expect, it } from 'vitest';
import { sourceProblem } from '../../../src/core/diagnostics/source-problems.js';

it.each([
  [1, '"1" (line 1) is its own parent; leave the parent of a top category empty'],
  [2, 'each of these is below the others: "1" (line 1), "2" (line 2); correct the parent of one'],
  [5, ', "5" (line 5); correct the parent of one'],
  [7, ', "5" (line 5) and 2 more; correct the parent of one'],
])('of %i keys', (count, words) => {
  const keys = Array.from({ length: count }, (_, i) => `${i + 1}`);
  const { message } = sourceProblem('tree_loop', { keys, lines: keys, records: keys.map(() => '0') });
  expect(message.slice(-words.length)).toBe(words);
});
