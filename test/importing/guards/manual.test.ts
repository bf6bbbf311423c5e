// What a new guard needs: its row in the page of guards.
import { expect, it } from 'vitest';
import { guards } from '../../../src/importing/guards/guard-list.js';
import { readPage } from '../../manual/documentation.js';

it('each guard is in the page of guards', () => {
  const { text } = readPage('guards');
  expect(guards.map(({ option }) => option).filter((option) => !text.includes(option))).toEqual([]);
});
