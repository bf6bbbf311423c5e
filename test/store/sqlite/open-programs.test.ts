// Opening a catalog where other programs made it, or the place is one that only the system can make.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openCatalog } from '../../../src/store/open.js';
import { stepNames } from '../../../src/store/sqlite/migrate.js';
import { execFileSync } from '../../child.js';
import { openRaw } from '../../proof/dump.js';
import { runHere, runProgram } from '../../proof/program.js';
import { failureOf, folder, newDatabase } from '../given.js';

const scripts = ['catalog.sql', ...stepNames()].map((name) =>
  fileURLToPath(new URL(`../../../src/store/sqlite/schema/${name}`, import.meta.url)),
);

describe('a catalog', () => {
  it('is made by plain SQL: the sqlite3 shell makes the same tables of it', async ({ skip }) => {
    const file = join(folder, 'by-hand.db');
    try {
      execFileSync('sqlite3', ['--version'], { stdio: 'ignore' });
    } catch {
      skip('there is no sqlite3 shell here');
    }
    for (const script of scripts) execFileSync('sqlite3', ['-bail', file], { input: readFileSync(script) });
    const schemaOf = (path: string): unknown => {
      const raw = openRaw(path);
      const rows = raw.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
      raw.close();
      return rows;
    };
    const { file: made, database } = await newDatabase('by-program.db');
    database.close();
    expect(schemaOf(file)).toEqual(schemaOf(made));
  });

  it.skipIf(process.platform === 'win32').each(['-journal', '-wal', '-shm'])(
    'beside which %s is a pipe, which nobody writes to, is refused',
    async (suffix) => {
      const { file, database } = await newDatabase(`pipe${suffix}.db`);
      database.close();
      execFileSync('mkfifo', [file + suffix]);
      const failure = await failureOf(() => openCatalog({ file, create: true, lockTimeout: 100 }));
      expect(failure).toMatchObject({
        code: 'catalog_unusable',
        message: expect.stringContaining(`${file}${suffix} is not a file`),
      });
    },
  );

  it('that is read-only can be read and not imported into', async ({ skip }) => {
    const place = join(folder, 'read-only');
    mkdirSync(place);
    const mounted = process.getuid?.() === 0;
    try {
      if (mounted) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', place], { stdio: 'ignore' });
    } catch {
      skip('root writes to everything, and may not mount here');
    }
    try {
      const { file, database } = await newDatabase('catalog.db', join(place, 'catalog.db'));
      database.close();
      if (mounted) execFileSync('mount', ['-o', 'remount,ro', place]);
      else for (const path of [file, place]) chmodSync(path, 0o555);
      const feed = join(folder, 'read-only.ndjson');
      writeFileSync(feed, '{"sku":"A","currency":"EUR"}\n');
      const ended = await runHere(['products', feed, '--db', file, '--quiet']);
      expect(ended.code).toBe(7);
      expect(ended.stderr).toMatch(/catalog\.db (is read-only; make it and its folder writable|cannot be opened)/);
    } finally {
      if (mounted) execFileSync('umount', ['-l', place]);
      else chmodSync(place, 0o755);
    }
  });
});

describe('a SQLite that can lose committed data', () => {
  it.each([
    ['3.51.2', 7],
    ['3.9.9', 7],
    ['2.99.99', 7],
    ['3.51.3', 0],
    ['3.52.0', 0],
    ['4.0.0', 0],
  ])('SQLite %s: exit %d', async (version, code) => {
    const feed = join(folder, 'one.ndjson');
    writeFileSync(feed, '{"sku":"A","currency":"EUR"}\n');
    const db = join(folder, `sqlite-${version}.db`);
    const ended = await runProgram(['products', feed, '--db', db, '--quiet'], { tamper: `version:${version}` });
    expect(ended.code).toBe(code);
    if (code === 7) {
      expect(ended.stderr).toContain(`this is SQLite ${version}, which can lose committed data; at least 3.51.3`);
      expect(existsSync(db) && readFileSync(db).length).toBeFalsy();
    }
  });
});
