// npm test; npm run test:fast, test:full and test:figures are its modes `fast`, `full` and `figures`.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config';
import { HangReporter } from './hang-reporter.js';
import { patience, testLimit } from './limits.js';
import { LongestFirst } from './longest-first.js';
import { testsWithFigures, testsWithProcesses, tierOf } from './tier.js';

/** What takes long although it starts no process: it waits for clocks, or works through megabytes. Not in the fast tier. */
const slowTests = 'test/**/*.slow.test.ts';

/** What takes minutes and few changes can spoil: power cuts, full disks of a server, hostile clients by the hundred. Only in the full tier. */
const fullTests = 'test/**/*.full.test.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The test files that a tier leaves out. */
function excludedFrom(mode: string): readonly string[] {
  const tier = tierOf(mode);
  if (tier === 'full' || testsWithFigures(root, mode) !== undefined) return [];
  return [fullTests, ...(tier === 'fast' ? [...testsWithProcesses(root), slowTests] : [])];
}

/**
 * Most of what a worker runs it runs a few times. With the limit of Node 20 a seventh of the processor's time goes to optimizing
 * it; 16 times that limit leaves it for what repeats. Later versions have no such option.
 */
const seldomOptimized = process.version.startsWith('v20.') ? [`--interrupt-budget=${16 * 67_584}`] : [];

export default defineConfig(({ mode }) => {
  // For the workers it is set below; the reporter of hangs runs in this process.
  process.env['TEST_TIER'] = mode;
  return { root, test: testsOf(mode) };
});

function testsOf(mode: string): NonNullable<ViteUserConfig['test']> {
  const figures = testsWithFigures(root, mode);
  return {
    root,
    include: figures ?? ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...excludedFrom(mode)],
    env: { TEST_TIER: mode, CATALOG_TEST_PATIENCE: String(patience) },
    testTimeout: testLimit,
    hookTimeout: testLimit,
    expect: { poll: { timeout: testLimit / 2 } },
    reporters: ['default', new HangReporter()],
    globalSetup: ['test/global-setup.ts', 'test/postgres/global-setup.ts'],
    setupFiles: ['test/seeded-properties.ts', 'test/each-file.ts'],
    // A worker runs one file after the other, and loads the modules that they share once.
    isolate: false,
    // More than there are cores: tests wait for clocks, and beside the fast tier for programs.
    maxWorkers: figures ? 1 : Math.max(2, availableParallelism() + (tierOf(mode) === 'fast' ? 1 : 2)),
    execArgv: figures ? [] : seldomOptimized,
    sequence: { sequencer: LongestFirst },
  };
}
