// One vocabulary: every word that is printed for a resource is understood wherever a resource is named.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resourceByWord } from '../../src/cli/resource-argument.js';
import { resources, shopResources } from '../../src/core/resources/index.js';
import { readPage } from '../manual/documentation.js';
import { folder, typed, typedHere } from './typed.js';

/** The words for a resource: its command, the interface's name, its title, and their other forms. */
const wordsOf = ({ name, command, title, words }: (typeof resources)[number]): string[] => [
  ...new Set([name, command, title, ...words, name.toUpperCase(), name.replaceAll('_', '-'), `${name}s`]),
];
const cases = resources.flatMap((resource) => wordsOf(resource).map((word) => [word, resource] as const));
/** `categorys` is no word. */
const understood = cases.filter(([word]) => word !== 'categorys');

describe('a resource by any of its words', () => {
  it.each(understood.map(([word, resource]) => [word, resource.command] as const))('%s is %s', (word, command) => {
    expect(resourceByWord(word, resources)?.command).toBe(command);
  });

  it('is understood by schema, template and keys, and by the help of its command', async () => {
    for (const { name, command, words, title } of resources) {
      const schema = async (word: string) => JSON.parse((await typedHere(['schema', word])).stdout).title;
      for (const word of [name, command, ...words]) expect(await schema(word)).toBe(title);
      const db = join(folder(), 'c.db');
      for (const word of [name, command]) {
        const args = ['keys', 'create', '--name', 'a', '--scope', `${word}:read`, '--db', db, '--output', 'json'];
        expect(JSON.parse((await typedHere(args)).stdout).scopes, word).toEqual([`${name}:read`]);
        expect((await typedHere(['help', word])).stdout, word).toContain(`Usage: catalog-import ${command}`);
      }
    }
  });

  it('is a file of `run`, and what `to` of a mapping names', async () => {
    const cwd = folder({ 'feed.csv': 'n\nColour of doors\n' });
    for (const word of ['attribute', 'characteristics', 'Attributes']) {
      writeFileSync(join(cwd, 'map.yaml'), `import:\n  - to: ${word}\n    fields: {name: n}\n`);
      const { code, stdout } = await typed(cwd, [
        'run',
        'feed.csv',
        '--map',
        'map.yaml',
        '--output',
        'ndjson',
        '--dry-run',
      ]);
      expect([word, code, stdout.includes('"resource":"attribute"')]).toEqual([word, 0, true]);
    }
    const files = folder({ '1-attributes.csv': 'name\nSize\n', '2_product_group.csv': 'name\nPhones\n' });
    expect((await typed(files, ['run', '.', '--dry-run'])).stdout).toMatch(/all +2 +0 +0 +0 +2/);
  });

  it('of the shop, too: shared attributes are shared characteristics', () => {
    for (const word of ['characteristics', 'attribute', 'shared-attributes', 'shared_characteristics'])
      expect(resourceByWord(word, shopResources)?.command).toBe('shared-characteristics');
  });

  it('stands in the glossary of the manual', () => {
    const { text } = readPage('concepts');
    for (const { name, command } of resources) expect(text).toContain(`| \`${command}\` | \`${name}\` |`);
    for (const word of ['attribute', 'characteristic', 'group', 'review', 'feed', 'run'])
      expect(text, word).toMatch(new RegExp(`^\\| ${word} \\| `, 'm'));
  });
});
