// Sequences of runs and undos that were once undone wrongly: what was wrong were rules, so they are played on one store.
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../memory-store.js';
import { check, separateNights } from '../undo-play.js';
import { known } from '../undone-sequences.js';

/** What each undo of each sequence says. */
const said: readonly (readonly string[])[] = [
  ['1 suspended', '', 'C changed_since 4: price stock'],
  ['B unrecorded_change: most fields', 'B unrecorded_change: attributes attributes'],
  ['1 restored, 1 suspended', '2 restored', '1 restored, 1 suspended'],
  ['1 restored, 1 suspended', '1 restored, B changed_since 3: status, B record_changed 3: attributes currency slug'],
  ['1 restored', '1 restored, 1 suspended'],
  ['1 suspended', '', '1 restored', '1 suspended', ''],
  ['1 suspended', '', '1 restored', '1 suspended, C unrecorded_change: currency slug status'],
  ['1 restored', '2 suspended'],
  ['1 restored'],
  ['C changed_since 4: name'],
  [
    'C listed_by_feed: name slug',
    'C unrecorded_change: currency grades price stock',
    'C unrecorded_change: most fields',
  ],
  ['C listed_by_feed: name slug', 'C record_changed 4: currency price stock', '1 suspended'],
  ['C listed_by_feed: name slug', 'C listed_by_feed: price stock', '1 suspended'],
  ['2 suspended', '2 restored', '1 restored'],
  ['A unrecorded_change: most fields'],
  ['1 restored, C changed_since 4: status, C listed_by_feed: slug'],
  ['1 suspended', '1 restored'],
  ['1 restored', ''],
  ['1 suspended', 'C changed_since 5: status'],
  ['C changed_since 4: status'],
  ['1 suspended, B unrecorded_change: name'],
  ['1 restored', '', 'B changed_since 6: status', '1 restored'],
  ['', ''],
  ['1 suspended', '', '1 restored', '1 restored, 1 suspended'],
  ['2 suspended', '', '', '1 restored'],
  ['B changed_since 3: price status, B listed_by_feed: slug', '1 suspended', '1 restored'],
  ['B changed_since 3: price status, B listed_by_feed: slug', '1 suspended', '', '1 restored'],
  ['1 suspended', 'C unrecorded_change: most fields'],
  ['', 'B unrecorded_change: status'],
  ['1 restored', 'B unrecorded_change: currency note'],
];

describe('what was once undone wrongly', () => {
  separateNights();

  it.each(known.map(([ranking, all], i) => [i + 1, ranking, all] as const))(
    '%i is as if it had never been, but for the fields that the undo names as kept',
    async (number, ranking, all) => {
      expect(await check(memoryStore(), ranking, all)).toEqual(said[number - 1]);
    },
  );
});
