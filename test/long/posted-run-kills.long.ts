// A run over HTTP, its server killed at every commit.
import { expect, it } from 'vitest';
import { postRuns } from '../proof/posted-run-kills.js';

it('is ended once and whole, wherever its server is killed', async () => {
  let kills = 0;
  for (const point of ['before-commit', 'after-commit'])
    for (let turn = 1; await postRuns(`${point}:${turn}`); turn++) kills++;
  expect(kills).toBeGreaterThan(10);
});
