// Each Node opens catalogs with the better-sqlite3 that fits it, and with no other, whatever is installed: the wrong one
// does not fail but takes the process down.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { chooseDriver } from '../../../src/store/sqlite/driver.js';
import { built } from '../../built.js';
import { spawnSync } from '../../child.js';
import { failureOf } from '../given.js';

const code = await built('store/sqlite/database');
const folder = mkdtempSync(join(tmpdir(), 'catalog-import-driver-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running = process.versions.node;
const isNode20 = running.startsWith('20.');

describe('the driver that fits the running Node', () => {
  it.each([
    ['20.19.0', { 'better-sqlite3': '12.11.1' }, 'better-sqlite3'],
    ['20.19.0', { 'better-sqlite3': '13.2.0', 'better-sqlite3-12': '12.11.1' }, 'better-sqlite3-12'],
    ['20.20.2', { 'better-sqlite3': '12.12.0' }, 'better-sqlite3'],
    ['22.14.0', { 'better-sqlite3': '13.2.0' }, 'better-sqlite3'],
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

/** What opening a database says where these packages are installed, in a process of its own. */
function openedWith(name: string, packages: Readonly<Record<string, { version: string; index: string }>>): string {
  const project = join(folder, name);
  cpSync(code, join(project, 'dist'), { recursive: true });
  for (const [name, { version, index }] of Object.entries(packages)) {
    const at = join(project, 'node_modules', name);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'package.json'), JSON.stringify({ name, version, main: 'index.js' }));
    writeFileSync(join(at, 'index.js'), index);
  }
  writeFileSync(
    join(project, 'open.mjs'),
    `import { openDatabase } from './dist/database.js';
     try { openDatabase('', false); } catch (error) { console.log(error.code + ': ' + error.message); }`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, [join(project, 'open.mjs')], { encoding: 'utf8' });
  return stdout + stderr;
}

describe('in a process of its own', () => {
  const right = isNode20 ? '12.11.1' : '13.2.0';
  const wrong = isNode20 ? '13.2.0' : '12.11.1';

  it('the wrong one is not even loaded', () => {
    const said = openedWith('wrong', {
      'better-sqlite3': { version: wrong, index: `console.log('loaded');` },
    });
    expect(said).toContain(`catalog_unusable: Node ${running} needs better-sqlite3@`);
    expect(said).toContain(`version ${wrong} is installed. Install it with: npm install better-sqlite3@`);
    expect(said).not.toContain('loaded');
  });

  it('a binary that is missing, or made for another system, is refused with the remedy', () => {
    const said = openedWith('binary', {
      'better-sqlite3': {
        version: right,
        index: `module.exports = class { constructor() { throw new Error('invalid ELF header\\nTried: a, b'); } };
          module.exports.SqliteError = class SqliteError extends Error {};`,
      },
    });
    expect(said).toContain(
      `catalog_unusable: better-sqlite3 cannot be loaded by Node ${running} on ${process.platform} ${process.arch}: invalid ELF header. Install it with: npm install`,
    );
  });

  it('a missing driver is reported with a remedy', () => {
    expect(openedWith('none', {})).toContain('and it is not installed. Install it with: npm install better-sqlite3@');
  });
});
