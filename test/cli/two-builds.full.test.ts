// Two builds of one version on one catalog: what one of them decided is not taken over by the other.
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execFile } from '../child.js';

const root = join(import.meta.dirname, '../..');
// Within the project, where packages are found.
const folder = mkdtempSync(join(root, 'node_modules/.two-builds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Builds the program with changes to its sources. */
async function buildWith(
  changes: readonly (readonly [source: string, before: string, after: string])[],
): Promise<string> {
  const place = join(folder, 'other');
  for (const part of ['src', 'bin', 'package.json']) cpSync(join(root, part), join(place, part), { recursive: true });
  for (const [source, before, after] of changes) {
    const file = join(place, 'src', source);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(before);
    writeFileSync(file, text.replace(before, after));
  }
  await execFile(process.execPath, [join(place, 'src/build.mjs')]);
  return place;
}

/** Imports rows with a build, and returns what happened to each. */
async function imported(build: string, catalog: string, rows: string): Promise<readonly string[]> {
  const file = join(folder, 'products.csv');
  writeFileSync(file, rows);
  const program = join(build, 'bin/catalog-import.js');
  const args = [program, 'products', file, '--db', join(folder, catalog), '--output', 'ndjson', '--report', 'all'];
  const { stdout } = await execFile(process.execPath, args);
  return stdout.split('\n').flatMap((line) => /"action":"(\w+)"/.exec(line)?.[1] ?? []);
}

/** It knows no badges, and writes names in capitals. */
let other: string;
beforeAll(async () => {
  other = await buildWith([
    ['core/resources/product-table.ts', "badge: stored(text('the product’s badges')),", "badge: kept(''),"],
    [
      'core/resources/product.ts',
      "next.name = item.name === '' ? next.sku : item.name;",
      'next.name = item.name.toUpperCase();',
    ],
  ]);
});

it('a field that is new in the second build is stored, though its place in the first was that of another', async () => {
  expect(await imported(other, 'fields.db', 'sku,currency,tag\nA,EUR,x\n')).toEqual(['created']);
  expect(await imported(other, 'fields.db', 'sku,currency,tag\nA,EUR,x\n')).toEqual(['unchanged']);
  expect(await imported(root, 'fields.db', 'sku,currency,badge\nA,EUR,x\n')).toEqual(['updated']);
});

it('a rule that is new in the second build reaches what the first one stored', async () => {
  const rows = 'sku,currency,name\nA,EUR,lamp\n';
  expect(await imported(root, 'rules.db', rows)).toEqual(['created']);
  expect(await imported(root, 'rules.db', rows)).toEqual(['unchanged']);
  expect(await imported(other, 'rules.db', rows)).toEqual(['updated']);
  expect(await imported(other, 'rules.db', rows)).toEqual(['unchanged']);
});

it('a build is left as it is while nothing that it is made of has changed', async () => {
  const built = (): number => statSync(join(other, 'dist/main.js')).ino;
  const build = () => execFile(process.execPath, [join(other, 'src/build.mjs')]);
  const before = built();
  await build();
  expect(built()).toBe(before);
  appendFileSync(join(other, 'src/manual/changes.md'), '\n');
  await build();
  expect(built()).not.toBe(before);
});
