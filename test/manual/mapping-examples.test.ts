// The examples of the mapping page: each file goes through its mapping and gives the items that are shown, and no word
// of a mapping is without an example or an explanation.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findResource } from '../../src/core/resources/index.js';
import { readMapping } from '../../src/source/mapping/read-mapping.js';
import {
  expandWords,
  expressionWords,
  readWords,
  sectionWords,
} from '../../src/source/mapping/schema/mapping-schema.js';
import { readMapped } from '../source/mapping/given.js';
import { readPage } from './documentation.js';

const page = readPage('mapping');
const folder = mkdtempSync(join(tmpdir(), 'catalog-import-mapping-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The cells of a row of a table: of one with code the first code, as it is. The page has no bars inside of cells. */
const cells = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => /`([^`]*)`/.exec(cell)?.[1] ?? cell.trim());

describe('the mapping page', () => {
  const examples = page.blocks.flatMap((yaml, i) => {
    const [before, after] = [page.blocks[i - 1], page.blocks[i + 1]];
    return yaml.language === 'yaml' && before?.language === 'csv' && after?.language === 'json'
      ? [{ line: yaml.line, feed: before.text, map: yaml.text, items: JSON.parse(after.text) as unknown }]
      : [];
  });

  it('has a file before and items after each mapping', () => {
    expect(examples.length).toBeGreaterThan(5);
    expect(examples).toHaveLength(page.blocks.filter(({ language }) => language === 'yaml').length);
  });

  it.each(examples)('the mapping on line $line gives the items shown', async ({ feed, map, items }) => {
    const file = join(folder, 'map.yaml');
    writeFileSync(file, map);
    const resource = findResource(readMapping(file).import[0]?.to ?? '');
    if (resource === undefined) throw new Error('the example names no resource');
    const outcome = await readMapped(map, `${feed}\n`, { fields: resource.fields });
    expect(outcome.problems).toEqual([]);
    expect(outcome.failure).toBeUndefined();
    expect(outcome.items).toEqual(items);
  });

  const rows = page.text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cells)
    .filter(([, example = '']) => /^(?:A|\{.*\})$/.test(example))
    .map(([word = '', example = '', a = '', ...rest]) => ({
      word,
      example,
      a,
      b: rest.at(-2) ?? '',
      result: rest.at(-1),
    }));

  it.each(rows)('$word: $example', async ({ example, a, b, result }) => {
    const quoted = [a, b].map((text) => `"${text.replaceAll('"', '""')}"`);
    const map = `fields: { sku: K, description: ${example} }`;
    const { items, problems } = await readMapped(map, `K,A,B\nk,${quoted.join(',')}\n`);
    expect(problems).toEqual([]);
    expect(items).toEqual([{ sku: 'k', description: result }]);
  });

  it('has an example or an explanation of each word', () => {
    expect(rows.length).toBeGreaterThan(30);
    const words = [expressionWords, expandWords, sectionWords, readWords].flatMap((known) => Object.keys(known));
    expect(words.filter((word) => !new RegExp(`\`${word}\\b`).test(page.text))).toEqual([]);
  });
});
