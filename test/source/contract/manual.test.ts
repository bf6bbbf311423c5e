// What a new rule of a contract needs: its row in the page of contracts.
import { expect, it } from 'vitest';
import { fileRules, valueRules } from '../../../src/source/contract/rule-list.js';
import { readPage } from '../../manual/documentation.js';

it('each rule is in the page of contracts', () => {
  const { text } = readPage('contracts');
  const words = [...Object.keys(valueRules), ...Object.keys(fileRules)];
  expect(words.filter((word) => !text.includes(`| \`${word}: `))).toEqual([]);
});
