// The file of what a feed lists in a remote, as a damaged disk may leave it.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openListing, readListing } from '../../src/cli/import/remote/listing-file.js';
import { allowed } from '../tier.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-listing-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function keysIn(path: string) {
  const keys: string[] = [];
  const end = await readListing(path, (key) => keys.push(key));
  return { keys, rows: end?.rows };
}

it('returns its keys and its end; one that was cut off has none', async () => {
  const path = join(folder, 'whole');
  const written = openListing(path);
  const keys = ['A', 'Ü "2"', '\u2028', 'x'.repeat(100_000)];
  for (const key of keys) written.add(key);
  written.end({ nights: [] });
  expect(await keysIn(path)).toEqual({ keys, rows: 4 });
  writeFileSync(path, readFileSync(path).subarray(0, -5));
  expect(await keysIn(path)).toEqual({ keys, rows: undefined });
  expect(await keysIn(join(folder, 'none'))).toEqual({ keys: [], rows: undefined });
});

it('a line that is longer than any of it is damage, in little time', async () => {
  const path = join(folder, 'long');
  writeFileSync(path, '"A"\n');
  // A file with a hole takes no disk.
  truncateSync(path, 1024 ** 3);
  appendFileSync(path, '\n');
  const began = performance.now();
  await expect(keysIn(path)).rejects.toThrow(
    `${path}, cannot be read (it is damaged: line 2 has more than 16,777,216 bytes); remove it`,
  );
  expect(performance.now() - began).toBeLessThan(allowed(500));
});
