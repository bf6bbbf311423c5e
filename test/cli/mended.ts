// What properties of refused and mended files have in common: feeds are spoilt in ways that can be undone in their text.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { runJobs } from '../../src/cli/import/mapping-jobs.js';
import { openSource } from '../../src/source/open-source.js';
import { dumpOf } from '../proof/dump.js';
import { typedHere } from './typed.js';

/** A NUL in a cell makes its item refused; removing it mends the item. */
export const slip = '\0';
/** A cell too many: the row has no shape. */
export const cellTooMany = ',BROKEN';
/** No part of a number. */
export const noNumber = '';

/** What the mended feed has: for each of its records or items the lines that it was made of, and its text. */
type Whole = readonly { readonly lines: readonly number[]; readonly text: string }[];

/** What each section of a mapping makes of the mended feed, by the name of the file in which its refused records are. */
async function wholeOf(cwd: string): Promise<ReadonlyMap<string, Whole>> {
  const feed = join(cwd, 'feed.csv');
  const { jobs } = await runJobs(feed, { map: join(cwd, 'map.yaml') } as never, false);
  const all = new Map<string, Whole>();
  for (const { resource, mapped } of jobs) {
    const source = await openSource(resource.fields, resource.key, {
      file: feed,
      raws: true,
      ...(mapped && { mapped }),
    });
    const whole: { lines: readonly number[]; text: string }[] = [];
    for await (const { lines, raws = [] } of source.chunks)
      raws.forEach((text, i) => {
        const isItem = source.form?.items !== undefined;
        whole.push({ lines: isItem ? JSON.parse(text)._lines : [lines[i]], text });
      });
    await source.close();
    const ending = source.form?.items === undefined ? 'csv' : 'items.ndjson';
    const isAlone = jobs.length === 1 && ending === 'csv';
    const names = ['', '2.', '3.'].map((n) => `${isAlone ? '' : `${resource.command}.`}${n}broken.${ending}`);
    all.set(names.find((name) => !all.has(name)) ?? '', whole);
  }
  return all;
}

/** Corrects refused records as somebody who knows the whole feed: each becomes what its lines are there. */
async function mend(cwd: string, path: string): Promise<void> {
  const whole = (await wholeOf(cwd)).get(basename(path)) ?? [];
  const [header = '', ...lines] = readFileSync(path, 'utf8').split('\n');
  const done = new Set<string>();
  const meant = (own: readonly number[]): string[] =>
    whole
      .filter(({ lines: of, text }) => of.some((one) => own.includes(one)) && done.size < done.add(`${of}${text}`).size)
      .map(({ text }) => text);
  if (path.endsWith('.ndjson')) {
    const items = [header, ...lines].flatMap((line) => {
      if (line === '') return [];
      const { _lines, _code, _reason } = JSON.parse(line);
      return meant(_lines).map((item) => JSON.stringify({ ...JSON.parse(item), _code, _reason }));
    });
    // What no item is made of is deleted.
    if (items.length === 0) rmSync(path);
    else writeFileSync(path, items.map((item) => `${item}\n`).join(''));
    return;
  }
  const rows = lines.flatMap((line) => {
    const [added = '', number] = /,"(\d+)","[^"]*","(?:[^"]|"")*"$/.exec(line) ?? [];
    return number === undefined ? [] : meant([Number(number)]).map((row) => row + added);
  });
  writeFileSync(path, [header, ...rows, ''].join('\n'));
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
      await mend(cwd, path);
      if (!existsSync(path)) continue;
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
  if (!existsSync(place)) return;
  for (const file of readdirSync(place)) await mend(cwd, join(place, file));
  if (readdirSync(place).length === 0) return;
  const options = ['--map', join(cwd, 'map.yaml'), '--db', join(cwd, db), '--output', 'ndjson', '--report', 'refused'];
  const { stdout, stderr, code } = await typedHere(['run', place, ...options]);
  expect([code, stdout.match(/"action":"refused".*/)?.[0], code === 0 ? '' : stderr]).toEqual([0, undefined, '']);
}

/** Records as they are, without the order in which entries came. */
export function recordsOf(cwd: string, db: string): Record<string, unknown> {
  const plain = (text: string) => text.replace(/,?"position":\d+|,?\\"position\\":\d+/g, '');
  return Object.fromEntries([...dumpOf(join(cwd, db)).records].map(([name, text]) => [name, plain(text)]).sort());
}
