// A disk that is full: the import ends with 7, the path and what to do; what was told is there; once there is room
// the same command ends right. First by SQLite's own limit of pages, then on a real file system of a few MiB.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAfterCrash, checkResumed, type Ground, importDisturbed, prepareGround } from './crash.js';
import { openRaw } from './dump.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-full-'));
let ground: Ground;
beforeAll(async () => {
  ground = await prepareGround(folder, 1600);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

function pagesOf(file: string): number {
  const database = openRaw(file);
  const pages = Number(database.pragma('page_count', { simple: true }));
  database.close();
  return pages;
}

/** Imports with more and more room until it passes; how often there was too little. */
async function importWithGrowingRoom(db: string, grow: (step: number) => string | undefined): Promise<number> {
  const known = new Map<string, string>();
  for (let step = 0; ; step++) {
    const ended = await importDisturbed(ground, db, { tamper: grow(step) });
    if (ended.code === 3) {
      checkAfterCrash(ground, db, ended, known, step === 0);
      // The second time both versions of the corrected products are written: that takes more than the first.
      grow(step + 10);
      await checkResumed(ground, db, known);
      return step;
    }
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({
      code: 7,
      stderr: expect.stringMatching(/(disk is full; make room and run the same command again|check the disk)/),
    });
    expect(ended.stderr).toContain(db);
    checkAfterCrash(ground, db, ended, known, step === 0);
  }
}

describe('a full disk', () => {
  it('exit 7 with path and hint, acknowledged lines intact, running again ends right: page by page', async () => {
    const most = pagesOf(join(folder, 'undisturbed.db'));
    const db = join(folder, 'pages.db');
    const failures = await importWithGrowingRoom(db, (step) => `pages:${Math.floor(most * (0.3 + step * 0.1))}`);
    expect(failures).toBeGreaterThanOrEqual(3);
  }, 300_000);

  it('the same on a file system of a few MiB (where one may be mounted)', async ({ skip }) => {
    const small = join(folder, 'small');
    mkdirSync(small);
    const size = (kib: number): string => `size=${kib}k`;
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', size(200), 'tmpfs', small], { stdio: 'ignore' });
    } catch {
      skip('this user may not mount a file system');
    }
    try {
      const failures = await importWithGrowingRoom(join(small, 'catalog.db'), (step) => {
        execFileSync('mount', ['-o', `remount,${size(500 + step * 1000)}`, small]);
        return undefined;
      });
      expect(failures).toBeGreaterThanOrEqual(2);
    } finally {
      execFileSync('umount', ['-l', small]);
    }
  }, 300_000);
});
