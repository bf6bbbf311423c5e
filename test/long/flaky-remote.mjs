// A thousand imports through a proxy that spoils 30 % of the requests: node test/long/flaky-remote.mjs [runs] [seed]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [runs = '1000', seed] = process.argv.slice(2);
const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'test/vitest.config.ts', 'test/http/client-flaky'], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  env: { ...process.env, FLAKY_RUNS: runs, ...(seed === undefined ? {} : { FLAKY_SEED: seed }) },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
