// The rules of the architecture: which folder may import which, what core must not use, where each package is used.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

interface Source {
  /** Relative to src: `core/planning/plan-batches.ts`. */
  readonly path: string;
  /** The first folder, or `main`. */
  readonly room: string;
  readonly text: string;
  /** The code without its comments. */
  readonly code: string;
  readonly imports: readonly string[];
}

/** Code without comments; strings and patterns stay, so that `//` in an address is not taken for one. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|(?<=[;{},\s])\/\/ .*$/gm, '');
}

/** What a file imports: static, dynamic and re-exported alike, types included. */
function importsOf(code: string): string[] {
  const found = code.matchAll(/\bfrom\s+'([^']+)'|\bimport\s*\(\s*'([^']+)'\s*\)|(?:^|;\s*)import\s+'([^']+)'/gm);
  return [...found].map(([, from, lazy, bare]) => from ?? lazy ?? bare ?? '');
}

const sources: readonly Source[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .sort()
  .map((path) => {
    const text = readFileSync(join(src, path), 'utf8');
    const code = withoutComments(text);
    return {
      path,
      room: path.includes('/') ? (path.split('/')[0] as string) : 'main',
      text,
      code,
      imports: importsOf(code),
    };
  });

const inRoom = (room: string): readonly Source[] => sources.filter((source) => source.room === room);

/** The file of src that a relative import means. */
function target({ path }: Source, specifier: string): string {
  return relative(src, join(src, dirname(path), specifier)).replace(/\.js$/, '.ts');
}

function roomOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] as string) : 'main';
}

/** `csv-parse/sync` → `csv-parse`, `@scope/name/x` → `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

const isRelative = (specifier: string): boolean => specifier.startsWith('.');
const isPackage = (specifier: string): boolean => !isRelative(specifier) && !specifier.startsWith('node:');

/** What each folder may import besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  source: ['files', 'core'],
  files: ['core'],
  store: ['files', 'core'],
  http: ['files', 'core'],
  // Of these, importing and reporting know the ports only: see below.
  importing: ['source', 'core'],
  reporting: ['importing', 'source', 'files', 'core'],
  cli: ['importing', 'reporting', 'source', 'store', 'http', 'files', 'core'],
  library: ['importing', 'source', 'store', 'core'],
  main: ['cli', 'core'],
};

describe('imports between folders', () => {
  it('src holds these rooms and main, and nothing beside them', () => {
    expect([...new Set(sources.map(({ room }) => room))].sort()).toEqual(Object.keys(mayImport).sort());
    expect(sources.filter(({ room }) => room === 'main').map(({ path }) => path)).toEqual(['main.ts']);
  });

  it('finds the imports that it checks', () => {
    const main = inRoom('main').flatMap(({ imports }) => imports);
    expect(main).toContain('commander');
    expect(main).toContain('./cli/program.js');
    const lazy = sources.find(({ path }) => path === 'cli/options.ts');
    expect(lazy?.imports).toContain('../store/open.js');
  });

  it.each(Object.entries(mayImport))('%s imports itself and [%s] only', (room, others) => {
    const breaches = inRoom(room).flatMap((source) =>
      source.imports
        .filter(isRelative)
        .map((specifier) => target(source, specifier))
        .filter((path) => roomOf(path) !== room && !others.includes(roomOf(path)))
        .map((path) => `src/${source.path} imports src/${path}`),
    );
    const rule =
      others.length === 0 ? `${room} imports only itself` : `${room} may import itself and ${others.join(', ')}`;
    expect(breaches, rule).toEqual([]);
  });

  it('nothing of src is imported from beyond src', () => {
    const breaches = sources.flatMap((source) =>
      source.imports
        .filter(isRelative)
        .filter((specifier) => target(source, specifier).startsWith('..'))
        .map((specifier) => `src/${source.path} imports ${specifier}`),
    );
    expect(breaches, 'src stands on its own').toEqual([]);
  });

  it('no files import each other in a circle, types and what is loaded later included', () => {
    const edges = new Map(
      sources.map((source) => [
        source.path,
        source.imports.filter(isRelative).map((specifier) => target(source, specifier)),
      ]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const walk = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || path.includes(file)) return;
      for (const next of edges.get(file) ?? []) walk(next, [...path, file]);
      done.add(file);
    };
    for (const file of edges.keys()) walk(file, []);
    expect(circles, 'data travels one way: no file imports one that imports it').toEqual([]);
  });
});

/** The files of other rooms that importing and reporting may know: the ports. */
const ports: Readonly<Record<string, readonly string[]>> = {
  importing: ['source/open-source.ts', 'source/source.ts', 'source/record-reader.ts', 'source/column-targets.ts'],
  reporting: [
    'importing/observer.ts',
    'source/open-source.ts',
    'source/source.ts',
    'source/record-reader.ts',
    'source/column-targets.ts',
  ],
};

