// The configuration file: where it is found, what it may hold, what beats what, and what `config` shows.
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allCommands } from '../../src/cli/command-entry.js';
import { commands } from '../../src/cli/command-list.js';
import { type ConfigSchema, sectionSchema } from '../../src/cli/config/config-schema.js';
import { ownerFault } from '../../src/cli/config/config-text.js';
import { folderOptions } from '../../src/cli/config/folder-options.js';
import { readConfigs } from '../../src/cli/config/read-config.js';
import { shareOptions } from '../../src/importing/guards/guard-list.js';
import { newAjv } from '../ajv.js';
import { lineOf, outcome } from '../child.js';
import { start } from './started.js';
import { folder as emptyFolder, products, typed, typedHere } from './typed.js';

/** A folder with a configuration file. */
function folder(config: string, files: Readonly<Record<string, string>> = {}): string {
  return emptyFolder({ 'catalog-import.yaml': config, 'feed.csv': products(2), ...files });
}

/** Runs a command in this process with a configuration file of the user: the working folder is that of the tests. */
function withUserConfig(config: string | Buffer, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const home = emptyFolder();
  mkdirSync(join(home, 'catalog-import'));
  writeFileSync(join(home, 'catalog-import/config.yaml'), config);
  return typedHere(args, { XDG_CONFIG_HOME: home, ...env });
}

interface Row {
  readonly option: string;
  readonly command?: string;
  readonly value: unknown;
  readonly from: string;
  readonly section?: string;
  readonly line?: number;
  readonly counts: boolean;
  readonly beaten_by?: string;
}

