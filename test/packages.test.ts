// What npm installs: a lock file that is whole, so that `npm ci` works on every platform, and that fits package.json. And what
// continuous integration runs there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { iso6393 } from 'iso-639-3';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly integrity?: string;
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Locked>> };

/** Where Node would look for a package that one at `path` names: beside it, then further up. */
function resolved(path: string, name: string): Locked | undefined {
  for (let at = path; ; at = at.slice(0, Math.max(at.lastIndexOf('/'), 0))) {
    const found = packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`];
    if (found !== undefined || at === '') return found;
  }
}

/** Whether a range of versions, as packages write it, accepts the oldest Node of this program. */
function acceptsNode20(range: string): boolean {
  return range.split('||').some((part) => {
    if (part.trim() === '*') return true;
    const [, sign = '', major = '0', minor = '0'] = /^\s*([\^>=~<]*)\s*v?(\d+)(?:\.(\d+))?/.exec(part) ?? [];
    if (sign.startsWith('<')) return Number(major) > 20;
    if (Number(major) === 20) return Number(minor) <= 19;
    return sign.startsWith('>') && Number(major) < 20;
  });
}

it('what is installed has the examples that README and manual name', () => {
  const { files } = read('package.json') as { files: readonly string[] };
  const pages = readdirSync(join(root, 'src/manual')).filter((name) => name.endsWith('.md'));
  const texts = ['README.md', ...pages.map((name) => `src/manual/${name}`)].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  );
  const named = new Set(texts.join('\n').match(/fixtures\/(?!cases|README)[a-z-]+/g));
  expect(named.size).toBeGreaterThan(4);
  expect([...named].filter((name) => !files.includes(name))).toEqual([]);
});

describe('the lock file', () => {
  it('holds every package that another one names, those of other platforms too', () => {
    const missing: string[] = [];
    let optional = 0;
    for (const [path, { dependencies, optionalDependencies }] of Object.entries(packages)) {
      for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
        if (resolved(path, name) === undefined) missing.push(`${name}, which ${path} names`);
      }
      optional += Object.keys(optionalDependencies ?? {}).length;
    }
    expect(missing, 'make it anew: rm package-lock.json && npm install').toEqual([]);
    expect(optional).toBeGreaterThan(50);
  });

  it('has version and integrity of each package, but no host', () => {
    const own = (path: string): boolean => !path.startsWith('node_modules/');
    for (const [path, locked] of Object.entries(packages)) {
      const local = /^(file:)?src\/[\w./-]+$/;
      if (locked.resolved !== undefined)
        expect(locked.resolved, `${path}: npm install --omit-lockfile-registry-resolved`).toMatch(local);
      if (own(path) || locked.link || locked.inBundle) continue;
      expect(locked.version, path).toMatch(/^\d+\.\d+\.\d+/);
      expect(locked.integrity, path).toMatch(/^sha512-/);
    }
  });

  it('is that of package.json', () => {
    const { dependencies, devDependencies, optionalDependencies } = read('package.json') as Record<string, unknown>;
    expect(packages['']).toMatchObject({ devDependencies, optionalDependencies });
    // Everything else is part of the packed program (src/build.mjs).
    expect(dependencies).toBeUndefined();
    expect(Object.keys(Object(optionalDependencies))).toEqual(['better-sqlite3', 'pg']);
  });

  it('has the better-sqlite3 of each Node: 13 for 22 and later, and 12.11.1 only where Node is older', () => {
    expect(packages['node_modules/better-sqlite3']?.version).toMatch(/^13\./);
    expect(packages['node_modules/better-sqlite3']?.engines?.node).toBe('>=22');
    expect(packages['node_modules/better-sqlite3-12']?.version).toBe('12.11.1');
    expect(packages['node_modules/sqlite-driver-for-node-20']?.engines?.node).toBe('<22');
    const namers = Object.entries(packages).filter(([, { dependencies, optionalDependencies }]) =>
      Object.hasOwn({ ...dependencies, ...optionalDependencies }, 'better-sqlite3-12'),
    );
    expect(namers.map(([path]) => path)).toEqual(['node_modules/sqlite-driver-for-node-20']);
  });

  it('brings nothing but that driver which Node 20 cannot run', () => {
    const { overrides } = read('package.json') as { overrides?: unknown };
    // Who installs the packed program gets what the ranges say: overrides are those of the folder it is installed into.
    expect(overrides).toBeUndefined();
    const tooNew = Object.entries(packages)
      .filter(([, { dev }]) => dev !== true)
      .filter(([, { engines }]) => engines?.node !== undefined && !acceptsNode20(engines.node))
      .map(([path]) => path);
    expect(tooNew).toEqual(['node_modules/better-sqlite3']);
  });

  it('the packed driver for Node 20 is the folder beside it (npm pack ./src/store/drivers/node-20)', () => {
    const tar = gunzipSync(readFileSync(join(root, 'src/store/drivers/node-20.tgz'))).toString();
    expect(tar).toContain(readFileSync(join(root, 'src/store/drivers/node-20/package.json'), 'utf8'));
  });

  it('has the licence of each package that the program is bundled with', () => {
    const licences = readFileSync(join(root, 'dist/LICENCES.txt'), 'utf8');
    for (const name of ['commander', 'csv-parse', 'fastify', 'undici', 'zod']) {
      const { version } = packages[`node_modules/${name}`] as Locked;
      expect(licences).toMatch(new RegExp(`^${name} ${version} \\(MIT\\)\n\n.*Copyright`, 'ms'));
    }
    for (const part of licences.split(`\n${'-'.repeat(80)}\n`))
      expect(part).toMatch(/^\S+ \d\S* \(.+?\)\n\n(By \w.+, as its package.json says|[\s\S]{400})/m);
  });

  it('of the list of languages the program has the codes, not the names', () => {
    const codes = iso6393.map(({ iso6393: code }) => code).join(' ');
    const built = readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.js'));
    const texts = built.map((name) => readFileSync(join(root, 'dist', name), 'utf8'));
    expect(texts.filter((text) => text.includes(`"${codes}"`)).length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.includes('Ghotuo'))).toEqual([]);
  });

  it('an installed package runs no script of its own: npm would warn of one', () => {
    const { scripts } = read('package.json') as { scripts: Record<string, string> };
    expect(scripts).toHaveProperty('prepack');
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(scripts).not.toHaveProperty(script);
  });
});

describe('continuous integration', () => {
  interface Workflow {
    readonly jobs: {
      readonly test: {
        readonly strategy: {
          readonly matrix: { readonly system: readonly string[]; readonly node: readonly string[] };
        };
        readonly steps: readonly { readonly run?: string }[];
      };
    };
  }
  const { scripts, engines } = read('package.json') as {
    scripts: Record<string, string>;
    engines: { readonly node: string };
  };
  const { test } = (parse(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')) as Workflow).jobs;

  it('has every system, the oldest Node of each line and the newest, and runs scripts that exist', () => {
    const { system, node } = test.strategy.matrix;
    expect(system).toEqual(['ubuntu-latest', 'windows-latest', 'macos-latest']);
    const oldest = [...engines.node.matchAll(/(\d+(?:\.[1-9]\d*)?)(?:\.0)+/g)].map(([, version]) => version);
    expect(node).toEqual([...oldest, 'latest']);
    const named = test.steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('the release and the action for feeds run what exists, each of their steps at a version of its action', () => {
    interface Step {
      readonly uses?: string;
      readonly run?: string;
    }
    const yaml = (name: string): unknown => parse(readFileSync(join(root, '.github', name), 'utf8'));
    const { jobs } = yaml('workflows/release.yml') as { jobs: Record<string, { steps: Step[]; needs?: unknown }> };
    const action = yaml('actions/check-feed/action.yml') as {
      inputs: Record<string, unknown>;
      runs: { steps: Step[] };
    };
    const steps = [...Object.values(jobs).flatMap((job) => job.steps), ...action.runs.steps];
    for (const { uses, run } of steps) expect(uses ?? run).toMatch(uses === undefined ? /\S/ : /^[\w-]+\/[\w-]+@v\d+$/);
    const named = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name));
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    expect(named).toContain('types');
    for (const { needs = [] } of Object.values(jobs))
      for (const job of [needs].flat()) expect(Object.keys(jobs)).toContain(job);
    const text = readFileSync(join(root, '.github/actions/check-feed/action.yml'), 'utf8');
    const inputs = [...text.matchAll(/inputs\.([a-z]+)/g)].map(([, name = '']) => name);
    expect([...new Set(inputs)].sort()).toEqual(Object.keys(action.inputs).sort());
  });

  it('the address of the project is one in package.json', () => {
    const { homepage, repository, bugs } = read('package.json') as {
      homepage: string;
      repository: { url: string };
      bugs: { url: string };
    };
    const [, address = ''] = /^git\+(https:\/\/.*)\.git$/.exec(repository.url) ?? [];
    expect([homepage, bugs.url]).toEqual([`${address}#readme`, `${address}/issues`]);
  });

  it('scripts have no forms that only POSIX shells know: variables before a command, quotes, substitutions, paths as commands', () => {
    const commands = Object.entries(scripts).flatMap(([name, script]) =>
      script.split(' && ').map((command) => [name, command] as const),
    );
    const onlyPosix = /^\w+=|['`$;|]|^(?:\.{0,2}\/|\w+\/|rm |cp |mv |mkdir )/;
    expect(commands.filter(([, command]) => onlyPosix.test(command))).toEqual([]);
  });
});
