// What is read of a write-ahead log is what SQLite applies of it, however it was cut off or damaged.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  bytesIn,
  committedFrames,
  framesInAnyOrder,
  type LogFile,
  openLog,
} from '../../../src/store/sqlite/file/log-file.js';
import { isOpenHere } from '../../../src/store/sqlite/file/open-files.js';
import { openRaw } from '../../proof/dump.js';
import { newPath } from '../given.js';

/** A database with a log of three transactions and one that was not committed, behind which frames of an earlier log are. */
function withLog(pageSize = 1024): { readonly base: Buffer; readonly log: Buffer } {
  const file = newPath('x.db');
  const database = openRaw(file);
  database.pragma(`page_size = ${pageSize}`);
  database.pragma('journal_mode = WAL');
  database.pragma('wal_autocheckpoint = 0');
  const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
    INSERT INTO t SELECT hex(randomblob(${pageSize / 10})) FROM n`;
  database.exec(`CREATE TABLE t (x); ${rows}; ${rows}; ${rows}`);
  database.pragma('wal_checkpoint');
  const base = readFileSync(file);
  for (const statement of ['INSERT INTO t VALUES (1)', rows, 'UPDATE t SET x = 2 WHERE rowid = 5'])
    database.exec(statement);
  // Pages that the cache does not hold go to the log before their transaction is committed.
  database.pragma('cache_size = 1');
  database.exec(`BEGIN; ${rows}`);
  const log = readFileSync(`${file}-wal`);
  database.exec('ROLLBACK');
  database.close();
  return { base, log };
}

/** Puts a file and a log together, and does something with both. */
function paired<T>({ base, log }: ReturnType<typeof withLog>, work: (file: string) => T): T {
  const file = newPath('x.db');
  writeFileSync(file, base);
  writeFileSync(`${file}-wal`, log);
  return work(file);
}

function inLog<T>(file: string, work: (log: LogFile) => T): T {
  const log = openLog(file) as LogFile;
  try {
    return work(log);
  } finally {
    log.close();
  }
}

/** The file with the committed frames put in their places. */
function applied(file: string): Buffer {
  return inLog(file, (log) => {
    const pages = new Map<number, Buffer>();
    const base = readFileSync(file);
    for (let page = 1; page <= base.length / log.pageSize; page++)
      pages.set(page, base.subarray((page - 1) * log.pageSize, page * log.pageSize));
    for (const frame of committedFrames(log)) pages.set(frame.page, bytesIn(log, frame));
    return Buffer.concat([...pages.keys()].sort((a, b) => a - b).map((page) => pages.get(page) as Buffer));
  });
}

/** The file as SQLite leaves it when it has copied the log back. */
function copiedBack(file: string): Buffer {
  const copy = `${file}.copy`;
  copyFileSync(file, copy);
  copyFileSync(`${file}-wal`, `${copy}-wal`);
  const database = openRaw(copy);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return readFileSync(copy);
}

const frame = 24 + 1024;

describe('the frames of a log', () => {
  const given = withLog();
  /** A byte of the header, or of a frame. */
  const flipped = (at: number) => {
    const log = Buffer.from(given.log);
    log.writeUInt8(log.readUInt8(at) ^ 0x10, at);
    return log;
  };
  const at = (number: number, byte: number) => 32 + number * frame + byte;
  it.each<[what: string, log: Buffer, changes: boolean]>([
    ['as SQLite wrote it', given.log, true],
    ['with another sum of its header', flipped(24), false],
    ['with another second sum of its header', flipped(28), false],
    ['with another first frame', flipped(at(0, 100)), false],
    ['with another page number in its fourth frame', flipped(at(3, 3)), true],
    ['with another salt in its fourth frame', flipped(at(3, 9)), true],
    ['with another first sum in its fourth frame', flipped(at(3, 16)), true],
    ['with another second sum in its fourth frame', flipped(at(3, 20)), true],
    ['with another page in its fourth frame', flipped(at(3, 999)), true],
    ['cut off after the header', given.log.subarray(0, 32), false],
    ['cut off within the fourth frame', given.log.subarray(0, at(3, 500)), true],
    ['cut off after the fourth frame', given.log.subarray(0, at(4, 0)), true],
    ['cut off within the twelfth frame', given.log.subarray(0, at(11, 500)), true],
  ])('are those that SQLite applies of a log %s', (_, log, changes) => {
    paired({ base: given.base, log }, (file) => {
      const found = applied(file);
      expect(found.equals(copiedBack(file))).toBe(true);
      expect(found.equals(given.base)).toBe(!changes);
    });
  });

  it.each([512, 65_536])('are found with pages of %i bytes', (pageSize) => {
    paired(withLog(pageSize), (file) => {
      expect(applied(file).equals(copiedBack(file))).toBe(true);
      expect(inLog(file, (log) => log.pageSize)).toBe(pageSize);
    });
  });

  it('come once each where their order is no matter, without those of an earlier log', () => {
    for (const length of [given.log.length, given.log.length - frame])
      paired({ base: given.base, log: given.log.subarray(0, length) }, (file) =>
        inLog(file, (log) => {
          const salts = given.log.toString('hex', 16, 24);
          const own = Array.from({ length: log.frames }, (_, i) => at(i, 0))
            .filter((start) => given.log.toString('hex', start + 8, start + 16) === salts)
            .map((start) => ({ page: given.log.readUInt32BE(start), position: start + 24 }));
          expect(own.length).toBeGreaterThan(15);
          expect(own.length).toBeLessThan(log.frames);
          expect([...framesInAnyOrder(log)].sort((a, b) => a.position - b.position)).toEqual(own);
        }),
      );
  });
});

describe('a log', () => {
  const given = withLog();

  it.each<[what: string, change: (log: Buffer) => Buffer]>([
    ['shorter than its header', (log) => log.subarray(0, 31)],
    ['with no size of its pages', (log) => log.fill(0, 8, 12)],
    ['with too small pages', (log) => log.fill(0, 8, 12).fill(255, 11, 12)],
    ['with too large pages', (log) => log.fill(1, 8, 12)],
  ])('%s is none, and stays open no longer', (_, change) => {
    paired({ base: given.base, log: change(Buffer.from(given.log)) }, (file) => {
      expect(openLog(file)).toBeUndefined();
      for (const path of [file, `${file}-wal`]) expect(isOpenHere(path)).toBe(false);
    });
  });

  it('is closed with its catalog', () => {
    paired(given, (file) => {
      const log = openLog(file);
      for (const path of [file, `${file}-wal`]) expect(isOpenHere(path)).toBe(true);
      log?.close();
      for (const path of [file, `${file}-wal`]) expect(isOpenHere(path)).toBe(false);
    });
  });

  it('is another one once it was started again', () => {
    paired(given, (file) =>
      inLog(file, (log) => {
        expect(log.isSameStill()).toBe(true);
        writeFileSync(`${file}-wal`, Buffer.from(given.log).fill(7, 12, 24));
        expect(log.isSameStill()).toBe(false);
      }),
    );
  });

  it.each([
    ['has its own', 512, 512],
    ['has the largest', 1, 65_536],
    ['says none, as that of the log', 0, 1024],
    ['says an impossible one, as that of the log', 511, 1024],
  ])('stands beside a catalog whose size of pages %s', (_, written, size) => {
    const base = Buffer.alloc(3 * 65_536, 'x');
    base.writeUInt16BE(written, 16);
    base.fill('tail of two', 2 * size - 11, 2 * size);
    paired({ base, log: given.log }, (file) =>
      inLog(file, ({ catalog }) => {
        expect(catalog.pages).toBe(base.length / size);
        expect(catalog.pageTail(2, 11).toString()).toBe('tail of two');
      }),
    );
  });
});
