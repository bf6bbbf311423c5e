// How large the schema of a file may be that is named as a catalog: counted in its pages, before SQLite reads it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/sqlite/driver.js';
import { isOpenHere } from '../../../src/store/sqlite/file/open-files.js';
import { refuseLargeSchema } from '../../../src/store/sqlite/file/schema-size.js';
import { openRaw } from '../../proof/dump.js';
import { failureOf, folder, newPath } from '../given.js';

/** A database whose schema is written by hand, as no command of SQL makes it. */
function made(write: (database: Database) => void, pageSize = 4096): string {
  const file = newPath('schema.db');
  const database = openRaw(file);
  database.pragma(`page_size = ${pageSize}`);
  database.unsafeMode(true);
  database.pragma('writable_schema = ON');
  write(database);
  database.close();
  return file;
}

const views = (count: number) => (database: Database) =>
  database.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO sqlite_schema SELECT 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || ' AS SELECT 1' FROM n`,
  );

function addView(database: Database, name: string, statement: string): void {
  database.prepare("INSERT INTO sqlite_schema VALUES ('view', ?, ?, 0, ?)").run(name, name, statement);
}

const messageOf = async (file: string) => (await failureOf(() => refuseLargeSchema(file))).message;

/** What a row has in addition to its statement, where that has about a megabyte and the name one letter: lengths, type and names. */
const besides = 15;

const megabyte = 1024 * 1024;

describe('the schema of a file', () => {
  it.each([512, 1024, 4096, 65_536])('has at most 2,000 objects, in pages of %i bytes', async (pageSize) => {
    refuseLargeSchema(made(views(2000), pageSize));
    expect(await messageOf(made(views(2001), pageSize))).toContain('it has more than 2,000 tables, views and the like');
  });

  it('has no statement of more than a megabyte', async () => {
    const of = (bytes: number) => made((database) => addView(database, 'x', 's'.repeat(bytes - besides)));
    refuseLargeSchema(of(megabyte));
    expect(await messageOf(of(megabyte + 1))).toContain('the view x was made by a statement of 1,048,577 bytes. Name');
  });

  it('has statements of 16 megabytes together', async () => {
    const whole = made((database) => {
      for (const name of 'abcdefghijklmnop') addView(database, name, 's'.repeat(megabyte - besides));
    });
    refuseLargeSchema(whole);
    const beyond = openRaw(whole);
    beyond.unsafeMode(true);
    beyond.pragma('writable_schema = ON');
    addView(beyond, 'q', '');
    beyond.close();
    expect(await messageOf(whole)).toContain('were made by more than 16,777,216 bytes');
  });

  it('is told by the first hundred letters of a name, without what a terminal would obey', async () => {
    const name = `\u001b[2J${'n'.repeat(300)}`;
    const message = await messageOf(made((database) => addView(database, name, 's'.repeat(2 * megabyte))));
    expect(message).toMatch(/: the view [^n]*n{90,100} was made by a statement of 2,097,/);
    expect(message).not.toContain('\u001b');
  });

  it('is counted also where a statement is longer than the file, which by itself is left to SQLite', async () => {
    /** With such a length in the first row of the page that is looked at first. */
    const senseless = (count: number): string => {
      const file = made(views(count));
      const bytes = readFileSync(file);
      // Below the last cell of the first page.
      const last = bytes.readUInt16BE(112 + 2 * (bytes.readUInt16BE(103) - 1));
      const page = (bytes.readUInt32BE(last) - 1) * 4096;
      const cell = page + bytes.readUInt16BE(page + 8);
      bytes.fill(255, cell, cell + 9);
      writeFileSync(file, bytes);
      return file;
    };
    refuseLargeSchema(senseless(1000));
    expect(await messageOf(senseless(2100))).toContain('it has more than 2,000 tables, views and the like');
  });

  it('is left to SQLite where the pages make no sense', () => {
    const whole = readFileSync(made(views(2001)));
    const file = newPath('senseless.db');
    const inCircles = Buffer.from(whole);
    // The first page has no cells, and its last child is itself.
    inCircles.writeUInt16BE(0, 103);
    inCircles.writeUInt32BE(1, 108);
    const ofOthers = Buffer.from(whole);
    ofOthers.write('Sqlite', 0);
    const oddPages = Buffer.from(whole);
    oddPages.writeUInt16BE(4095, 16);
    const cutOff = [0, 10, 17, 50, 99, 100, 4095, 4096].map((length) => whole.subarray(0, length));
    for (const bytes of [inCircles, ofOthers, oddPages, ...cutOff]) {
      writeFileSync(file, bytes);
      refuseLargeSchema(file);
    }
  });

  it('is not looked at where there is no file', () => {
    refuseLargeSchema(join(folder, 'no such.db'));
    refuseLargeSchema(folder);
  });

  it('is read without leaving a file open', async () => {
    const [small, large] = [made(views(1)), made(views(2001))];
    refuseLargeSchema(small);
    await messageOf(large);
    refuseLargeSchema(folder);
    for (const path of [small, large, folder]) expect(isOpenHere(path)).toBe(false);
  });
});
