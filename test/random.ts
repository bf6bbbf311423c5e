// Chance that can be repeated.
import { tierOf } from './tier.js';

const chosen = Math.floor(Math.random() * 2 ** 31);

/**
 * The seed that tests draw from. It is the same in every run of the fast and the moderate tier, so that a change fails
 * only by what it changed; the full and the long tier look for rare defects, and draw another one each time.
 * @param variable an environment variable that names the seed; TEST_SEED names it for all tests
 */
export function seedOf(variable: string): number {
  const tier = process.env['TEST_TIER'];
  const named = process.env[variable] ?? process.env['TEST_SEED'];
  if (named !== undefined) return Number(named);
  return tier === undefined || tierOf(tier) === 'full' ? chosen : 1;
}

/** Numbers from 0 to 1 (1 excluded) which are the same for the same seed, on every machine (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