describe('an import needs no terminal', () => {
  it.each(Object.entries(ports))('%s knows core and [%s] only', (room, known) => {
    const breaches = inRoom(room).flatMap((source) =>
      source.imports
        .filter(isRelative)
        .map((specifier) => target(source, specifier))
        .filter((path) => !['core', 'files', room].includes(roomOf(path)) && !known.includes(path))
        .map((path) => `src/${source.path} imports src/${path}`),
    );
    expect(breaches, `${room} knows core and the ports of other rooms`).toEqual([]);
  });

  it('importing imports no package and no node: module, and knows neither flags nor the process', () => {
    const imports = inRoom('importing').flatMap(({ path, imports: all }) =>
      all.filter((specifier) => !isRelative(specifier)).map((specifier) => `src/${path} imports ${specifier}`),
    );
    const words = inRoom('importing')
      .filter(({ code }) => /\bprocess\b\s*[.[]|\bNodeJS\b|\bflags\b|\bstd(?:in|out|err)\b|\bisTTY\b/.test(code))
      .map(({ path }) => `src/${path}`);
    expect([...imports, ...words], 'a request, a catalog and observers are all that an import is given').toEqual([]);
  });
});

describe('core is pure', () => {
  it('core imports only itself: no node: module, no package', () => {
    const breaches = inRoom('core').flatMap(({ path, imports }) =>
      imports.filter((specifier) => !isRelative(specifier)).map((specifier) => `src/${path} imports ${specifier}`),
    );
    expect(breaches, 'core imports only itself').toEqual([]);
  });

  it.each([
    ['async', /\basync\b(?!')/],
    ['await', /\bawait\b/],
    ['Promise', /\bnew Promise\b|\bPromise\./],
    ['the clock', /\bDate\.now\b|\bnew Date\b|\bperformance\b/],
    ['chance', /\bMath\.random\b|\bcrypto\b/],
    ['the console', /\bconsole\b/],
    ['the process', /\bprocess\b\s*[.[]/],
    ['timers', /\bset(Timeout|Interval|Immediate)\b/],
    ['the network', /\bfetch\(/],
  ])('core knows no %s', (word, pattern) => {
    const breaches = inRoom('core')
      .filter(({ code }) => pattern.test(code))
      .map(({ path }) => `src/${path}`);
    expect(breaches, `core is pure: no I/O, clock, randomness or async, so no ${word}`).toEqual([]);
  });
});

/** Where each package lives: the only file of src that uses it, or the only folder. Types may be named elsewhere. */
const homes: Readonly<Record<string, string>> = {
  'any-ascii': 'store/environment.ts',
  'better-sqlite3': 'store/sqlite/driver.ts',
  // A command defines its own options with it; main builds the program.
  commander: 'cli/',
  'csv-parse': 'source/csv/csv-cutter.ts',
  entities: 'source/',
  fastify: 'http/server/server.ts',
  '@fastify/proxy-addr': 'http/server/admission/client-address.ts',
  htmlparser2: 'source/mapping/',
  'iconv-lite': 'source/bytes/',
  // Only for its version, on which Fastify depends: src/README.md.
  'light-my-request': 'http/server/server.ts',
  jschardet: 'source/bytes/national-encoding.ts',
  saxes: 'source/xml/xml-parser.ts',
  'ipaddr.js': 'http/server/admission/client-address.ts',
  'iso-639-3': 'store/environment.ts',
  marked: 'cli/manual/plain-text.ts',
  ora: 'reporting/progress.ts',
  pino: 'http/server/monitoring/request-log.ts',
  pg: 'store/postgres/connect.ts',
  'prom-client': 'http/server/monitoring/metrics.ts',
  'stream-json': 'source/json/',
  re2js: 'source/mapping/language/safe-pattern.ts',
  'cli-table3': 'reporting/formats/table-report.ts',
  'get-east-asian-width': 'reporting/formats/display-width.ts',
  undici: 'http/client/agent.ts',
  yaml: 'source/',
  yauzl: 'source/bytes/zip-archive.ts',
  zod: 'http/',
};

/** Imports of packages that are more than types. */
function packagesUsed(code: string): string[] {
  return importsOf(code.replace(/\bimport type [^;]*;|\bdeclare module [^{]*/g, ''))
    .filter(isPackage)
    .map(packageOf);
}

describe('every package has one home', () => {
  const { devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<'devDependencies' | 'optionalDependencies', Record<string, string>>;
  // What the program is bundled with counts as needed for development only: an installation brings what is optional.
  const installed = { ...devDependencies, ...optionalDependencies };
  const used = new Set(sources.flatMap(({ code }) => packagesUsed(code)));

  it.each([...used])('%s', (name) => {
    const home = homes[name];
    expect(home, `name the home of ${name} in this test`).toBeDefined();
    const strangers = sources
      .filter(({ code }) => packagesUsed(code).includes(name))
      .map(({ path }) => path)
      .filter((path) => path !== home && !(home?.endsWith('/') && path.startsWith(home)))
      .filter((path) => !(name === 'commander' && path === 'main.ts'))
      // The configuration file is YAML, too, and is read before any source is known.
      .filter((path) => !(name === 'yaml' && path.startsWith('cli/config/')))
      // A mapping file comes from outside, too, and http may not be asked to look at it.
      .filter((path) => !(name === 'zod' && path === 'source/mapping/schema/mapping-schema.ts'));
    expect(strangers, `every package has one home: ${name} lives in src/${home}`).toEqual([]);
  });

  it('src imports no package that is not a dependency', () => {
    const strangers = sources.flatMap(({ path, imports }) =>
      imports
        .filter((specifier) => isPackage(specifier) && !Object.hasOwn(installed, packageOf(specifier)))
        .map((specifier) => `src/${path} imports ${specifier}`),
    );
    expect(strangers).toEqual([]);
  });

  it('a package in the form of CommonJS that is loaded when it is needed is taken by its default: bundled, it has no other name', () => {
    const isCommonJs = (name: string): boolean => {
      const { type, exports } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
      return type !== 'module' && exports === undefined;
    };
    const breaches = sources.flatMap(({ path, code }) =>
      [...code.matchAll(/await import\('([^.'][^']*)'\)(?!\)\.default)/g)]
        .filter(([, name = '']) => isPackage(name) && isCommonJs(packageOf(name)))
        .filter(({ index }) => !/\{ default: [^}]*\} = $/.test(code.slice(0, index)))
        .map(([, name]) => `src/${path} imports ${name}`),
    );
    expect(breaches).toEqual([]);
  });

  it('node: modules are imported by their full name', () => {
    const bare = new Set(['fs', 'path', 'http', 'https', 'crypto', 'os', 'stream', 'zlib', 'util', 'url', 'events']);
    const breaches = sources.flatMap(({ path, imports }) =>
      imports.filter((specifier) => bare.has(packageOf(specifier))).map((specifier) => `src/${path}: ${specifier}`),
    );
    expect(breaches).toEqual([]);
  });
});

it.each(['One product, from file to row', 'One request'])(
  'the walk "%s" takes at most fifteen files, which are there',
  (title) => {
    const readme = readFileSync(join(src, 'README.md'), 'utf8');
    const [, section = ''] = readme.split(`## ${title}\n`);
    const walk = [...(section.split('\n## ')[0] ?? '').matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path]) => path);
    expect(walk.length).toBeGreaterThan(5);
    expect(walk.length).toBeLessThanOrEqual(15);
    expect(walk.filter((path) => !sources.some((source) => source.path === path))).toEqual([]);
  },
);

describe('every file is small and says what it is for', () => {
  it('no file is longer than 300 lines', () => {
    const breaches = sources
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > 300)
      .map(({ path, lines }) => `src/${path} has ${lines} lines`);
    expect(breaches, 'files are up to about 250 lines, and never over 300').toEqual([]);
  });

  it('a file opens with a comment that says what it is for', () => {
    const breaches = sources.filter(({ text }) => !text.startsWith('// ')).map(({ path }) => `src/${path}`);
    expect(breaches, 'a file opens with one to four lines: what it is for, where it stands').toEqual([]);
  });

  it('no type name is declared twice', () => {
    const declarations = sources.flatMap(({ path, code }) =>
      [
        ...code.matchAll(
          /^ *(?:export )?(?:declare )?(?:abstract )?(?:interface|class|enum|type(?= \w+(?:<[^=]*>)? =)) (\w+)/gm,
        ),
      ].map(([, name = '']) => ({ name, path })),
    );
    expect(declarations.length).toBeGreaterThan(300);
    const twice = declarations.filter(({ name, path }) =>
      declarations.some((other) => other.name === name && other.path !== path),
    );
    const breaches = twice.map(({ name, path }) => `${name}: src/${path}`).sort();
    expect(breaches, 'one word, one meaning').toEqual([]);
  });

  it('no file is called utils, helpers, common or types', () => {
    const breaches = sources.filter(({ path }) => /\b(utils?|helpers?|common|types)\b/.test(path));
    expect(breaches.map(({ path }) => path)).toEqual([]);
  });

  it('process.exit is called only at a second signal, and where a write to the log that nobody reads would keep the process', () => {
    const breaches = sources.filter(({ code }) => /\bprocess\.exit\(/.test(code)).map(({ path }) => `src/${path}`);
    expect(breaches, 'process.exitCode, never process.exit: output under way would be lost').toEqual([
      'src/cli/commands/catalog/serve.ts',
      'src/cli/import/interruption.ts',
    ]);
  });

  it('functions fit a screen: the ten longest, to be looked at', () => {
    const longest = sources
      .flatMap(functionsIn)
      .sort((a, b) => b.lines - a.lines)
      .slice(0, 10);
    console.info(
      longest.map(({ lines, name, path }) => `${String(lines).padStart(4)}  ${name}  src/${path}`).join('\n'),
    );
    expect(longest).toHaveLength(10);
    const [tooLong] = sources
      .filter(({ room }) => ['core', 'importing', 'reporting', 'cli'].includes(room))
      .flatMap(functionsIn)
      .sort((a, b) => b.lines - a.lines);
    expect(tooLong?.lines, `src/${tooLong?.path}: ${tooLong?.name}`).toBeLessThanOrEqual(60);
  });
});

/** The functions of a file with their lengths, found by its formatting: one ends at the next brace as far to the left. */
function functionsIn({ path, text }: Source): { path: string; name: string; lines: number }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const [, indent = '', name = ''] =
      /^( *)(?:export )?(?:async )?function\*? (\w+)/.exec(line) ??
      /^( *)(?:export )?const (\w+) = (?:async )?(?:\([^)]*\)|\w+)(?::[^=]+)? => \{$/.exec(line) ??
      [];
    if (name === '') return [];
    const end = lines.findIndex((other, j) => j >= i && other.startsWith(`${indent}}`));
    return [{ path, name, lines: end - i + 1 }];
  });
}
