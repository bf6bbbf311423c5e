// A disk that is full: the import ends with 7, the path and what to do; reported lines are stored; once there is room
// the same command ends right. First by SQLite's own limit of pages, then on a real file system of a few MiB.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execFileSync } from '../child.js';
import { isFull } from '../tier.js';
import { checkAfterCrash, checkResumed, type Ground, importDisturbed, prepareGround } from './crash.js';
import { openRaw } from './dump.js';
import { runHere, runProgram } from './program.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-full-'));
const items = isFull ? 900 : 400;
/** The part of the whole catalog by which there is more room each time. */
const growth = isFull ? 0.2 : 0.3;
let ground: Ground;
beforeAll(async () => {
  ground = await prepareGround(folder, items);
});
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

/** Mounts a file system of so many KiB; false where this user may not. */
function mounted(path: string, kib: number): boolean {
  mkdirSync(path);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a full disk', () => {
  it('exit 7 with path and hint, acknowledged lines intact, running again ends right: page by page', async () => {
    const most = pagesOf(join(folder, 'undisturbed.db'));
    const db = join(folder, 'pages.db');
    const failures = await importWithGrowingRoom(db, (step) => `pages:${Math.floor(most * (0.3 + step * growth))}`);
    expect(failures).toBeGreaterThanOrEqual(3);
  });

  it('the same on a file system of a few MiB (where one may be mounted)', async ({ skip }) => {
    const small = join(folder, 'small');
    if (!isFull) skip('in the full tier: the test before shows the same by pages');
    if (!mounted(small, 200)) skip('this user may not mount a file system');
    try {
      const failures = await importWithGrowingRoom(join(small, 'catalog.db'), (step) => {
        execFileSync('mount', ['-o', `remount,size=${500 + step * 2000}k`, small]);
        return undefined;
      });
      expect(failures).toBeGreaterThanOrEqual(2);
    } finally {
      execFileSync('umount', ['-l', small]);
    }
  });

  it('a dry run whose temporary folder is full names that folder, and leaves the catalog as it was', async ({
    skip,
  }) => {
    const small = join(folder, 'temporary');
    const db = join(folder, 'dry-run.db');
    const feed = join(folder, 'new-products.ndjson');
    const items = Array.from({ length: 2000 }, (_, i) =>
      JSON.stringify({ sku: `NEW-${i}`, currency: 'EUR', note: 'n'.repeat(4000) }),
    );
    writeFileSync(feed, `${items.join('\n')}\n`);
    if (!mounted(small, 4000)) skip('this user may not mount a file system');
    try {
      const characteristics = join(folder, 'characteristics.ndjson');
      writeFileSync(characteristics, '{"name":"Colour"}\n');
      const made = await runHere(['characteristics', characteristics, '--db', db, '--quiet']);
      expect(made.code).toBe(0);
      const before = pagesOf(db);
      const env = { SQLITE_TMPDIR: small };
      const dryRun = ['products', feed, '--dry-run', '--db', db, '--quiet'];
      const ended = await runProgram(dryRun, { env });
      expect({ code: ended.code, stderr: ended.stderr }).toEqual({
        code: 7,
        stderr: expect.stringContaining(`the temporary folder ${small} (the variable SQLITE_TMPDIR names another)`),
      });
      expect(ended.stderr).toMatch(/make room/);
      expect(ended.stderr).not.toContain(db);
      expect(pagesOf(db)).toBe(before);
      execFileSync('mount', ['-o', 'remount,size=200m', small]);
      expect((await runProgram(dryRun, { env })).code).toBe(0);
      expect(readdirSync(small)).toEqual([]);
    } finally {
      execFileSync('umount', ['-l', small]);
    }
  });
});
