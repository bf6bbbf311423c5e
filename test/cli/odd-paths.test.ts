// Paths that the system refuses are a mistake in the command or a failure of the place, never "a bug".
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folder, typedHere } from './typed.js';

const paths: Readonly<Record<string, (cwd: string) => string>> = {
  'a name of 300 characters': (cwd) => join(cwd, 'x'.repeat(300)),
  'a path below a file': (cwd) => join(cwd, 'f.csv', 'y'),
  'a path below a loop of links': (cwd) => join(cwd, 'loop', 'y'),
  'a path in a missing folder': (cwd) => join(cwd, 'missing', 'y'),
  'a folder': (cwd) => join(cwd, 'folder'),
};

it.each(Object.entries(paths))('%s is refused wherever a command takes a path', async (_, pathIn) => {
  const cwd = folder({ 'f.csv': 'sku,currency\nA,EUR\n' });
  mkdirSync(join(cwd, 'folder'));
  symlinkSync('loop', join(cwd, 'loop'));
  writeFileSync(join(cwd, 'folder', 'other.txt'), '');
  const [feed, db] = ['f.csv', 'c.db'].map((name) => join(cwd, name)) as [string, string];
  expect((await typedHere(['products', feed, '--db', db])).code).toBe(0);
  const path = pathIn(cwd);
  const remote = ['--remote', 'http://127.0.0.1:1', '--retry-max-time', '0'];
  const commands = [
    ['products', path, '--db', db],
    ['products', feed, '--db', path],
    ['products', feed, '--db', path, '--dry-run'],
    ['products', feed, '--db', db, '--report-file', `${path}.csv`],
    ['products', feed, '--db', db, '--refused-file', path],
    ['products', feed, '--db', db, '--map', path],
    ['products', feed, '--db', db, '--status-file', path],
    ['products', feed, ...remote, '--ca-file', path],
    ['products', feed, ...remote, '--resume', '--journal', path],
    ['inspect', path],
    ['inspect', feed, '--write-map', path],
    ['plan', path, '--db', db],
    ['plan', 'products', feed, '--db', db, '--out', path],
    ['apply', path, '--db', db],
    ['backup', path, '--db', db],
    ['restore', path, '--db', join(cwd, 'restored.db')],
    ['restore', db, '--db', path],
    ['export', 'products', '--db', path],
    ['copy', '--from', db, '--to', path],
    ['copy', '--from', path, '--to', join(cwd, 'copied.db')],
    ['get', 'product', '--sku', 'A', '--db', path],
    ['info', '--db', path],
    ['doctor', '--db', path],
    ['runs', '--db', path],
    ['keys', 'create', '--name', 'a', '--all', '--db', path],
  ];
  for (const command of commands) {
    // A report next to a folder, and a folder of journals or refused files, are made as requested.
    const { code, stderr } = await typedHere(command);
    const shown = command.join(' ');
    expect.soft(stderr, shown).not.toContain('This is a bug');
    expect.soft([shown, code]).not.toEqual([shown, 1]);
  }
});
