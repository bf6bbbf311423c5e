// The sizes of an import's transactions.
import { expect, it } from 'vitest';
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
