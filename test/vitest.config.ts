import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Of two cores Vitest would use one, and all would take three quarters longer: many tests wait for programs.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
