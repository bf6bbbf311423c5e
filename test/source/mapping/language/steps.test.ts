// What a new word of a mapping needs: its step, its check, and its row in the manual.
import { expect, it } from 'vitest';
import { stepNames } from '../../../../src/source/mapping/language/steps.js';
import { expressionWords } from '../../../../src/source/mapping/schema/expression-schema.js';
import { readPage } from '../../../manual/documentation.js';

/** Words that name a value, or belong to a step. */
const others = 'column columns first json value from template optional name names drop else aggregate zone'.split(' ');

it('each step of a mapping is a word that the schema checks, and each word of the schema is a step or belongs to one', () => {
  expect(Object.keys(expressionWords).sort()).toEqual([...stepNames, ...others].sort());
});

it('each word of an expression is in the manual', () => {
  const { text } = readPage('mapping');
  expect(Object.keys(expressionWords).filter((word) => !text.includes(`\`${word}`))).toEqual([]);
});
