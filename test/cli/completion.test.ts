// What a shell completes: asked of the program, and seen in each shell that is here.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execFileSync, spawnSync } from '../child.js';
import { program } from './started.js';
import { folder, typedHere } from './typed.js';

async function completed(...words: string[]): Promise<string[]> {
  const { stdout } = await typedHere(['completion', 'complete', '--', ...words]);
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

describe('the candidates for the next word', () => {
  it.each([
    [['pro'], ['products']],
    [['products', '--report-'], ['--report-file']],
    [
      ['products', 'a.csv', '--output', ''],
      ['table', 'json', 'ndjson'],
    ],
    [['products', ''], [':file']],
    [['products', '--map', 'fe'], [':file']],
    [['products', 'a.csv', ''], [':file']],
    [['shop', 'load', 'cust'], ['customers']],
    [['explain', 'field_dec'], ['field_decimals']],
    [['get', 'prod'], ['products']],
    [['get', 'attr'], ['attribute']],
    [['schema', 'product_g'], ['product_group']],
    [['why', 'product-r'], ['product-review']],
    [['completion', 'po'], ['powershell']],
    [['help', 'mapp'], ['mapping']],
    [
      ['list', 'products', '--status', ''],
      ['draft', 'activated', 'suspended', 'deleted'],
    ],
    [['list', 'reviews', '--where', 'ra'], ['rating=']],
    [
      ['list', 'products', '--where', 'status='],
      ['status=draft', 'status=activated', 'status=suspended', 'status=deleted'],
    ],
    [['list', 'products', '--where', 'sku='], []],
    [['list', '--status', ''], []],
    [
      ['keys', 'create', '--scope', 'product:'],
      ['product:read', 'product:write'],
    ],
    [['keys', 'create', '--scope', 'product:read,attribute:w'], ['product:read,attribute:write']],
    [['nothing', ''], []],
  ])('after %j is %j', async (words, found) => {
    expect(await completed(...words)).toEqual(found);
  });
});

/** A folder with the program by its name, the script of a shell, and two files. */
function place(shell: string): { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly script: string } {
  const cwd = folder({ 'feed one.csv': 'sku\n', 'feed-two.csv': 'sku\n' });
  const bin = join(cwd, 'catalog-import');
  writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(bin, 0o755);
  const script = join(cwd, `script.${shell}`);
  writeFileSync(script, execFileSync(bin, ['completion', shell]));
  return { cwd, script, env: { ...process.env, PATH: `${cwd}:${process.env['PATH']}` } };
}

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** What a shell prints of a script of its own. */
function run(shell: string, args: readonly string[], at: ReturnType<typeof place>): string[] {
  return execFileSync(shell, args, { cwd: at.cwd, env: at.env, encoding: 'utf8' }).split('\n').filter(Boolean);
}

describe('in a real shell', () => {
  it.runIf(has('bash'))('bash completes options, values and files (skipped where there is no bash)', () => {
    const at = place('bash');
    const ask = (words: string) =>
      run(
        'bash',
        [
          '-c',
          `source '${at.script}'; COMP_WORDS=(catalog-import ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _catalog_import; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ],
        at,
      );
    expect(ask('products --report-')).toEqual(['--report-file']);
    expect(ask('products --output j')).toEqual(['json']);
    // As bash splits status=d and product:read,attribute:
    expect(ask('list products --where status = d')).toEqual(['draft', 'deleted']);
    expect(ask('keys create --scope product : read,attribute :')).toEqual(['read', 'write']);
    expect(ask('products feed').sort()).toEqual(['feed one.csv', 'feed-two.csv']);
  });

  it.runIf(has('zsh'))('zsh completes options and values with their words (skipped where there is no zsh)', () => {
    const at = place('zsh');
    const ask = (words: string) =>
      run(
        'zsh',
        [
          '-fc',
          `compdef() { : }; _files() { print -r FILES }; _describe() { print -rl -- "\${(@P)2}" }; source '${at.script}'; words=(catalog-import ${words}); CURRENT=$#words; _catalog_import`,
        ],
        at,
      );
    expect(ask('products --report-')[0]).toMatch(/^--report-file:write a report/);
    expect(ask("products ''")).toEqual(['FILES']);
  });

  it.runIf(has('fish'))('fish completes commands, options and files (skipped where there is no fish)', () => {
    const at = place('fish');
    const ask = (line: string) => run('fish', ['--no-config', '-c', `source '${at.script}'; complete -C'${line}'`], at);
    expect(ask('catalog-import pro')[0]).toMatch(/^products\timport products/);
    expect(ask('catalog-import products --output j')[0]).toMatch(/^json/);
    expect(ask('catalog-import products feed-')[0]).toMatch(/^feed-two\.csv/);
  });

  // There is no PowerShell to run it. What it rests on is documented: a native completer gets the word, the command and the
  // cursor; it is not asked for a .ps1 that exists; where it gives nothing, PowerShell completes paths.
  it('PowerShell gets an argument completer', async () => {
    const { stdout } = await typedHere(['completion', 'powershell']);
    const script = stdout.replace(/^#.*\n/gm, '');
    expect(script.split('\n').slice(0, 5)).toEqual([
      "if ((Get-Command catalog-import -ErrorAction SilentlyContinue).CommandType -eq 'ExternalScript') {",
      '  Set-Alias -Name catalog-import -Value catalog-import.cmd -Scope Global',
      '}',
      'Register-ArgumentCompleter -Native -CommandName catalog-import, catalog-import.cmd -ScriptBlock {',
      '  param($wordToComplete, $commandAst, $cursorPosition)',
    ]);
    expect(script).toContain('catalog-import completion complete -- @words 2>$null');
    expect(script).toContain("if ($found.Count -eq 0) { return '' }");
    expect(script).toContain("Where-Object { $_ -ne ':file' }");
    expect(script).toContain('$_ -split "`t", 2');
    const bare = script.replace(/'[^']*'|"(?:`.|[^"`])*"|#.*/g, '');
    for (const [open, close] of ['{}', '()', '[]'] as const)
      expect([...bare].filter((sign) => sign === open)).toHaveLength([...bare].filter((sign) => sign === close).length);
    expect(bare).not.toMatch(/["'`]/);
    // It sends an empty word as two quotation marks, which Windows PowerShell makes an empty argument.
    expect(await completed('products', '""')).toEqual(await completed('products', ''));
  });
});
