// The man pages: one for the program and one for each command, shipped with the package, and rendered without a complaint.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/command-list.js';
import { manPages } from '../../src/cli/manual/build-artifacts.js';
import { spawnSync } from '../child.js';
import { root } from './documentation.js';

const pages = await manPages(process);
const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

describe('man pages', () => {
  it('are of the program and of every command, and the package names them all', () => {
    const names = ['catalog-import.1', ...commands.map(({ words: [name] }) => `catalog-import-${name}.1`)];
    expect([...pages.keys()].sort()).toEqual(names.sort());
    const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { man: string[] };
    expect(man, 'name the pages of new commands under "man" in package.json').toEqual(
      names.map((name) => `./dist/man/${name}`),
    );
  });

  it('hold no line that roff would misread as a request, and only ASCII', () => {
    const macros = /^\.(?:TH|SH|SS|TP|PP|B|BR|nh|ad) ?|^\.PP$/;
    for (const [name, text] of pages) {
      expect(text, name).toMatch(/^[\n -~]*$/);
      for (const line of text.split('\n')) {
        if (/^[.']/.test(line)) expect(line, name).toMatch(macros);
        expect(line, name).not.toMatch(/\\(?![-e&[])/);
      }
    }
  });

  it('document every option of every command', async () => {
    const text = pages.get('catalog-import-products.1') ?? '';
    expect(text).toContain('.B \\-\\-write\\-missing\\-values <file>');
    expect(text).toContain('.SH "FEED"');
    expect(text).toContain('.SH EXAMPLES');
    expect(pages.get('catalog-import-keys.1')).toContain('.SH "CATALOG\\-IMPORT KEYS CREATE"');
    expect(pages.get('catalog-import.1')).toContain('CATALOG_DB');
  });

  it.runIf(has('groff'))('are rendered by groff without a warning (skipped where there is none)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'catalog-import-man-'));
    for (const [name, text] of pages) writeFileSync(join(folder, name), text);
    const args = ['-man', '-Tutf8', '-ww', '-z', ...pages.keys()];
    const { status, stdout, stderr } = spawnSync('groff', args, { cwd: folder, encoding: 'utf8' });
    expect([status, stderr, stdout]).toEqual([0, '', '']);
  });

  it.runIf(has('man'))('are shown by man (skipped where there is none)', () => {
    const file = join(tmpdir(), 'catalog-import-serve.1');
    writeFileSync(file, pages.get('catalog-import-serve.1') ?? '');
    const env = { ...process.env, MANWIDTH: '80', MAN_KEEP_FORMATTING: '', PAGER: 'cat' };
    const { status, stdout } = spawnSync('man', ['-l', file], { env, encoding: 'utf8' });
    expect(status).toBe(0);
    // Bold is a letter, a backspace and the letter again.
    const text = stdout.replaceAll(new RegExp(`.${String.fromCharCode(8)}`, 'g'), '');
    expect(text).toMatch(/NAME\s+catalog-import-serve [-−‐] serve the catalog over HTTP/);
    expect(text).toContain('--metrics-port <n>');
  });
});
