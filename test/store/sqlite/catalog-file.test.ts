// The file of a catalog and those beside it: made for their owner, called by their names, found in their folders.
import { existsSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  lockedOut,
  makeForOwner,
  openLiterally,
  syncLog,
  temporaryFolder,
} from '../../../src/store/sqlite/file/catalog-file.js';
import { needsCopy, readableCopy } from '../../../src/store/sqlite/file/readable-copy.js';
import { failureOf, folder, newPath } from '../given.js';

describe('the file of a catalog', () => {
  it('is made for its owner only, and left as it is where it is there', () => {
    const file = newPath('owner.db');
    makeForOwner(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'content');
    makeForOwner(file);
    expect(statSync(file).size).toBe(7);
    makeForOwner(join(folder, 'no', 'such', 'folder.db'));
  });

  it.skipIf(process.platform === 'win32')('is opened through a link where its name ends in a blank', () => {
    const file = newPath('blank ');
    writeFileSync(file, 'content');
    let link = '';
    const size = openLiterally(file, (path) => {
      link = path;
      return statSync(path).size;
    });
    expect(size).toBe(7);
    expect(link).toBe(link.trim());
    expect(existsSync(dirname(link))).toBe(false);
    expect(openLiterally('usual.db', (path) => path)).toBe('usual.db');
    expect(openLiterally(' before.db', (path) => path)).toBe(join(process.cwd(), ' before.db'));
  });

  it('may be written together with its log by who made both: neither is copied to be read', () => {
    const file = newPath('own.db');
    for (const suffix of ['', '-wal', '-shm']) writeFileSync(file + suffix, 'x');
    expect(lockedOut(file)).toBeUndefined();
    expect(lockedOut(join(folder, 'none.db'))).toBeUndefined();
    expect(needsCopy(file)).toBe(false);
    expect(readableCopy(file)).toBeUndefined();
  });
});

describe('the log of a catalog', () => {
  it('need not be there', () => syncLog(join(folder, 'without log.db')));

  it('that cannot be synced is told with a remedy', async () => {
    const file = newPath('odd log.db');
    mkdirSync(`${file}-wal`);
    // A folder that the file system counts no bytes of is as no log.
    writeFileSync(join(`${file}-wal`, 'x'), 'x');
    if (statSync(`${file}-wal`).size === 0) return;
    const failure = await failureOf(() => syncLog(file));
    expect(failure.code).toBe('catalog_unusable');
    expect(failure.message).toMatch(/odd log\.db-wal could not be synced \(EISDIR.*\); check the disk/);
  });
});

describe('the folder of temporary files', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is the first that there is of those that SQLite looks for', () => {
    const [first, second] = [mkdtempSync(join(folder, 'first-')), mkdtempSync(join(folder, 'second-'))];
    const file = join(first, 'file');
    writeFileSync(file, '');
    vi.stubEnv('TMPDIR', second);
    vi.stubEnv('SQLITE_TMPDIR', first);
    expect(temporaryFolder()).toBe(first);
    for (const none of [file, join(first, 'none'), undefined]) {
      vi.stubEnv('SQLITE_TMPDIR', none);
      expect(temporaryFolder()).toBe(second);
    }
    vi.stubEnv('TMPDIR', undefined);
    expect(temporaryFolder()).toMatch(/^\/(?:var\/|usr\/)?tmp$/);
  });
});
