import { linkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isSameFile } from '../../src/files/same-file.js';
import { folder } from '../cli/typed.js';

it('a file is the same under another name or through a link', () => {
  const cwd = folder({ 'a.csv': 'x' });
  const at = (name: string): string => join(cwd, name);
  linkSync(at('a.csv'), at('hard.csv'));
  symlinkSync('a.csv', at('soft.csv'));
  expect([isSameFile(at('a.csv'), at('hard.csv')), isSameFile(at('soft.csv'), at('hard.csv'))]).toEqual([true, true]);
  writeFileSync(at('A.csv'), 'y');
  expect(isSameFile(at('a.csv'), at('A.csv'))).toBe(false);
});

it('on Windows the points and blanks that a name ends in are none of it', () => {
  const at = (name: string): string => join(folder(), '..', 'none', name);
  for (const other of ['r.csv.', 'r.csv ', 'r.csv. .', 'R.CSV.']) {
    expect(isSameFile(at('r.csv'), at(other), 'win32')).toBe(true);
    expect(isSameFile(at('r.csv'), at(other), 'linux')).toBe(false);
  }
  expect(isSameFile(at('r.csv'), at('r .csv'), 'win32')).toBe(false);
});

it.each([
  ['linux', false],
  ['win32', true],
  ['darwin', true],
])('on %s two names of files to be written that differ in case or composition: the same is %s', (system, same) => {
  const cwd = folder();
  expect(isSameFile(join(cwd, 'R.csv'), join(cwd, 'r.csv'), system)).toBe(same);
  expect(isSameFile(join(cwd, 'é.csv'), join(cwd, 'e\u0301.csv'), system)).toBe(same);
  expect(isSameFile(join(cwd, 'a.csv'), join(cwd, 'b.csv'), system)).toBe(false);
});
