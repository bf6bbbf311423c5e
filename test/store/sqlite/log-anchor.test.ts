// A log that belongs to another state of the catalog's file is refused before SQLite applies it; its own never is.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { CatalogError } from '../../../src/core/errors.js';
import { realPathOf } from '../../../src/files/same-file.js';
import { openCatalog } from '../../../src/store/open.js';
import { openSqlite } from '../../../src/store/sqlite/driver.js';
import { moveAnchor, refuseForeignLog } from '../../../src/store/sqlite/file/log-anchor.js';
import { isOpenHere } from '../../../src/store/sqlite/file/open-files.js';
import { openRaw } from '../../proof/dump.js';
import { isFast } from '../../tier.js';
import { bytesOf, failureOf, folder, imported, newDatabase, newPath, products } from '../given.js';

/** The files of a catalog at one moment, as a power cut or a kill leaves them. */
interface Picture {
  readonly base: string;
  readonly log: string;
  /** Transactions in the catalog with its log, in the file alone, and when the log was begun. */
  readonly committed: number;
  readonly checkpointed: number;
  readonly logBegan: number;
}

/** Puts the file of one moment and the log of another together, and opens them. */
async function opened(base: string, log: string): Promise<'opened' | string> {
  const pair = mkdtempSync(join(folder, 'pair-'));
  const file = join(pair, 'c.db');
  copyFileSync(base, file);
  copyFileSync(log, `${file}-wal`);
  const before = bytesOf(file);
  try {
    await (await openCatalog({ file, create: false })).close();
    return 'opened';
  } catch (error) {
    expect(bytesOf(file)).toEqual(before);
    return (error as Error).message;
  } finally {
    rmSync(pair, { recursive: true });
  }
}

type Step = 'commit' | 'commit large' | 'checkpoint' | 'vacuum';

