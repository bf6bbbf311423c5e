// Whether a record is there by the runs that count, since when, and which runs count for it.
import { describe, expect, it } from 'vitest';
import { baseOf, countsFor, exists, isListed } from '../../../src/core/ledger/record-existence.js';
import type { RecordEvent, RecordState, Timeline } from '../../../src/core/ledger/record-timeline.js';
import type { RecordedChange } from '../../../src/core/ledger/recorded-change.js';
import { offerTable, suspensionTable } from '../../../src/core/ledger/run-tables.js';
import type { ListingRun, UndoContext } from '../../../src/core/ledger/undo-context.js';

const runs = [1, 2, 3, 4, 5, 6, 7];
/** The runs of a feed that only updates. */
const updating = [2, 5];

interface Given {
  /** The runs of the events; null for a change outside the history. */
  readonly events: readonly (number | null)[];
  readonly undone?: readonly number[];
  readonly lists?: readonly number[];
  /** Runs of feeds that no longer list the record, and suspend it or not. */
  readonly suspends?: readonly number[];
  readonly drops?: readonly number[];
  /** Runs that sent what is no event, and how: a first offer, another one, or none any more. */
  readonly offers?: readonly (readonly [number, 'first' | 'other' | 'none' | 'suspension'])[];
  /** The events after which the record is one whose creation was undone. */
  readonly takenBack?: readonly number[];
  /** Those after which a run has suspended it. */
  readonly suspended?: readonly number[];
  readonly isCreated?: boolean;
}

function change(table: string, how: string): RecordedChange {
  const fields = how === 'other' ? '["=price"]' : '';
  return { table, isNew: how === 'first', columns: ['run', 'fields'], after: ['7', fields] } as never;
}

function given({ events, undone = [], isCreated = true, ...more }: Given) {
  const stateAfter = (at: number): RecordState => {
    const run = more.takenBack?.includes(at) ? 'undo 7' : more.suspended?.includes(at) ? '7' : undefined;
    const row = { id: '1', status: 'draft', run: run ?? '' };
    return new Map(run === undefined ? [] : [['suspension', { table: suspensionTable as never, row }]]);
  };
  const timeline: Timeline = {
    events: events.map((run): RecordEvent => ({ run: run ?? undefined, changes: [], units: new Set(['price']) })),
    creation: isCreated ? 0 : -1,
    stateAfter,
  };
  const of = (all: readonly number[] = [], effect: ListingRun['effect']) =>
    all.map((run) => ({ feed: 'erp', run, effect }));
  const listings = [...of(more.lists, 'lists'), ...of(more.suspends, 'suspends'), ...of(more.drops, undefined)];
  const changes = (more.offers ?? []).map(([run, how]) => ({
    run,
    change: how === 'suspension' ? change(suspensionTable.name, 'first') : change(offerTable.name, how),
  }));
  const counts = (run: number): boolean => !undone.includes(run);
  const context = { counts, onlyUpdates: (run: number) => updating.includes(run) } as UndoContext;
  return { timeline, listings, context, record: { id: '1', since: 0, changes } };
}

/** The numbers of the runs that count for a record. */
function counting(all: Given): number[] {
  const { timeline, listings, context, record } = given(all);
  return runs.filter(countsFor(record, timeline, listings, context));
}

