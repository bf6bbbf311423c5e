// The sizes of an import's transactions.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { BatchSource } from '../../src/core/catalog.js';
import { appliedGroups, pacingOf } from '../../src/store/applied-groups.js';
import { batchOf } from '../entries.js';

const nothing = { reports: [], stopped: false };
const batch = (items: number) => batchOf(Array.from({ length: items }, (_, i) => ({ sku: `S-${i}` })));

it('transactions grow up to the most items of the pace, and shrink where they take too long', async () => {
  const pace = { mostItems: 1000, longest: 1e6 };
  const pacing = pacingOf(pace, 40, false, async () => nothing);
  const sizes: number[] = [];
  for (pace.longest of [1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 0]) {
    await pacing.apply([batch(1000)], 0);
    sizes.push(pacing.size());
  }
  expect(sizes).toEqual([80, 160, 320, 640, 1000, 1000, 500]);
});

it('a transaction that takes all of its time is followed by a smaller one', async () => {
  const pace = { mostItems: 1000, longest: 1e6 };
  const took: number[] = [0, 0, 30];
  const pacing = pacingOf(pace, 40, false, async () => {
    for (const until = performance.now() + (took.shift() ?? 0); performance.now() < until; );
    return nothing;
  });
  const sizes: number[] = [];
  for (pace.longest of [1e6, 1e6, 30]) {
    await pacing.apply([batch(pacing.size())], 0);
    sizes.push(pacing.size());
  }
  expect(sizes).toEqual([80, 160, 80]);
});

it.each([
  ['while one is applied to a store that is waited for', { isRemote: true } as const, false, [1, 2]],
  ['only then', {}, false, [1, 1]],
  ['not before it is known that the import goes on', { isRemote: true } as const, true, [1, 1]],
])('the next group is read %s', async (_, pace, mayStop, expected) => {
  let read = 0;
  async function* batches() {
    for (; read < 3; ) {
      read++;
      yield batch(100);
    }
  }
  const pacing = pacingOf({ mostItems: 100, longest: 1000, ...pace }, 100, mayStop, async () => nothing);
  const seen: number[] = [read + 1];
  for await (const planned of appliedGroups(batches(), pacing)) {
    expect(planned).toBe(nothing);
    seen.push(read);
    break;
  }
  expect(seen).toEqual(expected);
});

it('where the source fails, what it gave before is applied, and then it fails', async () => {
  async function* batches() {
    yield batch(10);
    yield batch(10);
    throw new Error('torn');
  }
  const applied: number[] = [];
  const pacing = pacingOf({ mostItems: 1000, longest: 1e6 }, 100, false, async (group) => {
    applied.push(group.length);
    return nothing;
  });
  const reading = (async () => {
    for await (const planned of appliedGroups(batches(), pacing)) expect(planned).toBe(nothing);
  })();
  await expect(reading).rejects.toThrow('torn');
  expect(applied).toEqual([2]);
});

it('a batch without items, which has the lines of its file that go with it, waits for no others', async () => {
  async function* batches() {
    for (const size of [10, 0, 0, 10, 10]) yield batch(size);
  }
  const groups: number[][] = [];
  const pacing = pacingOf({ mostItems: 100, longest: 1000 }, 100, false, async (group) => {
    groups.push(group.map(({ length }) => length));
    return nothing;
  });
  for await (const planned of appliedGroups(batches(), pacing)) expect(planned).toBe(nothing);
  expect(groups).toEqual([[10, 0], [0], [10, 10]]);
});

/** The groups that are applied of a source: the sizes of the batches of each. */
async function groupsOf(
  source: BatchSource,
  pace: { readonly mostItems: number; readonly mostCharacters?: number },
): Promise<number[][]> {
  const groups: number[][] = [];
  const pacing = pacingOf({ longest: 1000, ...pace }, pace.mostItems, false, async (group) => {
    groups.push(group.map(({ length }) => length));
    return nothing;
  });
  for await (const planned of appliedGroups(source, pacing)) expect(planned).toBe(nothing);
  return groups;
}

it.each([
  ['below them', 13, [[2, 2, 2]]],
  ['with them', 12, [[2, 2], [2]]],
  ['beyond them', 11, [[2, 2], [2]]],
  ['each beyond them', 5, [[2], [2], [2]]],
])(
  'a group takes no further batch from so many characters on: two batches are %s',
  async (_, mostCharacters, groups) => {
    const items = ['abc', 'def'].map((sku) => ({ sku, price: 1234, media: [{ file: 'not counted' }] }));
    const batches = [batchOf(items), batchOf(items), batchOf(items)];
    expect(await groupsOf(batches, { mostItems: 100, mostCharacters })).toEqual(groups);
  },
);

it('a group waits for its size; where it is known whether more are there, for half of it, and takes up to twice as many', async () => {
  const tens = (count: number) => Array.from({ length: count }, () => batch(10));
  const ten = (count: number) => Array.from({ length: count }, () => 10);
  expect(await groupsOf(tens(9), { mostItems: 40 })).toEqual([ten(4), ten(4), ten(1)]);
  const ready = (isReady: boolean) => Object.assign(tens(9), { isReady: () => isReady });
  expect(await groupsOf(ready(false), { mostItems: 40 })).toEqual([ten(2), ten(2), ten(2), ten(2), ten(1)]);
  expect(await groupsOf(ready(true), { mostItems: 40 })).toEqual([ten(8), ten(1)]);
});

it('where the source fails right after a group, nothing is applied after it; while one is applied, only once it is', async () => {
  async function* batches() {
    yield batch(100);
    throw new Error('torn');
  }
  const applied: string[] = [];
  const pace = { mostItems: 100, longest: 1000, isRemote: true } as const;
  const pacing = pacingOf(pace, 100, false, async (group) => {
    applied.push(`${group.length} begun`);
    await nextTurn();
    await nextTurn();
    applied.push(`${group.length} done`);
    return nothing;
  });
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  const reading = (async () => {
    for await (const planned of appliedGroups(batches(), pacing)) expect(planned).toBe(nothing);
  })();
  await expect(reading).rejects.toThrow('torn');
  process.off('unhandledRejection', note);
  expect(applied).toEqual(['1 begun', '1 done']);
  expect(unhandled).toEqual([]);
});
