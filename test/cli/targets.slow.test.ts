// Every command works on the target that is named, or refuses with a sentence that names it: none falls back to ./catalog.db.
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { allCommands } from '../../src/cli/command-entry.js';
import { commands } from '../../src/cli/command-list.js';
import { folder, products, typed } from './typed.js';

/** Every command that has `--db`, as it is typed. Those that read a remote, too, are in the second list. */
const local = [
  ['info'],
  ['search', 'phone'],
  ['doctor'],
  ['backup', 'copy.db'],
  ['restore', 'copy.db'],
  ['db', 'migrate'],
  ['keys', 'create', '--name', 'x', '--all'],
  ['keys', 'list'],
  ['keys', 'revoke', 'abcdefgh'],
  ['shop', 'load', 'brands', 'brands.csv'],
  ['shop', 'delete-product', 'S-1'],
  ['serve', '--port', '0'],
  ['runs'],
  ['runs', 'show', '1'],
  ['why', 'product', '--sku', 'S-1'],
  ['prices', 'product', '--sku', 'S-1'],
  ['undo', '1'],
  ['feeds'],
  ['missing', '--feed', 'erp'],
  ['runs', 'forget', '--keep', '90d'],
  ['feeds', 'set', 'erp', '--own', 'stock'],
  ['feeds', 'retire', 'erp'],
  ['plan', 'products', 'products.csv'],
  ['apply', 'products.plan'],
];
const either = [
  ['products', 'products.csv'],
  ['run', 'folder'],
  ['get', 'product', '--sku', 'S-1'],
  ['list', 'products'],
  ['export', 'products'],
];

it('every command that has --db is in one of the lists', async () => {
  const named = ({ commands }: Command, before: string): string[] =>
    commands.flatMap((one) => [
      ...(one.options.some(({ long }) => long === '--db') ? [`${before}${one.name()}`] : []),
      ...named(one, `${before}${one.name()} `),
    ]);
  // Imports of other resources are the same command.
  const alike = ['characteristics', 'categories', 'groups', 'reviews'];
  const typedHere = [...alike, ...[...local, ...either].map((args) => args.join(' '))];
  const lacking = named(await allCommands(process, commands), '').filter(
    (name) => !typedHere.some((words) => words === name || words.startsWith(`${name} `)),
  );
  expect(lacking).toEqual([]);
});

let prepared: string;
beforeAll(async () => {
  const cwd = folder({ 'products.csv': products(2), 'products.plan': '', 'brands.csv': 'id,name\nb1,Brand\n' });
  mkdirSync(join(cwd, 'folder'));
  writeFileSync(join(cwd, 'folder', 'products.csv'), products(2));
  expect((await typed(cwd, ['products', 'products.csv', '--quiet'])).code).toBe(0);
  prepared = cwd;
});

/** A folder with a catalog that nobody named, and files to import. */
function workFolder(): string {
  const cwd = folder();
  cpSync(prepared, cwd, { recursive: true });
  return cwd;
}

/** Nothing answers at this address. */
const remote = 'http://127.0.0.1:9';

describe('a remote in the environment', () => {
  it.each(local)('is named by a command that works on a local catalog: %s %s', async (...args) => {
    const cwd = workFolder();
    const files = readdirSync(cwd);
    const { code, stdout, stderr } = await typed(cwd, args, { env: { CATALOG_REMOTE: remote } });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/http:\/\/127\.0\.0\.1:9\b.*--db/s);
    expect(readdirSync(cwd)).toEqual(files);
  });

  it.each(either)('is the target of one that works on both: %s %s', async (...args) => {
    const cwd = workFolder();
    const env = { CATALOG_REMOTE: remote, CATALOG_API_KEY: `cik_${'a'.repeat(8)}_${'a'.repeat(38)}` };
    const state = { XDG_STATE_HOME: folder() };
    const { code, stdout } = await typed(cwd, [...args, '--retry-max-time', '0s'], { env: { ...env, ...state } });
    expect([code, stdout.includes('S-1')]).toEqual([expect.toBeOneOf([2, 6]), false]);
  });
});

