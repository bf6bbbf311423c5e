// The pages as a whole: what is linked is there, what must be said is said.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes, failureExitCodes } from '../../src/cli/exit-codes.js';
import { manualPages } from '../../src/cli/manual/manual-pages.js';
import { pageNames, readPage, root } from './documentation.js';

const all = ['README', 'CONTRIBUTING', 'SECURITY', ...pageNames].map(readPage);

describe('the manual', () => {
  it('is listed in the README as help lists it', () => {
    const rows = manualPages.map(({ name, summary }) => `| [${name}](src/manual/${name}.md) | ${summary} |`);
    expect(readPage('README').text).toContain(rows.join('\n'));
  });

  it.each(all)(
    '$name: each block names its language, so that none is left unchecked by mistake',
    ({ name, blocks }) => {
      const known = ['sh', 'output', 'text', 'yaml', 'csv', 'json', 'xml', 'crontab', 'ini', 'logrotate'];
      // Run by test/library.
      if (name === 'library') known.push('js');
      expect(blocks.filter(({ language }) => !known.includes(language)).map(({ line }) => `line ${line}`)).toEqual([]);
    },
  );

  it.each(all)('$name: each link leads to a file, and to a heading of it', ({ text, path }) => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const dead = links.filter(([, file = '', heading]) => {
      const target = file === '' ? path : join(dirname(path), file);
      if (file.endsWith('/')) return false;
      try {
        return heading !== undefined && !headings(readFileSync(target, 'utf8')).includes(heading);
      } catch {
        return true;
      }
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });

  it('answers each question in two sentences and with a command', () => {
    const [, ...answers] = readPage('faq').text.split(/^## /m);
    const shapes = answers.map((answer) => {
      const [question = '', ...lines] = answer.split('\n');
      const [words = '', ...blocks] = lines.join('\n').split('```sh\n');
      const plain = words.replace(/`[^`]*`|\]\([^)]*\)/g, '');
      return { question, sentences: plain.match(/\.(?=\s)/g)?.length, commands: blocks.length };
    });
    expect(shapes.length).toBeGreaterThan(10);
    expect(shapes).toEqual(shapes.map(({ question }) => ({ question, sentences: 2, commands: 1 })));
  });

  it('names every exit code', () => {
    const { text } = readPage('exit-codes');
    const codes = new Set([...Object.values(exitCodes), ...Object.values(failureExitCodes)]);
    expect([...codes].filter((code) => !new RegExp(`^\\|[^|]*\\b${code}\\b`, 'm').test(text))).toEqual([]);
  });
});

describe('the README', () => {
  it('begins with the two commands that install and test', () => {
    const { text } = readPage('README');
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(text).toContain('npm install && npx catalog-import run fixtures/demo\n');
    expect(text).toContain('```sh\nnpm test\n```');
    const ownLines = text.split('\n').filter((line) => !line.startsWith('| ['));
    expect(ownLines.length).toBeLessThan(150);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['build', 'test', 'check', 'bench', 'proof:long']));
  });
});

describe('the package', () => {
  it('has its metadata, ships the manual, and names every command of the contributing page', () => {
    const { files, keywords, author, license, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(files).toContain('dist');
    expect(existsSync(join(root, 'dist/manual/mapping.md'))).toBe(true);
    expect(keywords.length).toBeGreaterThan(5);
    expect([author, license]).toEqual(['the catalog-import authors', 'MIT']);
    const named = [...readPage('CONTRIBUTING').text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

/** The headings of a page, as a link names them. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}
