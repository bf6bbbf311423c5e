// The long tier: the same proofs as in test/proof, for hours where those take seconds. npm run proof:long
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/long/**/*.long.ts'],
    testTimeout: 4 * 60 * 60 * 1000,
    hookTimeout: 10 * 60 * 1000,
    expect: { poll: { timeout: 300_000 } },
    // One after the other: they measure, and each uses both cores.
    fileParallelism: false,
  },
});
