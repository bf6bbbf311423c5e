// Sequences of runs and undos that were once undone wrongly: what was wrong were rules, so they are played on one store.
import { describe, it } from 'vitest';
import { memoryStore } from '../memory-store.js';
import { check, separateNights } from '../undo-play.js';
import { known } from '../undone-sequences.js';

describe('what was once undone wrongly', () => {
  separateNights();

  it.each(known.map(([ranking, all], i) => [i + 1, ranking, all] as const))(
    '%i is as if it had never been',
    async (_, ranking, all) => void (await check(memoryStore(), ranking, all)),
  );
});
