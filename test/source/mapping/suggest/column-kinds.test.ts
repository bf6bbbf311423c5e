import { expect, it } from 'vitest';
import { profilesOf } from '../../../../src/source/inspection/column-profile.js';
import { choicesOf } from '../../../../src/source/mapping/suggest/column-kinds.js';

/** The values of a column that a person can choose from, where it has so many different ones. */
function choices(count: number): number | undefined {
  const [column] = profilesOf(Array.from({ length: 2 * count }, (_, i) => ['status', `v${i % count}`, i] as const));
  return column && choicesOf(column)?.length;
}

it('the values of a column are judged by only where all are known', () => {
  expect([choices(50), choices(51)]).toEqual([50, undefined]);
});
