// The examples of the mapping page: each file goes through its mapping and gives the items that are shown, and no word
// of a mapping is without an example or an explanation.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findResource } from '../../src/core/resources/index.js';
import { readMapping } from '../../src/source/mapping/read-mapping.js';
import { mappingFault } from '../../src/source/mapping/schema/mapping-schema.js';
import { type Check, wordSets } from '../../src/source/mapping/schema/schema-checks.js';
import { zipOf } from '../source/given-zip.js';
import { readMapped } from '../source/mapping/given.js';
import { readPage } from './documentation.js';

const page = readPage('mapping');
const folder = mkdtempSync(join(tmpdir(), 'catalog-import-mapping-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The languages of blocks that are read through the mapping behind them. */
const feeds: ReadonlySet<string> = new Set(['csv', 'json', 'xml']);

/** The cells of a row of a table: of one with code the first code, as it is. The page has no bars inside of cells. */
const cells = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => /`([^`]*)`/.exec(cell)?.[1] ?? cell.trim());

describe('the mapping page', () => {
  const examples = page.blocks.flatMap((yaml, i) => {
    const [before, after] = [page.blocks[i - 1], page.blocks[i + 1]];
    return yaml.language === 'yaml' && feeds.has(before?.language ?? '') && after?.language === 'json'
      ? [
          {
            line: yaml.line,
            format: before?.language ?? '',
            packed: before?.info ?? '',
            feed: before?.text ?? '',
            map: yaml.text,
            items: JSON.parse(after.text) as unknown,
          },
        ]
      : [];
  });

  it('has a file before and items after each mapping', () => {
    expect(examples.length).toBeGreaterThan(5);
    expect(examples).toHaveLength(page.blocks.filter(({ language }) => language === 'yaml').length);
  });

  it.each(examples)('the mapping on line $line gives the items shown', async ({ format, packed, feed, map, items }) => {
    const file = join(folder, 'map.yaml');
    writeFileSync(file, map);
    const resource = findResource(readMapping(file).import[0]?.to ?? '');
    if (resource === undefined) throw new Error('the example names no resource');
    const [, entry, archive] = /^(\S+) in (\S+)$/.exec(packed) ?? [];
    const content = entry === undefined ? `${feed}\n` : zipOf({ 'other.csv': 'a,b\n1,2\n', [entry]: feed });
    const outcome = await readMapped(map, content, { name: archive ?? `feed.${format}`, fields: resource.fields });
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
    // `from` is only for the currency.
    const field = example.includes('from:') ? 'currency' : 'description';
    const map = `fields: { sku: K, ${field}: ${example} }`;
    const { items, problems } = await readMapped(map, `K,A,B\nk,${quoted.join(',')}\n`);
    expect(problems).toEqual([]);
    expect(items).toEqual([{ sku: 'k', [field]: result }]);
  });

  it('has an example of each word of the schema, and each is run', () => {
    expect(rows.length).toBeGreaterThan(30);
    const typed = page.blocks.flatMap(({ language, text }) =>
      language === 'sh' ? [...text.matchAll(/ > \S+\.yaml <<'END'\n(.*?)\nEND$/gms)].map(([, map = '']) => map) : [],
    );
    const maps = [
      ...examples.map(({ map }) => map),
      ...rows.map(({ example }) => `to: products\nfields: { sku: ${example} }`),
      ...typed,
    ];
    expect(wordsWithout(maps)).toEqual([]);
  });
});

/** The words of the schema that none of these mappings has. A word is one where it has the same meaning in several places. */
function wordsWithout(maps: readonly string[]): string[] {
  const unseen = new Map<Check, Set<string>>();
  const asTheyWere = wordSets.map((known) => [known, { ...known }] as const);
  for (const known of wordSets)
    for (const [word, check] of Object.entries(known)) {
      unseen.set(check, (unseen.get(check) ?? new Set()).add(word));
      const watched: Check = (value, path) => {
        unseen.get(check)?.delete(word);
        return check(value, path);
      };
      known[word] = watched;
    }
  try {
    expect(maps.map((map) => [map, mappingFault(parse(map))])).toEqual(maps.map((map) => [map, undefined]));
  } finally {
    // Later files of this worker check mappings, too.
    for (const [known, checks] of asTheyWere) Object.assign(known, checks);
  }
  return [...unseen.values()].flatMap((words) => [...words]);
}
