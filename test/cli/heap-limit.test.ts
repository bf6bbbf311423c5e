// An import holds the young generation of its heap to a size that is known, whenever V8 collects.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeFeed } from '../bench/feed.js';
import { outcome, start } from './started.js';

/** Writes the capacity of one half of the young generation: the highest after any collection that was seen, and the last. */
const watcher = (file: string): string => `
import { writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
function capacity() {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space.space_used_size + space.space_available_size;
}
let highest = 0;
const look = () => { highest = Math.max(highest, capacity()); };
if (isMainThread) {
  new PerformanceObserver(look).observe({ entryTypes: ['gc'] });
  process.on('exit', () => {
    look();
    writeFileSync(${JSON.stringify(file)}, JSON.stringify({ highest, last: capacity() }));
  });
}
`;

describe('the young generation of an import', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'heap-limit-'));
    writeFileSync(join(folder, 'watcher.mjs'), watcher(join(folder, 'capacity.json')));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function capacityIn(args: readonly string[]): Promise<{ readonly highest: number; readonly last: number }> {
    const preload = `--import=${pathToFileURL(join(folder, 'watcher.mjs')).href}`;
    const ended = await outcome(start(folder, [...args, '--quiet', '--report', 'none'], { NODE_OPTIONS: preload }));
    expect(ended.code, ended.stderr).toBe(0);
    const found = JSON.parse(readFileSync(join(folder, 'capacity.json'), 'utf8')) as { highest: number; last: number };
    return { highest: found.highest / 2 ** 20, last: found.last / 2 ** 20 };
  }

  test('grows to 8 MiB a half in an import of 10,000 products, and no further', async () => {
    writeFeed('csv', 10_000, join(folder, 'feed.csv'));
    const { highest, last } = await capacityIn(['products', 'feed.csv', '--db', 'shop.db']);
    expect(last).toBeGreaterThan(7);
    expect(highest).toBeLessThan(9);
  });

  test('does not grow for an import of a few products, which would take longer than the import', async () => {
    writeFeed('csv', 20, join(folder, 'few.csv'));
    expect((await capacityIn(['products', 'few.csv', '--db', 'few.db'])).highest).toBeLessThan(3);
  });
});
