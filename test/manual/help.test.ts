// `help` shows the manual: a list of its pages, and each page, as Markdown or as plain text.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { manualPages } from '../../src/cli/manual/manual-pages.js';
import { plainText } from '../../src/cli/manual/plain-text.js';
import { spawnSync } from '../child.js';
import { pageNames, readPage, root } from './documentation.js';
import { typedHere } from './in-process.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-import-help-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('help', () => {
  it('lists every command and every page of the manual', async () => {
    const { code, stdout } = await typedHere(['help']);
    expect(code).toBe(0);
    expect(stdout).toContain('  products ');
    expect(manualPages.map(({ name }) => name).sort()).toEqual(pageNames);
    for (const { name, summary } of manualPages) expect(stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
    expect((await typedHere(['--help'])).stdout).toBe(stdout);
  });

  it.each(pageNames)('%s is the page as it is written where stdout is not a terminal', async (name) => {
    expect(await typedHere(['help', name])).toEqual({ code: 0, stdout: readPage(name).text, stderr: '' });
  });

  it('shows the help of a command, of a subcommand, and by another word for it', async () => {
    expect((await typedHere(['help', 'get'])).stdout).toBe((await typedHere(['get', '--help'])).stdout);
    expect((await typedHere(['help', 'keys', 'create'])).stdout).toContain('Usage: catalog-import keys create');
    expect((await typedHere(['help', 'product'])).stdout).toContain('Usage: catalog-import products');
  });

  it('refuses an unknown word with 2 and the nearest match', async () => {
    const { code, stdout, stderr } = await typedHere(['help', 'mappng']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('"mappng" is not a command or a page of the manual. Did you mean "mapping"?');
  });

  it('the built program finds its pages', () => {
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'bin/catalog-import.js'), 'help', 'codes'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, readPage('codes').text]);
  });
});

describe('a page on a terminal', () => {
  it('is plain text, handed to the pager', async () => {
    const file = join(folder, 'paged.txt');
    const { code, stdout } = await typedHere(['help', 'exit-codes'], {
      columns: 72,
      env: { ...process.env, PAGER: `cat > '${file}'` },
    });
    expect([code, stdout]).toEqual([0, '']);
    expect(readFileSync(file, 'utf8')).toBe(plainText(readPage('exit-codes').text, 72));
  });

  // The shell of Windows ends with 1 where there is no such command.
  it.each(['', 'no-such-pager-anywhere', 'exit 1'])('is printed where there is no pager: PAGER=%j', async (PAGER) => {
    const { stdout } = await typedHere(['help', 'codes'], { columns: 80, env: { ...process.env, PAGER } });
    expect(stdout).toBe(plainText(readPage('codes').text, 80));
  });

  it('is printed with --no-pager', async () => {
    const PAGER = `cat > '${join(folder, 'not-paged.txt')}'`;
    const { stdout } = await typedHere(['help', 'codes', '--no-pager'], {
      columns: 80,
      env: { ...process.env, PAGER },
    });
    expect(stdout).toBe(plainText(readPage('codes').text, 80));
    expect(existsSync(join(folder, 'not-paged.txt'))).toBe(false);
  });

  it.each(pageNames)('%s has no marks of Markdown outside of code, and fits its width', (name) => {
    const text = plainText(readPage(name).text, 80);
    const lines = text.split('\n').filter((line) => !line.startsWith('    '));
    expect(lines.filter((line) => /^#+ |\*\*|\]\(/.test(line))).toEqual([]);
    // A word that is longer than its column cannot be broken.
    expect(lines.filter((line) => line.length > 80 && / {2}\S.* /.test(line))).toEqual([]);
  });

  it('keeps every word of a page', () => {
    const page =
      '# Title\n\nSome *words* and `code|bar`, [a link](x.md).\n\n- one\n- two\n\n| a | b |\n|---|---|\n| `x\\|y` | long text here |\n\n```sh\nls  -l\n```\n';
    expect(plainText(page, 30)).toBe(
      'Title\n=====\n\nSome words and code|bar, a\nlink.\n\n- one\n- two\n\na    b\n---  --------------\nx|y  long text here\n\n    ls  -l\n',
    );
  });
});
