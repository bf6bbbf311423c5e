// Two importers and a reader on one file: with the same keys, and with the same names under other keys.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { seedOf } from '../random.js';
import { repetitions } from '../tier.js';
import { contend, percentile } from './colliding-names.js';
import { faultsOf } from './dump.js';
import { runWriters } from './writers.js';

const seconds = repetitions('WRITERS_SECONDS', { fast: 1, moderate: 1, full: 20 });
/** In the full tier enough rows that the late index of slugs is brought up to date meanwhile. */
const newcomers = repetitions('WRITERS_PRODUCTS', { fast: 1200, moderate: 1200, full: 60_000 });
const seed = seedOf('WRITERS_SEED');
const folder = mkdtempSync(join(tmpdir(), 'catalog-writers-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('two importers and a reader on one file: no user sees a lock, every record is one writer’s whole version', async () => {
  const seen = await runWriters(folder, seconds);
  console.log(`writers: ${seen.imports} imports, ${seen.reads} reads, log up to ${seen.longestLog} bytes`);
  expect(seen.faults).toEqual([]);
  expect(seen.longestLog).toBeLessThan(64 * 1024 * 1024);
  expect(faultsOf(join(folder, 'shared.db'))).toEqual([]);
});

it(`two importers that are killed meanwhile share every name: each slug is assigned once, and nothing reported is lost, seed ${seed}`, async () => {
  const seen = await contend({ folder, products: newcomers, kills: 2, seed });
  const waits = [0.5, 0.99, 1].map((share) => `${percentile(seen.reads, share).toFixed(1)} ms`);
  console.log(
    `colliding names: ${seen.reads.length} reads, half within ${waits[0]}, 99 % within ${waits[1]}, all within ${waits[2]}`,
  );
  expect(seen.faults).toEqual([]);
  expect(seen.told).toBe(newcomers * 2);
  expect(seen.reads.length).toBeGreaterThan(0);
});

it('negative control: importers without a lock conflict', async () => {
  const faults: string[] = [];
  // Mostly in the first try, unless one of them has ended before the other has begun.
  for (let turn = 0; turn < 100 && faults.length === 0; turn++) {
    const control = mkdtempSync(join(folder, 'control-'));
    const contest = { folder: control, products: 3000, kills: 0, seed: seed + turn, tamper: 'no-transaction' };
    faults.push(...(await contend(contest)).faults);
  }
  expect(faults).not.toEqual([]);
});
