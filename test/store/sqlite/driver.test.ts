// Each Node opens catalogs with the better-sqlite3 that fits it, and with no other, whatever is installed: the wrong one
// does not fail but takes the process down.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseDriver, openSqlite } from '../../../src/store/sqlite/driver.js';
import { failureOf, folder } from '../given.js';

describe('the driver that fits the running Node', () => {
  it.each([
    ['20.19.0', { 'better-sqlite3': '12.11.1' }, 'better-sqlite3'],
    ['20.19.0', { 'better-sqlite3': '13.2.0', 'better-sqlite3-12': '12.11.1' }, 'better-sqlite3-12'],
    ['20.20.2', { 'better-sqlite3': '12.12.0' }, 'better-sqlite3'],
    ['22.14.0', { 'better-sqlite3': '13.2.0' }, 'better-sqlite3'],
    ['23.6.0', { 'better-sqlite3': '13.2.0' }, 'better-sqlite3'],
    ['22.20.1', { 'better-sqlite3': '13.2.0' }, 'better-sqlite3'],
    ['24.21.0', { 'better-sqlite3': '13.2.0', 'better-sqlite3-12': '12.11.1' }, 'better-sqlite3'],
    ['26.10.0', { 'better-sqlite3': '13.10.4' }, 'better-sqlite3'],
    ['28.0.0-nightly', { 'better-sqlite3': '13.2.1' }, 'better-sqlite3'],
  ])('Node %s with %j loads %s', (node, installed: Record<string, string>, name) => {
    expect(chooseDriver(node, (asked) => installed[asked])).toBe(name);
  });

  it.each([
    ['20.19.0', { 'better-sqlite3': '13.2.0' }, 'version 13.2.0 is installed', 'npm install better-sqlite3@12.11.1'],
    ['20.19.0', {}, 'it is not installed', 'npm install better-sqlite3@12.11.1'],
    ['20.19.0', { 'better-sqlite3': '12.11.0' }, 'version 12.11.0 is', 'npm install better-sqlite3@12.11.1'],
    [
      '20.19.0',
      { 'better-sqlite3': '13.2.0', 'better-sqlite3-12': '11.0.0' },
      'version 11.0.0 and 13.2.0 is installed',
      'npm install better-sqlite3@12.11.1',
    ],
    ['22.14.0', { 'better-sqlite3': '12.11.1' }, 'version 12.11.1 is', 'npm install better-sqlite3@^13.2.0'],
    ['24.21.0', { 'better-sqlite3-12': '12.11.1' }, 'it is not installed', 'npm install better-sqlite3@^13.2.0'],
    ['24.21.0', { 'better-sqlite3': '13.1.9' }, 'version 13.1.9 is', 'npm install better-sqlite3@^13.2.0'],
    ['26.10.0', { 'better-sqlite3': '14.0.0' }, 'version 14.0.0 is', 'npm install better-sqlite3@^13.2.0'],
  ])('Node %s with %j is refused with the command that installs the right one', async (node, installed, ...words) => {
    const choose = () => chooseDriver(node, (asked) => (installed as Record<string, string>)[asked]);
    const failure = await failureOf(choose);
    expect(failure.code).toBe('catalog_unusable');
    for (const word of words) expect(failure.message).toContain(word);
  });
});

describe('a Node that would crash with either', () => {
  it.each(['21.7.3', '22.12.0', '22.13.1', '23.5.0'])('%s is refused whatever is installed', async (node) => {
    for (const version of ['12.11.1', '13.2.0']) {
      const failure = await failureOf(() => chooseDriver(node, () => version));
      expect(failure.code).toBe('catalog_unusable');
      expect(failure.message).toContain(`does not run on Node ${node}. Use Node 20.19 or later of 20, 22.14`);
    }
  });
});

describe('what SQLite says of a file', () => {
  it('is no fault of the driver', () => {
    expect(() => openSqlite(folder, {})).toThrow(/^unable to open database file$/);
    expect(() => openSqlite(join(folder, 'no', 'such.db'), {})).toThrow(
      /^Cannot open database because the directory does not exist$/,
    );
  });
});
