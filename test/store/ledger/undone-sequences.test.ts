// Sequences of runs and undos that were once undone wrongly, and short ones that tell the rules of undo apart: rules are the same on
// every store, so they are played on one.
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../memory-store.js';
import type { Ranking } from '../undo-model.js';
import { check, separateNights } from '../undo-play.js';
import {
  type Action,
  aFirst,
  erpFirst,
  known,
  repeated,
  sent,
  undone,
  unranked,
  unrecorded,
} from '../undone-sequences.js';

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
  ['1 suspended', '1 restored', '1 suspended', '', '', '1 restored'],
  ['1 restored', 'B unrecorded_change: currency note'],
];

/** Sequences with a name, and what each undo says. In C a run without grades empties those that were there. */
const telling: readonly (readonly [string, Ranking, readonly Action[], readonly string[]])[] = [
  [
    'a status that was sent when the record had just been emptied by an undo',
    aFirst,
    [
      ...[sent('a', { A: ['status'] }), undone(0), sent('', { A: [] }), repeated('a', { A: [] }), sent('a', { A: [] })],
      undone(1),
    ],
    ['1 suspended', 'A changed_since 4: status'],
  ],
  [
    'a price that followed from grades which were emptied, and was changed outside the history',
    erpFirst,
    [sent('a', { C: ['new'] }), sent('a', { C: [] }), unrecorded({ C: ['stock', 'status'] }), undone(0)],
    ['C changed_since 2: currency grades, C unrecorded_change: most fields'],
  ],
  [
    'a status that came to apply again as a higher feed no longer listed the record',
    erpFirst,
    [
      ...[sent('', { C: ['new'] }), undone(0), sent('erp', { C: ['status'] }), sent('erp', { C: [] })],
      ...[sent('a', { C: ['new', 'status'] }), sent('erp', { B: ['name'] }), undone(3)],
    ],
    ['1 suspended', 'C changed_since 6: status'],
  ],
  [
    'a name that an undone creation had given, and a later run, too',
    unranked,
    [
      ...[sent('', { A: ['name', 'stock'] }), sent('a', { A: ['stock'] }), sent('a', { A: [] }), undone(0)],
      ...[sent('erp', { A: ['name'] }), repeated('a', { A: [] }), undone(4)],
    ],
    ['A changed_since 2: stock, A listed_by_feed: currency name slug', '1 restored'],
  ],
  [
    'a price that followed from grades which were emptied',
    erpFirst,
    [sent('', { C: ['new'] }), sent('a', { C: [] }), undone(0)],
    ['C listed_by_feed: price slug stock'],
  ],
  [
    'grades that the highest feed emptied after a change outside the history',
    erpFirst,
    [
      sent('a', { C: ['new', 'stock', 'status'] }),
      sent('erp', { C: ['new', 'stock', 'status'] }),
      unrecorded({ C: ['new', 'stock', 'status'] }),
      ...[sent('', { C: ['stock'] }), sent('erp', { C: [] }), undone(0)],
    ],
    ['C changed_since 4: grades price stock, C unrecorded_change: most fields'],
  ],
  [
    'grades that a lower feed emptied, and a name that was sent again, after a change outside the history',
    erpFirst,
    [
      ...[sent('erp', { B: ['name'], C: ['good'] }), unrecorded({ B: ['name'], C: ['good'] })],
      ...[sent('a', { C: [] }), repeated('erp', { B: [] }), undone(0)],
    ],
    [
      'B changed_since 3: name, B unrecorded_change: most fields, C changed_since 2: currency grades, C unrecorded_change: most fields',
    ],
  ],
  [
    'a status that a person gave after the creation was undone, which is brought back',
    aFirst,
    [
      ...[sent('', { A: [] }), undone(0), sent('', { A: ['status'] }), sent('erp', { A: [] }), sent('a', { A: [] })],
      undone(1),
    ],
    ['1 suspended', 'A changed_since 3: status'],
  ],
  [
    'grades and a price that a feed emptied and a person sent since',
    aFirst,
    [
      ...[sent('a', { C: ['status'] }), sent('a', { C: ['new', 'status'] }), sent('a', { C: ['status'] })],
      ...[sent('', { C: [] }), undone(0)],
    ],
    ['C changed_since 2: price stock, C changed_since 3: grades status, C listed_by_feed: slug'],
  ],
  [
    'grades that were empty before the history, and are again',
    erpFirst,
    [unrecorded({ C: [] }, 'a'), sent('erp', { B: ['name'], C: ['good'] }), sent('erp', { C: [] }), undone(0)],
    ['1 suspended, C changed_since 2: grades'],
  ],
  [
    'grades that others emptied after the creation was undone, and a price that a higher feed sent without them',
    erpFirst,
    [
      ...[
        sent('erp', { B: ['name'] }),
        undone(0),
        undone(0, 1),
        sent('erp', { C: [] }),
        sent('', { C: ['new', 'price'] }),
      ],
      ...[sent('a', { C: [] }), sent('erp', { C: ['price'] }), undone(3)],
    ],
    [
      '1 suspended',
      '',
      'C changed_since 5: stock, C changed_since 6: grades, C changed_since 7: price, C listed_by_feed: slug',
    ],
  ],
  [
    'a name that a person gave after a feed had sent it twice',
    erpFirst,
    [sent('erp', { A: ['name'] }), sent('erp', { A: ['name'] }), sent('', { A: ['name', 'stock'] }), undone(0)],
    ['A changed_since 3: name stock, A listed_by_feed: slug'],
  ],
  [
    'a status that a change outside the history may have left, the undo being undone',
    erpFirst,
    [sent('a', { C: ['status'] }), unrecorded({ C: ['status'] }), undone(0), undone(1)],
    ['C unrecorded_change: most fields', ''],
  ],
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

describe('what tells rules apart', () => {
  separateNights();

  it.each(telling)('%s', async (_, ranking, all, expected) => {
    expect(await check(memoryStore(), ranking, all)).toEqual(expected);
  });
});
