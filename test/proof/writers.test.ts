// Two importers and a reader on one file with overlapping keys.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { repetitions } from '../tier.js';
import { faultsOf } from './dump.js';
import { runWriters } from './writers.js';

const seconds = repetitions('WRITERS_SECONDS', { fast: 3, moderate: 8, full: 20 });
const folder = mkdtempSync(join(tmpdir(), 'catalog-writers-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('two importers and a reader on one file: nobody sees a lock, every record is one writer’s whole version', async () => {
  const seen = await runWriters(folder, seconds);
  console.log(`writers: ${seen.imports} imports, ${seen.reads} reads, log up to ${seen.longestLog} bytes`);
  expect(seen.faults).toEqual([]);
  expect(seen.longestLog).toBeLessThan(64 * 1024 * 1024);
  expect(seen.imports).toBeGreaterThanOrEqual(4);
  expect(seen.reads).toBeGreaterThan(50 * seconds);
  expect([...seen.writers].sort()).toEqual(['A', 'B']);
  expect(faultsOf(join(folder, 'shared.db'))).toEqual([]);
}, 120_000);
