// npm test; npm run test:fast and test:full are its modes `fast` and `full`.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { testsWithProcesses, tierOf } from './tier.js';

/** What takes long although it starts no process: it waits for clocks, or works through megabytes. Not in the fast tier. */
const slowTests = 'test/**/*.slow.test.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig(({ mode }) => {
  const withProcesses = testsWithProcesses(root);
  const shared = {
    root,
    env: { TEST_TIER: mode },
    // Real processes, clocks and disks: on a machine that others share one may come too late. A defect fails twice.
    retry: process.env['CI'] === undefined ? 0 : 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  };
  const processes = { test: { ...shared, name: 'processes', include: withProcesses } };
  /** A worker runs one of these files after the other, and loads the modules that they share once. */
  const inProcess = {
    test: {
      ...shared,
      name: 'in-process',
      include: ['test/**/*.test.ts'],
      exclude: [...configDefaults.exclude, ...withProcesses, ...(tierOf(mode) === 'fast' ? [slowTests] : [])],
      isolate: false,
    },
  };
  return {
    root,
    test: {
      projects: tierOf(mode) === 'fast' ? [inProcess] : [processes, inProcess],
      globalSetup: ['test/global-setup.ts', 'test/postgres/global-setup.ts'],
      // Of two cores Vitest would use one, and all would take three quarters longer: many tests wait for programs.
      maxWorkers: Math.max(2, availableParallelism() - 1),
    },
  };
});