it.each([...local, ...either])('both variables without a flag are refused by all alike: %s %s', async (...args) => {
  const cwd = workFolder();
  const both = { CATALOG_REMOTE: remote, CATALOG_DB: 'other.db' };
  const { code, stderr } = await typed(cwd, args, { env: both });
  expect([code, stderr]).toEqual([2, expect.stringContaining('are both set')]);
});

/** The target that each is typed with, as an argument or in the environment. */
function named(by: string, target: string): { readonly more: string[]; readonly env: NodeJS.ProcessEnv } {
  return by.startsWith('--') ? { more: [by, target], env: {} } : { more: [], env: { [by]: target } };
}

const all = [...local, ...either];

describe.each(['--db', 'CATALOG_DB'])('a catalog by %s', (by) => {
  // `serve` goes on until it is stopped: test/http.
  it.each(all.filter(([name]) => name !== 'serve'))(
    'is the one that is worked on, if it is a file: %s %s',
    async (...args) => {
      const cwd = workFolder();
      renameSync(join(cwd, 'catalog.db'), join(cwd, 'other.db'));
      copyFileSync(join(cwd, 'other.db'), join(cwd, 'copy.db'));
      const { more, env } = named(by, 'other.db');
      const { code, stderr } = await typed(
        cwd,
        args[0] === 'backup' ? ['backup', 'new.db', ...more] : [...args, ...more],
        { env },
      );
      expect({ stderr, isKnown: [0, 2, 3, 5, 9].includes(code) && !stderr.includes('This is a bug') }).toEqual({
        stderr,
        isKnown: true,
      });
      expect(readdirSync(cwd)).not.toContain('catalog.db');
    },
  );

  it.each(all)('is named where it is a database that does not answer: %s %s', async (...args) => {
    const cwd = workFolder();
    const files = readdirSync(cwd);
    const before = readFileSync(join(cwd, 'catalog.db'));
    const { more, env } = named(by, 'postgres://127.0.0.1:9/shop');
    const { code, stdout, stderr } = await typed(cwd, [...args, ...more], { env });
    expect({ code: [2, 5, 7].includes(code), stdout, stderr }).toEqual({ code: true, stdout: '', stderr });
    expect(stderr).toMatch(code === 7 ? /127\.0\.0\.1/ : /^error: |\nerror: /);
    expect(readdirSync(cwd)).toEqual(files);
    expect(readFileSync(join(cwd, 'catalog.db')).equals(before)).toBe(true);
  });

  it.each(all)('is refused where it is a folder: %s %s', async (...args) => {
    const cwd = workFolder();
    const files = readdirSync(cwd);
    const { more, env } = named(by, 'folder');
    const { code, stdout, stderr } = await typed(cwd, [...args, ...more], { env });
    expect({ code: [2, 5, 7].includes(code), stdout, stderr }).toEqual({ code: true, stdout: '', stderr });
    expect(readdirSync(cwd)).toEqual(files);
    expect(readdirSync(join(cwd, 'folder'))).toEqual(['products.csv']);
  });
});

describe('a remote by --remote', () => {
  it.each(local)('is refused by a command that works on a local catalog: %s %s', async (...args) => {
    const cwd = workFolder();
    const files = readdirSync(cwd);
    const { code, stdout, stderr } = await typed(cwd, [...args, '--remote', remote]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/--remote|--db/);
    expect(readdirSync(cwd)).toEqual(files);
  });
});

it('a configuration file of the user that names a remote is named, too', async () => {
  const cwd = workFolder();
  const home = folder();
  mkdirSync(join(home, 'catalog-import'));
  writeFileSync(join(home, 'catalog-import/config.yaml'), `defaults: {remote: "${remote}"}\n`);
  const env = { XDG_CONFIG_HOME: home };
  const { code, stderr } = await typed(cwd, ['info'], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('names a remote')]);
  expect((await typed(cwd, ['info', '--db', 'catalog.db'], { env })).code).toBe(0);
  expect((await typed(cwd, ['info'], { env: { ...env, CATALOG_DB: 'catalog.db' } })).code).toBe(0);
});
