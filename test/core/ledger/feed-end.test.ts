// What the end of a run did to records, by effect.
import { expect, it } from 'vitest';
import {
  affectedBy,
  affectedRecords,
  type EndLine,
  runEffects,
  suspendedLine,
} from '../../../src/core/ledger/feed-end.js';

const line = (id: string, cause: EndLine['cause'], ...changes: EndLine['changes']): EndLine => ({
  ...{ resource: 'product', external_id: id, id, cause, changes },
});
const hidden = { field: 'status', from: 'activated', to: 'suspended' };
const shown = { field: 'status', from: 'suspended', to: 'activated' };
const renamed = { field: 'name', from: 'suspended', to: 'suspended' };

it.each<readonly [EndLine['cause'], EndLine['changes'], string]>([
  ['missing', [hidden], 'suspended'],
  ['relisted', [shown], 'regained'],
  ['passed_on', [renamed], 'passed_on'],
  ['retired', [renamed, hidden], 'suspended'],
  ['retired', [renamed, shown], 'passed_on'],
  ['undone', [renamed, hidden], 'suspended'],
  ['undone', [renamed, shown], 'restored'],
])('%s records that changed by %o are counted as %s', (cause, changes, effect) => {
  const lines = [line('A', cause, ...changes), line('B', cause, ...changes)];
  expect(affectedBy(lines)).toEqual([{ effect, resource: 'product', count: 2, keys: ['A', 'B'] }]);
  const counts = { suspended: 0, regained: 0, passed_on: 0 };
  const expected = effect in counts ? { ...counts, [effect]: 2 } : counts;
  expect(runEffects('erp', lines)).toEqual({ feed: 'erp', counts: expected, lines });
});

it('each effect on a resource is counted for itself', () => {
  const review = { ...line('R', 'missing', hidden), resource: 'product_review' };
  const found = affectedBy([line('A', 'missing', hidden), line('B', 'relisted', shown), review]);
  expect(found.map(({ effect, resource, keys }) => [effect, resource, keys])).toEqual([
    ['suspended', 'product', ['A']],
    ['regained', 'product', ['B']],
    ['suspended', 'product_review', ['R']],
  ]);
});

it.each([
  ['product', 'suspended'],
  ['product_review', 'rejected'],
])('a %s that a run hides is %s, and an undo that does so suspends it', (resource, to) => {
  const found = suspendedLine({ resource, key: 'A', id: '1', status: 'published' }, 'missing');
  expect(found).toEqual({
    ...{ resource, external_id: 'A', id: '1', cause: 'missing' },
    changes: [{ field: 'status', from: 'published', to }],
  });
  expect(affectedBy([{ ...found, cause: 'undone' }])).toMatchObject([{ effect: 'suspended' }]);
});

it('keeps the first ten thousand keys, and nothing of no records', () => {
  expect(affectedRecords('missing', 'product', [])).toEqual([]);
  const keys = Array.from({ length: 10_001 }, (_, i) => `A${i}`);
  const [found] = affectedRecords('missing', 'product', keys);
  expect([found?.count, found?.keys.length, found?.keys.at(-1)]).toEqual([10_001, 10_000, 'A9999']);
});