/** Does what the steps say to a new catalog, and takes a picture after each. */
async function pictures(steps: readonly Step[]): Promise<Picture[]> {
  const place = mkdtempSync(join(folder, 'pictures-'));
  const file = join(place, 'c.db');
  await (await openCatalog({ file, create: true })).close();
  const database = openSqlite(file, {});
  database.exec('PRAGMA wal_autocheckpoint = 0');
  const state = { committed: 0, checkpointed: 0, logBegan: 0 };
  const taken: Picture[] = [];
  const fill = database.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO file SELECT hex(randomblob(16)), 'a picture of a product', 1, 1 FROM n`,
  );
  for (const [i, step] of steps.entries()) {
    if (step === 'checkpoint') {
      database.exec('PRAGMA wal_checkpoint');
      state.checkpointed = state.committed;
    } else if (step === 'vacuum') {
      database.exec('VACUUM');
    } else {
      if (state.checkpointed === state.committed) state.logBegan = state.committed;
      database.exec('BEGIN');
      fill.run(step === 'commit' ? 1 : 300);
      database.exec(moveAnchor);
      database.exec('COMMIT');
      state.committed++;
    }
    if (!existsSync(`${file}-wal`)) continue;
    const [base, log] = [join(place, `${i}.db`), join(place, `${i}.wal`)];
    copyFileSync(file, base);
    copyFileSync(`${file}-wal`, log);
    taken.push({ base, log, ...state });
  }
  database.close();
  return taken;
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>('commit') },
  { weight: 1, arbitrary: fc.constant<Step>('commit large') },
  { weight: 2, arbitrary: fc.constant<Step>('checkpoint') },
);

describe('the log beside a catalog', () => {
  it('is accepted only where the file is as at the beginning of the log, or as a checkpoint left it', async () => {
    let [accepted, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
        const taken = await pictures(steps);
        for (const [i, one] of taken.entries()) {
          const other = taken[(i * 7 + 3) % taken.length] ?? one;
          expect(await opened(one.base, one.log)).toBe('opened');
          const isOwn = one.checkpointed >= other.logBegan && one.checkpointed <= other.committed;
          const isEmpty = other.committed === 0;
          const found = await opened(one.base, other.log);
          if (isOwn || isEmpty) {
            expect(found).toBe('opened');
            accepted++;
          } else {
            expect(found).toContain('-wal does not belong to ');
            refused++;
          }
        }
        for (const { base } of taken.slice(0, 1)) rmSync(dirname(base), { recursive: true });
      }),
      {
        numRuns: isFast ? 4 : 12,
        examples: [[['commit', 'checkpoint', 'commit', 'checkpoint', 'commit', 'commit', 'checkpoint']]],
      },
    );
    expect(accepted).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });

  it('is accepted after a VACUUM that moved the row, too', async () => {
    const taken = await pictures(['commit large', 'checkpoint', 'commit', 'vacuum', 'commit', 'checkpoint', 'commit']);
    for (const { base, log } of taken) expect(await opened(base, log)).toBe('opened');
  });

  it('is accepted with the row on the last page, and refused where it is on none', async () => {
    const [one] = (await pictures(['commit', 'checkpoint', 'commit'])).slice(-1);
    if (one === undefined) throw new Error('no picture');
    const bytes = readFileSync(one.base);
    const row = bytes.indexOf('catalog-import log anchor');
    const page = Buffer.from(bytes.subarray(row - (row % 8192)).subarray(0, 8192));
    bytes.fill(0, row, row + 57);
    const file = newPath('c.db');
    copyFileSync(one.log, `${file}-wal`);
    writeFileSync(file, Buffer.concat([bytes, page]));
    refuseForeignLog(file);
    writeFileSync(file, bytes);
    expect(() => refuseForeignLog(file)).toThrow('does not belong to');
  });

  it('of the catalog that was there before is refused beside another one, which stays as it is', async () => {
    const files = [];
    for (const name of ['one', 'other']) {
      const { file, database } = await newDatabase(`foreign-${name}.db`);
      const catalog = await openCatalog({ file, create: false });
      await imported(catalog, 'products', products(0, 40));
      copyFileSync(file, `${file}.copy`);
      copyFileSync(`${file}-wal`, `${file}.log`);
      files.push({ file, close: () => catalog.close(), database });
    }
    for (const { close, database } of files) {
      await close();
      database.close();
    }
    const [one, other] = files.map(({ file }) => file);
    expect(await opened(`${one}.copy`, `${one}.log`)).toBe('opened');
    expect(await opened(`${one}`, `${other}.log`)).toContain('does not belong to');
    const restored = newPath('c.db');
    copyFileSync(`${one}`, restored);
    copyFileSync(`${other}.log`, `${restored}-wal`);
    const failure = await failureOf(() => openCatalog({ file: restored, create: false }));
    expect(failure.code).toBe('catalog_unusable');
    expect(failure.message).toContain(`move the log and ${restored}-shm to another folder first`);
    rmSync(`${restored}-wal`);
    const mended = openRaw(restored);
    expect(mended.prepare('SELECT count(*) FROM product').pluck().get()).toBe(40);
    mended.close();
  });

  it('is not checked where it has no tokens, or none that SQLite would apply', async () => {
    const [first, last] = await pictures(['commit', 'checkpoint', 'commit', 'checkpoint', 'commit']).then((taken) => [
      taken[0],
      taken.at(-1),
    ]);
    if (first === undefined || last === undefined) throw new Error('no pictures');
    expect(await opened(first.base, last.log)).toContain('does not belong to');
    // A frame that a power cut left half written ends the log there, which here is at its beginning.
    const torn = readFileSync(last.log);
    torn[32 + 24 + 100] = (torn[32 + 24 + 100] ?? 0) ^ 0xff;
    writeFileSync(`${last.log}.torn`, torn);
    expect(await opened(last.base, `${last.log}.torn`)).toBe('opened');
    expect(await opened(first.base, `${last.log}.torn`)).toBe('opened');
    writeFileSync(`${last.log}.short`, torn.subarray(0, 20));
    expect(await opened(last.base, `${last.log}.short`)).toBe('opened');
  });

  it('is closed once it was looked at, whatever it is found to be', async () => {
    const taken = await pictures(['commit', 'checkpoint', 'commit', 'checkpoint', 'commit']);
    const [first, last] = [taken[0], taken.at(-1)];
    if (first === undefined || last === undefined) throw new Error('no pictures');
    const waits = vi.spyOn(Atomics, 'wait').mockImplementation(() => 'timed-out');
    const file = newPath('c.db');
    for (const [base, log] of [
      [last.base, readFileSync(last.log)],
      [last.base, Buffer.alloc(20)],
      [first.base, readFileSync(last.log)],
    ] as const) {
      copyFileSync(base, file);
      writeFileSync(`${file}-wal`, log);
      if (base === last.base) refuseForeignLog(file);
      else expect(() => refuseForeignLog(file)).toThrow(`the log ${file}-wal does not belong to ${file} as it is now`);
      for (const path of [file, `${file}-wal`]) expect(isOpenHere(path)).toBe(false);
    }
    const link = `${file}.link`;
    symlinkSync(file, link);
    expect(() => refuseForeignLog(link)).toThrow(`the log ${realPathOf(file)}-wal does not belong to ${link} as it is`);
    expect(waits.mock.calls.slice(0, 3).map(([, , , milliseconds]) => milliseconds)).toEqual([5, 20, 50]);
    waits.mockRestore();
  });

  it('is accepted where another process was just writing the row', async () => {
    const { file, database } = await newDatabase('torn.db');
    for (let i = 0; i < 3; i++) database.exec(`BEGIN; ${moveAnchor}; COMMIT`);
    database.exec('PRAGMA wal_checkpoint; BEGIN');
    database.exec(`${moveAnchor}; COMMIT`);
    const whole = readFileSync(file);
    const torn = Buffer.from(whole);
    const row = torn.indexOf('catalog-import log anchor');
    torn.fill(1, row + 25, row + 57);
    writeFileSync(file, torn);
    // The other process is done while this one waits to look again.
    const waits = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
      writeFileSync(file, whole);
      return 'timed-out';
    });
    refuseForeignLog(file);
    expect(waits).toHaveBeenCalledOnce();
    waits.mockRestore();
    writeFileSync(file, torn);
    expect(() => refuseForeignLog(file)).toThrow(/does not belong to/);
    writeFileSync(file, whole);
    database.close();
  });

  it.each<[what: string, change: (bytes: Buffer) => void, found: RegExp]>([
    ['whose blocks a power cut left empty', (bytes) => bytes.fill(0), /-wal does not belong to .* as it is now/],
    ['whose header has no size of its pages', (bytes) => bytes.fill(0, 16, 18), /^opened$|is not a SQLite database/],
    ['whose header has no possible size', (bytes) => bytes.writeUInt16BE(9, 16), /^opened$|is not a SQLite database/],
  ])('is compared with a file %s', async (_, change, found) => {
    const [one] = (await pictures(['commit', 'checkpoint', 'commit'])).slice(-1);
    if (one === undefined) throw new Error('no picture');
    const file = newPath('c.db');
    const bytes = readFileSync(one.base);
    change(bytes);
    writeFileSync(file, bytes);
    copyFileSync(one.log, `${file}-wal`);
    const end = await openCatalog({ file, create: false }).then(
      async (catalog) => catalog.close().then(() => 'opened'),
      (error: unknown) => (error instanceof CatalogError ? error.message : String(error)),
    );
    expect(end).toMatch(found);
  });
});
