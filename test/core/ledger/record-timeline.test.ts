import { expect, it } from 'vitest';
import { timelineOf } from '../../../src/core/ledger/record-timeline.js';
import { resourceCalled } from '../../given.js';

it('what was before a record of which no change is kept is not known: it was not created by any', () => {
  const today = new Map();
  const { events, creation, stateAfter } = timelineOf(resourceCalled('product'), { changes: [], since: 0 }, today, 0);
  expect([events, creation]).toEqual([[{ run: undefined, changes: [], units: undefined }], -1]);
  expect(stateAfter(0)).toBe(today);
});
