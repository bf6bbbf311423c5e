import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/command-list.js';
import { resources } from '../../src/core/resources/index.js';
import { spawnSync } from '../child.js';
import { program } from './started.js';
import { folder, products, typed } from './typed.js';

describe('help', () => {
  for (const { words } of commands) {
    it(`of ${words[0]} ends with examples that name it`, async () => {
      const { code, stdout, stderr } = await typed(folder(), [words[0] ?? '', '--help']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(new RegExp(`Examples:\\n[^]*catalog-import ${words[0]} `));
      expect(stdout).not.toMatch(/undefined|default: \[\]/);
    });
  }

  it('lists every command, and is what an empty line gets, with 2', async () => {
    const asked = await typed(folder(), ['--help']);
    expect(asked.code).toBe(0);
    for (const { words, summary } of commands)
      expect(asked.stdout.replace(/\s+/g, ' ')).toContain(`${words[0]} ${summary}`);
    const groups = [...new Set(commands.map(({ group }) => group))];
    expect([...asked.stdout.matchAll(/^[A-Z][a-z ]+:$/gm)].map(([heading]) => heading)).toEqual(
      expect.arrayContaining(groups),
    );
    const empty = await typed(folder(), []);
    expect(empty.code).toBe(2);
    expect(empty.stderr).toContain('Usage: catalog-import');
  });

  it('knows the resources by all their words', () => {
    expect(commands.slice(0, resources.length).map(({ words }) => words)).toEqual(
      resources.map(({ command, words }) => [command, ...words]),
    );
  });

  it('--version is the package’s', async () => {
    expect((await typed(folder(), ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('start-up', () => {
  const hooks = `import { writeSync } from 'node:fs';
    export function load(url, context, next) { writeSync(2, 'loaded ' + url + '\\n'); return next(url, context); }`;
  const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))});`;

  /** The files that a command loads. */
  function modulesOf(cwd: string, args: readonly string[]): string[] {
    const { stderr } = spawnSync(process.execPath, ['--import', dataUrl(register), program, ...args], {
      cwd,
      encoding: 'utf8',
    });
    return [...stderr.matchAll(/^loaded (file:.*)$/gm)].map(([, url]) => url ?? '');
  }

  /** The sources of a built file, from its source map: `src/store/open.ts`. */
  function sourcesOf(file: string): string[] {
    const { sources } = JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')) as { sources: string[] };
    return sources;
  }

  const packageOf = (path: string) => /^.*node_modules\/((?:@[^/]+\/)?[^/\n]+)/.exec(path)?.[1];

  /** What a command loads: our folders, and packages by their name. */
  function loadedBy(cwd: string, args: readonly string[]): string[] {
    const names = modulesOf(cwd, args).flatMap((url) => {
      const paths = url.includes('/dist/') ? sourcesOf(url) : [url];
      return paths.flatMap((path) => packageOf(path) ?? /src\/([^/]+)/.exec(path)?.[1] ?? []);
    });
    return [...new Set(names)].sort();
  }

  it('loads few files: each costs up to half a millisecond, and Node alone takes 50', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    await typed(cwd, ['products', 'feed.csv']);
    expect(modulesOf(cwd, ['get', 'product', '--sku', 'S-0']).length).toBeLessThanOrEqual(9);
    expect(modulesOf(cwd, ['products', 'feed.csv']).length).toBeLessThanOrEqual(36);
    expect(modulesOf(cwd, ['--help']).length).toBeLessThanOrEqual(6);
  });

  it('get loads commander, the catalog and nothing else', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    await typed(cwd, ['products', 'feed.csv']);
    const loaded = loadedBy(cwd, ['get', 'product', '--sku', 'S-0']);
    expect(loaded).toEqual(expect.arrayContaining(['commander', 'core', 'store']));
    for (const heavy of [
      'source',
      'http',
      'zod',
      'ora',
      'csv-parse',
      'stream-json',
      'undici',
      'fastify',
      'cli-table3',
      'any-ascii',
      'iso-639-3',
    ])
      expect(loaded).not.toContain(heavy);
  });

  it('get loads none of what decides about items', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    await typed(cwd, ['products', 'feed.csv']);
    const built = modulesOf(cwd, ['get', 'product', '--sku', 'S-0']).filter((url) => url.includes('/dist/'));
    const sources = built.flatMap(sourcesOf).join(' ');
    expect(sources).toContain('src/store/open.ts');
    expect(sources).not.toMatch(/src\/core\/planning\/(?:plan-batches|item-outcome|validate-batch)\.ts/);
  });

  it('--help loads commander and the list of commands', () => {
    expect(loadedBy(folder(), ['--help'])).toEqual(['cli', 'commander', 'core', 'files', 'main.ts']);
  });

  it('an import that refuses nothing loads no table, and without a terminal no spinner', async () => {
    const loaded = loadedBy(folder({ 'feed.csv': products(1) }), ['products', 'feed.csv']);
    expect(loaded).toContain('source');
    for (const unneeded of ['cli-table3', 'ora', 'zod', 'undici', 'fastify']) expect(loaded).not.toContain(unneeded);
  });
});
