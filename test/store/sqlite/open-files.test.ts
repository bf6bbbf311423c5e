// A catalog that is opened again keeps the locks of the process that has it open: without them another program could remove its log.
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { openCatalog } from '../../../src/store/open.js';
import { takeLock } from '../../../src/store/sqlite/file/exclusive-lock.js';
import { isOpenHere } from '../../../src/store/sqlite/file/open-files.js';
import { openRaw } from '../../proof/dump.js';
import { imported, newDatabase, newPath } from '../given.js';

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

/** How many locks this process has on a file that none is taken of or given back meanwhile. */
const heldOn = (file: string) => Math.max(...Array.from({ length: 5 }, () => locksOn(file)));

/** That the locks are those, as soon as the table was read whole: locks that were lost do not come back. */
const hasLocks = (file: string, count: number) => expect.poll(() => locksOn(file)).toBe(count);

const item = { sku: 'A', currency: 'EUR' };

describe.skipIf(!existsSync(table))('the locks of a catalog', () => {
  it('stay where it is opened again by the same thread, and are gone once it is closed', async () => {
    const file = newPath('opened-again.db');
    const catalog = await openCatalog({ file, create: true });
    await imported(catalog, 'products', [item]);
    await expect.poll(() => locksOn(file)).toBeGreaterThan(0);
    const locks = heldOn(file);
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
    const locks = heldOn(file);
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
    const file = newPath('feed.lock');
    const release = await takeLock(file, 0, () => undefined);
    await expect.poll(() => locksOn(file)).toBeGreaterThan(0);
    const locks = heldOn(file);
    expect(await takeLock(file, 0, () => undefined)).toBeUndefined();
    await hasLocks(file, locks);
    release?.();
    await hasLocks(file, 0);
  });
});

it('a file is open here for as long as this process has it open, whatever else it has', () => {
  const [one, other] = [newPath('open.txt'), newPath('closed.txt')];
  for (const file of [one, other]) writeFileSync(file, '');
  const descriptor = openSync(one, 'r');
  expect([one, other, newPath('none.txt')].map(isOpenHere)).toEqual([true, false, false]);
  closeSync(descriptor);
  expect(isOpenHere(one)).toBe(false);
});

describe('the lock of a feed', () => {
  it('is a file of its owner, which is closed once the lock is given back', async () => {
    const file = newPath('own.lock');
    const release = await takeLock(file, 0, () => undefined);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await takeLock(file, 0, () => undefined)).toBeUndefined();
    release?.();
    expect(isOpenHere(file)).toBe(false);
  });

  it('is waited for, which is said once, and given up after the time', async () => {
    const file = newPath('waited.lock');
    const release = await takeLock(file, 0, () => undefined);
    // A pause takes no time, and the clock is 5 ms later each time that it is asked, however busy the machine is.
    let time = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      time += 5;
      return time;
    });
    const pauses = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((work: () => void) => setImmediate(work)) as unknown as typeof setTimeout);
    try {
      const said = vi.fn();
      expect(await takeLock(file, 20, said)).toBeUndefined();
      expect(said).toHaveBeenCalledOnce();
      expect(pauses.mock.calls.length).toBeGreaterThan(1);
      const again = await takeLock(file, 10_000, () => release?.());
      expect(again).toBeDefined();
      again?.();
      const unsaid = vi.fn();
      (await takeLock(file, 10_000, unsaid))?.();
      expect(unsaid).not.toHaveBeenCalled();
    } finally {
      vi.restoreAllMocks();
    }
  });
});

it('the lock of a feed is no database of anybody: such a file is named, and not taken for a lock that is held', async () => {
  const file = newPath('foreign.lock');
  writeFileSync(file, 'no database, and longer than the header of one: '.repeat(40));
  await expect(takeLock(file, 0, () => undefined)).rejects.toThrow(`${file} cannot be locked (file is not a database)`);
});
