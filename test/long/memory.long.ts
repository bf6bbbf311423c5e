// Memory does not grow with the file: a million rows, a quarter of a gigabyte, through a heap of 192 MiB.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeFeed } from '../bench/feed.js';
import { runProgram } from '../proof/program.js';

const rows = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'catalog-memory-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('a file of a million rows goes through with --max-old-space-size=192, new and unchanged', async () => {
  const feed = join(folder, 'feed.csv');
  writeFeed('csv', rows, feed);
  expect(statSync(feed).size).toBeGreaterThan(192 * 2 ** 20);
  const args = ['products', feed, '--db', join(folder, 'catalog.db'), '--output', 'ndjson', '--report', 'none'];
  for (const action of ['created', 'unchanged']) {
    const ended = await runProgram(args, { under: ['env', 'NODE_OPTIONS=--max-old-space-size=192'] });
    expect(ended.code, ended.stderr).toBe(0);
    expect(JSON.parse(ended.lines.at(-1) ?? '')).toMatchObject({ type: 'summary', [action]: rows, total: rows });
  }
});
