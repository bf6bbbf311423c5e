// Several sentences or problems as one.
import { expect, it } from 'vitest';
import { joinProblems, joinSentences } from '../../../src/core/diagnostics/join-sentences.js';

it.each([
  [[], ''],
  [['One.'], 'One.'],
  [['One.', 'Two.'], 'One; also Two.'],
  [['One.', 'Two.', 'Three.'], 'One; also Two; also Three.'],
])('of the sentences %j', (sentences, joined) => {
  expect(joinSentences(sentences)).toBe(joined);
});

it('a problem tells five further ones, each once, and none that says the same as it', () => {
  const problem = (message: string) => ({ code: 'field_type' as const, field: '', message });
  const others = ['First.', 'a.', 'b.', 'c.', 'd.', 'e.', 'f.'].map(problem);
  expect(joinProblems(problem('First.'), others)).toEqual(problem('First; also a; also b; also c; also d; also e.'));
  expect(joinProblems(problem('First.'), [])).toEqual(problem('First.'));
});
