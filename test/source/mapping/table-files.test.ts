// Where the file of a table is looked for: next to the file that is read, then next to the mapping.
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { tableFile } from '../../../src/source/mapping/used-tables.js';
import { sharedFolders } from '../../run-folder.js';

function folderWith(...files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), `${sharedFolders}tables-`));
  for (const file of files) writeFileSync(join(folder, file), 'no\nA\n');
  return folder;
}

/** Where a table finds its file. */
function found(file: string | undefined, feeds: string, maps: string, isOfFolder?: boolean): string {
  const table = { key: 'no', columns: {}, ...(file && { file }) };
  const mapped = { name: join(maps, 'map.yaml'), ...(isOfFolder && { isOfFolder }) };
  return tableFile(table, { file: join(feeds, 'feed.csv') }, mapped as never);
}

it('without a name, its records are of the file that is read', () => {
  expect(found(undefined, 'feeds', 'maps')).toBe(join('feeds', 'feed.csv'));
});

it('the one next to the file that is read counts before that next to the mapping', () => {
  const [feeds, maps] = [folderWith('both.csv'), folderWith('both.csv', 'map-only.csv')];
  expect(found('both.csv', feeds, maps)).toBe(join(feeds, 'both.csv'));
  expect(found('map-only.csv', feeds, maps)).toBe(join(maps, 'map-only.csv'));
  expect(() => found('none.csv', feeds, maps)).toThrow(
    `file none.csv of a table not found, neither in ${feeds} nor next to the mapping; copy it there.`,
  );
});

it('only where the mapping came with the folder, its file has to be within that folder', () => {
  const [feeds, elsewhere] = [folderWith('own.csv'), folderWith('other.csv')];
  symlinkSync(elsewhere, join(feeds, 'link'), 'junction');
  const outside = join('..', elsewhere.slice(dirname(elsewhere).length + 1), 'other.csv');
  expect(found('own.csv', feeds, feeds, true)).toBe(join(feeds, 'own.csv'));
  for (const name of [join('link', 'other.csv'), outside]) {
    expect(found(name, feeds, feeds)).toBe(join(feeds, name));
    expect(() => found(name, feeds, feeds, true)).toThrow(/is a link out of its folder\. Name the mapping with --map/);
  }
});
