// Two importers and a reader on one file for ten minutes, and ten rounds of two that share every name and are killed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { contend, percentile } from '../proof/colliding-names.js';
import { faultsOf } from '../proof/dump.js';
import { runWriters } from '../proof/writers.js';
import { seedOf } from '../random.js';

/** WRITERS_SECONDS=n makes it shorter than ten minutes, WRITERS_ROUNDS=n fewer rounds. */
const seconds = Number(process.env['WRITERS_SECONDS'] ?? 600);
const rounds = Number(process.env['WRITERS_ROUNDS'] ?? 10);
const seed = seedOf('WRITERS_SEED');
const folder = mkdtempSync(join(tmpdir(), 'catalog-writers-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('two importers and a reader on one file for a long time', async () => {
  const seen = await runWriters(folder, seconds);
  console.log(`writers: ${seen.imports} imports, ${seen.reads} reads, log up to ${seen.longestLog} bytes`);
  expect(seen.faults).toEqual([]);
  expect(seen.longestLog).toBeLessThan(64 * 1024 * 1024);
  expect([...seen.writers].sort()).toEqual(['A', 'B']);
  expect(faultsOf(join(folder, 'shared.db'))).toEqual([]);
});

it(`two importers of 60,000 products each share every name and are killed five times each, ${rounds} rounds from seed ${seed}`, async () => {
  for (let round = 0; round < rounds; round++) {
    const own = mkdtempSync(join(folder, 'round-'));
    const seen = await contend({ folder: own, products: 60_000, kills: 5, seed: seed + round });
    const waits = [0.5, 0.99, 1].map((share) => percentile(seen.reads, share).toFixed(1));
    console.log(`colliding names: ${seen.reads.length} reads, median, 99 % and most: ${waits.join(', ')} ms`);
    expect(seen.faults).toEqual([]);
    expect(seen.told).toBe(120_000);
    rmSync(own, { recursive: true });
  }
});
