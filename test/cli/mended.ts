// What properties of refused and mended files have in common: feeds are spoilt in ways that can be undone in their text.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dumpOf } from '../proof/dump.js';
import { typedHere } from './typed.js';

/** A NUL in a cell makes its item refused; removing it mends the item. */
export const slip = '\0';
/** A cell too many: the row has no shape. */
export const cellTooMany = ',BROKEN';
/** No part of a number. */
export const noNumber = '';

/** A text without its slips. */
const mended = (text: string): string =>
  [slip, '\\u0000', cellTooMany, noNumber].reduce((all, one) => all.replaceAll(one, ''), text);

function mend(path: string): void {
  writeFileSync(path, mended(readFileSync(path, 'utf8')));
}

export const csv = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) => row.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .join('\n')
    .concat('\n');

/** Imports a feed by all sections of its mapping; refused records go to a folder. */
export async function importAll(cwd: string, db: string, feed: string, refused?: string): Promise<string> {
  const more = refused === undefined ? [] : ['--refused-file', join(cwd, refused)];
  const { stderr, stdout } = await typedHere([
    'run',
    join(cwd, feed),
    '--map',
    join(cwd, 'map.yaml'),
    '--db',
    join(cwd, db),
    '--report',
    'none',
    ...more,
  ]);
  return stdout + stderr;
}

/** Imports each file of mended records by its own resource, in the order of the sections. */
export async function importMended(cwd: string, db: string, refused: string): Promise<void> {
  const place = join(cwd, refused);
  if (!existsSync(place)) return;
  const files = readdirSync(place);
  for (const resource of ['characteristics', 'categories', 'groups', 'products']) {
    for (const file of files.filter(
      (name) => name.startsWith(`${resource}.`) || (resource === 'products' && name === 'broken.csv'),
    )) {
      const path = join(place, file);
      mend(path);
      const { stdout } = await typedHere([
        resource,
        path,
        '--map',
        join(cwd, 'map.yaml'),
        '--db',
        join(cwd, db),
        '--output',
        'ndjson',
        '--report',
        'refused',
      ]);
      expect(stdout).not.toContain('"action":"refused"');
    }
  }
}

/** Imports the folder of mended records as a whole, with the mapping as it is. */
export async function runMended(cwd: string, db: string, refused: string): Promise<void> {
  const place = join(cwd, refused);
  // A folder is made as soon as it could be needed.
  if (!existsSync(place) || readdirSync(place).length === 0) return;
  for (const file of readdirSync(place)) {
    mend(join(place, file));
  }
  const options = ['--map', join(cwd, 'map.yaml'), '--db', join(cwd, db), '--output', 'ndjson', '--report', 'refused'];
  const { stdout, stderr, code } = await typedHere(['run', place, ...options]);
  expect([code, stdout.match(/"action":"refused".*/)?.[0], code === 0 ? '' : stderr]).toEqual([0, undefined, '']);
}

/** Records as they are, without the order in which entries came. */
export function recordsOf(cwd: string, db: string): Record<string, unknown> {
  const plain = (text: string) => text.replace(/,?"position":\d+|,?\\"position\\":\d+/g, '');
  return Object.fromEntries([...dumpOf(join(cwd, db)).records].map(([name, text]) => [name, plain(text)]).sort());
}