describe('of a feed that only updates, a run counts for a record', () => {
  it.each<readonly [string, Given, readonly number[]]>([
    ['after the run that created it', { events: [1, 2] }, runs],
    [
      'after another one that changed it, if its creation is undone',
      { events: [1, 2, 3, 5], undone: [1] },
      [3, 4, 5, 6, 7],
    ],
    ['after the first of those', { events: [1, 2, 4, 5, 6], undone: [1] }, [3, 4, 5, 6, 7]],
    ['never, if nothing else is left', { events: [1, 2, 5], undone: [1] }, [3, 4, 6, 7]],
    ['if it is not known what created it', { events: [1, 2], undone: [1], isCreated: false }, [2, 3, 4, 5, 6, 7]],
    ['if it created it, as it still could then', { events: [2, 3] }, runs],
    [
      'if it created it anew, its creation being undone then',
      { events: [1, 4, 5], undone: [1, 4], takenBack: [1] },
      [...[3, 5, 6, 7]],
    ],
    ['not if it was only suspended then', { events: [1, 4, 5], undone: [1, 4], suspended: [1] }, [3, 6, 7]],
    ['after a change outside the history', { events: [1, 2, null, 5], undone: [1] }, [3, 4, 5, 6, 7]],
    ['that may have come right after a run', { events: [1, null, 2], undone: [1] }, [2, 3, 4, 5, 6, 7]],
    ['after a run that only listed it', { events: [1, 2, 5], undone: [1], lists: [3] }, [3, 4, 5, 6, 7]],
    ['not after an undone run that listed it', { events: [1, 2, 5], undone: [1, 3], lists: [1, 3] }, [4, 6, 7]],
    ['not after one of its own feed that listed it', { events: [1, 5], undone: [1], lists: [2] }, [3, 4, 6, 7]],
    [
      'not after a run that no longer listed it',
      { events: [1, 3, 5], undone: [1], drops: [3], suspends: [4] },
      [...[3, 4, 6, 7]],
    ],
    ['after a run that sent it first', { events: [1, 5], undone: [1], offers: [[3, 'first']] }, [3, 4, 5, 6, 7]],
    ['after a run that sent it otherwise', { events: [1, 5], undone: [1], offers: [[3, 'other']] }, [3, 4, 5, 6, 7]],
    ['not after one that sent nothing any more', { events: [1, 5], undone: [1], offers: [[3, 'none']] }, [3, 4, 6, 7]],
    ['not after a suspension', { events: [1, 5], undone: [1], offers: [[3, 'suspension']] }, [3, 4, 6, 7]],
    [
      'not after one that no longer listed it',
      { events: [1, 5], undone: [1], offers: [[3, 'other']], drops: [3] },
      [...[3, 4, 6, 7]],
    ],
    ['as others do, if none of that feed had to do with it', { events: [1, 3], undone: [1] }, [2, 3, 4, 5, 6, 7]],
  ])('%s', (_, all, expected) => {
    expect(counting(all)).toEqual(expected);
  });
});

it.each<readonly [string, Given, boolean]>([
  ['its creation counts', { events: [1] }, true],
  ['its creation is undone', { events: [1], undone: [1] }, false],
  ['it is not known what created it', { events: [1], undone: [1], isCreated: false }, true],
  ['another run changed it', { events: [1, 3], undone: [1] }, true],
  ['something outside the history changed it', { events: [1, null], undone: [1] }, true],
  ['a run that no longer listed it changed it', { events: [1, 3], undone: [1], drops: [3], suspends: [4] }, false],
  ['a run listed it after its creation', { events: [1], undone: [1], lists: [3] }, true],
  ['only the run that created it listed it', { events: [1], undone: [1], lists: [1] }, false],
  ['a run suspended it since', { events: [1], undone: [1], suspends: [3] }, false],
])('a record is there or not: %s', (_, all, expected) => {
  const { timeline, listings, context } = given(all);
  expect(exists(timeline, { ranked: undefined, listings }, context)).toBe(expected);
});

it.each([
  ['sent it', 3, '["=price"]', true],
  ['sent it, and is undone', 1, '["=price"]', false],
  ['no longer sent anything', 3, '', false],
])('a record is there if a ranked feed %s', (_, run, fields, expected) => {
  const { timeline, context } = given({ events: [1], undone: [1] });
  const ranked = {
    versions: new Map([
      [
        'erp',
        [
          { run: 0, row: { fields: '' } },
          { run, row: { fields } },
        ],
      ],
    ]),
  };
  expect(exists(timeline, { ranked: ranked as never, listings: [] }, context)).toBe(expected);
});

it('a run lists a record if it came after that which created it', () => {
  const isListedBy = (all: Given) => isListed(given(all).timeline, given(all).listings);
  expect(isListedBy({ events: [2], lists: [3] })).toBe(true);
  expect(isListedBy({ events: [2], lists: [2], suspends: [3] })).toBe(false);
  expect(isListedBy({ events: [2], isCreated: false, lists: [1] })).toBe(true);
});

it.each<readonly [string, Given, number]>([
  ['its creation', { events: [1, 3] }, 0],
  ['what is known first', { events: [1, 3], undone: [1], takenBack: [0], isCreated: false }, 0],
  ['the undo that emptied it, after which a run sent it', { events: [1, 3, 4], undone: [1, 3], takenBack: [1] }, 1],
  ['the last such undo', { events: [1, 3, 3, 4], undone: [1, 3], takenBack: [1, 2] }, 2],
  ['that undo, where no run sent it since', { events: [1, 3], undone: [1, 3], takenBack: [1] }, 1],
  ['not an undo after that', { events: [1, 3, 4], undone: [1], takenBack: [2] }, -1],
  ['not an undo after a run that listed it', { events: [1, 3, 4], undone: [1, 4], lists: [3], takenBack: [2] }, -1],
  ['not known', { events: [1, 3, 4], undone: [1, 3], suspended: [1] }, -1],
])('a record is there from this event on: %s', (_, all, expected) => {
  const { timeline, listings, context } = given(all);
  expect(baseOf(timeline, listings, context)).toBe(expected);
});
