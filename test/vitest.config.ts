// npm test; npm run test:fast and test:full are its modes `fast` and `full`.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.js';
import { testsWithProcesses, tierOf } from './tier.js';

/** What takes long although it starts no process: it waits for clocks, or works through megabytes. Not in the fast tier. */
const slowTests = 'test/**/*.slow.test.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig(({ mode }) => ({
  root,
  test: {
    root,
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(tierOf(mode) === 'fast' ? [...testsWithProcesses(root), slowTests] : [])],
    env: { TEST_TIER: mode },
    // No test is meant to need it: real processes, clocks and disks may have a cause of failure that nobody has thought of.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // These end what hangs. A machine that is ten times slower than most fails no test.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    globalSetup: ['test/global-setup.ts', 'test/postgres/global-setup.ts'],
    setupFiles: ['test/seeded-properties.ts'],
    // A worker runs one file after the other, and loads the modules that they share once.
    isolate: false,
    // Beside the fast tier one more than there are cores: many tests wait for programs and clocks.
    maxWorkers: Math.max(2, availableParallelism() + (tierOf(mode) === 'fast' ? 0 : 1)),
    sequence: { sequencer: LongestFirst },
  },
}));
