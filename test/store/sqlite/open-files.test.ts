// A catalog that is opened again keeps the locks of the process that has it open: without them another program could remove its log.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCatalog } from '../../../src/store/open.js';
import { takeLock } from '../../../src/store/sqlite/file/exclusive-lock.js';
import { openRaw } from '../../proof/dump.js';
import { folder, imported, newDatabase } from '../given.js';

const table = '/proc/locks';

/**
 * How many locks this process has on a file. The table is read in pieces, and moves as other processes take and give back theirs:
 * a line may be read twice, or not at all.
 */
function locksOn(file: string): number {
  const end = `:${statSync(file).ino}`;
  const lines = readFileSync(table, 'utf8').split('\n');
  const own = lines
    .map((line) => line.split(/\s+/).slice(1))
    .filter((words) => words.includes(String(process.pid)) && words.some((word) => word.endsWith(end)));
  return new Set(own.map((words) => words.join(' '))).size;
}

/** That the locks are those, as soon as the table was read whole: locks that were lost do not come back. */
const hasLocks = (file: string, count: number) => expect.poll(() => locksOn(file)).toBe(count);

const item = { sku: 'A', currency: 'EUR' };

describe.skipIf(!existsSync(table))('the locks of a catalog', () => {
  it('stay where it is opened again by the same thread, and are gone once it is closed', async () => {
    const file = join(folder, 'opened-again.db');
    const catalog = await openCatalog({ file, create: true });
    await imported(catalog, 'products', [item]);
    await expect.poll(() => locksOn(file)).toBeGreaterThan(0);
    const locks = locksOn(file);
    for (const options of [{ create: true }, { create: false }, { create: false, scratch: true }]) {
      const again = await openCatalog({ file, ...options });
      expect(await imported(again, 'products', [item])).toMatchObject([{ unchanged: 1 }]);
      await hasLocks(file, locks);
      await again.close();
      await hasLocks(file, locks);
    }
    await catalog.close();
    await hasLocks(file, 0);
  });

  it('stay where another thread of the process has it open, as in a server or in a program that imports in threads', async () => {
    const { file, database } = await newDatabase('opened-by-thread.db');
    database.close();
    // Descriptors belong to the process: it is the same from a thread of its own.
    const ofThread = openRaw(file);
    ofThread.prepare('SELECT count(*) FROM product').get();
    await expect.poll(() => locksOn(file)).toBeGreaterThan(0);
    const locks = locksOn(file);
    for (const scratch of [true, false]) {
      const catalog = await openCatalog({ file, create: false, scratch });
      expect(await imported(catalog, 'products', [item])).toMatchObject([{ created: 1 }]);
      await hasLocks(file, locks);
      await catalog.close();
      await hasLocks(file, locks);
    }
    ofThread.close();
    await hasLocks(file, 0);
  });

  it('stay where the lock of a feed is tried for while this process has it', async () => {
    const file = join(folder, 'feed.lock');
    const release = await takeLock(file, 0, () => undefined);
    await expect.poll(() => locksOn(file)).toBeGreaterThan(0);
    const locks = locksOn(file);
    expect(await takeLock(file, 0, () => undefined)).toBeUndefined();
    await hasLocks(file, locks);
    release?.();
    await hasLocks(file, 0);
  });
});

it('the lock of a feed is no database of anybody: such a file is named, and not taken for a lock that is held', async () => {
  const file = join(folder, 'foreign.lock');
  writeFileSync(file, 'no database, and longer than the header of one: '.repeat(40));
  await expect(takeLock(file, 0, () => undefined)).rejects.toThrow(`${file} cannot be locked (file is not a database)`);
});
