// Two importers and a reader on one file for ten minutes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { faultsOf } from '../proof/dump.js';
import { runWriters } from '../proof/writers.js';

/** WRITERS_SECONDS=n makes it shorter than ten minutes. */
const seconds = Number(process.env['WRITERS_SECONDS'] ?? 600);
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
