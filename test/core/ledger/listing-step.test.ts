import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FeedState, stepBack, stepForward, stepOf } from '../../../src/core/ledger/listing-step.js';
import { hashNumber } from '../../../src/core/ledger/recorded-change.js';

const all = ['A', 'B', 'C', 'D', 'E'];
const names = new Map(all.map((key) => [hashNumber(key), key]));
const hashes = (keys: readonly string[]): Float64Array => Float64Array.from(keys, hashNumber).sort();
const nothing: FeedState = { run: '', runs: 0, total: 0, keys: new Float64Array(), missing: new Map() };

it('each step leads back to what was listed before it, whether or not the keys of its run can be trusted', () => {
  const run = fc.record({ keys: fc.subarray(all), isTrusted: fc.boolean() });
  fc.assert(
    fc.property(fc.array(run, { maxLength: 8 }), (runs) => {
      let state = nothing;
      for (const [i, { keys, isTrusted }] of runs.entries()) {
        const read = { run: `run ${i}`, total: keys.length, keys: hashes(keys), isTrusted };
        const step = stepOf(state, read, names);
        const next = stepForward(state, step);
        const listed = isTrusted
          ? keys
          : all.filter((key) => keys.includes(key) || state.keys.includes(hashNumber(key)));
        expect(next.keys).toEqual(hashes(listed));
        expect([...next.missing.keys()].some((key) => listed.includes(key))).toBe(false);
        expect(stepBack(next, step)).toEqual(state);
        state = next;
      }
    }),
  );
});
