// The places at which tests kill the process.
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it.each([
  ['before-commit:2', 'before-commit', [0, 1, 1]],
  ['before-commit', 'before-commit', [1, 1, 1]],
  ['before-commit:1', 'after-commit', [0, 0, 0]],
  [undefined, 'before-commit', [0, 0, 0]],
] as const)('%s kills it at %s so often: %j', async (chosen, point, expected) => {
  vi.stubEnv('CATALOG_FAILPOINT', chosen);
  vi.resetModules();
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const { failpoint } = await import('../../src/store/failpoint.js');
  const killed = expected.map(() => {
    failpoint(point);
    return kill.mock.calls.length;
  });
  expect(killed).toEqual(expected);
});
