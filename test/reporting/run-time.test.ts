// The time of a run, as its last line and its status file tell it: from its start, with the guards before the import.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { noCounts } from '../../src/core/report-counts.js';
import { fileWords, runLines } from '../../src/reporting/run-lines.js';
import { statusFile } from '../../src/reporting/status-file.js';

const folder = mkdtempSync(join(tmpdir(), 'run-time-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The import alone took one second. */
const outcome = { counts: noCounts(), seconds: 1 };

it('the status file tells the time since the start', () => {
  const path = join(folder, 'erp.prom');
  const status = { feed: 'erp', exitOf: () => 0, isSuccess: () => true, started: new Date(1000), now: () => 4500 };
  statusFile(path, status).end?.(outcome);
  expect(readFileSync(path, 'utf8')).toContain('catalog_import_last_duration_seconds{feed="erp"} 3.500');
});

it('so does the last line', () => {
  const said: string[] = [];
  const info = {
    version: '',
    started: new Date(Date.now() - 60_000),
    command: 'products',
    files: ['a.csv'],
    target: '',
  };
  const run = { ...info, dryRun: false, options: {}, exitOf: () => 0 };
  const [, last] = runLines((words) => said.push(words), { ...run, number: () => 7, feed: 'erp' });
  last.end?.(outcome);
  expect(said.at(-1)).toMatch(/ended with exit code 0 after 6\d\.\d s \(run 7, feed erp\)/);
});

it.each([
  [['a.csv'], 'a.csv'],
  [['-'], 'standard input'],
  [['a.csv', 'b.csv', 'c.csv'], 'a.csv, b.csv and 1 more'],
  [['shop/a.csv', 'b.csv', 'shop/c.csv'], 'shop/a.csv, b.csv and 1 more'],
  [['shop/a.csv', 'shop/b.csv', 'shop/c.csv'], 'shop (3 files)'],
  [['in/shop.zip: a.csv', 'in/shop.zip: b.csv', 'in/shop.zip: c.csv'], 'in/shop.zip (3 files)'],
])('files in a line: %j', (files, words) => {
  expect(fileWords(files, 2)).toBe(words);
});
