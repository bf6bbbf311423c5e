// How long a test may take. What takes longer hangs, and fails.
import { availableParallelism, loadavg } from 'node:os';
import { tierOf } from './tier.js';

/**
 * What all limits are multiplied by: 1, or more on a machine that is busy with other work when the run begins, by what waits
 * for each of its cores.
 */
export const patience = Number(
  process.env['CATALOG_TEST_PATIENCE'] ?? Math.min(10, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())),
);

const second = 1000 * patience;

/** The limit of a test, in milliseconds. */
export const testLimit = 60 * second;

/** The files whose tests may take longer, with the seconds and the reason. */
const longer: Readonly<Record<string, { readonly seconds: number; readonly reason: string }>> = {
  'manual/blocks.test.ts': {
    seconds: 240,
    reason: 'a test is a page: all of its commands are typed one after the other',
  },
  'proof/crash.test.ts': { seconds: 240, reason: 'kills imports again and again' },
  'proof/full-disk.test.ts': { seconds: 240, reason: 'imports until the disk is large enough' },
  'proof/ledger-kills.test.ts': { seconds: 240, reason: 'kills imports and undoes them' },
  'proof/postgres-full-disk.full.test.ts': { seconds: 240, reason: 'a server that recovers, again and again' },
  'proof/postgres.test.ts': { seconds: 240, reason: 'servers that are killed and recover' },
  'proof/power-cut.full.test.ts': { seconds: 240, reason: 'replays each state that a power cut may leave' },
  'proof/writers.test.ts': { seconds: 240, reason: 'writes for as long as two writers take to meet' },
  'store/postgres/store.test.ts': { seconds: 240, reason: 'undoes random sequences of runs' },
  'store/stores.test.ts': { seconds: 240, reason: 'undoes random sequences of runs' },
};

/** With the figures of the manual proofs take hours, and nobody waits for them. */
const proofLimit = 60 * 60 * second;

/** The limit of the tests of a file, named from the folder `test`; in the full tier, which repeats more, longer ones. */
export function limitOf(file: string): number {
  const { seconds } = longer[file] ?? {};
  const isFull = tierOf(process.env['TEST_TIER']) === 'full';
  if (seconds === undefined) return isFull ? 5 * testLimit : testLimit;
  return isFull ? proofLimit : seconds * second;
}
