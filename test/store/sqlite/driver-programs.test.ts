// What a process says that finds another better-sqlite3 than the one that fits it, a broken one, or none.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { built } from '../../built.js';
import { spawnSync } from '../../child.js';

const code = await built('store/sqlite/database');
const folder = mkdtempSync(join(tmpdir(), 'catalog-import-driver-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running = process.versions.node;
const isNode20 = running.startsWith('20.');

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
