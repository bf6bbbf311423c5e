// Two users of one catalog: files that a reader leaves next to it lock the owner out, and the message names the remedy.

import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockedOut } from '../../src/store/sqlite/file/catalog-file.js';
import { execFileSync, outcome, startChild } from '../child.js';
import { program } from './started.js';
import { products, typed } from './typed.js';

const [owner, reader] = [61_001, 61_002];
const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)('two users on one catalog (needs root, to become each of them)', () => {
  function as(user: number, cwd: string, args: readonly string[]) {
    const env = { PATH: process.env['PATH'], HOME: cwd };
    return outcome(startChild(process.execPath, [program, ...args], { cwd, uid: user, gid: user, env }));
  }

  it('a log left by another user’s read is named with the command that removes it', async ({ skip }) => {
    const cwd = mkdtempSync(join(tmpdir(), 'catalog-users-'));
    try {
      execFileSync(process.execPath, [program, '--version'], { uid: owner, gid: owner, stdio: 'ignore' });
    } catch {
      rmSync(cwd, { recursive: true });
      skip('other users may not read this program');
    }
    chmodSync(cwd, 0o777);
    writeFileSync(join(cwd, 'feed.csv'), products(3));
    expect((await as(owner, cwd, ['products', 'feed.csv', '--db', 'c.db', '-q'])).code).toBe(0);
    const db = join(cwd, 'c.db');
    // A new catalog is its owner's alone.
    expect(statSync(db).mode & 0o777).toBe(0o600);
    const shut = await as(reader, cwd, ['get', 'product', '--sku', 'S-1', '--db', 'c.db']);
    expect([shut.code, shut.stderr]).toEqual([7, expect.stringContaining(db)]);
    chmodSync(cwd, 0o700);
    const hidden = await as(reader, '/', ['get', 'product', '--sku', 'S-1', '--db', db]);
    expect([hidden.code, hidden.stderr]).toEqual([7, expect.stringContaining(`may not look into the folder ${cwd}`)]);
    chmodSync(cwd, 0o777);
    chmodSync(db, 0o644);
    // Who may only read leaves nothing there; another program may.
    expect((await as(reader, cwd, ['get', 'product', '--sku', 'S-1', '--db', 'c.db'])).code).toBe(0);
    expect(existsSync(`${db}-wal`)).toBe(false);
    for (const left of [`${db}-wal`, `${db}-shm`]) {
      writeFileSync(left, '', { mode: 0o644 });
      chownSync(left, reader, reader);
    }
    const locked = await as(owner, cwd, ['products', 'feed.csv', '--db', 'c.db', '-q', '--set', 'name=x']);
    expect([locked.code, locked.stderr]).toEqual([7, expect.stringContaining(`sudo chown ${owner}:${owner} '`)]);
    const command = /sudo (chown .*')/.exec(locked.stderr)?.[1] ?? '';
    execFileSync('sh', ['-c', command]);
    expect((await as(owner, cwd, ['products', 'feed.csv', '--db', 'c.db', '-q', '--set', 'name=x'])).code).toBe(0);
    chownSync(cwd, 0, 0);
    rmSync(cwd, { recursive: true });
  });

  it('without write permission for the catalog the message is about the catalog, not the log', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'catalog-users-'));
    writeFileSync(join(cwd, 'feed.csv'), products(3));
    expect((await typed(cwd, ['products', 'feed.csv', '--db', 'c.db', '-q'])).code).toBe(0);
    expect(lockedOut(join(cwd, 'c.db'))).toBeUndefined();
    rmSync(cwd, { recursive: true });
  });
});
