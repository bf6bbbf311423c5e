// An hour of what test/proof/hostile-load.ts generates, or HOSTILE_SECONDS of it, on SQLite or with HOSTILE_DB=postgres on
// PostgreSQL:  npm run proof:hostile
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { newOwnServer } from '../postgres/own-server.js';
import { attack } from '../proof/hostile-load.js';
import { seedOf } from '../random.js';
import { allowed } from '../tier.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));
const seconds = Number(process.env['HOSTILE_SECONDS'] ?? 3600);

it('others wait at most 100 ms, in at most 600 MiB, whatever is asked and posted', async () => {
  const seed = seedOf('HOSTILE_SEED');
  const server = process.env['HOSTILE_DB'] === 'postgres' ? await newOwnServer() : undefined;
  const attacking = attack(folder, { milliseconds: seconds * 1000, clients: 8, seed, ...(server && { on: server }) });
  const outcome = await attacking.finally(() => server?.remove());
  const { waits, longestTurn, mebibytes, statuses, attacks, log } = outcome;
  const at = (share: number) => waits[Math.floor((waits.length - 1) * share)]?.toFixed(0);
  console.log(
    `seed ${seed}: ${waits.length} waits, median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms; longest turn ${longestTurn.toFixed(0)} ms; ${mebibytes.toFixed(0)} MiB`,
  );
  console.log([...attacks], [...statuses]);
  expect(log).not.toMatch(/"status":500|import thread/);
  expect(mebibytes).toBeLessThan(600);
  expect(longestTurn).toBeLessThan(100);
  expect(waits.at(-1)).toBeLessThan(allowed(100));
});
