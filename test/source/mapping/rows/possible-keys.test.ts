// What is said of rows with another number of cells, whose keys are only guessed so often.
import { expect, it } from 'vitest';
import type { MapperState } from '../../../../src/source/mapping/mapper-state.js';
import { guessNotes } from '../../../../src/source/mapping/rows/possible-keys.js';
import { readMapped } from '../given.js';

const wordsOf = (guesses: number) => guessNotes({ guesses } as MapperState).map(({ words }) => words);

it('those beyond the first thousand are counted', () => {
  expect(wordsOf(1_000)).toEqual([]);
  expect(wordsOf(1_001)).toEqual([
    expect.stringMatching(/^1 row with another number of cells than the header, after 1000 /),
  ]);
});

it.each([
  [999, '!record_incomplete'],
  [1_000, { sku: 'K', name: 'Tea' }],
])('after %i others, a later row of such a key comes to this: %j', async (count, made) => {
  const others = Array.from({ length: count }, (_, i) => `A${i},B,C\n`).join('');
  const { items } = await readMapped(
    'once: first\nfields: { sku: sku, name: name }',
    `sku,name\n${others}K,Cup,x\nK,Tea\n`,
  );
  expect(items.at(-1)).toEqual(made);
});
