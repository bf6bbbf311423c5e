// The tests of the fast tier, with the faults of a round in the sources: see mutants.ts.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import tests from '../../vitest.config.js';
import { currentRound, root } from './round.js';
import { type Numbered, withSwitches } from './switches.js';

function faultsPlugin(): Plugin {
  const byFile = new Map<string, Numbered[]>();
  const { faults, open } = currentRound();
  for (const number of open) {
    const fault = faults[number];
    if (fault !== undefined) byFile.set(fault.file, [...(byFile.get(fault.file) ?? []), [number, fault]]);
  }
  return {
    name: 'faults',
    enforce: 'pre',
    transform(_code, id) {
      const found = byFile.get(relative(root, id));
      return found && { code: withSwitches(readFileSync(id, 'utf8'), found), map: null };
    },
  };
}

export default defineConfig(async (env) => {
  const { test } = await tests({ ...env, mode: 'fast' });
  return {
    root,
    plugins: [faultsPlugin()],
    test: {
      ...test,
      runner: 'test/long/mutants/runner.ts',
      setupFiles: ['test/long/mutants/setup.ts', ...[test?.setupFiles ?? []].flat()],
      reporters: [],
      maxWorkers: availableParallelism(),
    },
  };
});