/** What `config --output json` lists. */
async function rows(config: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<readonly Row[]> {
  const { code, stdout, stderr } = await withUserConfig(config, ['config', ...args, '--output', 'json'], env);
  expect([code, stderr]).toEqual([0, '']);
  return (JSON.parse(stdout) as { options: Row[] }).options;
}

/** The options that count, with their values. */
async function counting(config: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const all = await rows(config, args, env);
  return Object.fromEntries(all.filter(({ counts }) => counts).map(({ option, value }) => [option, value]));
}

it('says that every command refuses two targets, or a blank one, where the variables name them', async () => {
  const both = { CATALOG_DB: 'env.db', CATALOG_REMOTE: 'https://erp.example' };
  for (const args of [[], ['products'], ['info']]) {
    const { stdout } = await withUserConfig('defaults: {}\n', ['config', ...args], both);
    expect(stdout).toMatch(/^db +env\.db +CATALOG_DB +refused$/m);
    expect(stdout).toMatch(/^Refused: CATALOG_DB and CATALOG_REMOTE are both set; choose one with --db or --remote/m);
  }
  expect(await counting('defaults: {}\n', [], both)).toEqual({});
  const blank = await withUserConfig('defaults: {}\n', ['config'], { CATALOG_REMOTE: ' ' });
  expect(blank.stdout).toContain('Refused: CATALOG_REMOTE is blank');
  const profile = await withUserConfig('profiles: { erp: { db: a.db } }\n', ['config', '--profile', 'erp'], both);
  expect(profile.stdout).not.toContain('efused');
});

describe('the file', () => {
  it('gives commands their options: defaults, a profile, sections of a command', async () => {
    const cwd = folder(
      'defaults:\n  products:\n    output: json\nprofiles:\n  erp:\n    db: erp.db\n    feed: erp\n    report-file: [a.ndjson, b.csv]\n    quiet: true\n',
    );
    expect((await typed(cwd, ['products', 'feed.csv'])).stdout).toContain('"created":2');
    expect((await typed(cwd, ['get', 'product', '--sku', 'S-0'])).code).toBe(0);
    const quiet = await typed(cwd, ['products', 'feed.csv', '--profile', 'erp', '--output', 'table']);
    expect(quiet).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(cwd, 'a.ndjson'), 'utf8')).toContain('"created"');
    expect(readFileSync(join(cwd, 'b.csv'), 'utf8')).toContain('created');
    // A required option may come from the file.
    expect((await typed(cwd, ['missing', '--profile', 'erp', '--output', 'json'])).stdout).toBe('[]\n');
    const without = await typed(cwd, ['missing']);
    expect([without.code, without.stderr]).toEqual([
      2,
      expect.stringContaining("error: required option '--feed <name>'"),
    ]);
  });

  it('is that of the user, alone or beside the one of the working folder', async () => {
    const home = emptyFolder();
    mkdirSync(join(home, '.config/catalog-import'), { recursive: true });
    writeFileSync(join(home, '.config/catalog-import/config.yaml'), 'defaults: {db: mine.db}\n');
    const env = { HOME: home, XDG_CONFIG_HOME: '' };
    const other = emptyFolder();
    const used = async (cwd: string, variables: NodeJS.ProcessEnv) =>
      (await typed(cwd, ['config', 'get'], { env: variables })).stdout;
    expect(await used(other, env)).toContain('mine.db');
    const here = await used(folder('defaults: {output: table}\n'), env);
    expect(here).toMatch(/^file: catalog-import\.yaml, .*config\.yaml\n/);
    expect(here).toMatch(/db +mine\.db +defaults, line 1 of .*config\.yaml/);
    const moved = join(home, 'moved');
    mkdirSync(join(moved, 'catalog-import'), { recursive: true });
    writeFileSync(join(moved, 'catalog-import/config.yaml'), 'defaults: {db: moved.db}\n');
    expect(await used(other, { HOME: home, XDG_CONFIG_HOME: moved })).toContain('moved.db');
  });

  it('is not a file that `run` imports', async () => {
    const cwd = emptyFolder({ 'catalog-import.yaml': '', 'products.csv': products(2) });
    const { code, stdout } = await typed(cwd, ['run', '.']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 created')]);
  });

  it('applies to serve and its workers', async () => {
    const cwd = folder(
      'profiles: {live: {db: served.db, serve: {port: 0, workers: 2, cors: ["https://shop.example"]}}}\n',
    );
    const child = start(cwd, ['serve', '--profile', 'live']);
    await lineOf(child, /listening on/);
    child.kill('SIGTERM');
    expect(await outcome(child)).toMatchObject({ code: 0 });
  });

  it('provides the names of its profiles to shell completion', async () => {
    const config = 'profiles: {erp: {}, live: {}}\n';
    const complete = (file: string) =>
      withUserConfig(file, ['completion', 'complete', '--', 'products', '--profile', '']);
    expect((await complete(config)).stdout).toBe('erp\t\nlive\t\n');
    expect(await complete('profiles: [')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('is not read by help, completion and explain: they work with a broken one', async () => {
    const cwd = folder('defaults: [\n');
    for (const args of [['get', '--help'], ['help'], ['completion', 'bash'], ['explain', 'field_required']])
      expect(await typed(cwd, args)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('precedence', () => {
  const config = `defaults:
  db: default.db
  output: table
  runs:
    output: json
profiles:
  erp:
    remote: https://erp.example
    api-key-file: erp.key
    ca-file: erp.pem
    get: {output: table}
`;

  it('flags and the named profile override variables, variables override defaults; the section of a command overrides general settings', async () => {
    expect(await counting(config, ['list'])).toMatchObject({ db: 'default.db', output: 'table' });
    expect(await counting(config, ['runs'])).toMatchObject({ db: 'default.db', output: 'json' });
    const profile = await counting(config, ['list', '--profile', 'erp']);
    expect(profile).toMatchObject({ remote: 'https://erp.example', 'api-key-file': 'erp.key', 'ca-file': 'erp.pem' });
    expect(profile).not.toHaveProperty('db');
    const env = await rows(config, ['list', '--profile', 'erp'], { CATALOG_DB: 'env.db' });
    expect(env.filter(({ counts }) => counts).map(({ option, value }) => [option, value])).toContainEqual([
      'remote',
      'https://erp.example',
    ]);
    expect(env.find(({ option }) => option === 'db')).toMatchObject({ counts: false, beaten_by: 'profiles.erp' });
    const defaults = await rows(config, ['list'], { CATALOG_DB: 'env.db' });
    expect(defaults.find(({ value }) => value === 'default.db')).toMatchObject({
      counts: false,
      beaten_by: 'CATALOG_DB',
    });
    // And in truth: the catalog that is looked for is the one that counts.
    const asked = async (args: readonly string[], variables: NodeJS.ProcessEnv = {}) =>
      (await withUserConfig(config, ['get', 'product', '--sku', 'A', ...args], variables)).stderr;
    expect(await asked([])).toContain('default.db');
    expect(await asked([], { CATALOG_DB: 'env.db' })).toContain('env.db');
    expect(await asked(['--db', 'flag.db'], { CATALOG_DB: 'env.db' })).toContain('flag.db');
    expect(await asked(['--db', 'flag.db', '--profile', 'erp'])).toContain('flag.db');
    for (const variables of [{ CATALOG_DB: 'env.db' }, { CATALOG_REMOTE: 'https://elsewhere.example' }])
      expect(await asked(['--profile', 'erp'], variables)).toContain('erp.key');
  });

  it('a key is used for the remote that its section names, and for no other', async () => {
    const { code, stderr } = await withUserConfig(config, [
      ...['get', 'product', '--sku', 'A', '--profile', 'erp', '--remote', 'https://elsewhere.example'],
    ]);
    expect([code, stderr]).toEqual([4, expect.stringContaining('There is no API key')]);
    const typedRemote = ['get', '--profile', 'erp', '--remote', 'https://elsewhere.example'];
    const ofDefaults = 'defaults: {remote: "https://erp.example", api-key-file: erp.key}\n';
    const elsewhere = await rows(ofDefaults, ['get'], { CATALOG_REMOTE: 'https://elsewhere.example' });
    expect(elsewhere.find(({ option }) => option === 'api-key-file')).toMatchObject({ counts: false });
    expect(
      (await withUserConfig(config, [...typedRemote.slice(0, 1), 'product', '--sku', 'A', ...typedRemote.slice(1)]))
        .stderr,
    ).not.toContain('erp.key');
  });

  it('a key comes from the variable that is named', async () => {
    const remote = 'defaults: {remote: "https://127.0.0.1:9", api-key-env: ERP_KEY, retry-max-time: 1s}\n';
    const none = await withUserConfig(remote, ['get', 'product', '--sku', 'A']);
    expect([none.code, none.stderr]).toEqual([4, expect.stringContaining('ERP_KEY is not set')]);
    const some = await withUserConfig(remote, ['get', 'product', '--sku', 'A'], { ERP_KEY: 'cik_abc' });
    expect([some.code, some.stderr.includes('cik_abc')]).toEqual([6, false]);
  });

  it('a profile of a remote is not taken for a local catalog', async () => {
    const { code, stderr } = await withUserConfig(config, ['info', '--profile', 'erp']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Profile erp names a remote')]);
    const own = await withUserConfig(config, ['runs', '--profile', 'erp']);
    expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('history is kept with its catalog')]);
  });

  it('a typed list replaces that of the file; a switch of a profile may be off', async () => {
    const cwd = folder(
      'profiles: {night: {quiet: true, report-file: [a.ndjson, b.ndjson]}, loud: {quiet: false, history: false}}\n',
    );
    const night = ['--profile', 'night', '--report-file', 'c.ndjson'];
    expect((await typed(cwd, ['products', 'feed.csv', ...night])).stdout).toBe('');
    expect(() => readFileSync(join(cwd, 'a.ndjson'))).toThrow();
    expect(readFileSync(join(cwd, 'c.ndjson'), 'utf8')).toContain('created');
    expect((await typed(cwd, ['products', 'feed.csv', '--profile', 'loud'])).stdout).toContain('unchanged');
    const { stdout } = await typed(cwd, ['runs', '--output', 'json']);
    expect(JSON.parse(stdout)).toHaveLength(1);
  });

  it('guards of a feed do not count for an import without one', async () => {
    const shares = shareOptions.map(({ option }) => `${option.slice(2)}: 20%`).join(', ');
    const guards = `defaults: {${shares}, max-refused: 5%, missing: suspend}\n`;
    expect(
      (await withUserConfig(guards, ['products', join(folder(''), 'feed.csv'), '--dry-run', '--db', 'none.db'])).code,
    ).toBe(0);
    expect((await counting(guards, ['products']))['max-missing']).toBeUndefined();
  });

  it('`config` shows no secret, and where each value is from', async () => {
    const postgres = 'defaults: {db: "postgres://importer@db.example/shop"}\n';
    const env = { CATALOG_API_KEY: 'cik_topsecret', CATALOG_DB: 'postgres://me:hidden@db.example/x' };
    const { code, stdout } = await withUserConfig(postgres, ['config'], env);
    expect(code).toBe(0);
    expect(stdout).toContain('defaults, line 1');
    expect(stdout).toContain('CATALOG_API_KEY');
    expect(stdout).toContain('not used: CATALOG_DB counts');
    expect(stdout).not.toMatch(/topsecret|hidden/);
    const all = await rows('defaults: {db: a.db, serve: {port: 1}, keys: {create: {all: true}}}\n', []);
    expect(all.map(({ command, option, value }) => [command, option, value])).toEqual([
      [undefined, 'db', 'a.db'],
      ['serve', 'port', '1'],
      ['keys create', 'all', true],
    ]);
    const none = await typedHere(['config'], { HOME: '/nowhere', XDG_CONFIG_HOME: '' });
    expect(none.stdout).toContain('No configuration file');
  });
});

describe('a fault ends the command with 2, its place and a remedy, before anything happens', () => {
  it.each([
    ['default:\n  db: a.db\n', 'line 1, column 1: default is not known here', 'Did you mean defaults?'],
    ['db: a.db\n', 'line 1, column 1: db must be within defaults or a profile', 'put "defaults:" above it'],
    ['defaults:\n  encodng: utf-8\n', 'line 2, column 3: encodng is not an option', 'Did you mean encoding?'],
    ['defaults:\n  dry_run: true\n', 'line 2, column 3', 'Did you mean dry-run?'],
    ['defaults:\n  quiet: loud\n', 'line 2, column 10: quiet must be true or false', ''],
    ['defaults:\n  quiet: [a]\n', 'line 2, column 10: quiet must be true or false', ''],
    ['defaults:\n  limit: true\n', 'line 2, column 10: limit must be a text or a number', ''],
    ['defaults:\n  limit: many\n', 'line 2, column 3: defaults.limit', 'Use a whole number of 0 or more'],
    ['defaults:\n  output: jsn\n', 'line 2, column 11: output: "jsn" is not one of', 'Did you mean json?'],
    ['defaults:\n  report-file: {a: b}\n', 'line 2, column 16: report-file must be a text or a number, or a list', ''],
    ['defaults:\n  serve: 8080\n', 'line 2, column 10: defaults.serve must hold keys with values', ''],
    ['defaults:\n  serve:\n    map: a.yaml\n', 'line 3, column 5: map is not an option of serve', 'Move it out'],
    ['defaults:\n  serve:\n    prot: 1\n', 'line 3, column 5: prot is not an option of serve', 'Did you mean port?'],
    ['defaults:\n  db: a.db\n  remote: https://x.example\n', 'line 3, column 3: db and remote', 'keep one'],
    ['defaults:\n  db: a.db\n  db: b.db\n', 'line 3, column 3', ''],
    ['profiles:\n  "a b": {}\n', 'line 2, column 3: The name of a profile', ''],
    ['defaults:\n  - db\n', 'line 2, column 3: defaults must hold keys', ''],
    ['defaults: {db: [\n', 'line ', ''],
    ['defaults:\n  api-key: cik_verysecret\n', 'line 2, column 3: api-key: a key does not belong', 'api-key-env'],
    ['defaults:\n  db: "postgres://u:verysecret@h/d"\n', 'holds a password', 'PGPASSWORD'],
    ['defaults:\n  profile: erp\n', 'line 2, column 3: profile is not an option', ''],
    ['--- {}\n--- {}\n', 'line ', ''],
  ])('%j', async (config, place, remedy) => {
    const { code, stdout, stderr } = await withUserConfig(config, ['products', 'none.csv']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: .*config\.yaml: line /);
    expect(stderr).toContain(place);
    expect(stderr).toContain(remedy);
    expect(stderr).not.toContain('verysecret');
  });

  it('an unknown profile is one, and so is a profile without a file', async () => {
    const unknown = await withUserConfig('profiles: {erp: {}}\n', ['info', '--profile', 'epr']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean erp?')]);
    const none = await typedHere(['info', '--profile', 'erp'], { HOME: '/nowhere', XDG_CONFIG_HOME: '' });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no configuration file found')]);
  });

  it('a file that is large, deep, full of aliases, unreadable or no text is one within a second', async () => {
    const bombs = [
      `defaults: {db: "${'x'.repeat(300_000)}"}`,
      `defaults: ${'['.repeat(60_000)}`,
      `defaults:\n${Array.from({ length: 20_000 }, (_, i) => `  k${i}: 1\n`).join('')}`,
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\ndefaults: *b\n`,
      `defaults:\n  where: [${'a=b,'.repeat(20_000)}]\n`,
    ];
    for (const bomb of bombs) {
      const { code, stderr } = await withUserConfig(bomb, ['products', 'none.csv']);
      expect([code, stderr.includes('This is a bug')], bomb.slice(0, 30)).toEqual([2, false]);
    }
    const latin = Buffer.from('defaults: {db: "\xe9"}', 'latin1');
    expect((await withUserConfig(latin, ['info'])).stderr).toContain('it is not UTF-8');
    const asFolder = emptyFolder();
    mkdirSync(join(asFolder, 'catalog-import.yaml'));
    expect((await typed(asFolder, ['info'])).stderr).toContain('it is not a file');
    const hidden = folder('defaults: {}\n');
    chmodSync(join(hidden, 'catalog-import.yaml'), 0);
    if (process.getuid?.() !== 0) expect((await typed(hidden, ['info'])).code).toBe(2);
  });
});

describe('its schema', () => {
  it('accepts what the program reads, and refuses what it refuses', async () => {
    const { stdout } = await typedHere(['schema', 'config']);
    const validate = newAjv({ allowUnionTypes: true }).compile(JSON.parse(stdout));
    const schema = sectionSchema(await allCommands(process, commands));
    const texts = [
      'defaults: {db: a.db, serve: {port: 1}}',
      'defaults: {report-file: a.csv}',
      'defaults: {report-file: [a.csv, b.html], no-color: true, color: false}',
      'defaults: {db: {migrate: {db: x.db}}}',
      'profiles: {erp: {keys: {create: {expires: 90d}}}}',
      '',
      'defaults: {serve: {map: x}}',
      'defaults: {quiet: 1}',
      'defaults: {output: jsn}',
      'defaults: {nothing: 1}',
      'profile: {}',
    ];
    for (const text of texts) {
      const cwd = folder(text);
      const reads = (): boolean => {
        try {
          readConfigs([join(cwd, 'catalog-import.yaml')], schema);
          return true;
        } catch {
          return false;
        }
      };
      expect([text, validate(parse(text))]).toEqual([text, reads()]);
    }
  });
});

/** Options that no file of a folder sets by its defaults: they write, listen, send, read elsewhere, name a target, or choose records. */
const mustBeTyped = new Set(
  (
    'all allow-http api-key-env api-key-file auth-failures behind-proxy below ca-file changed-only changed-since changes ' +
    'concurrency cors db dry-run expires external-id field force from full history no-history host id include keep max-age metrics-port ' +
    'missing missing-after name on-end on-end-when only out own port quiet rate refused-file remote report-file resume retry-max-time ' +
    'retry-max-wait schema scope set-new since sku source-auth-env source-max-size source-max-time status status-file tls-cert ' +
    'tls-key to update where workers write-contract write-map ' +
    'write-missing-values'
  ).split(' '),
);

describe('a file within a folder of others', () => {
  const key = { CATALOG_API_KEY: 'cik_secret' };

  it('decides by its defaults nothing that writes, listens, sends, reads elsewhere or names a target: exit 2 before anything is read', async () => {
    const outside = join(emptyFolder(), 'victim');
    for (const [command, option] of [
      ['products', 'remote: https://thief.example'],
      ['products', 'db: postgres://thief.example/x'],
      ['products', 'db: other.db'],
      ['products', `refused-file: ${outside}`],
      ['products', `report-file: ${outside}`],
      ['products', `status-file: ${outside}`],
      ['products', 'products: {write-missing-values: bash.rc}'],
      ['products', 'max-missing: off'],
      ['products', 'max-missing: 21%'],
      ['products', 'max-price-change: 3x:1%'],
      ['products', 'min-rows: 0'],
      ['products', `map: ${outside}`],
      ['products', 'map: ../map.yaml'],
      ['products', 'quiet: true'],
      ['serve', 'serve: {host: 0.0.0.0}'],
      ['serve', 'behind-proxy: true'],
      ['serve', 'cors: [https://thief.example]'],
    ] as const) {
      const cwd = folder(`defaults:\n  feed: erp\n  ${option}\n`);
      const args = command === 'serve' ? ['serve'] : ['products', 'feed.csv'];
      const { code, stdout, stderr } = await typed(cwd, args, { env: key });
      expect([option, code, stdout]).toEqual([option, 2, '']);
      expect(stderr).toMatch(/^error: catalog-import\.yaml: line 3, column \d+: defaults\S*: /);
      expect(readdirSync(cwd).sort()).toEqual(['catalog-import.yaml', 'feed.csv']);
      expect((await typed(cwd, ['config', command])).code).toBe(2);
    }
  });

  it('takes back nothing that the own defaults of the user say: target, guards, contract, what ends an import, feed', async () => {
    const home = emptyFolder();
    const own = join(emptyFolder(), 'own.db');
    mkdirSync(join(home, 'catalog-import'));
    writeFileSync(
      join(home, 'catalog-import/config.yaml'),
      `defaults:\n  db: ${own}\n  feed: erp\n  max-missing: 5%\n  products: {max-refused: 0, min-rows: 2, delimiter: ";"}\nprofiles: {night: {report: none}}\n`,
    );
    const env = { XDG_CONFIG_HOME: home };
    const config =
      'defaults: {delimiter: ",", max-missing: 19%, max-refused: 1000, products: {feed: other, min-rows: 1}, report: all}\n';
    for (const text of ['', config]) {
      const cwd = folder(text, { 'feed.csv': 'sku,currency\nA,EUR\n' });
      const delimiter = text === '' ? ['--delimiter', ','] : [];
      const { code, stderr } = await typed(cwd, ['products', 'feed.csv', ...delimiter], { env });
      expect([code, stderr]).toEqual([8, expect.stringContaining('at least 2 are expected')]);
      expect(readdirSync(cwd).sort()).toEqual(['catalog-import.yaml', 'feed.csv']);
      writeFileSync(join(cwd, 'feed.csv'), 'sku,currency\nA,EUR\nB,EUR\n,EUR\n');
      expect((await typed(cwd, ['products', 'feed.csv', ...delimiter], { env })).code).toBe(8);
    }
    const cwd = folder(config);
    const { stdout } = await typed(cwd, ['config', 'products', '--profile', 'night', '--output', 'json'], { env });
    const counts = (JSON.parse(stdout) as { options: Row[] }).options.filter((one) => one.counts);
    expect(Object.fromEntries(counts.map(({ option, value }) => [option, value]))).toMatchObject({
      ...{ db: own, feed: 'erp', 'max-missing': '5%', 'max-refused': '0', 'min-rows': '2' },
      ...{ delimiter: ',', report: 'none' },
    });
  });

  it('sends nothing elsewhere by a mapping that is a link out of the folder', async () => {
    const cwd = folder('defaults: {map: map.yaml}\n');
    const outside = join(emptyFolder({ 'map.yaml': 'fields: {sku: sku}\n' }), 'map.yaml');
    symlinkSync(outside, join(cwd, 'map.yaml'));
    expect(await typed(cwd, ['products', 'feed.csv'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('inside'),
    });
  });

  it('carries no other file into the catalog by the tables of its mapping', async () => {
    const table = (file: string) =>
      `to: products\ntables: {t: {file: ${JSON.stringify(file)}, key: sku, columns: {c: currency}}}\n` +
      'fields: {sku: sku, currency: {value: EUR}, note: {column: sku, lookup: {table: t, column: c}, else: empty}}\n';
    const outside = emptyFolder({ 'secret.csv': 'sku,currency\nA,SECRET\n' });
    const cwd = folder('defaults: {map: map.yaml}\n');
    symlinkSync(join(outside, 'secret.csv'), join(cwd, 'link.csv'));
    symlinkSync(outside, join(cwd, 'sub'));
    for (const file of [
      'link.csv',
      'sub/secret.csv',
      `../${basename(outside)}/secret.csv`,
      join(outside, 'secret.csv'),
    ]) {
      writeFileSync(join(cwd, 'map.yaml'), table(file));
      const { code, stdout, stderr } = await typed(cwd, ['products', 'feed.csv']);
      expect([file, code]).toEqual([file, 2]);
      expect(stdout + stderr).not.toContain('SECRET');
    }
    // A link that the user of a mapping made is followed where the mapping is typed.
    writeFileSync(join(cwd, 'map.yaml'), table('link.csv'));
    expect((await typed(cwd, ['products', 'feed.csv', '--map', 'map.yaml'])).code).toBe(0);
  });

  it('a number of refused rows is one more limit, and takes no place of the default share', async () => {
    const cwd = folder('defaults: {feed: erp, max-refused: 1000}\n');
    const rows = (count: number) => `sku,currency\n${'A,EUR\n'.repeat(9 - count)}${',EUR\n'.repeat(count)}`;
    writeFileSync(join(cwd, 'feed.csv'), rows(0));
    expect((await typed(cwd, ['products', 'feed.csv'])).code).toBe(0);
    writeFileSync(join(cwd, 'feed.csv'), rows(5));
    expect((await typed(cwd, ['products', 'feed.csv'])).code).toBe(8);
    expect((await typed(cwd, ['products', 'feed.csv', '--max-refused', '1000'])).code).toBe(3);
  });

  it('gives no profile the name of one of the user', async () => {
    const home = emptyFolder();
    mkdirSync(join(home, 'catalog-import'));
    writeFileSync(join(home, 'catalog-import', 'config.yaml'), 'profiles: {erp: {db: own.db}, mine: {}}\n');
    const cwd = folder('profiles: {erp: {report-file: victim.csv}, other: {report: none}}\n');
    const env = { XDG_CONFIG_HOME: home };
    const { code, stderr } = await typed(cwd, ['products', 'feed.csv', '--profile', 'erp'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('Give one of them another name.')]);
    expect((await typed(cwd, ['products', 'feed.csv', '--profile', 'other'], { env })).code).toBe(0);
  });

  it('what is typed counts all the same, and stricter guards, forms and a mapping inside may be set', async () => {
    const cwd = folder('defaults: {db: thief.db, feed: erp, max-missing: 10%, min-rows: 2, report: none}\n');
    const { code, stderr } = await typed(cwd, ['products', 'feed.csv', '--db', 'own.db']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Options from catalog-import.yaml in this folder: ')]);
    expect((await typed(cwd, ['products', 'feed.csv'], { env: { CATALOG_DB: 'own.db' } })).code).toBe(0);
  });

  it('every run that it sets an option of names it, with the profile that is typed, unless --quiet', async () => {
    const cwd = folder('defaults: {report: all}\nprofiles: {up: {db: ../up.db}}\n');
    const said = async (...args: string[]) => (await typed(cwd, ['products', 'feed.csv', ...args])).stderr;
    expect(await said('--profile', 'up')).toContain(
      'Options from catalog-import.yaml in this folder: db ../up.db, report all.\n',
    );
    expect(await said('--quiet')).toBe('');
  });

  it('is left out with --no-config, which a file of others names', async () => {
    const cwd = folder('defaults: {db: thief.db}\n');
    expect((await typed(cwd, ['products', 'feed.csv', '--no-config'])).code).toBe(0);
    expect((await typed(cwd, ['missing', '--no-config'])).stderr).toContain("required option '--feed <name>'");
    const both = await typed(cwd, ['info', '--no-config', '--profile', 'erp']);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('Leave one of them out')]);
  });

  it('each option of each command is either one that a folder may set, or one that has to be typed', async () => {
    const names = ({ properties = {} }: ConfigSchema): string[] =>
      Object.entries(properties).flatMap(([name, known]) =>
        (known.anyOf ?? [known]).flatMap((form) => (form.properties === undefined ? name : names(form))),
      );
    const all = new Set(names(sectionSchema(await allCommands(process, commands))));
    const unsorted = [...all].filter((name) => folderOptions.has(name) === mustBeTyped.has(name));
    expect(unsorted).toEqual([]);
    expect([...folderOptions.keys(), ...mustBeTyped].filter((name) => !all.has(name))).toEqual([]);
  });

  it('belongs to the user, to root, or to the user behind sudo, and nobody else may write to it', () => {
    const by = (own: number, SUDO_UID?: string) => ({
      getuid: () => own,
      env: SUDO_UID === undefined ? {} : { SUDO_UID },
    });
    const fault = (uid: number, mode: number, user: ReturnType<typeof by>) => ownerFault({ uid, mode }, 'x.yaml', user);
    expect(fault(1000, 0o100664, by(1000))).toBeUndefined();
    expect(fault(0, 0o100644, by(1000))).toBeUndefined();
    expect(fault(1000, 0o100644, by(0, '1000'))).toBeUndefined();
    expect(fault(1001, 0o100644, by(1000))).toContain('another user (uid 1001)');
    expect(fault(1001, 0o100644, by(1000, '1001'))).toContain('another user');
    expect(fault(1000, 0o100644, by(0))).toContain('another user');
    expect(fault(1000, 0o100666, by(1000))).toContain('chmod o-w x.yaml), or use --no-config');
    expect(ownerFault({ uid: 7, mode: 0o666 }, 'x.yaml', { env: {} })).toBeUndefined();
  });

  it.skipIf(process.getuid === undefined)(
    'ends the command where every user may write to it (not on Windows: there are no such rights)',
    async () => {
      const cwd = folder('defaults: {report: all}\n');
      chmodSync(join(cwd, 'catalog-import.yaml'), 0o666);
      const { code, stderr } = await typed(cwd, ['products', 'feed.csv']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('chmod o-w catalog-import.yaml')]);
    },
  );
});
